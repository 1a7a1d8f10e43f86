"""The program that starts a point's transfers: start times of its engines, and end detection.

The platform has its figures at `program.NAME.FIGURE` (`programs/README.md`); times in us.
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.experiment.values import Values
from axiometer.platform import Platform
from axiometer.platform.programs import FIGURES, TABLE


@dataclass(frozen=True)
class Program:
    """A program's times. launch: of an engine, ± jitter; end: from the last completion to its
    detection; or, if sleep is not 0, the program looks `first_look` after the last start, then
    sleeps for `sleep` ± `sleep_jitter` before each further look."""

    launch: float
    jitter: float
    end: float
    first_look: float = 0.0
    sleep: float = 0.0
    sleep_jitter: float = 0.0

    @property
    def latest(self) -> float:
        """The longest time from the last completion to its detection."""
        return max(self.end, self.first_look, self.sleep + self.sleep_jitter)

    def takes(self, engines: int) -> float:
        """The longest time to start `engines` engines one by one and to detect their end."""
        return engines * self.launch + self.latest


def table(platform: Platform, values: Values) -> str:
    """The table of the figures of a point's program; `host` for platforms in older stores."""
    name = values.get("program")
    return f"{TABLE}.{name}" if name in platform.programs else "host"


def of(platform: Platform, values: Values) -> Program:
    """The program of a point."""
    start = table(platform, values)

    def us(figure: str) -> float:
        return platform.number(f"{start}.{figure}", 0)

    return Program(
        launch=platform.number(f"{start}.launch_us") + us("system_call_us"),
        jitter=us("launch_jitter_us"),
        end=us("completion_us") + us("interrupt_us"),
        first_look=us("first_look_us"),
        sleep=us("sleep_us"),
        sleep_jitter=us("sleep_jitter_us"),
    )


def times(platform: Platform, values: Values) -> dict[str, float]:
    """The figures of a point's program that are not 0, by path."""
    paths = (f"{table(platform, values)}.{figure}" for figure in FIGURES)
    return {path: us for path in paths if (us := platform.number(path, 0))}
