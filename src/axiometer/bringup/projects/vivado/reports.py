"""Reads Vivado's reports of a built project: utilisation and timing, as text.

The tables are found by their headings, because columns differ between versions (*Prohibited* is
newer) and rows between families (Slice LUTs, CLB LUTs). Formats: as UG835 describes
`report_utilization` and `report_timing_summary`, and as public projects show them; no report of a
project of ours exists.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError

UTILISATION, TIMING = "reports/utilization.rpt", "reports/timing_summary.rpt"
MAX_BYTES = 64 * 2**20
_ROWS = {
    "LUT": ("Slice LUTs", "CLB LUTs"),
    "flip-flop": ("Slice Registers", "CLB Registers"),
    "block RAM": ("Block RAM Tile",),
    "DSP": ("DSPs",),
}


@dataclass(frozen=True)
class Used:
    """A resource: the used and the available number. A block RAM has two halves."""

    resource: str
    used: float
    available: float


@dataclass(frozen=True)
class Timing:
    """Worst slack of setup and hold in ns, and the number of failing endpoints."""

    setup_ns: float
    hold_ns: float
    failing: int


def utilisation(text: str, file: object = None) -> list[Used]:
    """The resources in a `report_utilization`. AxiometerError if the text is none."""
    found: dict[str, Used] = {}
    columns: list[str] = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if cells[0] == "Site Type":
            columns = cells
        elif columns and len(cells) == len(columns):
            row = dict(zip(columns, cells, strict=True))
            for resource, names in _ROWS.items():
                if row["Site Type"].rstrip("*") in names and resource not in found:
                    try:
                        used = Used(resource, float(row["Used"]), float(row["Available"]))
                    except (KeyError, ValueError):
                        raise _odd(f"the row {row['Site Type']!r} has no figures", file) from None
                    found[resource] = used
    missing = [resource for resource in _ROWS if resource not in found]
    if missing:
        raise _odd(f"it has no row for {missing[0]}", file)
    return list(found.values())


def timing(text: str, file: object = None) -> Timing:
    """The design's worst slacks in a `report_timing_summary`. AxiometerError if the text is none,
    or if nothing in the design is timed."""
    heading = re.search(r"^ *WNS\(ns\) .*WHS\(ns\).*$", text, re.M)
    if heading is None:
        raise _odd("it has no Design Timing Summary", file)
    names = re.split(r" {2,}", heading[0].strip())
    for line in text[heading.end() :].splitlines()[1:6]:
        values = line.split()
        if not values or set(line) <= set("- "):
            continue
        row = dict(zip(names, values, strict=False))
        try:
            return Timing(
                float(row["WNS(ns)"]),
                float(row["WHS(ns)"]),
                int(row["TNS Failing Endpoints"]) + int(row["THS Failing Endpoints"]),
            )
        except (KeyError, ValueError):
            break
    raise _odd("its Design Timing Summary has no figures: constrain a clock", file)


def read(project: Path) -> tuple[list[Used], Timing]:
    """Both reports of a built project. AxiometerError where one is missing or invalid."""
    texts = []
    for name in (UTILISATION, TIMING):
        path = project / name
        if not path.is_file():
            raise AxiometerError(
                "there is no report yet", file=path,
                remedy="build the project: vivado -mode batch -source build.tcl, in its directory",
            )  # fmt: skip
        with path.open(encoding="utf-8", errors="replace") as report:
            texts.append(report.read(MAX_BYTES))
    return (
        utilisation(texts[0], project / UTILISATION),
        timing(texts[1], project / TIMING),
    )


def lines(project: Path) -> list[str]:
    """The use of resources and the worst slacks of a built project, in lines."""
    used, slack = read(project)
    told = [
        f"{each.resource:<10}{each.used:>9g} of {each.available:<9g}"
        f"{each.used / each.available:>7.1%}" if each.available else f"{each.resource:<10} none"
        for each in used
    ]  # fmt: skip
    met = slack.setup_ns >= 0 and slack.hold_ns >= 0 and not slack.failing
    told.append("")
    told.append(
        f"worst slack: {slack.setup_ns:g} ns (setup), {slack.hold_ns:g} ns (hold); timing is "
        + ("met" if met else f"not met, at {slack.failing} endpoints: do not measure with it")
    )
    return told


def _odd(why: str, file: object) -> AxiometerError:
    return AxiometerError(
        f"the report has an unknown format: {why}",
        file=file,
        remedy="give a report that build.tcl wrote: docs/build.md",
    )
