"""Converts the samples of a speedtest workbook to rows of the reference form.

Rates of a configuration are sums over its ports, repeat by repeat, so that their spread is that of
the sums. Its latency is the mean over the read bursts of all ports. Where a workbook has only
statistics over the repeats, means are summed and the spread of a sum stays empty.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.stats import describe
from axiometer.base.errors import AxiometerError
from axiometer.imports.usp_sheet import Sample

REPEATS = 10  # from the dataset's authors: every figure is from 10 runs of 5 s
RATES = ("read", "write", "total")
_STATISTICS = ("min", "max", "std")


@dataclass(frozen=True)
class Conditions:
    """The conditions of a whole workbook. `mode` is duplex, read or write; a burst begins
    `stride_bytes` after the end of the previous one."""

    platform: str
    mode: str
    pl_mhz: float
    skipped_bytes: int = 0
    mapping: str = "row-bank-column"


Key = tuple[tuple[str, ...], int, str]  # ports, burst, port ("" for the configuration)
Row = dict[str, str | int | float]
Cell = dict[tuple[str, str | None], dict[int, float]]  # by quantity and statistic: by repeat
Series = dict[int | str, float]  # by repeat, or by statistic
Figures = dict[str, Series]  # by quantity


def rows(samples: Sequence[Sample], conditions: Conditions, file: object) -> list[Row]:
    """The table: rows of configurations, then rows of their ports. AxiometerError where a number
    exists twice or a rate is missing."""
    cells = _gathered(samples, file)
    ports = sorted({key for key in cells if key[2]}, key=_order)
    found = []
    for ports_of, burst in dict.fromkeys(key[:2] for key in sorted(cells, key=_order)):
        members = [k for k in ports if k[:2] == (ports_of, burst)]
        own = cells.get((ports_of, burst, ""))
        if not members and len(ports_of) == 1 and own:
            members = [(ports_of, burst, ports_of[0])]
            cells[members[0]] = own
        # The configuration's own figures, if its ports have none.
        parts = [_figures(cells[k], k, conditions, file) for k in members]
        if not parts and own:
            parts = [_figures(own, (ports_of, burst, ""), conditions, file)]
        elif {k[2] for k in members} != set(ports_of):
            missing = sorted(set(ports_of) - {k[2] for k in members})
            raise _error(file, f"{_name(ports_of, burst)}: no rates of {', '.join(missing)}")
        whole = _sum(parts, conditions)
        if own and len(members) > 1:
            _check_sum(_figures(own, (ports_of, burst, ""), conditions, file), whole, file)
        found.append(_row(conditions, ports_of, burst, "", whole))
        for key, part in zip(members, parts, strict=False):
            found.append(_row(conditions, *key, part))
    return sorted(found, key=lambda row: bool(row["port"]))


def _order(key: Key) -> tuple[int, tuple[str, ...], int, str]:
    return len(key[0]), key[0], key[1], key[2]


def _gathered(samples: Sequence[Sample], file: object) -> dict[Key, Cell]:
    """The samples by key; repeats without numbers are numbered in order."""
    used: dict[tuple[str, int], set[str]] = defaultdict(set)
    for s in samples:
        if s.ports is None and s.port is not None and s.value > 0:
            used[s.line].add(s.port)
    cells: dict[Key, Cell] = defaultdict(lambda: defaultdict(dict))
    for s in samples:
        ports = s.ports or tuple(sorted(used[s.line]))
        if not ports:
            raise _error(file, f"{s.where}: the ports in use are not given")
        if s.port is not None and s.port not in ports:
            if s.value > 0:
                raise _error(
                    file, f"{s.where}: a rate of {s.port}, but {'+'.join(ports)} were used"
                )
            continue
        values = cells[ports, s.burst, s.port or ""][s.quantity, s.statistic]
        repeat = len(values) + 1 if s.repeat is None or s.statistic else s.repeat
        if repeat in values or (s.statistic and values):
            raise _error(file, f"{s.where}: a second {s.quantity} of {_name(ports, s.burst)}")
        values[repeat] = s.value
    return cells


def _figures(cell: Cell, key: Key, c: Conditions, file: object) -> Figures:
    """The figures by repeat, or by statistic where the workbook has statistics."""
    pl_hz = c.pl_mhz * 1e6
    out: Figures = {}
    for (quantity, statistic), values in cell.items():
        if statistic is None:
            out.setdefault(quantity, {}).update(values.items())
        else:
            out.setdefault(quantity, {})[statistic] = next(iter(values.values()))
    for way in ("read", "write"):
        ops, clocks = out.pop(f"{way}_ops", None), out.get("runtime")
        if way not in out and ops and clocks:
            out[way] = {r: n * key[1] / (clocks[r] / pl_hz) / 1e6 for r, n in ops.items()}
    for way in ("read", "write"):
        wanted = c.mode in ("duplex", way)
        if wanted and way not in out:
            raise _error(file, f"{_name(*key[:2])} {key[2]}: no {way} rate")
        if not wanted and any(out.get(way, {}).values()):
            raise _error(file, f"{_name(*key[:2])}: {way}s in a workbook without {way}s")
        if not wanted:
            out[way] = dict.fromkeys(out["write" if way == "read" else "read"], 0.0)
    if c.mode == "write":
        for name in ("latency", "in_flight"):
            out.pop(name, None)
    if set(out["read"]) != set(out["write"]):
        raise _error(file, f"{_name(*key[:2])}: reads and writes have different repeats")
    shared = set(out["read"]) - set(_STATISTICS)
    out["total"] = {r: out["read"][r] + out["write"][r] for r in out["read"] if r in shared}
    if "latency" in out and "in_flight" not in out:
        latency = out["latency"]
        out["in_flight"] = {
            r: latency[r] * out["read"][r] * 1e6 / key[1] / pl_hz for r in shared & set(latency)
        }
    return out


def _sum(parts: Sequence[Figures], c: Conditions) -> Figures:
    """The figures of all ports together, for the repeats that all ports have."""
    if len(parts) == 1:
        return {k: v for k, v in parts[0].items() if k in (*RATES, "latency")}
    shared = set.intersection(*(set(p["total"]) for p in parts))
    out: Figures = {n: {r: sum(p[n][r] for p in parts) for r in shared} for n in RATES}
    if c.mode != "write" and all("latency" in p for p in parts):
        out["latency"] = {
            r: sum(p["latency"][r] * p["read"][r] for p in parts) / out["read"][r]
            for r in shared
            if out["read"][r]
        }
    return out


def _check_sum(own: Figures, whole: Figures, file: object) -> None:
    """AxiometerError where a workbook's total is not the sum of its ports: a misread heading."""
    for way in ("read", "write"):
        total, added = (_statistics(of[way]).get("mean", 0.0) for of in (own, whole))
        if abs(total - added) > 0.01 * max(total, added):
            raise _error(
                file, f"a total of {total:g} MB/s {way}, but its ports add up to {added:g}"
            )


