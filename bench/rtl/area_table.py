#!/usr/bin/env python3
"""Writes docs/area.md: what every block takes, beside peers and published systems.

The figures are those of `rtl/*/area.toml`, which tests hold to within 2 % of what synthesis gives;
peers and published systems are the CSV files here.

    area_table.py [FILE]      docs/area.md if no file is named
"""

from __future__ import annotations

import csv
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEAD = """# Area
Written by `python bench/rtl/area_table.py` from `rtl/*/area.toml`; tests hold each figure to within
2 % of what Yosys 0.70 gives (`synth_xilinx -family xc7`, `synth_intel_alm -family cyclonev`). LUTs
used as memory are counted as LUTs. No vendor tool was used: theirs will differ. The DMA engines
and the traffic generator were mapped for a clock of 100 MHz (`abc9.D`); everything else, and the
peers, with the tool's default, which aims at speed alone and takes some LUTs more.
"""


def rows(name: str) -> list[dict[str, str]]:
    lines = [line for line in (HERE / name).read_text().splitlines() if line[:1] != "#"]
    return list(csv.DictReader(lines))


def blocks() -> list[str]:
    out = [
        "",
        "## Blocks",
        "",
        "| block | parameters | xc7 LUT | FF | BRAM | Cyclone V ALUT | FF | M10K |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for file in sorted((ROOT / "rtl").glob("*/area.toml")):
        for design in tomllib.loads(file.read_text())["design"]:
            values = ", ".join(f"{k} = {v}" for k, v in design.get("parameters", {}).items())
            cells = []
            for family in ("xc7", "cyclonev"):
                figures = design.get(family, {})
                cells += [figures.get("lut", "–"), figures.get("ff", "–")]
                cells.append(figures.get("bram", 0) if figures else "–")
            line = " | ".join(str(cell) for cell in (f"`{design['top']}`", values, *cells))
            out.append(f"| {line} |")
    return out


def peers() -> list[str]:
    out = [
        "",
        "## Peers",
        "Open RTL, measured with the same synthesis, xc7, 64 bit.",
        "",
        "| what | peer | LUT | FF | BRAM |",
        "|---|---|---|---|---|",
    ]
    return out + [f"| {' | '.join(row.values())} |" for row in rows("area_peers.csv")]


def published() -> list[str]:
    out = [
        "",
        "## Published systems",
        "Vieira 2020, Tables 6 and 7: whole systems with the vendors' DMA engines and "
        "interconnect, by the vendors' tools.",
        "Ours (`axm_dma_top`) are the sum of their blocks above: at each port an engine, a stream ",
        "block and a performance monitor, and for all a demultiplexer, a counter and a sniffer.",
        "",
        "| device | mode | width | LUT or ALM | registers | BRAM |",
        "|---|---|---|---|---|---|",
    ]
    return out + [f"| {' | '.join(row.values())} |" for row in rows("vieira2020_resources.csv")]


def main() -> None:
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "area.md"
    target.write_text(HEAD + "\n".join([*blocks(), *peers(), *published()]) + "\n")


if __name__ == "__main__":
    main()
