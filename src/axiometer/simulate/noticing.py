"""When the processor sees that the engines are done."""

from __future__ import annotations

import random
from math import ceil

from axiometer.platform import Platform


def noticed(platform: Platform, started: float, end: float, draw: random.Random | None) -> float:
    """Seconds after `end`, when all was complete, until the processor knows of it. `started`: when
    it had started the last engine, from the same moment as `end`. `draw`: None for a run by
    duration, which it ends itself.

    It looks without pause and sees the end `host.completion_us` after it; or, where the platform
    has `host.sleep_us`, it looks once `host.first_look_us` after the last start, and then sleeps
    for that long (+- `host.sleep_jitter_us`, uniform, each time) before it looks again.
    """
    sleep = platform.number("host.sleep_us", 0) * 1e-6
    if not sleep or draw is None:
        return platform.number("host.completion_us") * 1e-6
    jitter = platform.number("host.sleep_jitter_us", 0) * 1e-6
    look = started + platform.number("host.first_look_us") * 1e-6
    # As many sleeps as are surely too few at once: a 32 MiB transfer has hundreds.
    sure = max(0, ceil((end - look) / (sleep + jitter)) - 1)
    look += sum(sleep + draw.uniform(-jitter, jitter) for _ in range(sure))
    while look < end:
        look += sleep + draw.uniform(-jitter, jitter)
    return look - end


def at_most(platform: Platform) -> float:
    """Seconds that `noticed` never exceeds."""
    asleep = platform.number("host.sleep_us", 0) + platform.number("host.sleep_jitter_us", 0)
    first = platform.number("host.first_look_us", 0)
    return max(platform.number("host.completion_us"), first, asleep) * 1e-6
