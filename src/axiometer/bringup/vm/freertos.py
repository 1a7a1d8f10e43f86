"""FreeRTOS's kernel for images: the user's copy (FREERTOS_PATH), or a fetched copy.

No package of pip or Debian contains it; a crate of Rust's registry does, unchanged.
"""

from __future__ import annotations

import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import IO

from axiometer.base import data
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import archives, packages
from axiometer.runs.cosim import build

VARIABLE = "FREERTOS_PATH"
FETCH = "axiometer vm --fetch --freertos"
KERNEL = "tasks.c"  # a file that identifies its folder


def apps() -> list[str]:
    """Programs: those of host/apps/, and those that need an operating system."""
    own = (data.directory("host") / "freertos" / "apps").glob("*.c")
    return sorted({path.stem for path in (*own, *(data.directory("host") / "apps").glob("*.c"))})


def source(app: str) -> str:
    """The program's file, from host/freertos/."""
    own = f"apps/{app}.c"
    return own if (data.directory("host") / "freertos" / own).is_file() else f"../{own}"


def _listed() -> packages.Archive:
    return packages.listed()["freertos"]


def _fetched() -> Path:
    return build.cache() / "freertos" / _listed()["sha256"][:16]


def kernel() -> Path | None:
    """The folder of the kernel; None if there is none.

    AxiometerError if FREERTOS_PATH is not such a folder.
    """
    if named := os.environ.get(VARIABLE):
        path = Path(named)
        if not (path / KERNEL).is_file():
            raise AxiometerError(
                f"{VARIABLE} names {path}, which has no {KERNEL}",
                remedy="set it to the folder FreeRTOS-Kernel of a release (V11), or unset it",
            )
        return path.resolve()
    path = _fetched() / "FreeRTOS-Kernel"
    return path if (path / KERNEL).is_file() else None


def require() -> Path:
    """The folder of the kernel. AxiometerError, with the command that fetches it, if there is
    none."""
    found = kernel()
    if found is None:
        raise AxiometerError(
            "FreeRTOS's kernel is missing",
            remedy=f"fetch {_listed()['version']} with {FETCH} (1.5 MB), or set {VARIABLE} to a "
            "copy",
            status=RUN_FAILED,
        )
    return found


def fetch(say: Callable[[str], None]) -> None:
    """Fetch the kernel if it is missing. AxiometerError if that fails or its hash differs."""
    if kernel() is not None:
        return
    otherwise = f"or set {VARIABLE} to a copy of the kernel"
    with archives.fetched("FreeRTOS", _listed(), say, otherwise=otherwise) as file:
        _unpack(file, _fetched())


def _unpack(crate: IO[bytes], target: Path) -> None:
    """Unpack the kernel's folder of a crate into `target`."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as work:
        # Without tarfile's filters, which came with Python 3.11.4. The crate has only files.
        with tarfile.open(fileobj=crate) as archive:
            for member in filter(tarfile.TarInfo.isfile, archive):
                parts = PurePosixPath(member.name).parts
                file = Path(work, *(part for part in parts if part not in ("/", "..")))
                file.parent.mkdir(parents=True, exist_ok=True)
                content_of = archive.extractfile(member)
                assert content_of is not None  # it is a file
                file.write_bytes(content_of.read())
        (unpacked,) = Path(work).iterdir()
        shutil.rmtree(target, ignore_errors=True)
        unpacked.replace(target)
