"""The key `duration`: how long a run without an end is simulated. A time is simulated in full.
`settled` ends as soon as the rate has settled and is known to 0.5 %, after 20 ms at most;
`settled:200ms` sets another longest time. Only engines that run for a time have a rate that
settles.
"""

from __future__ import annotations

from typing import NamedTuple

from axiometer.base.errors import BadValueError
from axiometer.base.units import parse_seconds
from axiometer.experiment.keys_shared import runs_freely
from axiometer.experiment.values import Values
from axiometer.platform import Platform, limits

SETTLED = "settled"
USUAL_S = 0.02
SOURCES_S = 0.0005
"""Some sixty times as long as from one refresh to the next."""
NAMES = ("duration_s", "until_settled")
"""The keys of `duration` in `Point.values`; runs by transfer lack the second. So do runs in older
stores: these ran until their rate settled."""


class Length(NamedTuple):
    """seconds: simulated time, the longest with `until_settled`; None: the run has an end."""

    seconds: float | None
    until_settled: bool = False

    def values(self) -> dict[str, object]:
        """The values in `Point.values`."""
        names = NAMES[:1] if self.seconds is None else NAMES
        return dict(zip(names, self, strict=False))


def usual(platform: Platform) -> Length:
    """The default of a run by duration."""
    return Length(USUAL_S, runs_freely(platform))


def beside_sources(start_us: float) -> Length:
    """The default beside masters that request burst by burst, of which the last one starts at
    `start_us`: no one detects that their rate has settled, which takes some ten us."""
    return Length(start_us * 1e-6 + SOURCES_S)


def parse(raw: object, platform: Platform, values: Values) -> Length:
    """The length that a value of `duration` means; BadValueError for a bad value."""
    word, colon, most = raw.partition(":") if isinstance(raw, str) else ("", "", "")
    if word.strip() != SETTLED:
        return Length(_seconds(raw))
    if not runs_freely(platform):
        raise BadValueError(
            f"duration is {limits.shown(raw)}, but runs on {platform.name} have an end and no rate "
            "that settles before",
            "give a time: '5ms'",
        )
    return Length(_seconds(most) if colon else USUAL_S, True)


def _seconds(raw: object) -> float:
    try:
        seconds = parse_seconds(raw)
    except (OverflowError, ValueError) as error:
        raise BadValueError(f"duration is {limits.shown(raw)}", str(error)) from None
    least, most = limits.of_key("duration").bounds
    if not least <= seconds <= most:
        raise BadValueError(
            f"duration is {limits.shown(raw)}",
            f"give at least {least * 1e6:g}us and at most {most:g}s",
        )
    return seconds


def of_point(values: Values) -> Length:
    """The length in `Point.values`, also of older stores."""
    seconds = values["duration_s"]
    return Length(seconds, bool(values.get("until_settled", seconds is not None)))


def written(values: Values) -> str:
    """The value of `duration` for these `Point.values`."""
    seconds, until_settled = of_point(values)
    assert seconds is not None
    time = f"{seconds * 1e3:.12g}ms"
    return f"{SETTLED}:{time}" if until_settled else time


def at_most(platform: Platform, time: str) -> str:
    """A value of `duration` for interactive answers: `time`, or less if the rate settles before."""
    return f"{SETTLED}:{time}" if runs_freely(platform) else time
