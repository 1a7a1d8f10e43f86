"""The folders of Debian's packages that a virtual machine needs: where they are, fetching them.

Packages are unpacked, not installed: nothing of the system is touched.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.cosim import build

FETCH = "axiometer vm --fetch"
ARM, OWN = "arm64", "amd64"
DONE = ".complete"
MERGED = ("bin", "lib", "lib64", "sbin")


class Table(TypedDict):
    """Packages of a suite of Debian."""

    suite: str
    packages: list[str]
    also: NotRequired[list[str]]
    kbuild: NotRequired[str]


class Crate(TypedDict):
    """A file of another's, known by its hash."""

    version: str
    url: str
    sha256: str


class Listed(TypedDict):
    """packages.toml."""

    mirror: str
    tools: Table
    kernels: dict[str, Table]
    guest: Table
    freertos: Crate


@cache
def listed() -> Listed:
    file = Path(__file__).with_name("packages.toml")
    return cast("Listed", tomllib.loads(file.read_text(encoding="utf-8")))  # comes with this file


def kernels() -> list[str]:
    """Versions that can be asked for; the first is the usual one."""
    return list(listed()["kernels"])


@dataclass(frozen=True)
class Folder:
    """Unpacked packages of one architecture."""

    name: str
    architecture: str
    suite: str
    also: tuple[str, ...]
    packages: tuple[str, ...]

    @property
    def path(self) -> Path:
        return build.cache() / "vm" / self.name

    @property
    def there(self) -> bool:
        return (self.path / DONE).is_file()

    def command(self) -> list[str]:
        """What fetches it. mmdebstrap unpacks into an empty or missing folder."""
        mirror = listed()["mirror"]
        return [
            "mmdebstrap", "--variant=extract", f"--architectures={self.architecture}",
            f"--include={','.join(self.packages)}", self.suite, str(self.path),
            *(f"deb {mirror} {suite} main" for suite in (self.suite, *self.also)),
        ]  # fmt: skip


def tools() -> Folder:
    table = listed()["tools"]
    return Folder("tools", OWN, table["suite"], tuple(table["also"]), tuple(table["packages"]))


def guest() -> Folder:
    table = listed()["guest"]
    return Folder("guest", ARM, table["suite"], (), tuple(table["packages"]))


def linux(kernel: str) -> Folder:
    """Image and headers of a kernel."""
    table = listed()["kernels"][kernel]
    return Folder(f"linux-{kernel}", ARM, table["suite"], (), tuple(table["packages"]))


def kbuild(kernel: str) -> Folder | None:
    """The programs that build its modules, where the tools have others."""
    table = listed()["kernels"][kernel]
    if "kbuild" not in table:
        return None
    return Folder(f"kbuild-{kernel}", OWN, table["suite"], (), (table["kbuild"],))


def needed(kernel: str) -> list[Folder]:
    folders = [tools(), guest(), linux(kernel), kbuild(kernel)]
    return [folder for folder in folders if folder is not None]


def missing(kernel: str) -> list[Folder]:
    return [folder for folder in needed(kernel) if not folder.there]


def require(kernel: str) -> None:
    """AxiometerError, with the command that fetches them, if any are not there."""
    absent = missing(kernel)
    if absent:
        raise AxiometerError(
            f"a virtual machine with Linux {kernel} needs packages of Debian that are not in "
            f"{build.cache() / 'vm'}: {', '.join(folder.name for folder in absent)}",
            remedy=f"{FETCH} --kernel {kernel} fetches them, some 2 GB on the disk",
        )


def fetch(kernel: str, say: Callable[[str], None]) -> None:
    """Fetches what is missing. AxiometerError if it cannot."""
    if missing(kernel) and shutil.which("mmdebstrap") is None:
        raise AxiometerError(
            "packages are fetched by mmdebstrap, which is not there",
            remedy="sudo apt-get install mmdebstrap",
        )
    for folder in missing(kernel):
        say(f"fetching {folder.name}: {' '.join(folder.packages)}")
        shutil.rmtree(folder.path, ignore_errors=True)
        folder.path.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(folder.command(), capture_output=True, text=True, check=False)
        if done.returncode:
            raise AxiometerError(
                f"mmdebstrap ended with status {done.returncode}: {done.stderr.strip()[-500:]}",
                remedy=f"try it by hand: {' '.join(folder.command())}",
                status=RUN_FAILED,
            )
        for name in MERGED:
            if not os.path.lexists(folder.path / name):
                (folder.path / name).symlink_to(f"usr/{name}")
        (folder.path / DONE).touch()
    join(kernel)


def join(kernel: str) -> None:
    """The kernel's headers and their build programs at the places in the tools where both look
    for them."""
    into = tools().path / "usr"
    awk = into / "bin" / "awk"
    if not os.path.lexists(awk):
        awk.symlink_to("mawk")
    places = [(linux(kernel).path / "usr" / "src", "src")]
    other = kbuild(kernel)
    if other is not None:
        places.append((other.path / "usr" / "lib", "lib"))
    for source, below in places:
        for found in sorted(source.glob("linux-*")):
            target = into / below / found.name
            if not found.is_symlink() and not target.exists():
                shutil.copytree(found, target, symlinks=True, copy_function=os.link)


def image(kernel: str) -> Path:
    return next((linux(kernel).path / "boot").glob("vmlinuz-*"))


def release(kernel: str) -> str:
    """The whole version, such as 6.12.107+deb13-arm64."""
    return image(kernel).name.removeprefix("vmlinuz-")
