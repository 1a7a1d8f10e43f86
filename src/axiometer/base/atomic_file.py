"""Writes files completely or not at all: a full disk leaves the old file.

A file is written under another name in the same directory and renamed when all of it is on the
disk. Special files (`/dev/stdout`, a pipe) are written directly. A database is never overwritten:
it may be the store of the runs that are written, under any name or link.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from axiometer.base.errors import RUN_FAILED, AxiometerError


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """The path to write to; at the end of the block this file replaces `path`. AxiometerError where
    it cannot be written."""
    check(path)
    try:
        if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
            yield path
            return
        place = path.resolve() if path.is_symlink() else path
        draft = place.with_name(f".{place.name[:100]}.{os.getpid()}.part")
        try:
            yield draft
            with draft.open("rb+") as written:
                os.fsync(written.fileno())  # a full disk may show only now
            if place.exists():
                draft.chmod(place.stat().st_mode & 0o777)
            draft.replace(place)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None


def check(path: Path) -> None:
    """AxiometerError where `path` cannot be written; for use before the work."""
    try:
        if path.is_dir():
            raise IsADirectoryError(0, "it is a directory")
        _leave_databases(path)
        folder = path.resolve().parent
        if not folder.is_dir():
            raise FileNotFoundError(0, f"there is no directory {folder}")
    except OSError as error:
        raise cannot_write(path, error) from None
    except (ValueError, RuntimeError) as error:  # a null character in the name, circular links
        raise AxiometerError(f"cannot be written: {error}", file=path, remedy=_OTHER) from None


def _leave_databases(path: Path) -> None:
    """AxiometerError where `path` is a database of SQLite or one of its side files."""
    beside = [
        path.with_name(path.name.removesuffix(end))
        for end in _BESIDE
        if path.name.endswith(end) and path.name != end
    ]
    for place in (path, *beside):
        if place.is_file() and _begins_with(place, _DATABASE):
            raise AxiometerError(
                f"would be lost: {'it' if place is path else place.name} is a database, perhaps "
                "the store of your runs",
                file=path,
                remedy=_OTHER,
            )


def _begins_with(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        return file.read(len(start)) == start


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file. AxiometerError where it cannot be written."""
    content = text.encode("utf-8", "backslashreplace")
    with whole(path) as place:
        place.write_bytes(content)


def write_texts(directory: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write UTF-8 files by their names below a directory, shell scripts as executables, and return
    their paths. AxiometerError where one cannot be written."""
    written = []
    for name, text in texts.items():
        path = directory / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            if path.suffix == ".sh":
                path.chmod(0o755)
        except OSError as error:
            raise cannot_write(path, error) from None
        written.append(path)
    return written


def cannot_write(path: Path, error: OSError) -> AxiometerError:
    return AxiometerError(
        f"cannot be written: {error.strerror or error}",
        file=path,
        remedy=_OTHER,
        status=RUN_FAILED,
    )


_OTHER = "name another file"
_DATABASE = b"SQLite format 3\0"
_BESIDE = ("-wal", "-shm", "-journal")
