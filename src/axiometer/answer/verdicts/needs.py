"""Whether a point or a design carries the needed rates: yes or no, and the margin.

parse("1500")                  all together, MB/s
parse("read=700,HP1=2x1080p60")
parse("vin=373,vout.write=373")
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from axiometer.answer.analysis.time_shares import SERVED
from axiometer.base import units
from axiometer.base.errors import AxiometerError, BadValueError, did_you_mean
from axiometer.experiment import vendor

ALL = "total"
WAYS = ("read", "write")
PIXEL_BYTES = 4
"""The size of a pixel if none is given: RGBA, as most video DMA engines store it."""
_ITEM = re.compile(r"(?:(?P<name>[^=,]+)=)?(?P<value>[^=,]+)")
_FRAMES = re.compile(
    r"(?:(?P<times>\d{1,3})x(?=\d{3,4}p|[48]K))?"
    r"(?P<frame>\w+p\d+|[48]K\d+|\d+x\d+@[\d.]+)(?:x(?P<bytes>\d{1,2}))?",
    re.ASCII,
)
_LINES = {"4K": "2160p", "8K": "4320p"}


@dataclass(frozen=True)
class Need:
    """The needed MB/s of `name` (a port, a master, or ALL), in one direction or in both."""

    name: str
    way: str | None
    MBps: float  # noqa: N815 - MB/s, as in JSON


@dataclass(frozen=True)
class Met:
    """A need and its carried rate: while all needs are asked for, or, without a `scale`, at full
    speed. low: the lower end of the band of what could be carried, or of measurements that
    contradict each other; None where none is known, or where the rate was measured. scale: by how
    much all needs together can be multiplied."""

    need: Need
    carried: float
    low: float | None
    is_measured: bool = False
    scale: float | None = None

    @property
    def margin(self) -> float:
        """The spare rate as a share of the need: 0.2 is a fifth more than needed."""
        return (self.carried / self.need.MBps if self.scale is None else self.scale) - 1

    @property
    def is_met(self) -> bool:
        """Whether the rate is enough."""
        return self.carried >= SERVED * self.need.MBps

    @property
    def is_sure(self) -> bool:
        """Whether it is at the low end of the band too."""
        return self.is_met and (self.low is None or self.low >= self.need.MBps)


Rate = tuple[float, float | None, bool]
"""A rate in MB/s, the low end of its band, and whether it was measured."""
Carried = Mapping[str, Callable[[str | None], Rate]]
"""By name, the rate in a direction (None: both)."""


def parse(text: str) -> list[Need]:
    """The needs in `text`: rates (MB/s, or with a unit) or frames (`1080p60`, `4K30`, of 4 bytes a
    pixel; `1080p60x2`: of 2), each behind NAME= or NAME.read= or NAME.write=; without a name, of
    all together. AxiometerError where it is none."""
    found = []
    for item in text.split(","):
        match = _ITEM.fullmatch(item.strip())
        rate = None if match is None else _rate(match["value"].strip())
        if match is None or rate is None or rate <= 0:
            raise AxiometerError(
                f"--need: {item.strip()!r} is no rate",
                remedy="give MB/s or frames, by name where there are several: --need 1500, --need "
                "vin=373,vout=1080p60, --need read=700,write=2GB/s",
            )
        name, way = (match["name"] or ALL).strip(), None
        if name in WAYS:
            name, way = ALL, name
        elif name.rpartition(".")[2] in WAYS:
            name, _, way = name.rpartition(".")
        found.append(Need(name, way, rate))
    return found


def judged(needs: Sequence[Need], carried: Carried) -> list[Met]:
    """Each need with its carried rate. AxiometerError where a name is unknown."""
    found = []
    for need in needs:
        if need.name not in carried:
            raise AxiometerError(
                f"--need: nothing here is called {need.name!r}",
                remedy=did_you_mean(need.name, carried, "names"),
            )
        found.append(Met(need, *carried[need.name](need.way)))
    return found


def _rate(text: str) -> float | None:
    try:
        if match := _FRAMES.fullmatch(text):
            frame, each = match["frame"], int(match["bytes"] or PIXEL_BYTES)
            frame = _LINES.get(frame[:2], frame[:2]) + frame[2:]
            return int(match["times"] or 1) * float(vendor.demand_mbs(frame, each))
        return float(units.needed(text, "MB/s"))
    except (BadValueError, ValueError):
        return None
