#!/usr/bin/env python3
"""Measures the DMA engines by the peers' method, and prints both.

Efficiency is beats moved over clocks from the start of the first transfer to the last completion:
64 bit, bursts of 16 beats, an ideal memory that answers after L clocks. Transfers are offered to
the engines; through the registers each takes at least three writes of two clocks. The peers'
figures are in dma_peers.csv.

    dma_rates.py      the table; status 1 if a figure is below the best peer's or below its bar
    dma_rates.py --json the same as one JSON document
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "rtl"))

from flow import tools  # noqa: E402

SIZES = (64, 256, 1024, 4096, 65536, 1 << 20)
LATENCIES = (30, 100)
DIRECTIONS = {"read": "memory to stream", "write": "stream to memory", "copy": "memory to memory"}
QUEUED_BYTES = 1 << 21  # at least so much is moved when transfers are queued
# Bars of our own: (direction, queued, latency, bytes) and the least efficiency.
BARS = {
    ("write", False, 0, 1 << 20): 0.9995,
    ("copy", False, 100, 1 << 20): 0.997,
    ("read", True, 100, 64): 0.95,
    ("write", True, 100, 64): 0.95,
    ("copy", True, 100, 64): 0.95,
}


def build(copy: bool, values: dict[str, object] | None = None) -> Path:
    """The verilated engines with dma_bench.cpp as their test bench; the path of the program."""
    folder = ROOT / "build" / "bench" / f"dma-{'copy' if copy else 'apart'}"
    folder.mkdir(parents=True, exist_ok=True)
    engines = {"COPY": int(copy), "ADDR_W": 40, "ID_W": 4, **(values or {})}
    command = [
        "verilator_bin", "--cc", "--exe", "--build", "-j", "2", "-O3", "-Wno-fatal", "-Wno-lint",
        tools.INCLUDE,
        "--x-assign", "fast", "-CFLAGS", f"-O2 -std=c++20 -I{HERE}", "--Mdir", str(folder),
        "--top-module", "axm_dma_engines", "-o", "bench", *tools.parameters(engines),
        *map(str, tools.sources("dma")), str(HERE / "dma_bench.cpp"),
    ]  # fmt: skip
    done = subprocess.run(
        command, env=tools.environment(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"the test bench does not build:\n{done.stdout}{done.stderr}")
    return folder / "bench"


def measure(
    program: Path, direction: str, latency: int, size: int, transfers: int, *more: object
) -> dict[str, int]:
    """One run of dma_bench: beats, clocks, to_address, to_done."""
    arguments = [direction, latency, size, transfers, *more]
    done = subprocess.run(
        [str(program), *map(str, arguments)], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"dma_bench {' '.join(map(str, arguments))}: {done.stderr}")
    return json.loads(done.stdout)


def peers() -> dict[tuple[str, bool, int, int], float]:
    with (HERE / "dma_peers.csv").open() as file:
        return {
            (row["direction"], row["queued"] == "1", int(row["latency"]), int(row["bytes"])): float(
                row["efficiency"]
            )
            for row in csv.DictReader(file)
        }


def table() -> list[dict[str, object]]:
    programs = {copy: build(copy) for copy in (False, True)}
    best = peers()
    points = sorted({*best, *((d, q, lat, s) for d, q, lat, s in BARS if lat)})

    def one(point: tuple[str, bool, int, int]) -> dict[str, object]:
        direction, queued, latency, size = point
        transfers = max(4, QUEUED_BYTES // size) if queued else 1
        got = measure(programs[direction == "copy"], direction, latency, size, transfers)
        efficiency = got["beats"] / got["clocks"]
        least = max(best.get(point, 0), BARS.get(point, 0))
        return {
            "direction": direction, "queued": queued, "latency": latency, "bytes": size,
            "efficiency": round(efficiency, 5), "peer": best.get(point),
            "to_address": got["to_address"], "to_done": got["to_done"],
            # The peers' figures have three digits.
            "ok": round(efficiency, 3) >= least and got["to_address"] <= 1 and got["to_done"] <= 1,
        }  # fmt: skip

    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(one, points))


def sustained(program: Path) -> float:
    """Beats a clock of stream to memory in the middle of a long transfer (start and end cancel)."""
    short, long = (measure(program, "write", 30, size, 1) for size in (1 << 19, 1 << 20))
    return (long["beats"] - short["beats"]) / (long["clocks"] - short["clocks"])


def main() -> int:
    parser = argparse.ArgumentParser(description="Efficiency of the DMA engines.")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args()
    rows = table()
    steady = sustained(build(False))
    good = all(row["ok"] for row in rows) and steady == 1.0
    if options.json:
        print(json.dumps({"rows": rows, "write_sustained": steady, "ok": good}))
        return 0 if good else 1
    for direction, name in DIRECTIONS.items():
        for queued in (False, True):
            for latency in LATENCIES:
                chosen = [
                    r for r in rows
                    if (r["direction"], r["queued"], r["latency"]) == (direction, queued, latency)
                ]  # fmt: skip
                how = "queued" if queued else "one at a time"
                print(f"{name}, {how}, L = {latency}")
                for label, key in (("ours", "efficiency"), ("peer", "peer")):
                    print(f"  {label} " + " ".join(f"{r[key]:6.3f}" for r in chosen))
                print("  " + " ".join("ok" if r["ok"] else "BELOW" for r in chosen))
    print(f"stream to memory, sustained: {steady:.4f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
