"""All 47 rows of Tables 3 to 5 with the RTL and with the model, at 256 KiB.

Usage: python tests/validate_rtl.py [--repeats N] [--write FILE]. Prints a line a row; exit
status 1 if a total differs by more than 0.5 % or a mean latency by more than 2 %.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import agreement
from axiometer.backends import rtl

LIMITS = (0.5, 2.0)  # per cent: of totals, of mean latencies


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--write", type=Path)
    args = parser.parse_args()
    found = []
    for name in agreement.EXPERIMENTS:
        platform, points = agreement.points(name)
        rtl.prepare(platform, points)
        for row in agreement.rows(platform, name, points, args.repeats):
            found.append(row)
            print(text(row), flush=True)
    print(summary(found))
    if args.write:
        args.write.write_text(page(found, args.repeats))
    bad = [r for r in found if abs(r.total_error) > LIMITS[0] or abs(r.latency_error) > LIMITS[1]]
    return 1 if bad else 0


def text(row: agreement.Row) -> str:
    key = " ".join(str(value) for value in row.key.values())
    exact = "to the clock" if row.same else "not exact"
    return (
        f"{row.experiment:24} {key:36} {row.repeat} {row.rtl_mbps:8.2f} {row.model_mbps:8.2f} "
        f"{row.total_error:+.4f} % {row.latency_error:+.4f} % {exact}"
    )


def summary(found: list[agreement.Row]) -> str:
    rows = {(row.experiment, repr(row.key)) for row in found}
    return (
        f"{len(rows)} rows, {len(found)} runs: largest difference of totals "
        f"{max(abs(r.total_error) for r in found):.4f} %, of mean latencies "
        f"{max(abs(r.latency_error) for r in found):.4f} %; "
        f"the same to the clock in {sum(r.same for r in found)} of {len(found)} runs"
    )


def page(found: list[agreement.Row], repeats: int) -> str:
    """The page docs/agreement.md."""
    lines = [
        "# RTL against model",
        "",
        f"Written by `python tests/validate_rtl.py --repeats {repeats} --write docs/agreement.md`. "
        f"Simulated; {agreement.SIZE} a transfer; both backends from the same starts.",
        "",
        summary(found) + ".",
        "",
        "*To the clock*: bytes, bursts, latencies, DRAM commands and all classes of time are ",
        "equal. In every run the monitors and the sniffer in the design and the chip had also ",
        "counted the same bursts, beats and latencies, and the data had arrived whole; otherwise ",
        "it would have failed.",
        "",
        "| experiment | row | RTL MB/s | model MB/s | total | latency | to the clock |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in found:
        if row.repeat == 0:
            key = ", ".join(str(value) for value in row.key.values())
            lines.append(
                f"| {row.experiment} | {key} | {row.rtl_mbps:.2f} | {row.model_mbps:.2f} "
                f"| {row.total_error:+.3f} % | {row.latency_error:+.3f} % "
                f"| {'yes' if row.same else 'no'} |"
            )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
