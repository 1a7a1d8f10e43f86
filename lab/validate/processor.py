"""Every published figure of the processor's side: bars, fitted and predicted rows, fitted figures.

The UviDTE dataset is read below AXIOMETER_REFERENCE; without it its bars are left out.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from axiometer.experiment import Experiment
from axiometer.present import labels
from validate import compared
from validate.compared import Bar, Outcome, Row, at_most, mean, nine_of_ten, table

HEAD = "Rates in MB/s. The rows of the UviDTE dataset are not distributed; their errors are."
GP1 = ("zedboard-gp1-transfer", "zedboard-gp1-linux", "zedboard-gp1-linux-dma")
LEAST_BYTES = 256  # below, a few instructions of the timing program are most of the time
UNBURSTED = ("gpio_driver", "register", "memcpy", "lite", "lite_improved")


def run(jobs: int, repeats: int) -> Outcome:
    """The page's section."""
    found = compared.rows("zynq-interfaces", repeats, jobs=jobs)
    moved = [row for name in GP1 for row in compared.rows(name, repeats, jobs=jobs)]
    rings = compared.rows("zedboard-zero-copy", repeats, jobs=jobs)
    fitted = fitted_figures()
    count = len(fitted["processor"])
    bars = [
        *interfaces(found),
        *transfers(moved),
        *best_master(moved),
        *frequency(moved),
        *zero_copy(rings),
        Bar("fitted figures of the processor's side", "<= 10", str(count), count <= 10),
    ]
    absent = [] if moved else ["\nLeft out: the UviDTE dataset is not here (AXIOMETER_REFERENCE)."]
    effect = ("system", "master", "caches", "direction", "measured", "simulated")
    clocks = [(*key, *(f"{loss:.1f} %" for loss in of)) for key, of in losses(moved).items()]
    wrong = ("system", "direction", "PL clock, MHz", "bytes", "measured", "model")
    sections = {
        "Bars": [*compared.bars_table(bars, "**missed**"), *absent],
        "Fitted and predicted rows": _by_role(found, moved, rings),
        "UviDTE, sizes from 256 B, by series": _series(moved),
        "Cells where the model has another fastest master": table(wrong, fastest(moved)[2]),
        "Loss of rate from 150 to 50 MHz at 2 MiB": table(effect, clocks),
        "Every interface (zynq-interfaces)": _rows(found, fabric=True),
        "Zero-copy packets (zedboard-zero-copy)": _rows(rings),
        "Fitted figures": [f"- {line}" for part in fitted.values() for line in part],
    }
    text = "\n\n".join(f"### {title}\n\n" + "\n".join(lines) for title, lines in sections.items())
    said = f"{HEAD}\n\n{text}"
    return Outcome(compared.missed(bars), compared.reached(bars), [text], {"": said})


def fabric_error(row: Row) -> float:
    """Of the rate that the fabric counts."""
    return compared.error(_in_fabric(row), row.figures["fabric_MBps"])


def _in_fabric(row: Row) -> float:
    return statistics.fmean(r["processor"]["beats"]["MBps"] for r in row.records)


def typical(row: Row) -> int:
    """Cycles between data, the whole part of the mean, as the paper rounds."""
    means = [r["processor"]["beats"]["between"]["mean"] for r in row.records]
    return int(statistics.fmean(means))


def interfaces(found: Sequence[Row]) -> list[Bar]:
    """Melo and Valinoti: both tables, 31 rows, of which the simple masters' nine stand twice."""
    every = [*found, *(r for r in found if r.values["master"] in ("lite", "full", "axi_dma"))]
    bars = []
    for who, errors in (
        ("the processor", [row.error for row in every]),
        ("the fabric", [fabric_error(row) for row in every]),
    ):
        what = f"zynq-interfaces, MB/s as {who} counts"
        most = max(map(abs, errors))
        bars += [
            at_most(f"{what}, mean error", mean(errors), 5, by="at most"),
            at_most(f"{what}, worst", most, 15, by="at most", digits=1),
        ]
    off = max(
        abs(typical(row) - row.figures["between_typ"])
        for row in found
        if row.values["master"] in UNBURSTED
    )
    what = "zynq-interfaces, typical cycles between data, un-bursted rows"
    return [*bars, Bar(what, "within 1", f"{off:g} off at most", off <= 1)]


def transfers(found: Sequence[Row]) -> list[Bar]:
    """UviDTE: rates against size for every master, cache, system and clock."""
    errors = [row.error for row in _large(found)]
    if not errors:
        return []
    what = "zedboard-gp1, from 256 B"
    return [
        at_most(f"{what}, mean error", mean(errors), 8, by="at most"),
        at_most(f"{what}, p90", nine_of_ten(errors), 20, by="at most", digits=1),
    ]


def _large(found: Sequence[Row]) -> list[Row]:
    return [row for row in found if row.values["transfer_bytes"] >= LEAST_BYTES]


def _groups(found: Sequence[Row], *names: str) -> dict[tuple, list[Row]]:
    groups: dict[tuple, list[Row]] = defaultdict(list)
    for row in found:
        groups[tuple(row.values[name] for name in names)].append(row)
    return groups


