"""Whether the design's counter and the target's clock agree on the rate of the design's clock.

A fabric at another rate than the design is built for, or an agent that takes its processor's
crystal for another one, makes every rate wrong by the ratio.
"""

from __future__ import annotations

from axiometer.runs.agent.replies import Run

SHARE = 0.02
"""Largest relative deviation of the design's clock from the target's."""
LATE_NS = 100_000
"""Longest time between the readings of both: Linux may take the processor away there."""


def disagreement(clock_hz: int, outcome: Run, late_ns: int) -> str | None:
    """The reason in words why a run's times are wrong, for a design built for `clock_hz`; None if
    the clocks agree within `late_ns` and SHARE, or if the design has no counter."""
    if outcome.armed is None:
        return None
    clocks, ns = outcome.armed
    if abs(clocks * 1e9 / clock_hz - ns) <= SHARE * ns + late_ns:
        return None
    counted = f"{clocks * 1e3 / ns:.4g} MHz" if ns else "no rate"
    return (
        f"the design counted {clocks} clocks in {ns} ns of the agent's time: {counted}, but the "
        f"design is built for {clock_hz / 1e6:g} MHz"
    )
