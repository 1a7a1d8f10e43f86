"""The bands of answers, made anew, and how many held rows are inside: `python -m validate.bands`.

Usage: python -m validate.bands [--write] [--sample N]

Every published row that the model can be compared with is simulated. Each set of rows (a table, a
figure, a file of a dataset) is then left out in turn: bands are made from the others, and the rows
of the set that are inside are counted. `--write` writes docs/bands.md and the bands that ship,
src/axiometer/published/bands/validated.csv. Sets whose files are not here are left out, and said
so.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from axiometer.base import data
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.published.bands import features
from axiometer.published.bands.likeness import LEAST, SHARE, band
from axiometer.published.bands.rates import LEAST_MBPS
from axiometer.published.bands.validated import FILE, Row, classes, write
from validate import accuracy_usp, made_by, part_load, processor_accuracy, tables, usp

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "bands.md"
SHIPPED = ROOT / "src" / "axiometer" / "published" / "bands"
TABLES = (
    *tables.EXPERIMENTS,
    *("zynq-interfaces", *processor_accuracy.GP1, "zedboard-zero-copy"),
)
REPEATS = 5
_STANDS = 1.0  # MB/s: a published port that moves less stands
SAMPLE = 300
HEAD = f"""\
# Bands of answers

`expect`, `curve` and `advise` give a band with each rate: where nine of ten published rows like
the point would lie, by
the model's errors on them (`src/axiometer/published/bands/`). Rows are like a point if they have
its chip, kind of master, direction, interface, masters at a port, slave, program, load, order of
addresses, mapping, QoS, operating system, caches and size of transfers, and are of such a memory;
of these, those about its clock, of as many ports and of such bursts, while at least {LEAST} are
left.
Otherwise the answer is *extrapolated*: its band is that of all sets of rows of the chip, each as
much as any other, and never narrower than what benches of others have shown
(`python -m validate.others`; these are left out here). No band goes beyond what wires, the memory's
bus, or the masters' own rates allow.

