"""The user's own measurements: tables in the user's data directory, like the shipped tables.

`axiometer calibrate` adds a table; `measured.tables()` reads them together with the shipped tables.
"""

from __future__ import annotations

import re
from contextlib import suppress
from pathlib import Path

from axiometer.base import atomic_file, data
from axiometer.base.errors import AxiometerError, did_you_mean

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def directory() -> Path:
    """The directory of the tables: AXIOMETER_CALIBRATION, else in the user's data directory."""
    return data.of_user("AXIOMETER_CALIBRATION", "calibration")


def paths() -> list[Path]:
    """The paths of the tables, sorted by name."""
    return sorted(directory().glob("*.csv"))


def changed() -> int:
    """A number that is another after each change of the tables."""
    return directory().stat().st_mtime_ns if directory().is_dir() else 0


def path_of(name: str) -> Path:
    """The path of the table `name`; AxiometerError if the name is invalid."""
    if not _NAME.fullmatch(name):
        raise AxiometerError(
            f"{name!r} is not a valid name of measurements",
            remedy="use at most 60 letters, digits, dots and dashes: --name my-bench",
        )
    return directory() / f"{name}.csv"


def remove(name: str) -> Path:
    """Remove a table and its errors, and return its path; AxiometerError if there is none."""
    path = path_of(name)
    if not path.is_file():
        known = [each.stem for each in paths()]
        hint = did_you_mean(name, known, "measurements") if known else "there are none yet"
        raise AxiometerError(f"there are no measurements {name!r}", remedy=hint)
    for each in (path, path.with_suffix(".errors")):
        each.unlink(missing_ok=True)
    return path


def keep(name: str, text: str, errors: str) -> Path:
    """Write a table and the model's errors on it, replacing a table of this name."""
    path = path_of(name)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    atomic_file.write_text(path, text)
    atomic_file.write_text(path.with_suffix(".errors"), errors)
    return path
