"""States a point in the columns of tables of measurements, so that rows can match it.

Identical masters of a point become keys of an experiment, a single copy or fill by a processor
becomes a row of `master = processor`. Other masters were never measured.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from axiometer.experiment import between, master_keys
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform

Asked = Mapping[str, object]
"""Keys of an experiment with their normalised values; for a processor also its `operation`."""

PROCESSOR = "processor"
_ENGINE = "engine"
_ALIKE = ("width_bits", "pl_mhz", "burst_bytes", "pattern", "outstanding")
_NONE = ("rate_mbs", "gap_cycles", "region", "base", "start_us", "stop_us", "engine")
_LIMITS = ("outstanding_read", "outstanding_write")
_MODES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("read",): ("ps_to_pl",),
    ("write",): ("pl_to_ps",),
    ("read", "write"): ("mixed", "duplex"),
}


def of(values: Values, platform: Platform | None = None) -> Asked | None:
    """The point in columns of a table; None where its masters cannot be stated so. Left out are a
    limit of outstanding bursts that is the default on `platform`, and blocks before the ports that
    the ports' figures include."""
    found = _of(values)
    if found is None or platform is None:
        return found
    usual = {way: platform.whole(f"master.{way}", None) for way in _LIMITS}
    through = between.beyond(values.get("through"), platform.word("master.through", None))
    own = {way: None for way in _LIMITS if found[way] == usual[way]}
    return {**found, **own, "through": through}


def _of(values: Values) -> Asked | None:
    masters = values.get("masters") or ()
    if not masters:
        return {**values}
    if len(masters) == 1 and masters[0]["kind"] == PROCESSOR:
        (own,) = masters
        said: Asked = {"master": PROCESSOR, "operation": own["operation"], "ports": []}
        return {**values, **said, "memory_type": own["memory_type"]}
    return _of_engines(values, masters)


def _of_engines(values: Values, masters: Sequence[Master]) -> Asked | None:
    """The point in columns, if the engines at all of its ports are the same; else None."""
    first: Mapping[str, object] = {**masters[0]}
    ends: Counter[tuple[str, str]] = Counter()
    for master in masters:
        its: Mapping[str, object] = {**master}
        if master["kind"] != _ENGINE or any(its[name] is not None for name in _NONE):
            return None
        if any(its[name] != first[name] for name in _ALIKE):
            return None
        ends.update((master["way"], way) for way in master_keys.directions(master))
    each = set(ends.values())
    ways = {port: tuple(sorted(w for p, w in ends if p == port)) for port, _ in ends}
    if len(each) > 1 or len(set(ways.values())) > 1:
        return None
    modes = _MODES[next(iter(ways.values()))]
    pairs = any(master["direction"] == "pair" for master in masters)
    return {
        **values,
        **{name: first[name] for name in _ALIKE if name != "outstanding"},
        "ports": sorted(ways),
        "mode": modes[-1] if pairs else modes[0],
        "burst_beats": masters[0]["burst_bytes"] * 8 // masters[0]["width_bits"],
        "masters_per_port": each.pop(),
        "outstanding_read": first["outstanding"],
        "outstanding_write": first["outstanding"],
        "gap_cycles": 0,
    }
