"""Finds and reads the synthesis report: a file, or a directory of Vitis HLS that has it."""

from __future__ import annotations

from pathlib import Path

from axiometer.base import input_bounds
from axiometer.base.errors import AxiometerError
from axiometer.base.xml_parts import BadPartError
from axiometer.designs.hls import tables
from axiometer.designs.hls.report import Report, of_tables

MAX_FILE = 32 * 2**20  # bytes
NAMES = ("csynth.xml", "csynth.rpt")  # the XML also has the clock
_FOLDERS = ("", "syn/report", "hls/syn/report", "solution1/syn/report")
REMEDY = (
    "give csynth.xml of Vitis HLS 2021.1 or newer (in SOLUTION/syn/report, without the name of a "
    "function), or the solution's directory"
)


def is_report(path: Path) -> bool:
    """Whether `path` is named like a report, or is a directory that has one and no design."""
    if path.is_dir():
        return _within(path) is not None and not any(path.glob("*.hwh"))
    return path.name.lower().endswith(NAMES)


def read(path: Path) -> Report:
    """The report at `path`. AxiometerError where there is none or it cannot be read."""
    file = _within(path) if path.is_dir() else path
    if file is None or (not file.exists() and input_bounds.not_a_file(file) is None):
        raise AxiometerError(f"there is no synthesis report {path}", remedy=REMEDY)
    content = input_bounds.read(file, MAX_FILE, "the report")
    try:
        is_xml = content.lstrip()[:1] == b"<"
        found = tables.of_xml(content, file.name) if is_xml else tables.of_text(content)
        return of_tables(found)
    except BadPartError as error:
        raise AxiometerError(str(error), file=file, remedy=REMEDY) from None


def _within(folder: Path) -> Path | None:
    places = (folder / below / name for below in _FOLDERS for name in NAMES)
    return next((place for place in places if place.is_file()), None)
