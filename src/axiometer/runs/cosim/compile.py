"""Compiles C and C++ files into objects, of which programs share some.

An object may be made of several files, which are compiled as one: parsing the same headers is most
of the cost of each. Shared objects lie in the cache under a hash of their sources' contents and of
the flags, whatever checkout they are of, and are made once at a time on this machine.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from axiometer.base import processors
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.standard_streams import transient


@dataclass(frozen=True)
class Object:
    """One compilation: `sources`, of one language, as one. include: directories."""

    compiler: Sequence[str]
    flags: Sequence[str]
    include: Sequence[Path]
    sources: Sequence[Path]
    target: Path

    def make(self) -> Path:
        """Compile it if it is not there. AxiometerError if the compiler fails."""
        if self.target.is_file():
            return self.target
        self.target.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.target.with_suffix(".lock")):
            if not self.target.is_file():
                self._compile()
        return self.target

    def _compile(self) -> None:
        language = "c" if self.sources[0].suffix == ".c" else "c++"
        words = [*self.compiler, *self.flags, *(f"-I{path}" for path in self.include)]
        new = self.target.with_suffix(".new")
        run(
            [*words, "-x", language, "-c", "-", "-o", new],
            "the compiler failed",
            text="".join(f'#include "{path}"\n' for path in self.sources),
        )
        new.replace(self.target)


def kept(
    folder: Path,
    name: str,
    compiler: Sequence[str],
    flags: Sequence[str],
    include: Sequence[Path],
    sources: Sequence[Path],
    mark: str,
) -> Object:
    """An object in `folder` that several programs share. mark: a hash of all files that its sources
    include."""
    # Files of different rooms may have the same name.
    files = [f"{path.parent.name}/{path.name}" for path in sources]
    whole = hash_of(repr((list(compiler), list(flags), files)), mark)
    return Object(compiler, flags, include, sources, folder / f"{name}-{whole}.o")


class Pool:
    """Compilations side by side, one a processor core, each target once, with a progress line. A
    context manager; leaving it waits."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(max_workers=processors.usable())
        self._started: dict[Path, Future[Path]] = {}
        self._done = 0
        self._starting = Lock()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *exc: object) -> None:
        self._threads.shutdown(cancel_futures=exc[0] is not None)

    def call(self, work: Callable[[], None]) -> Future[None]:
        """Begin `work`."""
        return self._threads.submit(work)

    def start(self, objects: Iterable[Object]) -> list[Future[Path]]:
        """Begin to compile `objects`; each future has the path of one."""
        return [self._start(one) for one in objects]

    def _start(self, one: Object) -> Future[Path]:
        with self._starting:
            if one.target not in self._started:
                self._started[one.target] = self._threads.submit(self._make, one)
            return self._started[one.target]

    def _make(self, one: Object) -> Path:
        made = one.make()
        with self._starting:
            self._done += 1
            transient(f"compiled {self._done} of {len(self._started)} parts")
        return made


def link(compiler: Sequence[str], objects: Sequence[Path], program: Path, work: Path) -> None:
    """Link `objects`; `program` appears whole, from the directory `work`."""
    built = work / program.name
    run([*compiler, "-o", built, *objects, "-pthread"], "linking failed")
    built.replace(program)


def run(
    command: Sequence[object],
    what: str,
    env: dict[str, str] | None = None,
    text: str | None = None,
) -> None:
    """Run a tool with `text` on its input. AxiometerError that begins with `what` if it fails."""
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env, input=text)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise AxiometerError(
            f"{what}: {Path(words[0]).name} ended with status {done.returncode}",
            remedy="see its messages above",
            status=RUN_FAILED,
        )


def contents(paths: Iterable[Path]) -> Iterator[str]:
    """A hash of the name and content of each file."""
    for path in paths:
        yield hash_of(path.name, path.read_bytes().hex())


def tree(directory: Path) -> str:
    """A hash of all C, C++ and list files below a directory."""
    kinds = {".c", ".h", ".cpp", ".hpp", ".txt"}
    files = sorted(path for path in directory.rglob("*") if path.suffix in kinds)
    return hash_of(*(str(path.relative_to(directory)) + "\n" + path.read_text() for path in files))


def hash_of(*parts: str) -> str:
    """A hash of texts, in 20 digits."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """A lock, so that two runners that need the same file make it once. Its file goes with it."""
    while True:
        with path.open("w") as file:
            import fcntl  # POSIX systems only

            fcntl.flock(file, fcntl.LOCK_EX)
            # The one before may have removed the file that this one waited for.
            if not _is_at(file.fileno(), path):
                continue
            try:
                yield
            finally:
                path.unlink()
            return


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
