"""What targets in C and C++ share: they are built with clang's libFuzzer and both sanitizers.

Such a target has `TITLE` and `program()`: the built program, then options of libFuzzer."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "fuzz"
NATIVE = Path(__file__).parent / "native"
FLAGS = (
    "-g", "-O1", "-fno-omit-frame-pointer",
    "-fsanitize=fuzzer,address,undefined,float-cast-overflow", "-fno-sanitize-recover=all",
)  # fmt: skip
# The newest first: the model needs Clang 16.
_VERSIONS = (*(f"-{n}" for n in range(25, 15, -1)), "")
_HOW = "sudo apt-get install clang-19 libclang-rt-19-dev (16 or newer)"


def clang(language: str = "C") -> str | None:
    """clang, or clang++ for C++, if it is there."""
    stem = "clang++" if language == "C++" else "clang"
    own = os.environ.get("AXIOMETER_FUZZ_" + language.replace("+", "X"))
    return own or next((f for v in _VERSIONS if (f := shutil.which(stem + v))), None)


@functools.cache
def needs() -> str | None:
    """What is missing for such targets, as a sentence."""
    if clang() is None or clang("C++") is None:
        return f"clang is missing: {_HOW}"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "one.c"
        source.write_text(
            "#include <stddef.h>\nint LLVMFuzzerTestOneInput(const unsigned char *d, size_t n)\n"
            "{ return d != NULL && n > 7 ? 0 : 0; }\n"
        )
        done = subprocess.run([clang(), *FLAGS, source, "-o", Path(folder) / "one"],
                              capture_output=True)  # fmt: skip
    return None if done.returncode == 0 else f"clang has no libFuzzer: {_HOW}"


def build(name: str, sources: Iterable[Path], includes: Iterable[Path]) -> Path:
    """The program of a target below build/fuzz/; C and C++ sources. Objects are kept while their
    sources, and all headers below their include folders, are older."""
    folder = BUILD / name
    folder.mkdir(parents=True, exist_ok=True)
    search = [f"-I{path}" for path in includes]
    headers = [h for path in includes for kind in ("*.h", "*.hpp") for h in path.rglob(kind)]
    newest = max((h.stat().st_mtime for h in headers), default=0.0)
    objects = []
    for source in sources:
        made = folder / f"{source.parent.name}-{source.stem}.o"
        objects.append(made)
        if made.is_file() and made.stat().st_mtime > max(newest, source.stat().st_mtime):
            continue
        cxx = source.suffix == ".cpp"
        ahead = ["ccache"] if shutil.which("ccache") else []
        compiler = [*ahead, clang("C++" if cxx else "C"), "-std=c++20" if cxx else "-std=c11"]
        _run([*compiler, *FLAGS, *search, "-c", source, "-o", made])
    program = folder / name
    _run([clang("C++"), *FLAGS, *objects, "-o", program])
    return program


def _run(words: list[object]) -> None:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{words[-1]} cannot be built:\n{done.stdout}{done.stderr}")


def run(program: Path, folder: Path, limit: str, *options: str) -> str:
    """Runs a target up to `limit`, an option of libFuzzer ("-runs=400", "-max_total_time=60"); its
    output. AssertionError with the end of it after a finding, whose input is in `folder`.

    The corpus is kept beside the program, but runs by number begin without it: their inputs are the
    same whatever ran before."""
    corpus = folder / "corpus" if limit.startswith("-runs") else program.parent / "corpus"
    corpus.mkdir(exist_ok=True)
    words = [
        program, limit, "-seed=1", f"-artifact_prefix={folder}/", "-print_final_stats=1",
        "-timeout=10", "-rss_limit_mb=2048", "-verbosity=0", corpus, *options,
    ]  # fmt: skip
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace")  # fmt: skip
    assert done.returncode == 0 and "stat::" in done.stdout, done.stdout[-6000:]
    return done.stdout
