"""Efficiency of the DMA engines of `rtl/` beside the best open ones: in `rtl/dma_rates.py`."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from figures import Figure

DIRECTIONS = {"read": "memory to stream", "write": "stream to memory", "copy": "memory to memory"}
# Our own bars, not a peer's: (direction, queued, latency, bytes).
OWN = {
    ("copy", False, 100, 1 << 20): 0.997,
    ("read", True, 100, 64): 0.95,
    ("write", True, 100, 64): 0.95,
    ("copy", True, 100, 64): 0.95,
}
ROUNDING = 0.0005  # the peers' figures have three digits


def measure() -> list[Figure]:
    """The least margin over the best peer in each direction, own bars, and clocks at both ends."""
    program = Path(__file__).parent / "rtl" / "dma_rates.py"
    done = subprocess.run(
        [sys.executable, program, "--json"], capture_output=True, text=True, check=False
    )
    rows = json.loads(done.stdout)["rows"]
    out = []
    for direction, words in DIRECTIONS.items():
        mine = [row for row in rows if row["direction"] == direction and row["peer"] is not None]
        least = min(row["efficiency"] - row["peer"] for row in mine)
        how = f"{len(mine)} sizes and latencies, one at a time and queued"
        out.append(Figure(f"RTL, {words}: over the best peer", least, "", -ROUNDING, how=how))
    for row in rows:
        bar = OWN.get((row["direction"], row["queued"], row["latency"], row["bytes"]))
        if bar is not None:
            name = f"RTL, {DIRECTIONS[row['direction']]}, {row['bytes']} B, L = {row['latency']}"
            how = "queued" if row["queued"] else "one at a time"
            out.append(Figure(name, row["efficiency"], "beats/clock", bar, how=how))
    for key, words in (("to_address", "start to address"), ("to_done", "last beat to done")):
        most = max(row[key] for row in rows)
        out.append(Figure(f"RTL, {words}", most, "clocks", 1, True, how="worst of all rows"))
    return out
