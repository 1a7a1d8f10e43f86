"""Checks of the structure that every platform needs, for any backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from axiometer.base.errors import AxiometerError, did_you_mean

if TYPE_CHECKING:
    from axiometer.platform.platform import Platform

MAX_FITTED = 6
MAX_FITTED_PROCESSOR = 10
MAX_FITTED_FABRIC = 6
MAX_FITTED_PROGRAM = 4

# Fitted figures of these parts are counted separately: the processor's side, designs in the fabric
# that were measured with it, and programs that start transfers.
_APART = {
    "processor": MAX_FITTED_PROCESSOR,
    "fabric": MAX_FITTED_FABRIC,
    "host": MAX_FITTED_PROGRAM,
    "program": MAX_FITTED_PROGRAM,
}
_REQUIRED = (
    *("clocks.ddr_mhz", "clocks.pl_mhz"),
    *("dram.type", "dram.bus_bits", "dram.burst_length", "dram.size_MiB"),
    *("dram.banks", "dram.row_bytes", "mapping.default", "controller.policy"),
)


class Place(Protocol):
    """The place of figures, for errors that point at one."""

    def error(self, message: str, *path: str, remedy: str | None = None) -> AxiometerError:
        """An error that points at the figure at `path`."""
        ...


def check(platform: Platform, where: Place) -> None:
    """AxiometerError if a figure is missing, too many are fitted, or names do not exist.

    `where.error(message, *path, remedy=...)` makes an error that points at a figure.
    """
    for path in _REQUIRED:
        if not platform.has(path):
            raise where.error(
                f"{path} is missing",
                *path.split("."),
                remedy=f"add {path.split('.')[-1]} = {{ value = ..., source = ... }}",
            )
    clock = platform.leaf("clocks.pl_mhz")
    if clock.min is None or clock.max is None:
        raise where.error(
            "clocks.pl_mhz has no range", "clocks", "pl_mhz", remedy="add min = ..., max = ..."
        )
    check_names(platform, where)
    for part, most in ((None, MAX_FITTED), *_APART.items()):
        fitted = [path for path, _ in platform.fitted() if _part(path) == part]
        if len(fitted) > most:
            raise where.error(
                f"{len(fitted)} figures are fitted: {', '.join(fitted)}",
                *fitted[most].split("."),
                remedy=f"fit at most {most}: cite or guess the others",
            )


class Overridden:
    """The place of figures from an experiment or the command line: no file."""

    def error(self, message: str, *path: str, remedy: str | None = None) -> AxiometerError:
        return AxiometerError(message, remedy=remedy)


def check_names(platform: Platform, where: Place) -> None:
    """AxiometerError unless each port and neighbour is on a path, and ports have widths."""
    if not platform.ports:
        raise where.error("the platform has no port", "port", remedy="add a table [port.NAME]")
    for port in platform.ports:
        processor_side = platform.has(f"port.{port}.kind")
        for key in ("widths",) if processor_side else ("path", "widths"):
            if not platform.has(f"port.{port}.{key}"):
                raise where.error(
                    f"port {port} has no {key}",
                    *("port", port),
                    remedy=f"add {key} = {{ value = ..., source = ... }}",
                )
        if not processor_side or platform.has(f"port.{port}.path"):
            _check_path(platform, where, "port", port)
        widths = platform.value(f"port.{port}.widths")
        if not _are_widths(widths):
            raise where.error(
                f"widths of port {port} are {widths!r}",
                *("port", port, "widths"),
                remedy="give a list of bits, each 8 times a power of two: [32, 64]",
            )
    for name in platform.neighbours:
        _check_path(platform, where, "neighbour", name)
    for name in platform.memory_ports:
        _check_path(platform, where, "memory_port", name)


def _check_path(platform: Platform, where: Place, table: str, name: str) -> None:
    path = platform.value(f"{table}.{name}.path", None)
    if path not in platform.paths:
        raise where.error(
            f"{table} {name} is on path {path!r}, which does not exist",
            *(table, name, "path"),
            remedy=did_you_mean(str(path), platform.paths, "known paths"),
        )


def _part(path: str) -> str | None:
    """The part of a platform whose fitted figures are counted together; None: the memory."""
    table = path.split(".")[0]
    return table if table in _APART else None


def _are_widths(widths: object) -> bool:
    return (
        isinstance(widths, list)
        and bool(widths)
        and all(isinstance(w, int) and w >= 8 and w & (w - 1) == 0 for w in widths)
    )
