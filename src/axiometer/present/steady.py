"""How sure the rate of a free run is, in words. For runs with an end there is nothing to report."""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.answer.analysis.results import Row
from axiometer.answer.analysis.stats import LONG_S, Stats, Steady, is_long
from axiometer.base.units import short_rate, significant

UNSETTLED, MAY_DRIFT = "≠", "~"


def _ms(seconds: float) -> str:
    return f"{significant(seconds * 1e3, 3)} ms"


def sentence(stats: Stats | None) -> str:
    """Whether a point's rate has settled, and its interval; "" if it is not a free run."""
    of = None if stats is None else stats.get("steady")
    if stats is None or of is None:
        return ""
    n, half = stats["total_MBps"]["n"], of["half_width_MBps"]
    time = f"{_ms(of['simulated_s'] / n)} a start" if n > 1 else _ms(of["simulated_s"])
    if half is None:
        return (
            f"NOT SETTLED: {time} is too short to show whether a long run has this rate. "
            "Run longer: --set duration=20ms."
        )
    mean = stats["total_MBps"]["mean"]
    share = f", {significant(100 * half / mean, 2)} %" if mean else ""
    interval = f"±{short_rate(half)} MB/s{share} (95 %)"
    if of["settled"]:
        cut = _ms(of["start_up_s"] / n)
        words = f"The rate has settled: {interval}, from {time} simulated, {cut} of it start-up."
        return f"{words} {_drift(of['simulated_s'] / n)}" if of.get("may_drift") else words
    how_many = "" if n == 1 else f" in {of['unsettled']} of {n} starts"
    return (
        f"NOT SETTLED: the rate still changes after {time}{how_many}; so far {interval}. "
        "Run longer: --set duration=200ms."
    )


def _drift(simulated_s: float) -> str:
    longer = "" if is_long(simulated_s) else f" or --set duration={LONG_S * 1e3:g}ms"
    return (
        "It MAY DRIFT: the streams kept their distance in the DRAM banks, and nothing keeps them "
        f"there. Give more starts (--repeats 10){longer}."
    )


def note(of: Steady | None) -> str:
    """For starts of default length (`stats.steady`): a sentence without its full stop if a long run
    may have another rate; "" otherwise."""
    if of is None or (of["settled"] and not of["may_drift"]):
        return ""
    if of["settled"]:
        return "the rate has settled but may drift: nothing holds its streams apart in the banks"
    return "the rate still changed when the simulation ended: a long run may give another"


def cells(stats: Stats | None) -> list[str]:
    """For a table: half of the interval, and a mark if the rate has not settled or may drift."""
    of = None if stats is None else stats.get("steady")
    if of is None:
        return ["", ""]
    half = of["half_width_MBps"]
    mark = MAY_DRIFT if of.get("may_drift") else ""
    return ["" if half is None else f"±{short_rate(half)}", mark if of["settled"] else UNSETTLED]


def legend(rows: Iterable[Row]) -> list[str]:
    """The meaning of the cells."""
    found = [row.stats["steady"] for row in rows if row.stats and "steady" in row.stats]
    if not found:
        return []
    lines = ["±95 %: half of the 95 % interval of the average, as the rate of a run without an end"]
    unsettled = sum(not of["settled"] for of in found)
    if unsettled:
        lines.append(
            f"{UNSETTLED} the rate has not settled at the end of the run ({unsettled} rows): "
            "give a longer duration"
        )
    drifting = sum(of["settled"] and bool(of.get("may_drift")) for of in found)
    if drifting:
        lines.append(
            f"{MAY_DRIFT} the rate has settled, but a long run may leave it ({drifting} rows): "
            f"give --set duration={LONG_S * 1e3:g}ms to see"
        )
    return lines
