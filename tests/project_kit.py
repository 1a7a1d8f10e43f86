"""Projects for tests: written once, changed in one place, checked, restored."""

from __future__ import annotations

import functools
import shutil
import tempfile
from pathlib import Path

import pytest

from axiometer.bringup.projects import plan, vivado
from validate.projects import vivado as proof
from validate.projects.vivado.session import VERSION

needs_tclsh = pytest.mark.skipif(shutil.which("tclsh") is None, reason="tclsh is not installed")
needs_dtc = pytest.mark.skipif(shutil.which("dtc") is None, reason="dtc is not installed")

_kept: list[tempfile.TemporaryDirectory] = []  # removed when the tests end


@functools.cache
def written(board: str, top: str, ports: str = "", **options) -> tuple[plan.Plan, Path]:
    """A project and where it stands."""
    if "parameters" in options:
        options["parameters"] = dict(options["parameters"])
    made = plan.make(board, top, ports.split("+") if ports else (), **options)
    _kept.append(tempfile.TemporaryDirectory(prefix="axiometer-project-"))
    place = Path(_kept[-1].name)
    vivado.write(made, place)
    return made, place


def spoilt(project: tuple[plan.Plan, Path], file: str, *changes: tuple[str, str],
           version: str = VERSION):  # fmt: skip
    """What the proof finds while `file` (a pattern) has each first text replaced by the second."""
    made, place = project
    path = next(iter(sorted(place.glob(file))))
    whole = path.read_text()
    text = whole
    for old, new in changes:
        assert old in text, f"{file} has no {old!r} to be spoilt"
        text = text.replace(old, new)
    path.write_text(text)
    try:
        return proof.run(made, place, version)[1]
    finally:
        path.write_text(whole)
