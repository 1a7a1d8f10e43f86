"""The parts of a platform's machine, as listed by the model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.platform import Platform


@dataclass(frozen=True)
class Machine:
    """multiplexers: several streams of a direction share a port, in turns; arbiter: ports compete
    by traffic class; measures_part: of a run whose streams have no end; remembers: recurring
    states, and the times of beats."""

    multiplexers: bool
    arbiter: bool
    measures_part: bool
    remembers: bool


def of(platform: Platform) -> Machine:
    """The machine of a platform. AxiometerError if the model does not support its controller."""
    policy, known = platform.value("controller.policy"), _all()
    if policy not in known:
        raise AxiometerError(
            f"the model has no controller {policy!r}",
            remedy=did_you_mean(str(policy), known, "values of controller.policy"),
        )
    return known[policy]


@lru_cache(maxsize=1)
def _all() -> dict[str, Machine]:
    from axiometer import _model

    return {name: Machine(**parts) for name, parts in _model.machine_parts().items()}
