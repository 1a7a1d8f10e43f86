"""Laws of bursts: latencies are in order, and Little's law holds within the outstanding bursts."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.base.record import Latency
from axiometer.records.laws.case import ROUNDING, Case


def _all(case: Case) -> Iterator[tuple[str, Latency]]:
    if whole := case.record.get("latency_cycles"):
        yield "all streams", whole
    for stream in case.streams:
        if stream["latency_cycles"]:
            yield f"{stream['port']} {stream['direction']}", stream["latency_cycles"]


def ordered(case: Case) -> Iterator[str]:
    for what, of in _all(case):
        steps = [of["min"], of["p50"], of["p99"], of["max"]]
        if steps != sorted(steps):
            found = ", ".join(f"{step:g}" for step in steps)
            yield f"latencies in order: min, p50, p99 and max of {what} are {found}"
        if not of["min"] * (1 - ROUNDING) <= of["mean"] <= of["max"] * (1 + ROUNDING):
            yield (
                f"latencies in order: the mean of {what} is {of['mean']:g}; it must be from "
                f"{of['min']:g} to {of['max']:g}"
            )


def counted(case: Case) -> Iterator[str]:
    whole = case.record.get("latency_cycles")
    if whole and whole.get("hist") and sum(whole["hist"].values()) != whole["n"]:
        yield (
            f"each burst is in one bin: {sum(whole['hist'].values())} in the histogram; "
            f"{whole['n']} bursts"
        )
    each = [s["latency_cycles"]["n"] for s in case.streams if s["latency_cycles"]]
    if case.streams and sum(each) != (whole["n"] if whole else 0):
        yield (
            f"bursts of streams add up: {sum(each)} of streams; {whole['n'] if whole else 0} in all"
        )


def little(case: Case) -> Iterator[str]:
    """Latency, summed over the bursts, is at most the limit of outstanding bursts times the
    time."""
    for number, stream in enumerate(case.streams):
        of = stream["latency_cycles"]
        limit = case.outstanding(number)
        if not of or limit is None:
            continue
        cycles = (stream["end_s"] - stream["start_s"]) * case.link(stream)[1]
        if of["n"] * of["mean"] > limit * cycles * (1 + 1e3 * ROUNDING):
            yield (
                f"Little's law: {stream['port']} {stream['direction']} has "
                f"{of['n'] * of['mean'] / cycles:.4g} outstanding bursts on average; "
                f"the limit is {limit}"
            )
