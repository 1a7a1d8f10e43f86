"""One program, host/apps/packets.c, unchanged on every target and over every engine: whether each
prints the same table.

Usage: python -m validate.hosts [--packets N] [--write] [NAME...]
--write: docs/hosts.md. NAME: only targets whose names begin with it. Exit status 1 if one fails or
prints another table; a target without its tools is left out with a message. Tables are cached in
build/hosts/: targets with unchanged sources are not run again, so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import children, standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import bare, dpdk, dpdk_trials, freertos, kernels, trials_vendor
from validate import marks

PAGE = Path("docs/hosts.md")
COMMAND = "python -m validate.hosts --write"
KEPT = Path("build") / "hosts"
SOURCES = ("host", "cosim", "rtl", "regs", "drivers", "chips")
OWN = trials_vendor.OWN
SENDING = (OWN, "axi-dma", "axi-dma-sg", "axi-cdma", "msgdma")
LATENCY = "20"


@dataclass(frozen=True)
class Target:
    """ready: raises AxiometerError where its tools are not there. words: of `axiometer vm`; none
    for DPDK."""

    name: str
    engines: tuple[str, ...]
    ready: Callable[[], object]
    words: tuple[str, ...] = ()


def targets() -> list[Target]:
    def linux() -> None:
        kernels.find("6.12", standard_streams.tell)

    def dpdk_there() -> None:
        if not dpdk.there():
            raise AxiometerError("DPDK is not there", remedy=dpdk.FETCH)

    def of_chip(chip: str) -> Callable[[], object]:
        return lambda: bare.require(chip)

    found = []
    for chip in bare.chips():
        engines = SENDING if chip == bare.chips()[0] else (OWN, "axi-dma-sg", "msgdma")
        found.append(Target(f"no system, {chip}", engines, of_chip(chip), ("--chip", chip)))
    for chip in bare.chips():
        words = ("--freertos", "--chip", chip)
        engines = (OWN, "axi-dma-sg") if chip == bare.chips()[0] else (OWN,)
        found.append(Target(f"FreeRTOS, {chip}", engines, freertos.require, words))
    return [
        *found,
        Target("Linux, the driver", (OWN,), linux, ("--linux", "driver")),
        Target("Linux, UIO", (OWN, "axi-dma", "axi-dma-sg", "msgdma"), linux, ("--linux", "uio")),
        Target("DPDK", (OWN, "axi-dma-sg"), dpdk_there),
    ]


def table(lines: Iterable[str]) -> str:
    """What every target prints the same: from the table's head to `done`."""
    found: list[str] = []
    for line in map(str.rstrip, lines):
        if (found or line.lstrip().startswith("bytes packets")) and not line.startswith("#"):
            found.append(line)
        if found and line == bare.DONE:
            return "\n".join(found)
    raise AxiometerError("no whole table was printed")


def sources() -> str:
    """A mark of all that a program, a driver or a device is made of."""
    found = hashlib.sha256()
    for path in sorted(p for room in SOURCES for p in Path(room).rglob("*") if p.is_file()):
        if not {"tests", "build", "__pycache__"} & set(path.parts):
            found.update(str(path).encode() + path.read_bytes())
    return found.hexdigest()[:16]


def kept(target: Target, engine: str, packets: int, mark: str) -> str:
    """The table of a run, or of an earlier one. AxiometerError if it failed."""
    name = re.sub(r"\W+", "-", f"{target.name} {engine}")
    file = KEPT / f"{name}-{packets}-{mark}.txt"
    if not file.is_file():
        text = printed(target, engine, packets)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return file.read_text(encoding="utf-8")


def printed(target: Target, engine: str, packets: int) -> str:
    """The table of a run. AxiometerError if it failed."""
    if not target.words:
        return table(_dpdk(engine, packets).splitlines())
    words = ["--app", "packets", "--number", str(packets), "--engine", engine, *target.words]
    command = [sys.executable, "-m", "axiometer", "vm", *words, "--latency", LATENCY]
    done = subprocess.run(
        children.tied([*command, "--time-limit", "86400"], "TERM"), capture_output=True, text=True,
        errors="replace", check=False,
    )  # fmt: skip
    if done.returncode:
        raise AxiometerError(
            f"it ended with {done.returncode}: {(done.stdout + done.stderr)[-800:]}"
        )
    return table(done.stdout.splitlines())


def _dpdk(engine: str, packets: int) -> str:
    built = dpdk.built(standard_streams.tell)
    at = (
        dpdk_trials.device(dpdk_trials.DUPLEX, standard_streams.tell)
        if engine == OWN
        else dpdk_trials.vendors(engine, standard_streams.tell)
    )
    with at as socket:
        return dpdk_trials.packets(socket, engine, packets, built)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--packets", type=int, default=2000)
    parser.add_argument("--write", action="store_true", help=f"also {PAGE}")
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    tables: dict[tuple[str, str], str] = {}
    failed = False
    mark = sources()
    for target in targets():
        if args.names and not target.name.startswith(tuple(args.names)):
            continue
        try:
            target.ready()
        except AxiometerError as error:
            print(f"left out: {target.name}: {error.message}", flush=True)
            continue
        for engine in target.engines:
            try:
                tables[target.name, engine] = kept(target, engine, args.packets, mark)
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


if __name__ == "__main__":
    sys.exit(main())
