"""One program, host/apps/packets.c, unchanged on every target and over every engine: whether each
prints the same table.

    python -m machines hosts [--packets N] [--write] [NAME...]

--write: docs/hosts.md. NAME: only targets whose names begin with it. Exit status 1 if one fails or
prints another table.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.base.standard_streams import tell
from machines import apps, bare, dpdk, vendor
from validate import marks

PAGE = Path("docs/hosts.md")
COMMAND = "python -m machines hosts --write"
OWN = vendor.OWN
SENDING = (OWN, "axi-dma", "axi-dma-sg", "axi-cdma", "msgdma")
APP, KERNEL, LIMIT_S = "packets", "6.12", 86400.0


@dataclass(frozen=True)
class Target:
    """lines: what the program prints over an engine, with a number of packets."""

    name: str
    engines: tuple[str, ...]
    lines: Callable[[str, int], Iterable[str]]


def targets() -> list[Target]:
    chips = bare.chips()

    def linux(way: str) -> Callable[[str, int], list[str]]:
        def lines(engine: str, packets: int) -> list[str]:
            found: list[str] = []
            status = apps.run(
                KERNEL, APP, way, engine, packets, LIMIT_S, tell, tell, hear=found.append
            )
            return found if status == 0 else [*found, f"it ended with {status}"]

        return lines

    def image(chip: str, rtos: bool) -> Callable[[str, int], Iterable[str]]:
        return lambda engine, packets: bare.printed(
            APP, bare.design(1) if engine == OWN else engine, 20, tell, rtos, chip,
            PACKETS=str(packets),
        )  # fmt: skip

    found = []
    for chip in chips:
        engines = SENDING if chip == chips[0] else (OWN, "axi-dma-sg", "msgdma")
        found.append(Target(f"no system, {chip}", engines, image(chip, rtos=False)))
    for chip in chips:
        engines = (OWN, "axi-dma-sg") if chip == chips[0] else (OWN,)
        found.append(Target(f"FreeRTOS, {chip}", engines, image(chip, rtos=True)))
    return [
        *found,
        Target("Linux, the driver", (OWN,), linux("linux")),
        Target("Linux, UIO", (OWN, "axi-dma", "axi-dma-sg", "msgdma"), linux("uio")),
        Target("DPDK", (OWN, "axi-dma-sg"),
               lambda engine, packets: dpdk.packets(engine, packets).splitlines()),
    ]  # fmt: skip


def table(lines: Iterable[str]) -> str:
    """What every target prints the same: from the table's head to `done`."""
    found: list[str] = []
    for line in map(str.rstrip, lines):
        if (found or line.lstrip().startswith("bytes packets")) and not line.startswith("#"):
            found.append(line)
        if found and line == bare.DONE:
            return "\n".join(found)
    raise AxiometerError("no whole table was printed")


def main(arguments: Sequence[str] = ()) -> int:
    parser = argparse.ArgumentParser(prog="python -m machines hosts")
    parser.add_argument("--packets", type=int, default=2000)
    parser.add_argument("--write", action="store_true", help=f"also {PAGE}")
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args(arguments)
    tables: dict[tuple[str, str], str] = {}
    failed = False
    for target in targets():
        if args.names and not target.name.startswith(tuple(args.names)):
            continue
        for engine in target.engines:
            try:
                tables[target.name, engine] = table(target.lines(engine, args.packets))
                print(f"{target.name}, {engine}: done", flush=True)
            except AxiometerError as error:
                failed = True
                print(f"{target.name}, {engine}: {error.message}", flush=True)
    same = len(set(tables.values())) <= 1
    print(next(iter(tables.values()), "nothing was run"))
    print("all tables are the same" if same else "the tables differ")
    if args.write and same and tables and not failed:
        marks.write(PAGE, COMMAND, section(tables))
    return int(failed or not same)


def section(tables: dict[tuple[str, str], str]) -> str:
    """The table that all printed, and who they were."""
    rows: dict[str, list[str]] = {}
    for target, engine in tables:
        rows.setdefault(target, []).append(engine)
    head = "| target | engines behind it |\n|---|---|\n"
    body = "".join(f"| {target} | {', '.join(engines)} |\n" for target, engines in rows.items())
    return f"```\n{next(iter(tables.values()))}\n```\n\n{head}{body}"
