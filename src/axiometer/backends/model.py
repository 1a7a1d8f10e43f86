"""The model backend: runs repeats of a point on the simulated chip."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from axiometer import _model
from axiometer.backends import cost, model_records, model_spec, processor
from axiometer.backends.told import told
from axiometer.keys_processor import AT_MEMORY

# One simulator for the point at hand: it remembers between repeats what recurs.
_current: tuple[str, Any] | None = None


def simulator(spec: dict[str, Any]) -> Any:
    """The simulator for `spec`; the latest one is kept.

    AxiometerError names the value that cannot be simulated.
    """
    global _current
    name = json.dumps(spec, sort_keys=True)
    if _current is None or _current[0] != name:
        _current = None  # two memories at once would take twice the space
        with told():
            _current = (name, _model.Simulator(spec))
    return _current[1]


def prepare(platform: Any, points: Iterable[Any]) -> None:
    """AxiometerError if one of `points` would take longer than there is time for."""
    kinds = ("transfer_bytes", "duration_s", "burst_bytes", "gap_cycles", "skew_us", "pl_mhz")
    seen = set()
    for point in points:
        of = point.values
        kind = (len(of["ports"]), *(of[name] for name in kinds))
        if of["master"] in AT_MEMORY and kind not in seen:
            seen.add(kind)
            cost.check(platform, of, model_spec.build(platform, of))


def forget() -> None:
    """Drops the simulator that is kept, with all that it remembers."""
    global _current
    _current = None


def run_repeats(
    platform: Any, point: Any, seed: int, first: int, count: int
) -> list[dict[str, Any]]:
    """Records of repeats `first` to `first + count - 1` of `point` on `platform`.

    What the chip does not fix (when the processor starts each DMA, where the refresh stands)
    is drawn from (seed, repeat) alone, so that points can be compared repeat by repeat.
    """
    if point.values["master"] not in AT_MEMORY:
        return processor.run_repeats(platform, point, seed, first, count)
    spec = model_spec.build(platform, point.values)
    cost.check(platform, point.values, spec)
    model = simulator(spec)
    records = []
    for repeat in range(first, first + count):
        start = model_spec.start(platform, point.values, spec, seed, repeat)
        with told():
            result = model.run(start)
        records.append(model_records.record(platform, point.values, spec, repeat, result))
    return records