def fastest(found: Sequence[Row]) -> tuple[int, int, list[tuple]]:
    """How often the fastest master is named right, of how many cells, and the cells that are not:
    (system, mode, PL clock, bytes, measured, named)."""
    cached = [row for row in found if row.values["cache"] == "on"]
    groups = _groups(cached, "os", "mode", "pl_mhz", "transfer_bytes")
    several = {key: group for key, group in groups.items() if len(group) > 1}
    wrong = []
    for key, group in several.items():
        measured = max(group, key=lambda row: row.figures["mean"]).values["master"]
        named = max(group, key=lambda row: row.rate).values["master"]
        if measured != named:
            wrong.append((*key, measured, named))
    return len(several) - len(wrong), len(several), wrong


def best_master(found: Sequence[Row]) -> list[Bar]:
    """How often the fastest master is named right."""
    right, total, _ = fastest(found)
    if not total:
        return []
    share = 100 * right / total
    what = "zedboard-best-master, fastest master named right"
    return [Bar(what, "at least 90 %", f"{right} of {total}, {share:.1f} %", share >= 90)]


def losses(found: Sequence[Row]) -> dict[tuple, tuple[float, float]]:
    """Loss of rate from 150 to 50 MHz in per cent, measured and simulated, at the largest size."""
    most = max((row.values["transfer_bytes"] for row in found), default=0)
    largest = [row for row in found if row.values["transfer_bytes"] == most]
    out = {}
    for key, group in _groups(largest, "os", "master", "cache", "mode").items():
        by = {row.values["pl_mhz"]: row for row in group}
        if 50 in by and 150 in by:
            measured = 100 * (1 - by[50].figures["mean"] / by[150].figures["mean"])
            out[key] = (measured, 100 * (1 - by[50].rate / by[150].rate))
    return out


def frequency(found: Sequence[Row]) -> list[Bar]:
    """The effect of the PL clock."""
    pairs = losses(found).values()
    if not pairs:
        return []
    off = max(abs(a - b) for a, b in pairs)
    what = "zedboard-frequency-effect, loss from 150 to 50 MHz"
    return [Bar(what, "within 5 points", f"{off:.1f} points off at most", off <= 5)]


def zero_copy(found: Sequence[Row]) -> list[Bar]:
    """RSoC: packets with and without cache control."""
    return [
        at_most(
            f"zedboard-zero-copy, cache control {kind}, mean error",
            mean(row.error for row in found if row.values["cache_control"] == kind),
            6,
            by="at most",
        )
        for kind in ("explicit", "none")
    ]


def fitted_figures() -> dict[str, list[str]]:
    """Figures of the processor's side that were fitted on something, over both platforms: each
    once, with the chip or board that states it."""
    out: dict[str, dict[str, None]] = {"processor": {}, "fabric": {}}
    for experiment in ("zedboard-zero-copy", "zynq-interfaces"):
        for path, leaf in Experiment.load(experiment).platform.fitted():
            part = path.split(".")[0]
            if part in out:
                file = Path(leaf.file)
                name = file.parent.name if file.name == "structure.toml" else file.stem
                out[part][f"{name}: {path}"] = None
    return {part: list(figures) for part, figures in out.items()}


def _by_role(found: Sequence[Row], moved: Sequence[Row], rings: Sequence[Row]) -> list[str]:
    heads = ("rows", "fitted", "their error", "predicted", "error of these")
    body = []
    for name, of in (
        ("zynq-interfaces", found),
        ("zedboard-gp1, from 256 B", _large(moved)),
        ("zedboard-zero-copy", rings),
    ):
        cells = [name]
        for roles in (("fitted",), ("predicted",), ("fitted", "predicted")):
            errors = [row.error for row in of if row.role in roles]
            cells += [str(len(errors)), f"{mean(errors):.2f} %" if errors else ""]
        body.append([*cells, f"{nine_of_ten(errors):.1f} %" if errors else ""])
    return table((*heads, "all", "mean error", "nine of ten within"), body)


def _series(moved: Sequence[Row]) -> list[str]:
    heads = ("system", "master", "caches", "direction", "mean error", "worst")
    groups = _groups(_large(moved), "os", "master", "cache", "mode").items()
    return table(
        heads,
        (
            (
                *key,
                f"{mean(row.error for row in group):.1f} %",
                f"{compared.worst(group).error:+.0f} %",
            )
            for key, group in groups
        ),
    )


def _rows(found: Sequence[Row], fabric: bool = False) -> list[str]:
    extra = ("in the fabric", "error", "cycles between", "published") if fabric else ()
    return table(("point", "simulated", "published", "error", *extra, "row"), _cells(found, fabric))


def _cells(found: Sequence[Row], fabric: bool) -> Iterator[list[str]]:
    for row in found:
        cells = [labels.key_label(row.key), f"{row.rate:.2f}", f"{row.figures['mean']:g}"]
        cells.append(f"{row.error:+.2f} %")
        if fabric:
            cells += [f"{_in_fabric(row):.2f}", f"{fabric_error(row):+.2f} %"]
            cells += [str(typical(row)), f"{row.figures['between_typ']:g}"]
        yield [*cells, row.role]
