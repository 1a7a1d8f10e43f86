"""The bars of accuracy of the processor's side, and the errors that they limit.

`processor.py` prints them at full size, `test_processor_accuracy.py` checks some quickly.
Errors are those of rates, in per cent: (simulated - published) / published.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from axiometer.experiment import Experiment
from axiometer.published import reference
from axiometer.runs.backends import model
from validate.accuracy import Bar

GP1 = (
    "zedboard-gp1-transfer",
    "zedboard-gp1-linux",
    "zedboard-gp1-linux-dma",
)
LEAST_BYTES = 256  # below, a few instructions of the timing program are most of the time
UNBURSTED = ("gpio_driver", "register", "memcpy", "lite", "lite_improved")


@dataclass(frozen=True)
class Cell:
    """One measured point with its simulation; `role` as in `reference`."""

    key: dict
    values: dict
    figures: dict
    records: list
    role: str

    @property
    def rate(self) -> float:
        return statistics.fmean(record["total_MBps"] for record in self.records)

    @property
    def fabric_rate(self) -> float:
        return statistics.fmean(r["processor"]["beats"]["MBps"] for r in self.records)

    @property
    def error(self) -> float:
        return 100 * (self.rate / self.figures["mean"] - 1)

    @property
    def fabric_error(self) -> float:
        return 100 * (self.fabric_rate / self.figures["fabric_MBps"] - 1)

    def typical(self) -> int:
        """Cycles between data, the whole part of the mean, as the paper rounds."""
        means = [r["processor"]["beats"]["between"]["mean"] for r in self.records]
        return int(statistics.fmean(means))


def cells(name: str, repeats: int = 1, only=None) -> list[Cell]:
    """Every point of an experiment that was measured, in its order; none without the dataset."""
    experiment = Experiment.load(name)
    table, _ = reference.for_experiment(experiment)
    out = []
    for point in experiment.points() if table else ():
        row = table.match(point.values) if only is None or only(point.values) else None
        if row is not None:
            records = model.run_repeats(experiment.platform, point, 0, 0, repeats)
            role = table.role(point.values, experiment.platform)
            out.append(Cell(point.key, point.values, row.figures, records, role))
    return out


def mean_error(errors: Iterable[float]) -> float:
    return statistics.fmean(abs(e) for e in errors)


def quantile(errors: Iterable[float], share: float) -> float:
    """The least error (without its sign) that at least `share` of them do not exceed."""
    ordered = sorted(abs(e) for e in errors)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def interfaces(found: Sequence[Cell]) -> list[Bar]:
    """Melo and Valinoti: both tables, 31 rows, of which the simple masters' nine stand twice."""
    again = [c for c in found if c.values["master"] in ("lite", "full", "axi_dma")]
    rows = [*found, *again]
    bars = []
    for who, errors in (
        ("the processor", [c.error for c in rows]),
        ("the fabric", [c.fabric_error for c in rows]),
    ):
        mean, worst = mean_error(errors), max(abs(e) for e in errors)
        what = f"zynq-interfaces, MB/s as {who} counts"
        bars.append(Bar(f"{what}, mean error", "at most 5 %", f"{mean:.2f} %", mean <= 5))
        bars.append(Bar(f"{what}, worst", "at most 15 %", f"{worst:.1f} %", worst <= 15))
    off = max(
        abs(c.typical() - c.figures["between_typ"])
        for c in found
        if c.values["master"] in UNBURSTED
    )
    what = "zynq-interfaces, typical cycles between data, un-bursted rows"
    bars.append(Bar(what, "within 1", f"{off:g} off at most", off <= 1))
    return bars


def transfers(found: Sequence[Cell]) -> list[Bar]:
    """UviDTE: rates against size for every master, cache, system and clock."""
    errors = [c.error for c in found if c.values["transfer_bytes"] >= LEAST_BYTES]
    if not errors:
        return []
    mean, p90 = mean_error(errors), quantile(errors, 0.9)
    return [
        Bar("zedboard-gp1, from 256 B, mean error", "at most 8 %", f"{mean:.2f} %", mean <= 8),
        Bar("zedboard-gp1, from 256 B, p90", "at most 20 %", f"{p90:.1f} %", p90 <= 20),
    ]


def _cached(found: Sequence[Cell]) -> list[Cell]:
    return [c for c in found if c.values["cache"] == "on"]


def fastest(found: Sequence[Cell]) -> tuple[int, int, list[tuple]]:
    """How often the fastest master is named right, of how many cells, and the cells that are not:
    (system, mode, PL clock, bytes, measured, named)."""
    groups: dict[tuple, list[Cell]] = defaultdict(list)
    for c in _cached(found):
        v = c.values
        groups[v["os"], v["mode"], v["pl_mhz"], v["transfer_bytes"]].append(c)
    wrong, total = [], 0
    for key, group in groups.items():
        if len(group) < 2:
            continue
        total += 1
        measured = max(group, key=lambda c: c.figures["mean"]).values["master"]
        named = max(group, key=lambda c: c.rate).values["master"]
        if measured != named:
            wrong.append((*key, measured, named))
    return total - len(wrong), total, wrong


def best_master(found: Sequence[Cell]) -> list[Bar]:
    right, total, _ = fastest(found)
    if not total:
        return []
    share = 100 * right / total
    what = "zedboard-best-master, fastest master named right"
    return [Bar(what, "at least 90 %", f"{right} of {total}, {share:.1f} %", share >= 90)]


def losses(found: Sequence[Cell]) -> dict[tuple, tuple[float, float]]:
    """Loss of rate from 150 to 50 MHz in per cent, measured and simulated, at the largest size."""
    groups: dict[tuple, dict[float, Cell]] = defaultdict(dict)
    most = max((c.values["transfer_bytes"] for c in found), default=0)
    for c in found:
        v = c.values
        if v["transfer_bytes"] == most:
            groups[v["os"], v["master"], v["cache"], v["mode"]][v["pl_mhz"]] = c
    return {
        key: (
            100 * (1 - by[50].figures["mean"] / by[150].figures["mean"]),
            100 * (1 - by[50].rate / by[150].rate),
        )
        for key, by in groups.items()
        if 50 in by and 150 in by
    }


def frequency(found: Sequence[Cell]) -> list[Bar]:
    pairs = losses(found).values()
    if not pairs:
        return []
    off = max(abs(a - b) for a, b in pairs)
    what = "zedboard-frequency-effect, loss from 150 to 50 MHz"
    return [Bar(what, "within 5 points", f"{off:.1f} points off at most", off <= 5)]


def zero_copy(found: Sequence[Cell]) -> list[Bar]:
    bars = []
    for kind in ("explicit", "none"):
        mean = mean_error(c.error for c in found if c.values["cache_control"] == kind)
        what = f"zedboard-zero-copy, cache control {kind}, mean error"
        bars.append(Bar(what, "at most 6 %", f"{mean:.2f} %", mean <= 6))
    return bars


def fitted_figures() -> dict[str, list[str]]:
    """Figures of the processor's side that were fitted on something, over both platforms: each
    once, with the chip or board that states it."""
    out: dict[str, dict[str, None]] = {"processor": {}, "fabric": {}}
    for experiment in _ON:
        for path, leaf in Experiment.load(experiment).platform.fitted():
            table = path.split(".")[0]
            if table in out:
                file = Path(leaf.file)
                name = file.parent.name if file.name == "structure.toml" else file.stem
                out[table][f"{name}: {path}"] = None
    return {table: list(figures) for table, figures in out.items()}


_ON = ("zedboard-zero-copy", "zynq-interfaces")
