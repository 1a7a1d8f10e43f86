"""One program, host/apps/packets.c, unchanged on every target and over every engine: whether each
prints the same table.

    python -m machines hosts [--packets N] [--write] [NAME...]

--write: docs/hosts.md. NAME: only targets whose names begin with it. Exit status 1 if one fails or
prints another table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from pathlib import Path

from axiometer.base.errors import AxiometerError
from machines import apps, bare, dpdk, trials, vendor
from validate import marks

PAGE = Path("docs/hosts.md")
COMMAND = "python -m machines hosts --write"
APP, KERNEL, LIMIT_S = "packets", "6.12", 86400.0


def lines(target: str, engine: str, packets: int) -> Iterable[str]:
    """What the program prints on a target of trials.toml."""
    how, _, which = target.partition(", ")
    if how == "DPDK":
        return dpdk.packets(engine, packets).splitlines()
    if how == "Linux":
        found: list[str] = []
        way = "uio" if which == "UIO" else "linux"
        status = apps.run(KERNEL, APP, way, engine, packets, LIMIT_S, hear=found.append)
        return found if status == 0 else [*found, f"it ended with {status}"]
    behind = bare.design(1) if engine == vendor.OWN else engine
    return bare.printed(APP, behind, how == "FreeRTOS", which, PACKETS=str(packets))


def table(printed: Iterable[str]) -> str:
    """What every target prints the same: from the table's head to `done`."""
    found: list[str] = []
    for line in map(str.rstrip, printed):
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
    for target, engines in trials.listed()["hosts"].items():
        for engine in engines if target.startswith(tuple(args.names) or "") else ():
            try:
                tables[target, engine] = table(lines(target, engine, args.packets))
                print(f"{target}, {engine}: done", flush=True)
            except AxiometerError as error:
                failed = True
                print(f"{target}, {engine}: {error.message}", flush=True)
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
