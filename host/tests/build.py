"""Compiles what the tests of the C side run. The list of files is host/sources.txt."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from axiometer.runs.cosim import compile

HOST = Path(__file__).resolve().parents[1]
ROOT = HOST.parent
OBJECTS = ROOT / "build" / "host-objects"
WARNINGS = ["-std=c11", "-Wall", "-Wextra", "-Wconversion", "-Wpedantic", "-Werror"]
SANITIZERS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
TARGETS = ("hal/sim.c",)
ON_THE_DESK = ["hal/arena.c", "hal/test.c", "tests/fake.c", "tests/fake_dma.c"]
# Models of others' engines, for tests/engine_model.c.
ENGINES = ROOT / "lab" / "engines"
CXX_WARNINGS = ["-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Werror"]


def listed() -> tuple[list[str], list[Path]]:
    """Include options and C files of sources.txt."""
    includes, files = [], []
    for line in (HOST / "sources.txt").read_text().splitlines():
        if line.startswith("-I"):
            includes.append(f"-I{HOST / line[2:]}")
        elif line and not line.startswith("#"):
            files.append(HOST / line)
    return includes, files


def compiler() -> str:
    """The C compiler of this machine."""
    found = os.environ.get("CC") or shutil.which("gcc") or shutil.which("cc")
    if found is None:
        raise SystemExit("no C compiler: sudo apt-get install gcc")
    return found


def program(
    to: Path, extra: list[str], options: list[str], instead: tuple[Path, Path] | None = None
) -> Path:
    """A program of library, agent, the target for tests, and `extra` files of host/.

    `instead`: a file, and another that takes its place (a mutant). Only what was not compiled
    before with these options is compiled.
    """
    includes, files = listed()
    common = [f for f in files if str(f.relative_to(HOST)) not in TARGETS]
    sources = [*common, *(HOST / name for name in (*ON_THE_DESK, *extra))]
    own = [f"-I{path}" for path in (HOST / "tests", HOST / "apps", ENGINES)]
    command = [compiler(), *WARNINGS, *options, *includes, *own]
    if instead is None:
        objects = [_object(command, source) for source in sources]
    else:
        sources.remove(instead[0])
        _run([*command, "-c", instead[1], "-o", to.with_suffix(".o")])
        objects = [to.with_suffix(".o"), *(_object(command, source) for source in sources)]
    models = engines(options) if "tests/engine_model.c" in extra else []
    _run(["g++" if models else compiler(), *options, *objects, *models, "-o", to])
    return to


def engines(options: list[str]) -> list[Path]:
    """The objects of the models of engines."""
    command = ["g++", *CXX_WARNINGS, *options, f"-I{ENGINES}"]
    return [_object(command, source) for source in sorted(ENGINES.glob("*.cpp"))]


def _object(command: list[str], source: Path) -> Path:
    """What the compiler makes of a source, kept under a hash of all that it is made of."""
    mark = compile.hash_of(_tool(), _headers(), source.read_text())
    return compile.kept(OBJECTS, source.stem, command[:1], command[1:], (), [source], mark).make()


@functools.cache
def _tool() -> str:
    return _run([compiler(), "--version"])


@functools.cache
def _headers() -> str:
    """A hash of every header that a source of host/ can include of this repository."""
    mark = hashlib.sha256()
    for folder in (HOST, ROOT / "regs", ENGINES):
        for path in sorted(folder.rglob("*.h*")):
            mark.update(str(path).encode() + b"\0" + path.read_bytes())
    return mark.hexdigest()


def _run(command: list[str | Path]) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def agent(to: Path, options: list[str], instead: tuple[Path, Path] | None = None) -> Path:
    """The agent with the design that is not there."""
    return program(to, ["tests/agent_main.c"], options, instead)


def linux_agent(folder: Path, options: Sequence[str] = (), compiler: str = compiler()) -> Path:
    """The agent on Linux, in `folder`. compiler: with its own options."""
    words = [f"BUILD={folder}", f"CC={compiler}", "WARNINGS=" + " ".join([*WARNINGS, *options])]
    done = subprocess.run(
        ["make", "-C", str(HOST / "agent"), "LDFLAGS=", *words], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return folder / "axiometer-agent"


def mutant(file: str, old: str, new: str, folder: Path) -> tuple[Path, Path]:
    """A file of host/ and a copy of it in `folder` with one place changed."""
    original = HOST / file
    text = original.read_text()
    assert text.count(old) == 1, f"{file}: {old!r} stands {text.count(old)} times"
    copy = folder / original.name
    copy.write_text(text.replace(old, new))
    return original, copy


def mutated_room(room: str, file: str, old: str, new: str, folder: Path) -> Path:
    """A room of host/ in a copy of all of it in `folder`, with one place of one file changed."""
    host = folder / "host"
    shutil.copytree(HOST, host, ignore=shutil.ignore_patterns("tests", "build"))
    (folder / "regs").symlink_to(HOST.parent / "regs")
    mutant(f"{room}/{file}", old, new, (host / room / file).parent)
    return host / room
