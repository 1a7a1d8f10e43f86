"""Differences between the repeats of a scenario, drawn from (seed, repeat) alone."""

from __future__ import annotations

import random
from collections.abc import Sequence

from axiometer.base.errors import AxiometerError
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform
from axiometer.simulate import model_tables, program
from axiometer.simulate.stream import Stream

Start = model_tables.Start
"""The start of a repeat (docs/keys.md)."""


def draw(
    platform: Platform,
    values: Values,
    streams: Sequence[Stream],
    seed: int,
    repeat: int,
) -> Start:
    """The start of one repeat. AxiometerError if its duration ends before anything begins."""
    rng = random.Random(f"{seed}:{repeat}")
    first_refresh = rng.randrange(platform.whole("dram.timing.tREFI"))
    pattern_seed = rng.getrandbits(63)
    by = program.of(platform, values)
    at, launch = 0.0, []
    started = None
    for stream in streams:
        skew = values["skew_us"]
        # Draw in any case, so that a fixed skew changes nothing else.
        drawn = by.launch + rng.uniform(-by.jitter, by.jitter)
        # One access starts engines of one master that are not a pair.
        master = (stream.port, stream.master or 0)
        if stream.partner >= 0 or master != started:
            at += drawn if skew is None else skew
        started = master
        begin = at if stream.start_us is None else stream.start_us
        launch.append(round(begin * (stream.pl_mhz or values["pl_mhz"])) + stream.start_cycles)
    end = stop(values)
    first = min(
        cycle if stream.pl_mhz is None else cycle / stream.pl_mhz * values["pl_mhz"]
        for cycle, stream in zip(launch, streams, strict=True)
    )
    if 0 <= end <= first:
        duration_us = known(values["duration_s"]) * 1e6
        raise AxiometerError(
            f"a run of {duration_us:g} us ends before the processor has started "
            f"the first engine, after {first / values['pl_mhz']:.3g} us: nothing moves",
            remedy="give a longer duration: 1ms",
        )
    return Start(
        launch=tuple(launch), first_refresh=first_refresh, stop=end, pattern_seed=pattern_seed
    )


def stop(values: Values) -> int:
    """The PL cycle at which a run by duration begins no more bursts; -1 for a run by size."""
    if values["transfer_bytes"] is not None:
        return -1
    return round(known(values["duration_s"]) * values["pl_mhz"] * 1e6)
