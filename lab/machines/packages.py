"""Packages of Debian and other archives, unpacked in the cache at their first use, and programs of
them. They are not installed: the system does not change.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import tomllib
import urllib.request
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.standard_streams import tell
from axiometer.runs.cosim import build

FETCH = "python -m machines fetch"
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
        return self.path.is_dir()


def root(name: str) -> Folder:
    """A root of packages.toml, with programs to run."""
    return Folder.of(name, listed()["roots"][name])


def guest(architecture: str) -> Folder:
    return Folder.of(f"guest-{architecture}", listed()["guest"], architecture)


def get(folder: Folder) -> Path:
    """A folder, fetched if it is missing. AxiometerError if that fails."""

    def fetch(place: Path) -> None:
        tell(f"fetching {folder.name}, up to 2 GB on the disk: {' '.join(folder.packages)}")
        command = [
            "mmdebstrap", "--variant=extract", f"--architectures={folder.architecture}",
            f"--include={','.join(folder.packages)}", folder.suite, str(place),
            *(f"deb {listed()['mirror']} {suite} main" for suite in (folder.suite, *folder.also)),
        ]  # fmt: skip
        if shutil.which(command[0]) is None:
            raise AxiometerError(
                "mmdebstrap, which fetches packages, is not installed",
                remedy="sudo apt-get install mmdebstrap",
            )
        done(command)
        links = {place / name: f"usr/{name}" for name in MERGED}
        if (place / "usr" / "bin" / "mawk").is_file():
            links[place / "usr" / "bin" / "awk"] = "mawk"
        for link, target in links.items():
            if not os.path.lexists(link):
                link.symlink_to(target)

    return made(folder.path, fetch)


def fetched(about: Mapping[str, str], folder: Path, *words: str) -> Path:
    """`folder` with an archive of others: `url` and `sha256` of `about`, without the folder that it
    is in. words: of tar. AxiometerError if it cannot be fetched or has another hash."""

    def fetch(place: Path) -> None:
        tell(f"fetching {about['url']}")
        with tempfile.NamedTemporaryFile() as file:
            try:
                with urllib.request.urlopen(about["url"], timeout=FETCH_S) as stream:
                    shutil.copyfileobj(stream, file)
            except OSError as error:
                raise AxiometerError(
                    f"{about['url']} cannot be fetched: {error}",
                    remedy="check the network, and try again",
                    status=RUN_FAILED,
                ) from error
            file.seek(0)
            if (found := hashlib.file_digest(file, "sha256").hexdigest()) != about["sha256"]:
                raise AxiometerError(
                    f"the fetched file has another hash (SHA-256 {found})",
                    remedy="try again; if the error stays, the file was changed: do not use it",
                    status=RUN_FAILED,
                )
            unpack(Path(file.name), place, *words)

    return made(folder, fetch)


def unpack(archive: Path, folder: Path, *words: str) -> None:
    """Unpack the content of an archive's only folder."""
    done(["tar", "-xf", str(archive), "-C", str(folder), "--strip-components=1", *words])


def done(command: list[str], environment: Mapping[str, str] | None = None) -> str:
    """What a program says. AxiometerError if it fails."""
    ended = subprocess.run(
        children.tied(command), capture_output=True, text=True, check=False, env=environment
    )
    said = ended.stdout + ended.stderr
    if ended.returncode:
        raise AxiometerError(
            f"status {ended.returncode} of {' '.join(command)}:\n{said[-1500:]}", status=RUN_FAILED
        )
    return said


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
    environment = ["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/", "LC_ALL=C"]
    return done([*space, "sh", "-c", _MOUNTS, str(root), *pairs, ".", *environment, *command])


def made(folder: Path, make: Callable[[Path], object]) -> Path:
    """`folder` with what `make` puts into an empty folder, made if it is missing. Its name has a
    hash of its inputs, so that programs that make it at once make the same."""
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, ignore_cleanup_errors=True) as work:
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
