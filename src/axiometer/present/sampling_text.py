"""The number of random starts of an answer, and why, in words and as JSON; and intermediate results
in a line of the terminal that the next one replaces."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from axiometer.answer.verdicts.expected import Sampling
from axiometer.base.record import Record
from axiometer.base.units import short_rate, significant
from axiometer.present.text import Style
from axiometer.published.bands import Band

_WHY = {
    "aim": "{half}: within the target of {aim}",
    "bytes": "{half}: stopped to save time, the target is {aim}",
    "starts": "{half}: all that the point has",
}


def sentence(of: Sampling | None) -> str:
    """The number of starts, why, and how to run more; "" where the user gave it."""
    if of is None or of.why not in _WHY:
        return ""
    half = "interval not known" if of.half is None else f"±{_percent(of.half)} (95 %)"
    why = _WHY[of.why].format(half=half, aim=f"±{_percent(of.aim)}")
    return f"{starts(of.starts)}, {why}. --repeats 20 runs 20 in full."


def starts(number: int) -> str:
    """2 random starts."""
    return f"{number} random start{'' if number == 1 else 's'}"


def document(of: Sampling | None) -> dict[str, object] | None:
    """The same for JSON."""
    if of is None:
        return None
    half = None if of.half is None else of.half * 100
    return {"starts": of.starts, "half_pct": half, "aim_pct": of.aim * 100, "ended": of.why}


def _percent(share: float) -> str:
    return f"{significant(100 * share, 2)} %"


class SoFar:
    """A line of a terminal of that `style` with intermediate results. Elsewhere (None) nothing is
    written, so that a file or a program gets only the answer."""

    def __init__(
        self,
        band: Callable[[float], Band | None],
        style: Style | None,
        stream: TextIO | None = None,
    ) -> None:
        self.band = band
        self.style = style
        self.stream = sys.stdout if stream is None else stream

    def short(self, rate: float, simulated_s: float) -> None:
        """A first figure, from a short run that may not be over its start-up."""
        self._write(rate, f"first look, {significant(simulated_s * 1e3, 2)} ms simulated")

    def starts(self, records: Sequence[Record], of: Sampling) -> None:
        """The mean of the starts so far."""
        rates = [record["total_MBps"] for record in records]
        half = "" if of.half is None else f" ±{_percent(of.half)}"
        then = "finding its limit" if of.why else "continuing"
        self._write(sum(rates) / len(rates), f"{len(rates)} starts{half}, {then}")

    def _write(self, rate: float, how: str) -> None:
        if self.style is None:
            return
        band, of = "", self.band(rate)
        if of is not None:
            band = f"90 %: {short_rate(rate * of.low)}–{short_rate(rate * of.high)}; "
        line = self.style.finish(f"{short_rate(rate)} MB/s ({band}{how}) ...")
        self.stream.write(f"\r\x1b[K{line[: self.style.columns - 1]}")
        self.stream.flush()

    def clear(self) -> None:
        """Before the answer, or an error."""
        if self.style is not None:
            self.stream.write("\r\x1b[K")
            self.stream.flush()
