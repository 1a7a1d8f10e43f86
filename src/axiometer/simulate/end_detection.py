"""The time at which the processor detects the end of the engines."""

from __future__ import annotations

import random
from math import ceil

from axiometer.simulate.program import Program


def detected(by: Program, started: float, end: float, draw: random.Random | None) -> float:
    """Seconds from `end`, when all was complete, until the program `by` detects it. `started`: time
    of the last engine's start, on the clock of `end`. `draw`: None for a run by duration, which the
    program itself ends.

    Without sleep the program detects the end a fixed time after it. With sleep it looks once, and
    then sleeps before each further look (± its jitter, uniform, each time).
    """
    sleep, jitter = by.sleep * 1e-6, by.sleep_jitter * 1e-6
    if not sleep or draw is None:
        return by.end * 1e-6
    look = started + by.first_look * 1e-6
    # Take the sleeps that are surely too few in one step: a 32 MiB transfer has hundreds.
    sure = max(0, ceil((end - look) / (sleep + jitter)) - 1)
    look += sum(sleep + draw.uniform(-jitter, jitter) for _ in range(sure))
    while look < end:
        look += sleep + draw.uniform(-jitter, jitter)
    return look - end
