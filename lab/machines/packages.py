"""Fetches Debian's packages and other archives into the cache, and runs programs of them.

Packages are unpacked, not installed: the system does not change.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
import tomllib
import urllib.request
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.cosim import build

FETCH = "python -m machines fetch"
DONE = ".complete"
MERGED = ("bin", "lib", "lib64", "sbin")
FETCH_S = 60.0  # without an answer


@cache
def listed() -> dict[str, Any]:
    """packages.toml."""
    return tomllib.loads(Path(__file__).with_name("packages.toml").read_text(encoding="utf-8"))


def store() -> Path:
    return build.cache() / "vm"


@dataclass(frozen=True)
class Folder:
    """Unpacked packages of one architecture; each list of packages has its own folder."""

    name: str
    architecture: str
    suite: str
    also: tuple[str, ...]
    packages: tuple[str, ...]

    @classmethod
    def of(cls, name: str, table: Mapping[str, Any], architecture: str = "amd64") -> Folder:
        also, packages = tuple(table.get("also", [])), tuple(table["packages"])
        return cls(name, architecture, table["suite"], also, packages)

    @property
    def path(self) -> Path:
        return store() / f"{self.name}-{hashlib.sha256(repr(self).encode()).hexdigest()[:8]}"

    @property
    def there(self) -> bool:
        return (self.path / DONE).is_file()

    def command(self) -> list[str]:
        """The command that fetches it. mmdebstrap unpacks into an empty or missing folder."""
        return [
            "mmdebstrap", "--variant=extract", f"--architectures={self.architecture}",
            f"--include={','.join(self.packages)}", self.suite, str(self.path),
            *(f"deb {listed()['mirror']} {suite} main" for suite in (self.suite, *self.also)),
        ]  # fmt: skip


def root(name: str) -> Folder:
    """A root of packages.toml, with programs to run."""
    return Folder.of(name, listed()["roots"][name])


def guest(architecture: str) -> Folder:
    return Folder.of(f"guest-{architecture}", listed()["guest"], architecture)


def require(folders: Iterable[Folder], words: str) -> None:
    """AxiometerError if any of `folders` is missing. words: of the command that fetches them."""
    if absent := [folder.name for folder in folders if not folder.there]:
        raise AxiometerError(
            f"this needs packages of Debian that are not in {store()}: {', '.join(absent)}",
            remedy=f"fetch them with {FETCH} {words}, some 2 GB on the disk",
        )


@contextmanager
def locked(place: Path) -> Iterator[bool]:
    """Whether `place` must still be made, under a lock, so that two programs make it once; the file
    DONE is put into it at the end of the block."""
    done = place / DONE
    if done.is_file():
        yield False
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_name(f".{place.name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        wanted = not done.is_file()
        if wanted:
            shutil.rmtree(place, ignore_errors=True)
        yield wanted
        if wanted:
            done.touch()


def fetch(folders: Iterable[Folder], say: Callable[[str], None]) -> None:
    """Fetch the missing folders. AxiometerError if that fails."""
    for folder in folders:
        with locked(folder.path) as wanted:
            if wanted:
                _fetch(folder, say)


def _fetch(folder: Folder, say: Callable[[str], None]) -> None:
    if shutil.which("mmdebstrap") is None:
        raise AxiometerError(
            "mmdebstrap, which fetches packages, is not installed",
            remedy="sudo apt-get install mmdebstrap",
        )
    say(f"fetching {folder.name}: {' '.join(folder.packages)}")
    done = subprocess.run(folder.command(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise AxiometerError(
            f"mmdebstrap ended with status {done.returncode}: {done.stderr.strip()[-500:]}",
            remedy=f"run it yourself: {' '.join(folder.command())}",
            status=RUN_FAILED,
        )
    links = {folder.path / name: f"usr/{name}" for name in MERGED}
    if (folder.path / "usr" / "bin" / "mawk").is_file():
        links[folder.path / "usr" / "bin" / "awk"] = "mawk"
    for link, target in links.items():
        if not os.path.lexists(link):
            link.symlink_to(target)


@contextmanager
def fetched(
    what: str, listed: Mapping[str, str], say: Callable[[str], None]
) -> Iterator[IO[bytes]]:
    """A file of others, opened at its beginning: `url`, `version` and `sha256` of `listed`.

    AxiometerError if it cannot be fetched or has another hash.
    """
    say(f"fetching {what} {listed['version']}: {listed['url']}")
    with tempfile.TemporaryFile() as file:
        try:
            with urllib.request.urlopen(listed["url"], timeout=FETCH_S) as stream:
                shutil.copyfileobj(stream, file)
        except OSError as error:
            raise AxiometerError(
                f"{what} cannot be fetched: {error}",
                remedy="check the network, and try again",
                status=RUN_FAILED,
            ) from error
        file.seek(0)
        if (found := hashlib.file_digest(file, "sha256").hexdigest()) != listed["sha256"]:
            raise AxiometerError(
                f"the fetched file has another hash (SHA-256 {found})",
                remedy="try again; if the error stays, the file was changed: do not use it",
                status=RUN_FAILED,
            )
        file.seek(0)
        yield file


# $0: the root; then pairs of a folder and its place in the root, a dot, and the command.
_MOUNTS = """root=$0
mount --bind /dev/null "$root/dev/null" || exit
while [ "$1" != . ]; do mount --bind "$1" "$root$2" || exit; shift 2; done
shift
exec chroot "$root" "$@"
"""


def run(root: Path, places: Mapping[str, Path], *command: str) -> str:
    """The output of `command` in `root`, with outside folders mounted at `places`.

    Needs user name spaces or root. AxiometerError if it fails.
    """
    (root / "dev").mkdir(exist_ok=True)
    (root / "dev" / "null").touch()
    pairs: list[str] = []
    for place, folder in places.items():
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
        pairs += [str(folder), place]
    space = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]  # all of them end at once
    if os.geteuid() != 0:
        space += ["--user", "--map-root-user"]
    words = [*space, "sh", "-c", _MOUNTS, str(root), *pairs, "."]
    words += ["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/", "LC_ALL=C"]
    whole = children.tied([*words, *command])
    done = subprocess.run(whole, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    if done.returncode:
        raise AxiometerError(
            f"{command[0]} ended with status {done.returncode}:\n{said[-1500:]}", status=RUN_FAILED
        )
    return said


def made(folder: Path, make: Callable[[Path], object]) -> Path:
    """`folder` with what `make` puts into an empty folder, made if it is missing. Its name has a
    hash of its inputs, so that programs that make it at once make the same."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as work:
            mine = Path(work) / "mine"
            mine.mkdir()
            make(mine)
            if not folder.is_dir():
                mine.rename(folder)
    return folder


def mark(paths: Iterable[Path], *more: object) -> str:
    """A hash of the contents of files, and of words."""
    found = hashlib.sha256(repr(more).encode())
    for path in sorted(paths):
        found.update(path.read_bytes() + path.name.encode())
    return found.hexdigest()[:16]
