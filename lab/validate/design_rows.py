"""The papers' own designs, and the published rows that each of them measured.

For every design: the ports that its paper started, and the settings besides the export (`--set`).
`lab/validate/designs.py` runs all of them, `tests/test_design_papers.py` a few.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from axiometer.api import design_answers
from axiometer.api.sampling import sampled
from axiometer.designs import Design, masters
from axiometer.designs.plan import planned
from axiometer.designs.platform import Placed
from axiometer.experiment import Experiment
from axiometer.experiment.values import known
from axiometer.published import asked, reference
from axiometer.published.reference import Reference, Row

REPEATS = 5
TABLE3, TABLE4, TABLE5 = "zybo-hp-bandwidth", "zybo-hp-read-150mhz", "de1-soc-f2s-bandwidth"
DATASET = "ultra96-mixed"
DESIGNS: Mapping[str, str] = {
    **dict.fromkeys(
        [
            *("vieira-duplex-32bit.hdf", "vieira-duplex-64bit.hdf"),
            "vieira-duplex-var-stream-size.hdf",
            *("vieira-ps2pl-32bit.hdf", "vieira-ps2pl-64bit.hdf"),
            *("vieira-pl2ps-32bit.hdf", "vieira-pl2ps-64bit.hdf"),
        ],
        TABLE3,
    ),
    "vieira-max-performance.hdf": TABLE4,
    **dict.fromkeys(
        [
            *(f"vieira-intel-duplex-{bits}bit.qsys.xz" for bits in (32, 64, 128, 256)),
            *("vieira-intel-h2f-128bit.qsys.xz", "vieira-intel-f2h-128bit.qsys.xz"),
        ],
        TABLE5,
    ),
    "ultra96-memory-test.hdf": DATASET,
}
"""Each design, and the experiment with the rows that it measured."""

# Widths of which the paper's design is not at hand, and bursts that the dataset's driver sets: the
# key that each master, and each port where it has that key, is given (`--set NAME.KEY=VALUE`).
VARIED: Mapping[str, tuple[str, Sequence[int]]] = {
    "vieira-intel-h2f-128bit.qsys.xz": ("width_bits", (32, 64, 256)),
    "vieira-intel-f2h-128bit.qsys.xz": ("width_bits", (32, 64, 256)),
    "ultra96-memory-test.hdf": ("burst_beats", (1, 4, 8, 32, 64, 256)),
}
_PORTS_HAVE = ("width_bits",)


@dataclass(frozen=True)
class Measured:
    """A published row and the expected rate of the design that measured it; MB/s. `said`: KEY=VALUE
    besides the export, "" if none."""

    design: str
    platform: str
    ports: str
    said: str
    published: Mapping[str, float]
    rate: float
    role: str

    @property
    def error(self) -> float:
        """In percent."""
        return 100 * (self.rate / self.published["mean"] - 1)


def opened(path: Path, settings: Sequence[str] = ()) -> tuple[Design, Placed]:
    """A design on its platform, as `axiometer expect DESIGN --set SETTING ...` opens it."""
    return design_answers.opened(path, None, settings)


def settings(design: Design, key: str, value: int) -> list[str]:
    """`--set` for every data master, and port where it has the key, of the design."""
    names = [of.master.name for of in planned(design).masters]
    if key in _PORTS_HAVE:
        names += [port.name for port in design.ports]
    return [f"{name}.{key}={value}" for name in names]


def variants(path: Path) -> Iterator[tuple[str, Design, Placed]]:
    """The design as it is (""), and with each value of what its paper varied."""
    design, placed = opened(path)
    yield "", design, placed
    key, values = VARIED.get(path.name, ("", ()))
    for value in values:
        yield f"{key}={value}", *opened(path, settings(design, key, value))


def measured(path: Path, repeats: int = REPEATS) -> Iterator[Measured]:
    """Every row that the design at `path` measured, one combination of its ports after another."""
    for said, design, placed in variants(path):
        for names in started(design):
            found = row(path, design, placed, names)
            if found is not None:
                yield expected(path.name, said, design, placed, names, found, repeats)


def with_own_registers(path: Path, repeats: int = REPEATS) -> list[Measured]:
    """The rows of the design as it is, on the platform with the values of its own registers; none
    where they do not differ."""
    design, placed = opened(path)
    own = {other.path: other.design for other in placed.differences}
    if not own:
        return []
    changed = design_answers.with_figures(placed, own)
    found = [(names, row(path, design, placed, names)) for names in started(design)]
    return [
        expected(path.name, "", design, changed, names, of, repeats)
        for names, of in found
        if of is not None
    ]


def started(design: Design) -> Iterator[str]:
    """Every combination of the design's ports: "HP0", "HP0+HP1"."""
    known = list(planned(design).ports)
    for count in range(1, len(known) + 1):
        yield from ("+".join(names) for names in combinations(known, count))


def table_of(name: str) -> Reference | None:
    """The published rows of a design; None where they are not at hand."""
    return reference.for_experiment(Experiment.load(DESIGNS[name]))[0]


def row(path: Path, design: Design, placed: Placed, names: str) -> Row | None:
    """The published row of these ports; None if there is none, or keys cannot describe it."""
    table = table_of(path.name)
    point = _listed(design, placed, names).point()
    keys = asked.of(point.values)
    return None if table is None or keys is None else table.match(_as_published(keys))


def expected(
    name: str, said: str, design: Design, placed: Placed, names: str, of: Row, repeats: int
) -> Measured:
    """The answer of `axiometer expect DESIGN --ports NAMES` for all together, beside its row."""
    platform = placed.platform
    point = _listed(design, placed, names).point({"repeats": repeats})
    found, _ = sampled(platform, point, "model")
    table, keys = table_of(name), asked.of(point.values)
    assert table is not None and keys is not None  # `of` is its row
    role = table.role(_as_published(keys), platform)
    rate = known(found.mean)
    return Measured(name, platform.name, names, said, of.figures, rate, role)


def _listed(design: Design, placed: Placed, names: str) -> masters.Masters:
    return masters.of(placed.platform, planned(design_answers.behind(design, names)))


def _as_published(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values without what the design's engines keep outstanding, and without what stands before its
    ports: tables have no column for it."""
    return {**values, "outstanding_read": None, "outstanding_write": None, "through": None}
