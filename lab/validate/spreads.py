"""How wide bands are, from errors on measured rows, and how many rows are inside when left out:
sources, sets, and all benches of a chip but one."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from axiometer.platform import Platform
from axiometer.published import tables
from axiometer.published.bands.likely import half_width
from axiometer.published.bands.spread import KINDS, Cell, Kind, Spread, fitted, is_odd

FIRST_LOOKS = Path(__file__).with_name("first_looks.csv")
LEAST, FLOOR = 3, 0.005  # rows of a cell; its least width
SHARE, WORST = 0.9, 0.6  # of all rows, and of a source's, that are to be inside
_ROUNDED = 0.001  # of a rate
_STEP, _MOST = 0.05, 4.0


@dataclass(frozen=True)
class Seen:
    """A measured rate: whose, of which chip, its set, its kind, ln(simulated / measured), and ln of
    how much more its wires carry than is simulated."""

    source: str
    chip: str
    set: str
    what: str
    kind: Kind
    error: float
    room: float

    def inside(self, half: float) -> bool:
        """Whether it is in a band of that half width."""
        high = min(half, self.room)
        return -half - _ROUNDED <= -self.error <= high + _ROUNDED

    def width(self, half: float) -> float:
        """Half the width of the band in percent of the simulated rate."""
        return 50 * (math.exp(min(half, self.room)) - math.exp(-half))


def first_looks() -> Iterator[Seen]:
    """Rows of benches as the model was when it was first laid beside them."""
    with FIRST_LOOKS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kind = tuple(float(name in row["kind"].split("+")) for name in KINDS)
            simulated, was, most = (float(row[n]) for n in ("simulated", "measured", "most"))
            yield Seen(
                row["source"], tables.chip_of(row["board"]), row["set"], "total", kind,
                math.log(simulated / was), max(0.0, math.log(most / simulated)),
            )  # fmt: skip


def fitted_sources() -> set[str]:
    """Sources whose rows a figure of a board was fitted on."""
    known = tables.tables()
    files = {
        selector.partition(":")[0].strip()
        for board in {table.like for table in known}
        for _, leaf in Platform.load(board).fitted()
        for selector in leaf.fitted or ()
    }
    return {table.source for table in known if table.path.name in files}


def cells(rows: Iterable[Seen], of_fitted: set[str]) -> list[Cell]:
    """The width that holds nine of ten rows, of each set and kind."""
    found: dict[tuple[str, str, Kind], list[float]] = {}
    for row in rows:
        kind = fitted(row.kind) if row.source in of_fitted else row.kind
        found.setdefault((row.source, row.set, kind), []).append(abs(row.error))
    out = []
    for (source, name, kind), errors in sorted(found.items()):
        if len(errors) >= LEAST:
            at = math.ceil(SHARE * len(errors)) - 1
            out.append(Cell(source, name, kind, max(FLOOR, sorted(errors)[at]), len(errors)))
    return out


@dataclass(frozen=True)
class Held:
    """Rows of a set or source that were left out: their number, those inside, half width in %."""

    source: str
    set: str
    what: str
    rows: int
    inside: int
    width: float


def left_out(
    rows: Sequence[Seen], known: Sequence[Cell], level: Mapping[str, float], *, whole: bool
) -> Iterator[Held]:
    """Each set against bands that are made without its source (`whole`), or without it alone, of
    sources that have several."""
    several = {
        s for s in {c.source for c in known} if len({c.set for c in known if c.source == s}) > 1
    }
    for source in dict.fromkeys(row.source for row in rows):
        if not whole and source not in several:
            continue
        of = [row for row in rows if row.source == source]
        without = Spread([c for c in known if c.source != source]) if whole else None
        for name in dict.fromkeys(row.set for row in of):
            spread = without or Spread([c for c in known if (c.source, c.set) != (source, name)])
            for what in ("total", "each"):
                own = [row for row in of if (row.set, row.what) == (name, what)]
                if own:
                    yield held(own, spread, "" if whole else source, level)


def held(rows: Sequence[Seen], known: Spread, source: str, level: Mapping[str, float]) -> Held:
    """Rows against bands of new sets of a `source`, or of new benches (""); named by the first."""
    halves = [half_width(known, row.kind, source, level) for row in rows]
    pairs = list(zip(rows, halves, strict=True))
    inside = sum(row.inside(half) for row, half in pairs)
    width = math.fsum(row.width(half) for row, half in pairs) / len(rows)
    return Held(rows[0].source, rows[0].set, rows[0].what, len(rows), inside, width)


MANY = "zynq-ultrascale-plus"
"""The chip of which one source has nearly all rows: that one is left out, alone."""


@dataclass(frozen=True)
class Chip:
    """A chip, the sources of it that are there, and how its other rows came out."""

    chip: str
    there: tuple[str, ...]
    out: tuple[str, ...]
    held: Held


def of_chips(
    rows: Sequence[Seen], known: Sequence[Cell], level: Mapping[str, float]
) -> Iterator[Chip]:
    """Each chip with each one of its sources there, against bands without the others: these are as
    of a new bench. Of `MANY` only its largest source is left out."""
    for chip in dict.fromkeys(row.chip for row in rows):
        sources = list(dict.fromkeys(row.source for row in rows if row.chip == chip))
        if chip == MANY:
            most = max(sources, key=lambda of: sum(r.source == of for r in rows if r.chip == chip))
            cases = [tuple(source for source in sources if source != most)]
        else:
            cases = [(source,) for source in sources]
        for there in cases:
            out = tuple(source for source in sources if source not in there)
            own = [row for row in rows if row.chip == chip and row.source in out]
            if own:
                spread = Spread([cell for cell in known if cell.source not in out])
                yield Chip(chip, there, out, held(own, spread, "", level))


def levels(rows: Sequence[Seen], known: Sequence[Cell]) -> dict[str, float]:
    """The least widening with which nine of ten left-out rows are inside, and of no source fewer
    than 60 %: on new benches, by whether latency decides, and in new sets of a bench."""
    found = {}
    for name, odd, whole in (
        ("bench", False, True), ("bench_odd", True, True), ("set", None, False),
    ):  # fmt: skip
        own = [row for row in rows if odd is None or is_odd(row.kind) == odd]
        steps = (n * _STEP for n in range(int(_MOST / _STEP)))
        found[name] = next(
            (
                at
                for at in steps
                if _holds(list(left_out(own, known, {name: at}, whole=whole)), whole)
            ),
            _MOST,
        )
    return found


def _holds(of: Sequence[Held], whole: bool) -> bool:
    if not share(of) >= SHARE:
        return False
    by_source = [share([h for h in of if h.source == s]) for s in {h.source for h in of}]
    return not whole or min(by_source) >= WORST


def share(of: Iterable[Held]) -> float:
    """Of all rows, how many are inside."""
    of = list(of)
    return sum(h.inside for h in of) / max(1, sum(h.rows for h in of))


def width(of: Iterable[Held]) -> float:
    """The mean half width in percent."""
    of = list(of)
    return math.fsum(h.width * h.rows for h in of) / max(1, sum(h.rows for h in of))
