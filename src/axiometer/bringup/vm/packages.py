"""Fetches Debian's packages for virtual machines into folders.

Packages are unpacked, not installed: the system does not change.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.cosim import build

FETCH = "axiometer vm --fetch"
OWN = "amd64"
DONE = ".complete"
MERGED = ("bin", "lib", "lib64", "sbin")


class Table(TypedDict):
    """Packages of a suite of Debian."""

    suite: str
    packages: list[str]
    also: NotRequired[list[str]]


class Architecture(TypedDict):
    """machine, cpu: QEMU's. linux: ARCH of the kernel's makefiles. compiler: its prefix. image: the
    bootable file's name in the makefile."""

    machine: str
    cpu: str
    linux: str
    compiler: str
    image: str


class Kernel(TypedDict):
    """root: for building its modules. Either `suite` and `packages`, or `source` and `configs` of a
    kernel of our own. memory: of its machine, if not the default."""

    architecture: str
    root: str
    suite: NotRequired[str]
    also: NotRequired[list[str]]
    packages: NotRequired[list[str]]
    kbuild: NotRequired[str]
    source: NotRequired[str]
    configs: NotRequired[list[str]]
    memory: NotRequired[str]


class Archive(TypedDict):
    """A file to download, with its hash."""

    version: str
    url: str
    sha256: str


class Listed(TypedDict):
    """packages.toml."""

    mirror: str
    architectures: dict[str, Architecture]
    roots: dict[str, Table]
    sources: dict[str, str]
    archives: dict[str, Archive]
    kernels: dict[str, Kernel]
    guest: Table
    freertos: Archive
    dpdk: Archive


@cache
def listed() -> Listed:
    file = Path(__file__).with_name("packages.toml")
    return cast("Listed", tomllib.loads(file.read_text(encoding="utf-8")))  # comes with this file


def kernels() -> list[str]:
    """The names of the kernels; the first is the default."""
    return list(listed()["kernels"])


@dataclass(frozen=True)
class Folder:
    """Unpacked packages of one architecture; each list of packages has its own folder."""

    name: str
    architecture: str
    suite: str
    also: tuple[str, ...]
    packages: tuple[str, ...]

    @property
    def path(self) -> Path:
        mark = hashlib.sha256(repr(self).encode()).hexdigest()[:8]
        return build.cache() / "vm" / f"{self.name}-{mark}"

    @property
    def there(self) -> bool:
        return (self.path / DONE).is_file()

    def command(self) -> list[str]:
        """The command that fetches it. mmdebstrap unpacks into an empty or missing folder."""
        mirror = listed()["mirror"]
        return [
            "mmdebstrap", "--variant=extract", f"--architectures={self.architecture}",
            f"--include={','.join(self.packages)}", self.suite, str(self.path),
            *(f"deb {mirror} {suite} main" for suite in (self.suite, *self.also)),
        ]  # fmt: skip


def root(name: str) -> Folder:
    """A root with programs to run: `tools` or `workshop`."""
    table = listed()["roots"][name]
    also = tuple(table.get("also", []))
    return Folder(name, OWN, table["suite"], also, tuple(table["packages"]))


def guest(architecture: str) -> Folder:
    table = listed()["guest"]
    name = f"guest-{architecture}"
    return Folder(name, architecture, table["suite"], (), tuple(table["packages"]))


def linux(kernel: str) -> Folder | None:
    """Image and headers of a kernel; None for a kernel of our own."""
    table = listed()["kernels"][kernel]
    if "suite" not in table or "packages" not in table:
        return None
    also, packages = tuple(table.get("also", [])), tuple(table["packages"])
    return Folder(f"linux-{kernel}", table["architecture"], table["suite"], also, packages)


def kbuild(kernel: str) -> Folder | None:
    """The programs that build its modules, if the root has other ones; else None."""
    table = listed()["kernels"][kernel]
    if "kbuild" not in table or "suite" not in table:
        return None
    also = tuple(table.get("also", []))
    return Folder(f"kbuild-{kernel}", OWN, table["suite"], also, (table["kbuild"],))


def needed(kernel: str) -> list[Folder]:
    table = listed()["kernels"][kernel]
    folders = [root("tools"), root(table["root"]), guest(table["architecture"])]
    folders += [folder for folder in (linux(kernel), kbuild(kernel)) if folder is not None]
    if table.get("source") in listed()["sources"]:
        folders.append(root(listed()["sources"][table["source"]]))
    return list(dict.fromkeys(folders))


def missing(kernel: str) -> list[Folder]:
    return [folder for folder in needed(kernel) if not folder.there]


def require(kernel: str) -> None:
    """AxiometerError, with the command that fetches them, if any are missing."""
    require_all(needed(kernel), f"--kernel {kernel}")


def require_all(folders: Iterable[Folder], option: str) -> None:
    """AxiometerError if any of `folders` is missing. `option`: of the command that fetches them."""
    absent = [folder.name for folder in folders if not folder.there]
    if absent:
        raise AxiometerError(
            f"this needs packages of Debian that are not in {build.cache() / 'vm'}: "
            f"{', '.join(absent)}",
            remedy=f"fetch them with {FETCH} {option}, some 2 GB on the disk",
        )


@contextmanager
def locked(place: Path) -> Iterator[bool]:
    """Whether `place` must still be made, under a lock, so that two programs make it once.

    The maker puts the file DONE into it.
    """
    done = place / DONE
    if done.is_file():
        yield False
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    with place.with_name(f".{place.name}.lock").open("w") as file:
        import fcntl  # POSIX systems only

        fcntl.flock(file, fcntl.LOCK_EX)
        yield not done.is_file()


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
    shutil.rmtree(folder.path, ignore_errors=True)
    done = subprocess.run(folder.command(), capture_output=True, text=True, check=False)
    if done.returncode:
        raise AxiometerError(
            f"mmdebstrap ended with status {done.returncode}: {done.stderr.strip()[-500:]}",
            remedy=f"run it yourself: {' '.join(folder.command())}",
            status=RUN_FAILED,
        )
    for name in MERGED:
        if not os.path.lexists(folder.path / name):
            (folder.path / name).symlink_to(f"usr/{name}")
    awk = folder.path / "usr" / "bin" / "awk"
    if (awk.parent / "mawk").is_file() and not os.path.lexists(awk):
        awk.symlink_to("mawk")
    (folder.path / DONE).touch()