def _row(c: Conditions, ports: tuple[str, ...], burst: int, port: str, figures: Figures) -> Row:
    total = figures["total"]
    counted = {r for r in total if not isinstance(r, str)}
    row: Row = {
        "platform": c.platform,
        "ports": "+".join(ports),
        "mode": c.mode,
        "pl_mhz": c.pl_mhz,
        "burst_bytes": burst,
        "stride_bytes": burst + c.skipped_bytes,
        "mapping": c.mapping,
        "repeats": len(counted) if len(counted) > 1 else REPEATS,
        "port": port,
    }
    for name in RATES:
        of = _statistics(figures.get(name, {}))
        for what in ("mean", *_STATISTICS):
            column = f"{name}_MBps" + ("" if what == "mean" else f"_{what}")
            row[column] = _rounded(of.get(what), 4)
    latency = _statistics(figures.get("latency", {})).get("mean")
    row["read_latency_avg_cycles"] = _rounded(latency, 2)
    flight = _statistics(figures.get("in_flight", {})).get("mean") if port else None
    row["reads_in_flight"] = _rounded(flight, 3)
    quiet = _statistics(figures.get("inactivity", {})) if port else {}
    row["max_read_inactivity_cycles"] = _rounded(quiet.get("max", quiet.get("mean")), 1)
    return row


def _statistics(values: Series) -> Mapping[str, float]:
    """The statistics of repeats, or those of the workbook. A lone number is a mean."""
    repeats = [v for r, v in values.items() if not isinstance(r, str)]
    if len(repeats) > 1:
        of = describe(repeats)
        return {"mean": of["mean"], "min": of["min"], "max": of["max"], "std": of["std"]}
    given = {r: v for r, v in values.items() if isinstance(r, str)}
    return given | ({"mean": repeats[0]} if repeats and "mean" not in given else {})


def _rounded(value: float | None, digits: int) -> float | str:
    return "" if value is None else round(value, digits)


def _name(ports: Sequence[str], burst: int) -> str:
    return f"{'+'.join(ports)} with bursts of {burst} B"


def _error(file: object, message: str) -> AxiometerError:
    return AxiometerError(
        message, file=file, remedy="use the workbook as published, saved with its values"
    )
