"""The files of an export within bounds: a zip (.xsa, .hdf), an .xz, a directory, or one file.

An export may be hostile: sizes are read from the zip directory before anything is unpacked,
unpacked bytes are counted, and only files that a reader requests are opened.
"""

from __future__ import annotations

import lzma
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import TypeVar

from axiometer.base import harmless, input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.base.xml_parts import UNREADABLE, BadPartError
from axiometer.platform.registers.readers.quartus_handoff import FILES as HANDOFF

MAX_FILE = 256 * 2**20  # bytes; an .xsa holds a bitstream, which is not read
MAX_PART = 32 * 2**20  # bytes of one file, unpacked
MAX_PARTS = 64 * 2**20  # bytes of all files that are read
MAX_MEMBERS = 20_000
MAX_LISTED = 2000  # entries of a directory
MAX_UP = 6  # folders around the export in which a sourced script may lie
MAX_DEPTH = 4  # of directories below an export
_XZ_MEMORY = 128 * 2**20
# Quartus writes the handoff of an HPS into its own folder below that of the system.
_FOLDERS = ("*", "hps_isw_handoff/*")
MAX_NAMED = 20  # folders of an .ipx
_MAX_LIST = 2**20
_LISTED = re.compile(r'<path path="(\.[^"*?]*)')
_GENERATED = ("db", "incremental_db", "synthesis", "simulation")
WHAT = (
    "give an .xsa or .hdf of Vivado, a .hwh (or .hwh.xz), the .bd or Tcl of a block design, a "
    ".qsys of Platform Designer, or a directory with one of these"
)
T = TypeVar("T")


