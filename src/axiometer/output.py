"""Files that are written whole or not at all: a full disk leaves what was there before.

A file is written under another name beside its place, and renamed when all of it is on the disk.
What is no plain file (`/dev/stdout`, a pipe) is written as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from axiometer.errors import RUN_FAILED, AxiometerError


@contextmanager
def whole(path: Path) -> Iterator[Path]:
    """The path to write to; what stands there at the end takes the place of `path`.
    AxiometerError where it cannot be written."""
    try:
        if path.is_dir():
            raise IsADirectoryError(0, "it is a directory")
        if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
            yield path
            return
        place = path.resolve() if path.is_symlink() else path
        draft = place.with_name(f".{place.name[:100]}.{os.getpid()}.part")
        try:
            yield draft
            with draft.open("rb+") as written:
                os.fsync(written.fileno())  # a full disk may tell only now
            if place.exists():
                draft.chmod(place.stat().st_mode & 0o777)
            draft.replace(place)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from None
    except ValueError as error:  # a null character in the name
        raise AxiometerError(f"cannot be written: {error}", file=path, remedy=_OTHER) from None


def write_text(path: Path, text: str) -> None:
    """Write a UTF-8 file. AxiometerError where it cannot be written."""
    content = text.encode("utf-8", "backslashreplace")
    with whole(path) as place:
        place.write_bytes(content)


def cannot_write(path: Path, error: OSError) -> AxiometerError:
    return AxiometerError(
        f"cannot be written: {error.strerror or error}",
        file=path,
        remedy=_OTHER,
        status=RUN_FAILED,
    )


_OTHER = "name another file"
