"""Every published figure of the processor's side against the model, at full size.

Prints each bar, then fitted and predicted rows separately, then the fitted figures. Exit status 1
if a bar is missed. The UviDTE dataset is read below AXIOMETER_REFERENCE; without it its bars are
left out. `--write` puts it into docs/accuracy.md.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator

from axiometer.answer.analysis.stats import ninetieth
from axiometer.present import labels
from validate import marks
from validate import processor_accuracy as accuracy

HEAD = "Rates in MB/s. The rows of the UviDTE dataset are not distributed; their errors are."
COMMAND = "python -m validate.processor --write"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="repeats of each point (default: 3)")
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    args = parser.parse_args()
    interfaces = accuracy.cells("zynq-interfaces", args.repeats)
    transfers = [c for name in accuracy.GP1 for c in accuracy.cells(name, args.repeats)]
    rings = accuracy.cells("zedboard-zero-copy", args.repeats)
    fitted = accuracy.fitted_figures()
    count = len(fitted["processor"])
    bars = [
        *accuracy.interfaces(interfaces),
        *accuracy.transfers(transfers),
        *accuracy.best_master(transfers),
        *accuracy.frequency(transfers),
        *accuracy.zero_copy(rings),
        accuracy.Bar("fitted figures of the processor's side", "<= 10", str(count), count <= 10),
    ]
    sections = {
        "Bars": list(_bars(bars, transfers)),
        "Fitted and predicted rows": list(_by_role(interfaces, transfers, rings)),
        "UviDTE, sizes from 256 B, by series": list(_series(transfers)),
        "Cells where the model has another fastest master": list(_wrong(transfers)),
        "Loss of rate from 150 to 50 MHz at 2 MiB": list(_losses(transfers)),
        "Every interface (zynq-interfaces)": list(_rows(interfaces, fabric=True)),
        "Zero-copy packets (zedboard-zero-copy)": list(_rows(rings)),
        "Fitted figures": [f"- {line}" for part in fitted.values() for line in part],
    }
    text = "\n\n".join(f"### {title}\n\n" + "\n".join(lines) for title, lines in sections.items())
    print(text)
    if args.write:
        marks.write(marks.DOCS / "accuracy.md", COMMAND, f"{HEAD}\n\n{text}")
    return 1 if any(bar.passed is False for bar in bars) else 0


def _table(*heads: str) -> list[str]:
    return ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]


def _bars(bars: list[accuracy.Bar], transfers: list[accuracy.Cell]) -> Iterator[str]:
    yield from _table("bar", "required", "found", "")
    for bar in bars:
        verdict = "pass" if bar.passed else "**missed**"
        yield f"| {bar.what} | {bar.required} | {bar.found} | {verdict} |"
    if not transfers:
        yield "\nLeft out: the UviDTE dataset is not here (AXIOMETER_REFERENCE)."


def _large(found: list[accuracy.Cell]) -> list[accuracy.Cell]:
    return [c for c in found if c.values["transfer_bytes"] >= accuracy.LEAST_BYTES]


def _by_role(interfaces, transfers, rings) -> Iterator[str]:
    heads = ("rows", "fitted", "their error", "predicted", "error of these")
    yield from _table(*heads, "all", "mean error", "nine of ten within")
    for name, found in (
        ("zynq-interfaces", interfaces),
        ("zedboard-gp1, from 256 B", _large(transfers)),
        ("zedboard-zero-copy", rings),
    ):
        cells = []
        for roles in (("fitted",), ("predicted",), ("fitted", "predicted")):
            errors = [abs(c.error) for c in found if c.role in roles]
            cells += [str(len(errors)), f"{statistics.fmean(errors):.2f} %" if errors else ""]
        cells.append(f"{ninetieth(errors):.1f} %" if errors else "")
        yield f"| {name} | {' | '.join(cells)} |"


def _series(transfers: list[accuracy.Cell]) -> Iterator[str]:
    yield from _table("system", "master", "caches", "direction", "mean error", "worst")
    groups: dict[tuple, list[accuracy.Cell]] = defaultdict(list)
    for c in _large(transfers):
        v = c.values
        groups[v["os"], v["master"], v["cache"], v["mode"]].append(c)
    for key, group in groups.items():
        errors = [c.error for c in group]
        worst = max(errors, key=abs)
        yield f"| {' | '.join(key)} | {accuracy.mean_error(errors):.1f} % | {worst:+.0f} % |"


def _wrong(transfers: list[accuracy.Cell]) -> Iterator[str]:
    yield from _table("system", "direction", "PL clock, MHz", "bytes", "measured", "model")
    for cell in accuracy.fastest(transfers)[2]:
        yield f"| {' | '.join(str(part) for part in cell)} |"


def _losses(transfers: list[accuracy.Cell]) -> Iterator[str]:
    yield from _table("system", "master", "caches", "direction", "measured", "simulated")
    for key, (measured, simulated) in accuracy.losses(transfers).items():
        yield f"| {' | '.join(key)} | {measured:.1f} % | {simulated:.1f} % |"


def _rows(found: list[accuracy.Cell], fabric: bool = False) -> Iterator[str]:
    extra = ("in the fabric", "error", "cycles between", "published") if fabric else ()
    yield from _table("point", "simulated", "published", "error", *extra, "row")
    for c in found:
        cells = [labels.key_label(c.key), f"{c.rate:.2f}", f"{c.figures['mean']:g}"]
        cells.append(f"{c.error:+.2f} %")
        if fabric:
            cells += [f"{c.fabric_rate:.2f}", f"{c.fabric_error:+.2f} %"]
            cells += [str(c.typical()), f"{c.figures['between_typ']:g}"]
        yield f"| {' | '.join(cells)} | {c.role} |"


if __name__ == "__main__":
    sys.exit(main())
