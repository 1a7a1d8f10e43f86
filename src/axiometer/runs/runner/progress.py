"""Progress of a run on stderr: a bar on a terminal, a plain line every few seconds elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TextIO

from axiometer.base import standard_streams
from axiometer.base.units import format_seconds

_BAR_WIDTH = 24
_BAR_EVERY_S = 0.1
_LINE_EVERY_S = 5.0


class Progress:
    """Counts repeats and points. `total_work` and `done` are in the same unit of expected work.

    Writes nothing if `quiet`. The clock is read only to show rates.
    """

    def __init__(
        self,
        points: int,
        points_done: int,
        total_work: float,
        quiet: bool = False,
        stream: TextIO | None = None,
    ) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.quiet = quiet
        self.terminal = self.stream.isatty()
        self.points = points
        self.points_done = points_done
        self.first_points = points_done
        self.total_work = total_work
        self.work = 0.0
        self.simulated_s = 0.0
        self.start = self.last = time.monotonic()
        self.width = 0

    def add(self, work: float, simulated_s: float, points: int) -> None:
        """Add `work`, with its simulated seconds and finished points."""
        self.work += work
        self.simulated_s += simulated_s
        self.points_done += points
        now = time.monotonic()
        if now - self.last >= (_BAR_EVERY_S if self.terminal else _LINE_EVERY_S):
            self.last = now
            self._write(self.line(now - self.start))

    def line(self, elapsed_s: float) -> str:
        """Points done, rates and time left after `elapsed_s` seconds."""
        share = min(1.0, self.work / self.total_work) if self.total_work else 1.0
        parts = [f"{self.points_done}/{self.points} points"]
        if elapsed_s > 0 and self.work:
            rate = (self.points_done - self.first_points) / elapsed_s
            parts += [
                f"{rate:.2g} points/s",
                f"{self.simulated_s / elapsed_s:.3g} simulated s/s",
                f"{format_seconds(elapsed_s * (1 - share) / share)} left",
            ]
        if self.terminal:
            full = round(share * _BAR_WIDTH)
            parts.insert(0, f"[{'#' * full}{'.' * (_BAR_WIDTH - full)}] {share:4.0%}")
        return "  ".join(parts)

    def close(self) -> None:
        """Remove the bar, so that the next output starts on a clean line."""
        if self.terminal and self.width:
            self._write("", end="\r")

    def _write(self, text: str, end: str = "") -> None:
        if self.quiet:
            return
        if self.terminal:
            padded = text.ljust(self.width)
            self.width = len(text)
            text, end = f"\r{padded}", end
        else:
            end = "\n"
        try:
            print(text, end=end, file=self.stream, flush=True)
        except (OSError, ValueError):  # the reader has gone: the run continues
            self.quiet = True
            standard_streams.silence(self.stream)