*Left out*: bands are made without any row of the set, as for a bench that nobody has seen. *Its
own*: bands that ship, of which the set is a part. *Half width*: the mean of (high - low) / 2, in
percent of the simulated rate. A rate of one port is of one direction, {LEAST_MBPS:g} MB/s or more
simulated. Nothing of the bands is fitted; which features count was chosen with the sets in sight.
"""


@dataclass(frozen=True)
class Held:
    """The rows of one set, with the bands made without it and with it: how many have one, are
    inside it and are extrapolated, and the mean half width in percent."""

    set: str
    rows: int
    with_band: int
    inside: int
    extrapolated: int
    half_width: float


def rows(sample: int) -> Iterator[Row]:
    """Every published row that is at hand with the model's error on it. Files of the large dataset
    are sampled."""
    for name in TABLES:
        print(name, file=sys.stderr, flush=True)
        platform = Experiment.load(name).platform
        for cell in processor_accuracy.cells(name, REPEATS):
            yield Row(
                name, features.of(platform, cell.values), _error(cell.rate, cell.figures["mean"])
            )
    yield from _dataset(sample)
    yield from _part_load()


def _error(simulated: float, published: float) -> float:
    return math.log(simulated / published)


def _dataset(sample: int) -> Iterator[Row]:
    """Totals, and each rate of a port that moves in both, of the files that an experiment runs."""
    known = [Experiment.load(name) for name in data.names("experiments")]
    run = {Path(of.reference or of.external_reference).name for of in known}
    for file in sorted(usp.DATA.glob("*mhz.csv")):
        if file.name not in run:
            continue
        print(file.stem, file=sys.stderr, flush=True)
        told = accuracy_usp.read(file)
        chosen = random.Random(1).sample(told, min(sample, len(told)))
        with ProcessPoolExecutor() as pool:
            outcomes = list(pool.map(usp.run, [(of, ()) for of in chosen], chunksize=10))
        for of, outcome in zip(chosen, outcomes, strict=True):
            platform = Platform.load(of.platform)
            values = single(platform, {**of.point(), "duration": usp.DURATION}).values
            total = _error(outcome.total, of.total)
            yield Row(file.stem, features.of(platform, values), total)
            like = features.of(platform, values, features.EACH)
            for port, simulated in outcome.by_port.items():
                for rate, published in zip(simulated, of.by_port[port], strict=True):
                    if rate >= LEAST_MBPS and published >= _STANDS:
                        yield Row(file.stem, like, _error(rate, published))


def _part_load() -> Iterator[Row]:
    """Rates of each generator, its regions in banks of their own (`part_load`)."""
    told = part_load.published()
    apart = list(part_load.BASES.values())[-1]
    kinds = {
        name: features.of(at, part_load.asked(at, generators, apart).values, features.EACH)
        for name, generators in part_load.scenarios(told).items()
        for at in (part_load.at(name),)
    }
    for row in part_load.rows(told, apart):
        error = _error(row.simulated["rate"], row.measured["rate"])
        yield Row("zc702-part-load", kinds[row.scenario], error)


def held(found: Sequence[Row], left_out: bool) -> Iterator[Held]:
    """Each set of rows against bands made without it (left_out), or with it."""
    for name in dict.fromkeys(row.set for row in found):
        own = [row for row in found if row.set == name]
        known = classes(row for row in found if not left_out or row.set != name)
        bands = [band(row.features, known) for row in own]
        pairs = [(row, b) for row, b in zip(own, bands, strict=True) if b is not None]
        yield Held(
            name,
            len(own),
            len(pairs),
            sum(b.low <= math.exp(-row.error) <= b.high for row, b in pairs),
            sum(bool(b.extrapolated) for _, b in pairs),
            100 * sum((b.high - b.low) / 2 for _, b in pairs) / len(pairs) if pairs else math.nan,
        )


def together(of: Iterable[Held]) -> Held:
    """All sets as one."""
    of = list(of)
    count = sum(h.with_band for h in of)
    width = sum(h.half_width * h.with_band for h in of if h.with_band) / max(1, count)
    sums = (
        sum(getattr(h, key) for h in of) for key in ("rows", "with_band", "inside", "extrapolated")
    )
    return Held("all", *sums, width)


def table(of: Sequence[Held]) -> list[str]:
    """The Markdown table of these sets, and of all."""
    lines = [
        "| set | rows | with a band | inside | extrapolated | half width |",
        "|---|---|---|---|---|---|",
    ]
    for h in (*of, replace(together(of), set="**all**")):
        inside = f"{100 * h.inside / h.with_band:.1f} %" if h.with_band else "-"
        width = f"±{h.half_width:.1f} %" if h.with_band else "-"
        lines.append(
            f"| {h.set} | {h.rows} | {h.with_band} | {inside} | {h.extrapolated} | {width} |"
        )
    return lines


def page(found: Sequence[Row]) -> str:
    """docs/bands.md."""
    out = [HEAD]
    for rate, what in ((features.TOTAL, "Totals"), (features.EACH, "Rates of one port")):
        own = [row for row in found if row.features["rate"] == rate]
        for title, left_out in ((f"{what}, left out", True), (f"{what}, its own", False)):
            out += [f"## {title}", "", *table(list(held(own, left_out))), ""]
    out.append(made_by("python -m validate.bands --write"))
    return "\n".join(out)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the page and the bands")
    parser.add_argument(
        "--sample", type=int, default=SAMPLE, help=f"of each file (default {SAMPLE})"
    )
    args = parser.parse_args()
    found = list(rows(args.sample))
    text = page(found)
    print(text)
    if args.write:
        PAGE.write_text(text, encoding="utf-8")
        write(SHIPPED / FILE.name, classes(found))
    every = together(held(found, left_out=True))
    low = 100 * every.inside / every.with_band
    print(f"{low:.1f} % of held rows are inside ({100 * SHARE:g} % asked for)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