class Export:
    """The files at `path`: `names` in order, `read(name)` for the bytes of one. AxiometerError
    where they cannot be read."""

    def __init__(self, path: Path, what: str = WHAT) -> None:
        """`what`: the remedy in errors, which names the right files."""
        self.path = path
        self.left = MAX_PARTS
        self._near: dict[str, Path] | None = None
        self._found: dict[str, bytes] = {}
        if not path.exists() and input_bounds.not_a_file(path) is None:
            raise AxiometerError(f"there is no file {path}", remedy=what)
        if not path.is_dir():
            input_bounds.check_plain(path, MAX_FILE, "the export")
        self.names = self._guarded(self._list)

    def read(self, name: str) -> bytes:
        """The bytes of the file `name`, one of `names`."""
        content = self._guarded(lambda: self._bytes(name))
        self.left -= len(content)
        if len(content) > MAX_PART or self.left < 0:
            raise self.error(_too_large(name))
        return content

    def beside(self, name: str) -> bytes | None:
        """The bytes of the file called `name` in the export, or beside or below it; None where
        there is none."""
        if name not in self._found:
            own = next((n for n in self.names if PurePosixPath(n).name == name), None)
            if self._near is None:  # the nearest of each name
                self._near = dict(reversed(list(self._guarded(self._below))))
            path = self._near.get(name)
            if own is not None:
                self._found[name] = self.read(own)
            elif path is not None:
                self._found[name] = Export(path).read(name)
                self.left -= len(self._found[name])
        return self._found.get(name)

    def script(self, name: str) -> bytes | None:
        """The bytes of the Tcl file that a script names by a path: seen from the export's folder or
        from one above it, else beside or below; None where there is none."""
        path = PurePosixPath(name[:1000])
        tail = [part for part in path.parts if part not in ("/", "..", ".")]
        if path.suffix.lower() != ".tcl" or not tail:
            return None
        own = self.path.resolve()
        folders = own.parents if self.path.is_file() else (own, *own.parents)
        for folder in () if self.archive else folders[:MAX_UP]:
            with suppress(AxiometerError, OSError):
                if folder.joinpath(*tail).is_file():
                    return Export(folder.joinpath(*tail)).read(tail[-1])
        return self.beside(tail[-1])

    def every(self, name: str, folders: Iterable[str] = ()) -> Iterator[bytes]:
        """The bytes of each file called `name` beside or below the export, or below `folders` that
        it names, as far as the bounds allow."""
        for called, path in self._guarded(lambda: self._below(folders)):
            with suppress(AxiometerError, OSError):
                if called == name and path.stat().st_size < min(MAX_PART, self.left):
                    content = Export(path).read(name)
                    self.left -= len(content)
                    yield content

    def _below(self, folders: Iterable[str] = ()) -> list[tuple[str, Path]]:
        """The files beside and below by name, near ones first; not those that tools made."""
        own, left = self.path if self.path.is_dir() else self.path.parent, MAX_MEMBERS
        found: list[tuple[str, Path]] = []
        if self.archive:
            return found
        # An .ipx of Quartus names other folders of components.
        listed = [path for path in own.glob("*.ipx") if path.stat().st_size < _MAX_LIST]
        named = [of for path in listed for of in _LISTED.findall(path.read_text("latin-1"))]
        named += [name for name in folders if not Path(name).is_absolute()]
        waiting = [(own, 0), *((own / name, 0) for name in named[:MAX_NAMED])]
        while waiting:
            folder, depth = waiting.pop(0)
            with suppress(OSError):
                for path in sorted(folder.iterdir()):
                    left -= 1
                    if left < 0:
                        return found
                    if path.is_dir() and not path.is_symlink():
                        hidden = path.name.startswith(".") or path.name in _GENERATED
                        waiting += [(path, depth + 1)] if depth < MAX_DEPTH and not hidden else []
                    else:
                        found.append((path.name, path))
        return found

    def ending(self, *suffixes: str) -> list[str]:
        """The names with one of these endings; case is ignored."""
        return [name for name in self.names if name.lower().endswith(suffixes)]

    def error(self, message: str, remedy: str | None = None) -> AxiometerError:
        """An error that names the export as its file."""
        return AxiometerError(message, file=self.path, remedy=remedy or WHAT)

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except (lzma.LZMAError, *UNREADABLE) as error:
            what = harmless.text(str(error), 200)
        raise self.error(f"cannot be read: {what}")

    def _list(self) -> list[str]:
        self.archive = self.path.is_file() and zipfile.is_zipfile(self.path)
        if self.archive:
            with zipfile.ZipFile(self.path) as archive:
                return _within(archive.namelist(), MAX_MEMBERS)
        if self.path.is_dir():
            found = _within((p.name for p in self.path.iterdir()), MAX_LISTED)
            own = sorted(name for name in found if (self.path / name).is_file())
            return own + ([] if set(HANDOFF) & set(own) else self._handoff())
        name = self.path.name
        return [name[:-3] if name.lower().endswith(".xz") else name]

    def _handoff(self) -> list[str]:
        """The files of the handoff below a directory; empty where there are several handoffs."""
        below = (p for folder in _FOLDERS for p in self.path.glob(f"{folder}/{HANDOFF[0]}"))
        folders = {p.parent.relative_to(self.path) for p in islice(below, MAX_LISTED)}
        if len(folders) != 1:
            return []
        (folder,) = folders
        found = [(folder / name).as_posix() for name in HANDOFF]
        return [name for name in found if (self.path / name).is_file()]

    def _bytes(self, name: str) -> bytes:
        if self.archive:
            with zipfile.ZipFile(self.path) as archive:
                if archive.getinfo(name).file_size > MAX_PART:
                    raise BadPartError(_too_large(name))
                with archive.open(name) as part:
                    return part.read(MAX_PART + 1)
        path = self.path / name if self.path.is_dir() else self.path
        content = input_bounds.read(path, MAX_PART, "the export")
        if path.name != PurePosixPath(name).name:
            unpacker = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
            content = unpacker.decompress(content, MAX_PART + 1)
            if not unpacker.eof and len(content) <= MAX_PART:
                raise EOFError("the file is truncated")
        return content


def _within(names: Iterable[str], most: int) -> list[str]:
    found: list[str] = []
    for name in names:
        if len(found) == most:
            raise BadPartError(f"more than {most} files")
        found.append(name)
    return found


def _too_large(name: str) -> str:
    return (
        f"{harmless.quoted(PurePosixPath(name).name)} is too large unpacked: the limits are "
        f"{MAX_PART >> 20} MiB for a file and {MAX_PARTS >> 20} MiB for all"
    )
