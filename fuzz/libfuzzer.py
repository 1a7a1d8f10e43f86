"""What targets in C and C++ share: they are built with clang's libFuzzer and both sanitizers.

    libfuzzer.py PROGRAM FOLDER BUDGET SEED [OPTION ...]

runs one, keeps its corpus beside it, and reports the number of inputs. A run that is killed before
its time or finds something ends with a status other than 0; the input is in FOLDER.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from budget import Budget

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "fuzz"
NATIVE = ROOT / "fuzz" / "native"
FLAGS = (
    "-g", "-O1", "-fno-omit-frame-pointer",
    "-fsanitize=fuzzer,address,undefined,float-cast-overflow", "-fno-sanitize-recover=all",
)  # fmt: skip
_VERSIONS = ("", *(f"-{n}" for n in range(21, 12, -1)))
_HOW = "sudo apt-get install clang libclang-rt-14-dev (or that of your version)"


def clang(language: str = "C") -> str | None:
    """clang, or clang++ for C++, if it is there."""
    stem = "clang++" if language == "C++" else "clang"
    own = os.environ.get("AXIOMETER_FUZZ_" + language.replace("+", "X"))
    return own or next((f for v in _VERSIONS if (f := shutil.which(stem + v))), None)


def needs(language: str = "C") -> str | None:
    """What is missing for a target of this language, as a sentence."""
    found = clang(language)
    if found is None:
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


def build(
    name: str, sources: Iterable[Path], includes: Iterable[Path], options: Sequence[str] = ()
) -> Path:
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
        _run([*compiler, *FLAGS, *options, *search, "-c", source, "-o", made])
    program = folder / name
    _run([clang("C++"), *FLAGS, *objects, "-o", program])
    return program


def command(program: Path, folder: Path, budget: Budget, seed: int, *options: str) -> list[str]:
    """What a target's command() returns."""
    words = [sys.executable, __file__, program, folder, budget, seed, *options]
    return [str(word) for word in words]


def _run(words: list[object]) -> None:
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{words[-1]} cannot be built:\n{done.stdout}{done.stderr}")


def main(program: str, folder: str, budget: str, seed: str, *options: str) -> int:
    corpus = Path(program).parent / "corpus"
    corpus.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as empty:
        # By number, the inputs are the same whatever ran before.
        kept = corpus if Budget.of(budget).inputs is None else empty
        words = [
            program, Budget.of(budget).libfuzzer, f"-seed={seed}", f"-artifact_prefix={folder}/",
            "-print_final_stats=1", "-timeout=10", "-rss_limit_mb=2048", "-verbosity=0",
            kept, *options,
        ]  # fmt: skip
        done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")  # fmt: skip
    counted = re.search(r"stat::number_of_executed_units:\s*(\d+)", done.stdout)
    if done.returncode or counted is None:
        print("\n".join(done.stdout.splitlines()[-60:]))
        return done.returncode or 1
    print(f"inputs: {counted[1]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
