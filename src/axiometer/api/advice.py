"""The base of advice, and advice on the processor's side."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence

from axiometer.advice import processor
from axiometer.api.frames import Rows
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.units import parse_bytes
from axiometer.experiment.directions import normal_mode
from axiometer.platform import Platform
from axiometer.present.text import Style

Choices = Mapping[str, Sequence[object]]
"""The values to try of keys and of figures of the platform (names with a dot); one is for all."""
Say = Callable[[str], None]


class Advice(Rows):
    """The result of a search by simulation, the best first: `rows()` has its parts, `to_dict()` all
    of it. Rates in MB/s (1e6 bytes a second)."""

    @abstractmethod
    def lines(self) -> list[str]:
        """The output of `axiometer advise`, before it is fitted to a width."""

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """The output of `axiometer advise --json`."""

    @property
    def text(self) -> str:
        """The output of `axiometer advise`."""
        return Style().fit(self.lines())

    def __repr__(self) -> str:
        return f"<Advice: {self.caption}>"


def objective_of(asked: str | None, known: Sequence[str], usual: str, where: str = "") -> str:
    """The objective of a search; AxiometerError if it is not `known`."""
    objective = asked or usual
    if objective not in known:
        raise AxiometerError(
            f"the objective is {objective!r}{where}",
            remedy=did_you_mean(objective, known, "objectives"),
        )
    return objective


class ProcessorAdvice(Advice):
    """Sentences on the masters and the buffers of the processor's side."""

    def __init__(self, platform: Platform, says: Sequence[str]) -> None:
        self.platform, self.says = platform, says

    def lines(self) -> list[str]:
        return [self._head, "", *self.says]

    def to_dict(self) -> dict[str, object]:
        return {"board": self.platform.name, "simulated": True, "says": list(self.says)}

    def rows(self) -> list[dict[str, object]]:
        """One mapping a sentence."""
        return [{"says": line} for line in self.says]

    @property
    def _head(self) -> str:
        return f"{self.platform.title} (simulated)"

    @property
    def caption(self) -> str:
        return f"{self._head}: {self.says[0]}"


def on_processor(
    platform: Platform,
    transfer_bytes: int | str | None,
    mode: str | None,
    packets: bool,
    choices: Choices,
) -> ProcessorAdvice:
    """Advice for transfers of `transfer_bytes`, or for rings of packets (of that size)."""
    given = {name: values[0] for name, values in choices.items()}
    size, way = None, mode or "ps_to_pl"
    if transfer_bytes is not None:
        try:
            size = parse_bytes(transfer_bytes)
        except ValueError:
            raise AxiometerError(
                f"transfer_bytes is {transfer_bytes!r}", remedy="give bytes: 2KiB"
            ) from None
    if packets or size is None:
        # Of an experiment's keys, none is called "share".
        says = processor.ring_words(platform, size=size, **given)  # type: ignore[arg-type]
    else:
        says = processor.words(platform, size, normal_mode(str(way)) or way, **given)
    return ProcessorAdvice(platform, says)
