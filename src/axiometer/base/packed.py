"""Text files that are shipped packed: `NAME.xz` in the place of `NAME`, which every path names.

A tenth of the size, in the repository and in the package. `xz -dc NAME.xz` shows one.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

SUFFIX = ".xz"


def of(path: Path) -> Path:
    """The packed file that is in the place of `path`."""
    return path.with_name(path.name + SUFFIX)


def is_there(path: Path) -> bool:
    """Whether there is such a file, packed or not."""
    return path.is_file() or of(path).is_file()


def found(folder: Path, pattern: str) -> Iterator[Path]:
    """The files of a folder, packed or not, by the names that paths have."""
    yield from folder.glob(pattern)
    yield from (path.with_suffix("") for path in folder.glob(pattern + SUFFIX))


def opened(path: Path) -> IO[str]:
    """The file, packed or not, to read its text."""
    if path.is_file():
        return path.open(encoding="utf-8", newline="")
    import lzma  # takes time, and a user's own tables do not need it

    return cast("IO[str]", lzma.open(of(path), "rt", encoding="utf-8", newline=""))


def text(path: Path) -> str:
    """The text of the file, packed or not."""
    with opened(path) as file:
        return file.read()
