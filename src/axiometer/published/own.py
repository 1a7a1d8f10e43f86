"""The user's own measurements: tables like those that ship, in the user's data directory.

`axiometer calibrate` adds one; `measured.tables()` reads them beside the shipped ones.
"""

from __future__ import annotations

import re
from pathlib import Path

from axiometer.base import atomic_file, data
from axiometer.base.errors import AxiometerError, did_you_mean

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")


def directory() -> Path:
    """Where they are kept: AXIOMETER_CALIBRATION, or the user's data directory."""
    return data.of_user("AXIOMETER_CALIBRATION", "calibration")


def paths() -> list[Path]:
    """The tables, by name."""
    return sorted(directory().glob("*.csv"))


def path_of(name: str) -> Path:
    """Where the table called `name` is kept; AxiometerError if that is no name."""
    if not _NAME.fullmatch(name):
        raise AxiometerError(
            f"{name!r} is no name of measurements",
            remedy="give letters, digits, dots, dashes, at most 60: --name my-bench",
        )
    return directory() / f"{name}.csv"


def remove(name: str) -> Path:
    """Take a table away, with what stands beside it; AxiometerError if there is none."""
    path = path_of(name)
    if not path.is_file():
        known = [each.stem for each in paths()]
        hint = did_you_mean(name, known, "there are") if known else "there are none yet"
        raise AxiometerError(f"no measurements are called {name!r}", remedy=hint)
    for each in (path, path.with_suffix(".errors")):
        each.unlink(missing_ok=True)
    return path


def keep(name: str, text: str, errors: str) -> Path:
    """Write a table and the model's errors on it, in the place of what had its name."""
    path = path_of(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    atomic_file.write_text(path, text)
    atomic_file.write_text(path.with_suffix(".errors"), errors)
    return path
