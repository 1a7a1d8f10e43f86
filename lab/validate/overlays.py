"""The published overlays of PYNQ as `import design` reads them: a section of docs/designs.md.

The reader's expected results were read manually from the same files (`tests/test_designs.py`). Exit
status 0 with a message if the overlays are not there (AXIOMETER_REFERENCE). `--write` puts the
list there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from axiometer.base import data
from axiometer.designs import Design, load
from axiometer.designs.model import DATA, Master
from validate import marks

COMMAND = "python -m validate.overlays --write"
# The export, and the board that it was made for.
OVERLAYS = {
    "pynq-z1-base.hwh.xz": "PYNQ-Z1",
    "pynq-z2-base.hwh.xz": "PYNQ-Z2",
    "pynq-zcu104-base.hwh.xz": "ZCU104",
    "pynqcv-pynq-z1-xv2filter2dremap.hwh.xz": "PYNQ-Z1",
    "pynqcv-ultra96-xv2filter2ddilate.hwh.xz": "Ultra96",
    "pynqcv-zcu104-xv2remapstereobm.hwh.xz": "ZCU104",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write docs/designs.md")
    args = parser.parse_args()
    found = paths()
    if not found:
        print("skipped: the overlays are not here (AXIOMETER_REFERENCE)")
        return 0
    text = "\n".join(lines(found))
    print(text)
    if args.write:
        marks.write(marks.DOCS / "designs.md", COMMAND, text)
    return 0


def paths() -> dict[str, Path]:
    """Where each overlay is; nothing where one is absent."""
    found = {name: data.find_external(f"designs/{name}") for name in OVERLAYS}
    return {} if None in found.values() else {n: path for n, path in found.items() if path}


def lines(found: dict[str, Path]) -> Iterator[str]:
    """A table: each direction of each master that moves data; then who else reaches the memory."""
    yield "| overlay | master | is | port | does | bits | burst: beats, at the port | MHz |"
    yield "|---|---|---|---|---|---|---|---|"
    others = []
    for name, path in found.items():
        design = load(path)
        title = f"{name}: {OVERLAYS[name]}, {design.tool}"
        rows = [row for m in design.masters if m.role == DATA for row in _rows(design, m)]
        for number, row in enumerate(rows):
            yield f"| {title if not number else ''} | {' | '.join(row)} |"
        others += [f"- {name}: {words}" for words in _others(design)]
    yield ""
    yield "Beside them, at the memory but not for data:"
    yield ""
    yield from others


def _rows(design: Design, master: Master) -> Iterator[list[str]]:
    route = master.routes[0]
    clock = design.clock(master.clock)
    for way in master.directions:
        beats = master.channels[way].burst_beats
        yield [
            *(master.name, master.title, route.port, way, str(master.width_bits)),
            f"{beats}, {master.burst_bytes(way, route)} B",
            f"{clock.mhz:.6g}" if clock else "",
        ]


def _others(design: Design) -> Iterator[str]:
    """Masters that move no data, by their role and port."""
    found: dict[tuple[str, str], list[str]] = {}
    for master in design.masters:
        if master.role != DATA:
            found.setdefault((master.role, master.ports[0]), []).append(master.name)
    for (role, port), names in found.items():
        yield f"{', '.join(names)} ({role}) through {port}"


if __name__ == "__main__":
    sys.exit(main())
