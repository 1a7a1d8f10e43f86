"""Published rows of which a port is starved, as the file that ships.

From the dataset of Manev, Vaishnav and Koch (FPT 2019): ports that moved less than a hundredth of
their peak although their engines requested without pause. Of each set of ports, clock and
pattern the burst size with the least, and how many sizes starved it.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import astuple, fields, replace
from pathlib import Path

from axiometer.answer.analysis.starved import SHARE
from axiometer.base import data
from axiometer.platform import Platform
from axiometer.published.reference.starved import FILE, Row
from validate.compared import ROOT, Outcome

SHIPPED = ROOT / "src/axiometer/published/reference" / FILE.name
DATASET = "zynq_usp_axi_speedtest"
WIDTH_BYTES = 16
MODES = {"duplex": "mixed", "read": "ps_to_pl", "write": "pl_to_ps"}


def starved(path: Path) -> Iterator[Row]:
    """The starved ports of each row of a file of the dataset."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            mhz = round(float(row["pl_mhz"]))
            if not row["port"]:
                continue
            for direction in ("read", "write"):
                rate = float(row[f"{direction}_MBps"])
                if row["mode"] not in ("duplex", direction) or rate >= SHARE * WIDTH_BYTES * mhz:
                    continue
                step = int(row["stride_bytes"])
                yield Row(
                    chip=Platform.load(row["platform"]).family,
                    platform=row["platform"],
                    ports=row["ports"],
                    mode=MODES[row["mode"]],
                    pl_mhz=mhz,
                    pattern="sequential" if step == int(row["burst_bytes"]) else f"stride:{step}",
                    burst_bytes=int(row["burst_bytes"]),
                    port=row["port"],
                    direction=direction,
                    MBps=rate,
                    sizes=1,
                    source=f"Manev 2019, {path.name}",
                )


def text(folder: Path) -> str:
    """The file that ships."""
    least: dict[tuple[str, ...], Row] = {}
    for path in sorted(folder.glob("*hz.csv")):
        for row in starved(path):
            key = (path.name, row.ports, row.port, row.direction)
            before = least.get(key)
            if before is not None:
                row = replace(min(before, row, key=lambda r: r.MBps), sizes=before.sizes + 1)
            least[key] = row
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([field.name for field in fields(Row)])
    writer.writerows(astuple(row) for row in least.values())
    return out.getvalue()


def run() -> Outcome:
    """The file."""
    found = data.find_external(f"{DATASET}/zcu102__base_300mhz.csv")
    assert found is not None
    made = text(found.parent)
    return Outcome(f"{made.count(chr(10)) - 1} rows", files={SHIPPED: made})
