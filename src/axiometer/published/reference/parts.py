"""Published figures of directions and of single ports, joined to the rows of their configurations.

A configuration that has rows for all its ports but none for itself gets their sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

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
"""Columns of directions, and what their figures are called in a row: part and statistic."""

Line = tuple[dict[str, Any], dict[str, float], str]
Joined = tuple[dict[str, Any], dict[str, float], dict[str, Any], int]
Wrong = Callable[[int, str, str], AxiometerError]


def joined(lines: Iterable[tuple[int, Line]], wrong: Wrong) -> list[Joined]:
    """Conditions, figures, parts and line of each configuration, in the order of the file.

    `lines` are line numbers with conditions, figures and port. Parts are `read_MBps` and
    `write_MBps` (mean, min, max, std: those that are printed), latency and inactivity of reads in
    PL clocks, and `by_port`, which has the same and `total_MBps` for each port. AxiometerError
    (by `wrong`) where a port is not of its configuration, is there twice, or lacks its fellows, and
    where two rows of one configuration contradict each other.
    """
    wholes: dict[str, Joined | None] = {}
    extra: list[Joined] = []
    ports: dict[str, dict[str, tuple[int, dict[str, float]]]] = {}
    conditions_of: dict[str, dict[str, Any]] = {}
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
        used = conditions.get("ports") or []
        if port not in used:
            raise wrong(
                number,
                f"port is {port!r}, but ports are {'+'.join(used) or 'not given'}",
                "name one of the ports of the row",
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
            by_port = {
                port: {"total_MBps": _of_total(figures), **_parts(figures)}
                for port, (_, figures) in of.items()
            }
            whole[2]["by_port"] = by_port
        found.append(whole)
    return found + extra


def _check_same(first: Joined, again: Joined, wrong: Wrong) -> None:
    """A row that is there twice says the same twice."""
    had, has = (_all_figures(one) for one in (first, again))
    for name in sorted(had.keys() & has.keys()):
        if had[name] != has[name]:
            raise wrong(
                again[3],
                f"{has[name]:g} ({name}), but line {first[3]} has {had[name]:g} under the same "
                "conditions",
                "delete one of the two rows, or add the column that tells them apart",
            )


def _all_figures(of: Joined) -> dict[str, float]:
    parts = {f"{way} {name}": v for way, means in of[2].items() for name, v in means.items()}
    return of[1] | parts


def _of_total(figures: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in figures.items() if " " not in name}


def _parts(figures: dict[str, float]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in figures.items():
        part, space, statistic = name.partition(" ")
        if space:
            out.setdefault(part, {})[statistic] = value
    return out


def _summed(
    conditions: dict[str, Any],
    of: dict[str, tuple[int, dict[str, float]]],
    wrong: Wrong,
) -> Joined:
    """A configuration of which only the ports are printed: their means add up, their ranges do
    not."""
    number = min(line for line, _ in of.values())
    missing = [port for port in conditions["ports"] if port not in of]
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
