"""Every published figure of the processor's side against the model, at full size.

Prints each bar, then fitted and predicted rows apart, then what was fitted. Exit status 1 if a bar
is missed. The UviDTE dataset is read where AXIOMETER_REFERENCE says; without it its bars are left
out.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict

import processor_accuracy as accuracy


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=3, help="of each point (default 3)")
    args = parser.parse_args()
    interfaces = accuracy.cells("zynq-interfaces", args.repeats)
    transfers = [c for name in accuracy.GP1 for c in accuracy.cells(name, args.repeats)]
    rings = accuracy.cells("zedboard-zero-copy", args.repeats)
    bars = [
        *accuracy.interfaces(interfaces),
        *accuracy.transfers(transfers),
        *accuracy.best_master(transfers),
        *accuracy.frequency(transfers),
        *accuracy.zero_copy(rings),
    ]
    processor, fabric = accuracy.fitted_figures().values()
    bars.append(
        accuracy.Bar(
            "fitted figures of the processor's side",
            "at most 10",
            str(len(processor)),
            len(processor) <= 10,
        )
    )
    print("Bars of accuracy")
    for bar in bars:
        print(
            f"  {'reached' if bar.passed else 'MISSED':7} {bar.what}: {bar.found} ({bar.required})"
        )
    if not transfers:
        print("  left out: the UviDTE dataset is not here (AXIOMETER_REFERENCE)")
    print("\nFitted rows and predicted rows, mean error")
    large = [c for c in transfers if c.values["transfer_bytes"] >= accuracy.LEAST_BYTES]
    for name, found in (("interfaces", interfaces), ("gp1", large), ("zero-copy", rings)):
        print(f"  {name}: {_by_role(found)}")
    print("\nUviDTE from 256 B, by series: mean error, worst")
    _series(large)
    _, _, wrong = accuracy.fastest(transfers)
    print("\nCells in which another master is fastest: " + ("none" if not wrong else ""))
    for cell in wrong:
        print("  {} {} {:g} MHz {} B: {} was faster, not {}".format(*cell))
    print("\nLoss from 150 to 50 MHz at 2 MiB, measured and simulated")
    for key, (measured, simulated) in accuracy.losses(transfers).items():
        print(f"  {' '.join(key)}: {measured:.1f} % {simulated:.1f} %")
    print("\nFitted figures: the processor's side, then the designs in the fabric")
    for line in [*processor, *fabric]:
        print(f"  {line}")
    return 1 if any(bar.passed is False for bar in bars) else 0


def _by_role(found: list[accuracy.Cell]) -> str:
    parts = []
    for role in ("fitted", "predicted"):
        errors = [c.error for c in found if c.role == role]
        if errors:
            parts.append(f"{role} {len(errors)} rows, {accuracy.mean_error(errors):.2f} %")
    return "; ".join(parts) or "no published figures at hand"


def _series(found: list[accuracy.Cell]) -> None:
    groups: dict[tuple, list[accuracy.Cell]] = defaultdict(list)
    for c in found:
        v = c.values
        groups[v["os"], v["master"], v["cache"], v["mode"]].append(c)
    for key, group in groups.items():
        errors = [c.error for c in group]
        worst = max(errors, key=abs)
        print(f"  {' '.join(key)}: {accuracy.mean_error(errors):.1f} %, {worst:+.0f} %")


if __name__ == "__main__":
    sys.exit(main())
