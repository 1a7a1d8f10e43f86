"""Drives a target that is written in Python: `python_fuzz.py FILE FOLDER BUDGET SEED`.

FILE is a target module with `seeds()` (a list of bytes) and `one(data)`, and, if it likes,
`INSTRUMENT` (packages whose coverage guides the inputs), `WORDS` (bytes that inputs are made of)
and `MAX_BYTES`. A finding is any exception of `one` but AxiometerError, an AxiometerError that no
person can read, an input that takes more than `LIMIT_S`, or more than `LIMIT_BYTES` of memory.

Inputs come from Atheris (libFuzzer for Python) or, without it, from `mutate.py`, which has
nothing of coverage. Either way this process starts another one and counts its inputs.
"""

from __future__ import annotations

import importlib.util
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from budget import Budget

import run as runner

LIMIT_S = 10  # of processor time
HANGS_S = 120  # by the clock, of a machine that does other things too
SHORT_S = 10
LIMIT_BYTES = 2**30
USUAL_MAX_BYTES = 8192
LONGEST_MESSAGE = 8000
_DONE = re.compile(r"^Done (\d+) runs", re.MULTILINE)
_INPUTS = re.compile(r"^inputs: (\d+)$", re.MULTILINE)


def needs() -> str | None:
    """Of every Python target: the package that it attacks."""
    if importlib.util.find_spec("axiometer") is None:
        return "axiometer is not installed: make build"
    return None


def command(file: str) -> Callable[[Path, Budget, int], list[str]]:
    """The `command` of the Python target in `file`."""
    words = [sys.executable, str(Path(__file__).resolve()), file]
    return lambda folder, budget, seed: [*words, str(folder), str(budget), str(seed)]


def has_atheris() -> bool:
    return importlib.util.find_spec("atheris") is not None


def checked(one: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """`one`, with the errors that are meant for a person looked at and taken for good."""
    from axiometer.base import harmless
    from axiometer.base.errors import AxiometerError

    def attempt(data: bytes) -> None:
        begun = time.process_time()
        try:
            one(data)
            took = time.process_time() - begun
            if took > LIMIT_S:
                raise AssertionError(f"{took:.0f} s of processor time")
        except AxiometerError as error:
            message = str(error)
            if not error.message.strip() or len(message) > LONGEST_MESSAGE:
                raise AssertionError(
                    f"a message of {len(message)} characters is too long to read"
                ) from error
            if harmless.found_in(message):
                raise AssertionError(f"control characters in a message: {message!r}") from error

    return attempt


def limit_memory() -> None:
    """At most `LIMIT_BYTES` more than this process has now. Of data: the drawing library's
    engine reserves much more of addresses than it uses."""
    status = Path("/proc/self/status").read_text()
    most = int(re.search(r"^VmData:\s*(\d+) kB", status, re.MULTILINE)[1]) * 1024 + LIMIT_BYTES
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def words_file(words: list[bytes], folder: Path) -> Path:
    """A dictionary for libFuzzer."""
    path = folder / "words.dict"
    quoted = ("".join(f"\\x{byte:02x}" for byte in word) for word in words)
    path.write_text("".join(f'"{word}"\n' for word in quoted))
    return path


def with_atheris(target: ModuleType, folder: Path, budget: Budget, seed: int, work: Path) -> None:
    """Never returns: libFuzzer ends the process."""
    import atheris

    instrumented = getattr(target, "INSTRUMENT", ["axiometer"])
    with atheris.instrument_imports(include=instrumented):
        seeds = target.seeds()
    corpus = work / "corpus"
    corpus.mkdir(exist_ok=True)
    for number, data in enumerate(seeds):
        (corpus / f"seed{number}").write_bytes(data)
    options = [
        budget.libfuzzer, f"-seed={seed}", f"-artifact_prefix={folder}/",
        f"-timeout={HANGS_S}", f"-rss_limit_mb={2 * LIMIT_BYTES >> 20}", "-print_final_stats=1",
        f"-max_len={getattr(target, 'MAX_BYTES', USUAL_MAX_BYTES)}", "-verbosity=1",
    ]  # fmt: skip
    if getattr(target, "WORDS", None):
        options.append(f"-dict={words_file(target.WORDS, work)}")
    atheris.Setup([sys.argv[0], *options, str(corpus)], checked(target.one))
    limit_memory()
    atheris.Fuzz()


def inside(file: Path, folder: Path, budget: Budget, seed: int) -> None:
    """The process that feeds the target."""
    target = runner.load(file.stem, file.parent)
    with tempfile.TemporaryDirectory() as work:
        # Instrumenting takes longer than a short run lasts.
        if has_atheris() and (budget.seconds or 0) >= SHORT_S:
            with_atheris(target, folder, budget, seed, Path(work))
            return
        import mutate

        seeds = target.seeds()
        limit_memory()
        most = getattr(target, "MAX_BYTES", USUAL_MAX_BYTES)
        source = mutate.Inputs(seeds, getattr(target, "WORDS", []), most, seed)
        print("Without Atheris: inputs are not guided by coverage", flush=True)
        count = mutate.feed(checked(target.one), source, budget, HANGS_S, folder)
        print(f"inputs: {count}")


def main(argv: list[str]) -> int:
    if argv[0] == "--inside":
        inside(Path(argv[1]), Path(argv[2]), Budget.of(argv[3]), int(argv[4]))
        return 0
    done = subprocess.run(
        [sys.executable, __file__, "--inside", *argv], text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    counted = _DONE.search(done.stdout) or _INPUTS.search(done.stdout)
    if done.returncode or not counted:
        print(done.stdout[-20000:])
        return done.returncode or 1
    print(f"inputs: {counted[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
