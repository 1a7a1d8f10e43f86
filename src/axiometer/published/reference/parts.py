"""Published figures of directions and of single ports, joined to the rows of their configurations.

A configuration that has rows for all its ports but none for itself gets their sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypedDict

from axiometer.base.errors import AxiometerError

_STATISTICS = {"": "mean", "_min": "min", "_max": "max", "_std": "std"}
FIGURES = {
    **{
        f"{way}_MBps{suffix}": f"{way}_MBps {name}"
        for way in ("read", "write")
        for suffix, name in _STATISTICS.items()
    },
    "read_latency_avg_cycles": "read_latency_cycles mean",
    "max_read_inactivity_cycles": "read_inactivity_cycles max",
    "reads_in_flight": "reads_in_flight mean",
}
"""Columns of directions, and the names of their figures in a row: part and statistic."""

Means = dict[str, float]
"""Printed figures by statistic: `mean`, `min`, `max`, `std`."""


class Parts(TypedDict, total=False):
    """Printed figures of directions, in total and `by_port`: rates in MB/s; latency and inactivity
    of reads in PL clocks."""

    total_MBps: Means
    read_MBps: Means
    write_MBps: Means
    read_latency_cycles: Means
    read_inactivity_cycles: Means
    reads_in_flight: Means
    by_port: dict[str, Parts]


Part = Literal[
    "read_MBps", "write_MBps", "read_latency_cycles", "read_inactivity_cycles", "reads_in_flight"
]
PARTS: tuple[Part, ...] = (
    *("read_MBps", "write_MBps"),
    *("read_latency_cycles", "read_inactivity_cycles", "reads_in_flight"),
)
Conditions = dict[str, object]
Line = tuple[Conditions, Means, str]
Joined = tuple[Conditions, Means, Parts, int]
Wrong = Callable[[int, str, str], AxiometerError]


def joined(lines: Iterable[tuple[int, Line]], wrong: Wrong) -> list[Joined]:
    """Conditions, figures, parts and line of each configuration, in the order of the file.

    `lines` are line numbers with conditions, figures and port. AxiometerError (by `wrong`) where a
    port is not of its configuration, exists twice, or other ports of the configuration are missing,
    and where two rows of one configuration contradict each other.
    """
    wholes: dict[str, Joined | None] = {}
    extra: list[Joined] = []
    ports: dict[str, dict[str, tuple[int, Means]]] = {}
    conditions_of: dict[str, Conditions] = {}
    for number, (conditions, figures, port) in lines:
        key = repr(sorted(conditions.items(), key=lambda item: item[0]))
        if not port:
            own = (conditions, _of_total(figures), _parts(figures), number)
            first = wholes.get(key)
            if first is not None:
                _check_same(first, own, wrong)
                extra.append(own)
            else:
                wholes[key] = own
            continue
        used = _ports(conditions)
        if port not in used:
            raise wrong(
                number,
                f"port is {port!r}, but ports are {'+'.join(used) or 'not given'}",
                "give one of the ports of the row",
            )
        wholes.setdefault(key, None)
        conditions_of[key] = conditions
        of = ports.setdefault(key, {})
        if port in of:
            raise wrong(
                number, f"a second row of {port} here", f"line {of[port][0]} has it already"
            )
        of[port] = (number, figures)
    found = []
    for key, whole in wholes.items():
        of = ports.get(key, {})
        if whole is None:
            whole = _summed(conditions_of[key], of, wrong)
        if of:
            whole[2]["by_port"] = {port: _of_port(figures) for port, (_, figures) in of.items()}
        found.append(whole)
    return found + extra


def _check_same(first: Joined, again: Joined, wrong: Wrong) -> None:
    """AxiometerError unless both rows of a configuration have the same figures."""
    had, has = (_all_figures(one) for one in (first, again))
    for name in sorted(had.keys() & has.keys()):
        if had[name] != has[name]:
            raise wrong(
                again[3],
                f"{has[name]:g} ({name}), but line {first[3]} has {had[name]:g} under the same "
                "conditions",
                "delete one of the two rows, or add the column in which they differ",
            )


def _all_figures(of: Joined) -> Means:
    parts = {f"{part} {name}": v for part in PARTS for name, v in of[2].get(part, {}).items()}
    return of[1] | parts


def _of_total(figures: Means) -> Means:
    return {name: value for name, value in figures.items() if " " not in name}


def _parts(figures: Means) -> Parts:
    out: Parts = {}
    for part in PARTS:
        start = f"{part} "
        of = {n.removeprefix(start): v for n, v in figures.items() if n.startswith(start)}
        if of:
            out[part] = of
    return out


def _of_port(figures: Means) -> Parts:
    return {"total_MBps": _of_total(figures), **_parts(figures)}


def _ports(conditions: Conditions) -> list[str]:
    ports = conditions.get("ports")
    return ports if isinstance(ports, list) else []


def _summed(
    conditions: Conditions,
    of: dict[str, tuple[int, Means]],
    wrong: Wrong,
) -> Joined:
    """A configuration with printed figures of ports only: means are summed, ranges are not."""
    number = min(line for line, _ in of.values())
    missing = [port for port in _ports(conditions) if port not in of]
    if missing:
        raise wrong(
            number,
            f"rows of {', '.join(of)}, but none of {', '.join(missing)}, nor of them together",
            "give a row without a port for the configuration, or one for each port",
        )
    names = ("mean", "read_MBps mean", "write_MBps mean")
    sums = {
        name: sum(figures[name] for _, figures in of.values())
        for name in names
        if all(name in figures for _, figures in of.values())
    }
    return conditions, _of_total(sums), _parts(sums), number
