"""Published rows with a starved port, each set of ports once, of the tables of measurements
(`tests/test_starved.py` has the rule), so that an answer can state whether a measured board starved
such a port."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.experiment import directions, listed, master_keys
from axiometer.experiment.values import Values

FILE = Path(__file__).with_name("starved.csv")


@dataclass(frozen=True)
class Row:
    """A starved port of a set of ports: its lowest MB/s over all burst sizes, and the number of
    sizes that starved it."""

    chip: str
    platform: str
    ports: str
    mode: str
    pl_mhz: int
    pattern: str
    burst_bytes: int
    port: str
    direction: str
    MBps: float
    sizes: int
    source: str


@cache
def rows() -> tuple[Row, ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Row(
                chip=row["chip"],
                platform=row["platform"],
                ports=row["ports"],
                mode=row["mode"],
                pl_mhz=int(row["pl_mhz"]),
                pattern=row["pattern"],
                burst_bytes=int(row["burst_bytes"]),
                port=row["port"],
                direction=row["direction"],
                MBps=float(row["MBps"]),
                sizes=int(row["sizes"]),
                source=row["source"],
            )
            for row in csv.DictReader(file)
        )


def nearest(chip: str, platform: str, values: Values, name: str, direction: str) -> Row | None:
    """The row of the same chip, direction and kind of traffic (one direction or both) that is most
    like the master `name` of the point `values` in board, port, ports and clock; None where there
    is none."""
    ports, masters = set(values["ports"]), listed.masters(values)
    port = next((m["way"] for m in masters if m["name"] == name), name)
    ways = {way for m in masters for way in master_keys.directions(m)}

    def unlike(row: Row) -> tuple[float, ...]:
        others = set(row.ports.split("+"))
        return (
            row.platform != platform,
            row.port != port,
            len(ports ^ others),
            abs(row.pl_mhz - float(values["pl_mhz"])),
            row.pattern != "sequential",
            row.MBps,
        )

    alike = [
        row
        for row in rows()
        if row.chip == chip and row.direction == direction and {*directions.ways(row.mode)} == ways
    ]
    return min(alike, key=unlike, default=None)
