"""What a mistake in a design costs (`advice/costs.py`)."""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.published.claims import WORTH


@dataclass(frozen=True)
class Cost:
    """`says` is the cost in a sentence. `now_MBps` and `mended_MBps` are the rates of all masters
    together with and without the mistake (None: not simulated)."""

    says: str
    now_MBps: float | None = None  # noqa: N815 - as records call it
    mended_MBps: float | None = None  # noqa: N815

    @property
    def is_loss(self) -> bool:
        """Whether the design is faster without the mistake."""
        now, mended = self.now_MBps, self.mended_MBps
        return now is not None and mended is not None and mended > now * (1 + WORTH)
