#!/usr/bin/env python3
"""Writes the area of every block into docs/rtl-results.md, beside peers and published systems.

The figures are those of `rtl/*/area.toml`, which tests hold to within 2 % of what synthesis gives;
peers and published systems are the CSV files here.
"""

from __future__ import annotations

import csv
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT / "lab"))
from validate import marks  # noqa: E402

SYSTEMS = ROOT / "rtl" / "tops" / "area.toml"
MODES = ("duplex", "ps_to_pl", "pl_to_ps")  # MODE of axm_dma_top
COMMAND = "python lab/bench/rtl/area_table.py"
SYSTEMS_HEAD = """
### Published systems
Vieira 2020, Tables 6 and 7: whole systems with the vendors' DMA engines and interconnect, by the
vendors' tools; on four HP ports of a Zynq-7010 (so the exported designs), and on the F2S port of
a Cyclone V. Beside them `axm_dma_top` with as many ports, mapped for 100 MHz: an engine and a
stream block at each port as well, and besides what the published systems have not: a performance
monitor a port, and for all a sniffer (a slot for each direction of a port: eight of them in
duplex on four), a counter and an identification. The published logic of Cyclone V is in ALMs,
ours in ALUTs, of which an ALM has two at most; small memories are there in MLABs. Tests count one
system of each family.
"""


def rows(name: str) -> list[dict[str, str]]:
    lines = [line for line in (HERE / name).read_text().splitlines() if line[:1] != "#"]
    return list(csv.DictReader(lines))


def blocks() -> list[str]:
    out = [
        "### Blocks",
        "",
        "| block | parameters | xc7 LUT | FF | BRAM | Cyclone V ALUT | FF | M10K |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for file in sorted((ROOT / "rtl").glob("*/area.toml")):
        if file == SYSTEMS:
            continue
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
        "### Peers",
        "Open RTL, measured with the same synthesis, xc7, 64 bit.",
        "",
        "| what | peer | LUT | FF | BRAM |",
        "|---|---|---|---|---|",
    ]
    return out + [f"| {' | '.join(row.values())} |" for row in rows("area_peers.csv")]


def published() -> list[str]:
    out = [
        SYSTEMS_HEAD,
        "| device | mode | width | published LUT or ALM | registers | BRAM "
        "| ours LUT or ALUT | registers | BRAM | MLAB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    own = systems()
    for row in rows("vieira2020_resources.csv"):
        figures = own.get((row["device"], row["mode"], int(row["width_bits"])), {})
        cells = [str(figures.get(kind, "–")) for kind in ("lut", "ff", "bram", "mlab")]
        out.append(f"| {' | '.join([*row.values(), *cells])} |")
    return out


def systems() -> dict[tuple[str, str, int], dict[str, int]]:
    """Our figures by family, mode and width, as `rtl/tops/area.toml` has them."""
    return {
        (family, MODES[design["parameters"]["MODE"]], design["parameters"]["DATA_W"]): design[
            family
        ]
        for design in tomllib.loads(SYSTEMS.read_text())["design"]
        for family in ("xc7", "cyclonev")
        if family in design
    }


def main() -> None:
    text = "\n".join([*blocks(), *peers(), *published()])
    marks.write(marks.DOCS / "rtl-results.md", COMMAND, text)


if __name__ == "__main__":
    main()
