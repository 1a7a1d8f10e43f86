"""The model backend: runs repeats of a point on the simulated chip."""

from __future__ import annotations

import json
from typing import Any

from axiometer import _model
from axiometer.backends import model_records, model_spec, processor
from axiometer.errors import AxiometerError
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
        try:
            _current = (name, _model.Simulator(spec))
        except ValueError as error:
            raise AxiometerError(
                f"the model cannot run this point: {error}",
                remedy="change that value in the platform file or with --set",
            ) from None
    return _current[1]


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
    model = simulator(spec)
    records = []
    for repeat in range(first, first + count):
        start = model_spec.start(platform, point.values, spec, seed, repeat)
        records.append(model_records.record(platform, point.values, spec, repeat, model.run(start)))
    return records
