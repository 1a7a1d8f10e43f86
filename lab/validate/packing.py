"""Writes the text files that are shipped packed (`axiometer.base.packed`)."""

from __future__ import annotations

import lzma
from pathlib import Path

from axiometer.base import packed

# A small dictionary: a reader reserves that much.
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 9, "dict_size": 1 << 20}]


def write(path: Path, text: str) -> None:
    """Write the packed file in the place of `path`."""
    packed.of(path).write_bytes(lzma.compress(text.encode(), filters=FILTERS))


def remove(folder: Path, pattern: str) -> None:
    """Remove the packed files of a folder."""
    for path in packed.found(folder, pattern):
        packed.of(path).unlink()
