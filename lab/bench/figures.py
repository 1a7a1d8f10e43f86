"""A measured figure with its bar, and the table of all figures. Measures nothing itself."""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """One line of the table. `bar`: the least allowed value, or with `at_most` the greatest (None:
    no bar). `aim`: the desired value. `how`: a description of the measurement."""

    name: str
    value: float
    unit: str
    bar: float | None = None
    at_most: bool = False
    aim: float | None = None
    how: str = ""

    @property
    def reached(self) -> bool | None:
        """Whether the bar is reached; None without one."""
        if self.bar is None:
            return None
        return self.value <= self.bar if self.at_most else self.value >= self.bar

    def document(self) -> dict[str, object]:
        return asdict(self) | {"reached": self.reached}


def machine() -> dict[str, object]:
    """The machine of the measurements."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "cpu": model,
        "cores": cores,
        "load": round(os.getloadavg()[0], 2),
        "loop_ns": round(_loop_ns(), 1),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
    }


def _loop_ns(turns: int = 2_000_000) -> float:
    """Nanoseconds of processor time for a turn of a plain loop, the best of five: absolute figures
    of two machines are to each other about as these."""
    best = float("inf")
    for _ in range(5):
        begin, total = time.process_time(), 0
        for n in range(turns):
            total += n & 7
        best = min(best, time.process_time() - begin)
    return best / turns * 1e9


def heading(where: dict[str, object]) -> str:
    """`where` (see `machine`) in a line."""
    return (
        f"{where['cpu']}, {where['cores']} cores, {where['system']}, Python {where['python']}, "
        f"load at the start {where['load']}, a plain loop {where['loop_ns']} ns a turn"
    )


def table(rows: Sequence[Sequence[str]], right: frozenset[int]) -> list[str]:
    """Lines of a table; the first row is the heading, columns in `right` are aligned right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    lines.insert(1, "-" * max(map(len, lines)))
    return lines


def lines(figures: Sequence[Figure]) -> list[str]:
    """The table of all figures."""
    rows = [("figure", "measured", "unit", "bar", "", "what was measured")]
    for figure in figures:
        bar = ""
        if figure.bar is not None:
            bar = f"{'<=' if figure.at_most else '>='} {figure.bar:g}"
        verdict = {True: "pass", False: "SHORT", None: ""}[figure.reached]
        how = figure.how
        if figure.aim is not None:
            how = f"{how}; aim {figure.aim:g}" if how else f"aim {figure.aim:g}"
        rows.append((figure.name, _short(figure.value), figure.unit, bar, verdict, how))
    return table(rows, frozenset({1, 3}))


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"
