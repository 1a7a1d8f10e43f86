"""The RSoC tables with the real program on each host, beside the published figures: simulated
rates, the time of the fabric and the memory, and instructions, each in its own column.

Usage: python -m validate.ring_hosts [--write] [HOST...]
--write: docs/hosts.md. HOST: linux, bare, freertos (all). Exit status 1 if a law is broken; a host
without its tools is left out with a message.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import axiometer
from axiometer.answer.analysis.results import Row
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import packet_costs
from axiometer.present import host_text
from validate import marks

EXPERIMENT = "zedboard-zero-copy"
PAGE = Path("docs/hosts.md")
COMMAND = "python -m validate.ring_hosts --write"
ROUNDING = 0.02  # of the model's rates and of instructions, which a division varies


def rows_of(host: str) -> Sequence[Row]:
    """The experiment's rows with a host. AxiometerError if something is missing."""
    with tempfile.TemporaryDirectory() as folder:
        return axiometer.run(
            EXPERIMENT, backend=f"model+{host}", store=Path(folder) / "runs"
        ).view.rows


def broken(host: str, rows: Sequence[Row]) -> Iterator[str]:
    """Laws between the figures of a host."""
    cost: dict[tuple[object, ...], float] = {}
    for row in rows:
        side = host_text.of(row.records)
        assert side is not None, host
        values = row.values
        size = values["transfer_bytes"] or 0
        what = f"{host}, {values['ports'][0]} {values['cache_control']} {values['io']} {size}"
        cost[values["cache_control"], values["io"], size] = side["instructions"]
        seconds = side["fabric_memory_s"]
        if seconds is None or row.mean is None:
            continue
        clocks = seconds * values["pl_mhz"] * 1e6
        if clocks < size / (values["width_bits"] / 8):
            yield f"{what}: {clocks:.0f} clocks are fewer than the packet has beats"
        if size / (row.mean * 1e6) < seconds * (1 - ROUNDING):
            yield f"{what}: the model's packet is faster than fabric and memory alone"
    for (control, io, size), count in cost.items():
        plain = cost.get(("explicit", "zero_copy", size))
        if plain is None:
            continue
        if control == "none" and count > plain * (1 + ROUNDING):
            yield f"{host}, {size}: without maintenance it costs more"
        if io == "copy" and size >= 4096 and count < plain:
            yield f"{host}, {size}: a copy costs less than none"


def table(found: Mapping[str, Sequence[Row]]) -> str:
    """A row a point: rates, then for each host both of its figures."""
    names = [host_text.NAMES[host] for host in found]
    head = ["port", "caches", "bytes", "simulated MB/s", "published MB/s"]
    head += [f"{name}: {what}" for name in names for what in ("µs", "instructions")]
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    for each in zip(*found.values(), strict=True):
        row = each[0]
        how = row.values["cache_control"] + (", copied" if row.values["io"] == "copy" else "")
        rate, theirs = row.mean, row.theirs
        cells = [row.values["ports"][0], how, str(row.values["transfer_bytes"])]
        cells += [f"{rate:.1f}" if rate is not None else "", f"{theirs:.1f}" if theirs else ""]
        for one in each:
            time, instructions, _ = host_text.cells(host_text.of(one.records))
            cells += [time, instructions]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"also {PAGE}")
    parser.add_argument("hosts", nargs="*", metavar="HOST", help=", ".join(packet_costs.HOSTS))
    args = parser.parse_args()
    found: dict[str, Sequence[Row]] = {}
    wrong: list[str] = []
    for host in args.hosts or packet_costs.HOSTS:
        try:
            found[host] = rows_of(host)
        except AxiometerError as error:
            print(f"left out: {host}: {error.message}", flush=True)
            continue
        wrong += broken(host, found[host])
    for sentence in wrong:
        print(f"broken: {sentence}")
    if found:
        print(table(found))
    if args.write and not wrong and set(found) == set(packet_costs.HOSTS):
        marks.write(PAGE, COMMAND, table(found))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
