"""One program, host/apps/packets.c, on every target and over every engine: the table of all."""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.base.errors import AxiometerError
from axiometer.base.standard_streams import tell
from machines import apps, bare, dpdk, trials, vendor

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


def prove(names: tuple[str, ...], packets: int) -> tuple[str, list[str]]:
    """The table that all print and who they are, and what is wrong. names: of targets begin so."""
    tables: dict[tuple[str, str], str] = {}
    wrong = []
    for target, engines in trials.listed()["hosts"].items():
        for engine in engines if target.startswith(names or "") else ():
            tell(f"{target}, {engine}")
            try:
                tables[target, engine] = table(lines(target, engine, packets))
            except AxiometerError as error:
                wrong.append(f"{target}, {engine}: {error.message}")
    if len(set(tables.values())) != 1:
        return "", [*wrong, "the tables differ" if tables else "nothing was run"]
    return section(tables), wrong


def section(tables: dict[tuple[str, str], str]) -> str:
    """The table that all printed, and who they were."""
    rows: dict[str, list[str]] = {}
    for target, engine in tables:
        rows.setdefault(target, []).append(engine)
    head = "| target | engines behind it |\n|---|---|\n"
    body = "".join(f"| {target} | {', '.join(engines)} |\n" for target, engines in rows.items())
    return f"```\n{next(iter(tables.values()))}\n```\n\n{head}{body}"
