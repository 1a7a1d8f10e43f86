"""The model beside figures that benches of others printed.

`others.toml` lists the rows of reference/others/measured_by_others.csv that the model can simulate,
with their keys. Prints the error of each, in percent of the printed rate, and the rows that are far
off with their benches' unmodelled conditions. The files of chips and boards name these rows where a
figure was fitted or selected on them.
"""

from __future__ import annotations

import csv
import fnmatch
import math
import statistics
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from axiometer.base import data
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.platform.targets import TARGET
from axiometer.runs.backends import model
from validate import compared
from validate.compared import Outcome, mean, nine_of_ten

FILE = "others/measured_by_others.csv"
ABOUT = Path(__file__).with_name("others.toml")
REPEATS = 3
MBPS = {"MiB/s": 2**20 / 1e6, "MB/s": 1.0}
GRADE = "A"  # the set-up is complete
_LARGE = 4 * 2**20  # bytes, of transfers that are longer, which go on as they did before
FAR = 40.0
"""An error in percent from which on a row needs a sentence with its cause."""
FIRST_LOOKS = Path(__file__).with_name("first_looks.csv")
HEAD = """\
Errors in percent of the printed rate. All of these rows were in sight when figures were chosen.
*Chosen on*: rows on which a figure of chip or board was fitted or selected. *First comparison*: the
mean error before any of that, of the rows for which it was kept (`lab/validate/first_looks.csv`).
"""


@dataclass(frozen=True)
class Asked:
    """A simulated row. printed, simulated: MB/s; chosen_on: whether a figure was fitted or selected
    on it; assumes: what the error is of, too."""

    name: str
    source: str
    board: str
    printed: float
    simulated: float
    chosen_on: bool = False
    assumes: str = ""

    @property
    def error(self) -> float:
        return compared.error(self.simulated, self.printed)


@cache
def about() -> dict[str, Any]:
    """others.toml."""
    return tomllib.loads(ABOUT.read_text(encoding="utf-8"))


def printed(path: Path, bench: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """The rows of a bench, of transfers of any length."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            mine = any(fnmatch.fnmatchcase(row["id"], pattern) for pattern in bench["ids"])
            if mine and row["grade"] == bench.get("grade", GRADE):
                yield row


def length(row: Mapping[str, str]) -> int:
    """Bytes of a row's transfer, 0 of one without an end."""
    return int(row["transfer_bytes"] or 0)


def keys(bench: Mapping[str, Any], row: Mapping[str, str]) -> dict[str, Any]:
    """The keys of a row's point."""
    if "operation" in bench:
        size = min(int(row["transfer_bytes"] or _LARGE), _LARGE)
        processor = {"kind": "processor", "operation": bench["operation"], "start_us": 0}
        return {"masters": [processor], "transfer_bytes": size, "repeats": REPEATS}
    writes = "write" in row["mode"]
    found = {
        "mode": "pl_to_ps" if writes else "ps_to_pl",
        "pl_mhz": round(float(row["pl_mhz"])),
        "width_bits": int(row["width_bits"]),
        "repeats": REPEATS,
        **bench["keys"],
    }
    if "master" in bench["keys"]:  # the processor writes what the fabric is sent
        found["mode"] = "ps_to_pl" if writes else "pl_to_ps"
        del found["width_bits"]
    if row["burst_bytes"]:
        found["burst_bytes"] = int(row["burst_bytes"])
    if "duration" not in found:
        found["transfer_bytes"] = int(row["transfer_bytes"])
    if "outstanding" in bench:
        found[f"outstanding_{'write' if writes else 'read'}"] = bench["outstanding"]
    return found


def rows(path: Path) -> Iterator[Asked]:
    """All rows that the model can simulate."""
    for bench in about()["bench"]:
        platform = Platform.load(bench["platform"]).with_overrides(bench.get("figures", {}))
        if "target" in bench:
            platform = platform.with_overrides({TARGET: bench["target"]})
        for row in printed(path, bench):
            if length(row) > bench.get("most_bytes", math.inf):
                continue
            point = single(platform, keys(bench, row))
            records = model.run_repeats(platform, point, 0, 0, REPEATS)
            rate = statistics.fmean(record[bench.get("rate", "total_MBps")] for record in records)
            printed_mbs = float(row["value"]) * MBPS[row["unit"]]
            chosen_on = compared.is_chosen_on(bench["table"], point.values, platform)
            yield Asked(
                row["id"], bench["source"], platform.name, printed_mbs, rate, chosen_on,
                bench.get("assumes", ""),
            )  # fmt: skip


def table(found: Sequence[Asked]) -> list[str]:
    """The errors of each source, then of all, as a table."""
    with FIRST_LOOKS.open(encoding="utf-8", newline="") as file:
        looks = [
            (row["source"], compared.error(float(row["simulated"]), float(row["measured"])))
            for row in csv.DictReader(file)
        ]
    heads = ("bench", "boards", "rows", "chosen on", "mean error", "nine of ten within")
    body = []
    for source in (*dict.fromkeys(asked.source for asked in found), ""):
        of = [asked for asked in found if source in ("", asked.source)]
        errors = [asked.error for asked in of]
        first = [error for whose, error in looks if source in ("", whose)]
        body.append((
            about()["source"][source]["cite"] if source else "all",
            ", ".join(dict.fromkeys(asked.board for asked in of)),
            len(of),
            sum(asked.chosen_on for asked in of),
            f"{mean(errors):.1f} %",
            f"{nine_of_ten(errors):.1f} %",
            f"{mean(first):.1f} % of {len(first)}" if first else "not kept",
        ))  # fmt: skip
    return compared.table((*heads, "first comparison"), body)


def far_off(found: Sequence[Asked]) -> Iterator[str]:
    """The rows that are far off, in lines."""
    far = [asked for asked in found if abs(asked.error) > FAR]
    silent = [asked.name for asked in far if not asked.assumes]
    yield f"above {FAR:g} %: {len(far)} rows, {len(silent)} of them without a sentence"
    for sentence in dict.fromkeys(asked.assumes for asked in far if asked.assumes):
        names = ", ".join(asked.name for asked in far if asked.assumes == sentence)
        yield f"{names}: {sentence}"
    for name in silent:
        yield f"{name}: no cause is given (add `assumes` in {ABOUT.name})"


def run() -> Outcome:
    """The page's section."""
    path = data.find_external(FILE)
    assert path is not None
    found = list(rows(path))
    lines = table(found)
    each = [
        f"{asked.name:24} {asked.printed:8.1f} MB/s printed, {asked.simulated:8.1f} simulated, "
        f"{asked.error:+.1f} %"
        for asked in found
    ]
    figure = f"{len(found)} rows, mean error {mean(a.error for a in found):.1f} %"
    said = [*each, *lines, *far_off(found)]
    return Outcome(figure, True, said, {"": "\n".join([HEAD, *lines])})
