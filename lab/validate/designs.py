"""The papers' own designs against the papers' measurements of them.

Computes the rate of each export as `axiometer expect DESIGN --ports ...` does, for every published
combination of its ports, prints the errors and whether the bars of accuracy are reached, and
compares the registers of the exports with the platform's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from axiometer.base import data
from validate import compared, design_rows
from validate.compared import Bar, Outcome, table
from validate.design_rows import DATASET, DESIGNS, Measured

# docs/accuracy.md; the row that spreads over a third of its mean on the board is wider.
WORST, SPREADING, SPREADS = 6.0, 12.0, 0.2
# The same page, Zynq UltraScale+: nine of ten totals of the dataset are nearer; the mean of all.
NINE_OF_TEN, MEAN = 7.6, 3.25


def run(jobs: int, only: str) -> Outcome:
    """The page's section."""
    found = {name: data.find_external(f"designs/{name}") for name in DESIGNS if only in name}
    paths = [path for path in found.values() if path is not None]
    with ProcessPoolExecutor(jobs) as pool:
        rows = [row for each in pool.map(measured, paths) for row in each]
        own = [row for each in pool.map(design_rows.with_own_registers, paths) for row in each]
    bars = [bar for bar in (_tables(rows), _dataset(rows)) if bar is not None]
    text = "\n".join([*_page(rows, bars), *_registers(paths, rows, own)])
    return Outcome(compared.missed(bars), compared.reached(bars), [text], {"": text})


def measured(path: Path) -> list[Measured]:
    return list(design_rows.measured(path))


def spreads(row: Measured) -> bool:
    """Whether the board's own runs of a row of the papers' tables lie far apart."""
    return row.published["max"] - row.published["min"] > SPREADS * row.published["mean"]


def allowed(row: Measured) -> float:
    """The error in percent that a row of the papers' tables may have."""
    return SPREADING if spreads(row) else WORST


def is_near(row: Measured) -> bool:
    """Whether its error is no larger, and is within the board's range where the board spreads."""
    inside = row.published["min"] <= row.rate <= row.published["max"]
    return abs(row.error) <= allowed(row) and (inside or not spreads(row))


def _of_dataset(row: Measured) -> bool:
    return DESIGNS[row.design] == DATASET


def _mean(rows: Sequence[Measured]) -> float:
    return compared.mean(row.error for row in rows)


def _tables(rows: Sequence[Measured]) -> Bar | None:
    of = [row for row in rows if not _of_dataset(row)]
    if not of:
        return None
    missed = [row for row in of if not is_near(row)]
    worst = max(of, key=lambda row: abs(row.error) / allowed(row))
    found = f"mean {_mean(of):.2f} %, worst {worst.error:+.2f} % ({worst.design}, {worst.ports})"
    required = (
        f"each <= {WORST:g} %, of the one that spreads on the board <= {SPREADING:g} % and inside"
    )
    return Bar(f"Tables 3, 4, 5: {len(of)} rows of designs", required, found, not missed)


def _dataset(rows: Sequence[Measured]) -> Bar | None:
    """As the export is: its bursts are the usual ones."""
    of = [row for row in rows if _of_dataset(row) and not row.said]
    if not of:
        return None
    errors = sorted(abs(row.error) for row in of)
    found = f"mean {_mean(of):.2f} %, worst {errors[-1]:.2f} %"
    passed = _mean(of) <= MEAN and errors[-1] <= NINE_OF_TEN
    required = f"mean <= {MEAN:g} %, each <= {NINE_OF_TEN:g} %"
    return Bar(f"Ultra96 dataset: {len(of)} combinations of ports", required, found, passed)


def _page(rows: Sequence[Measured], bars: Sequence[Bar]) -> Iterator[str]:
    yield from compared.bars_table(bars)
    yield ""
    shown = [row for row in rows if not (_of_dataset(row) and row.said)]
    yield from table(
        ("design", "ports", "`--set`", "published", "expected", "error %", ""),
        (
            (row.design, row.ports, row.said, f"{row.published['mean']:.2f}", f"{row.rate:.2f}",
             f"{row.error:+.2f}", row.role)
            for row in shown
        ),
    )  # fmt: skip
    varied = [row for row in rows if row not in shown]
    if varied:
        yield from _varied(varied)


def _varied(rows: Sequence[Measured]) -> Iterator[str]:
    """The dataset's rows by what its driver set."""
    count = len({row.ports for row in rows})
    yield ""
    yield "The Ultra96's driver sets its bursts, here `--set` of every master does. Errors of the"
    yield f"total over {count} combinations of ports each, in percent:"
    yield ""
    body = []
    for said in dict.fromkeys(row.said for row in rows):
        of = [row for row in rows if row.said == said]
        worst = compared.worst(of)
        body.append((said, f"{_mean(of):.2f}", f"{worst.error:+.2f} ({worst.ports})"))
    yield from table(("`--set`", "mean", "worst"), body)


def _registers(
    paths: Sequence[Path], rows: Sequence[Measured], own: Sequence[Measured]
) -> Iterator[str]:
    """Figures of the exports' registers that differ from the platform's; the errors with them."""
    alike: dict[tuple[str, ...], list[str]] = {}
    for path in paths:
        placed = design_rows.opened(path)[1]
        for other in placed.differences:
            name = f"`{other.path}` ({other.origin})"
            values = (str(placed.compared), name, str(other.board), str(other.design), other.source)
            alike.setdefault(values, []).append(path.name)
    if not alike:
        return
    yield ""
    yield "Registers of the exports beside the platforms', which are the boot loader's except for"
    yield "fitted figures. `expect` uses the platforms':"
    yield ""
    heads = ("figures compared", "different", "platform", "design", "the design's register")
    yield from table(
        ("design", *heads), ((", ".join(names), *cells) for cells, names in alike.items())
    )
    yield ""
    body = []
    for name in dict.fromkeys(row.design for row in own):
        usual = [row for row in rows if row.design == name and not row.said]
        instead = [row for row in own if row.design == name]
        body.append((name, f"{_mean(usual):.2f}", f"{_mean(instead):.2f}"))
    yield from table(("design, without `--set`", "mean error %", "with its own registers"), body)
