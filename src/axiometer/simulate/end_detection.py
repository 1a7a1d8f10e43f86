"""When the processor sees that the engines are done."""

from __future__ import annotations

import random
from math import ceil

from axiometer.simulate.program import Program


def noticed(by: Program, started: float, end: float, draw: random.Random | None) -> float:
    """Seconds after `end`, when all was complete, until the program `by` knows of it. `started`:
    when it had started the last engine, from the same moment as `end`. `draw`: None for a run by
    duration, which it ends itself.

    One that does not sleep sees the end a fixed time after it. One that does looks once, and then
    sleeps before each further look (+- its jitter, uniform, each time).
    """
    sleep, jitter = by.sleep * 1e-6, by.sleep_jitter * 1e-6
    if not sleep or draw is None:
        return by.end * 1e-6
    look = started + by.first_look * 1e-6
    # As many sleeps as are surely too few at once: a 32 MiB transfer has hundreds.
    sure = max(0, ceil((end - look) / (sleep + jitter)) - 1)
    look += sum(sleep + draw.uniform(-jitter, jitter) for _ in range(sure))
    while look < end:
        look += sleep + draw.uniform(-jitter, jitter)
    return look - end
