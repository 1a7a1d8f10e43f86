"""The sample of Zynq UltraScale+ (`usp_cases.py`) with the RTL and with the model, and random jobs.

Usage: python -m validate.rtl_usp [--repeats N] [--jobs N] [--write]. Prints a line a
row; exit status 1 if a total or a mean latency differs by more than 1 %, or a random job by
anything.
"""

from __future__ import annotations

import argparse
import sys

from validate import agreement, fuzz_traffic, marks, usp_cases
from validate.rtl import HEAD, lines, summary, text

COMMAND = "python -m validate.rtl_usp --write"
LIMIT = 1.0  # per cent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=200, help="random jobs")
    parser.add_argument("--write", action="store_true", help="write docs/agreement.md")
    args = parser.parse_args()
    rows, shared = [], []
    for kept, cases in ((rows, usp_cases.SAMPLE), (shared, usp_cases.MULTIPLEXED)):
        for row in (row for case in cases for row in agreement.traffic(case, args.repeats)):
            kept.append(row)
            print(text(row), flush=True)
        print(summary(kept))
    differ = {s: found for s in range(args.jobs) if (found := fuzz_traffic.usp_differences(s))}
    jobs = f"{args.jobs} random jobs, the same to the clock in {args.jobs - len(differ)}"
    print("".join(f"job {seed}: {found}\n" for seed, found in differ.items()) + jobs)
    if args.write:
        marks.write(marks.DOCS / "agreement.md", COMMAND, page(rows, shared, jobs))
    bad = [
        r for r in (*rows, *shared) if abs(r.total_error) > LIMIT or abs(r.latency_error) > LIMIT
    ]
    return 1 if bad or differ else 0


def page(rows: list[agreement.Row], shared: list[agreement.Row], jobs: str) -> str:
    """The section of docs/agreement.md."""
    told = [
        f"{usp_cases.EACH} configurations of each board, mode (read, write, both at once) and",
        "pattern (in sequence, strided, random), drawn by the rule in `lab/validate/usp_cases.py`:",
        "ports, burst size, PL clock, mapping, gaps, duration, and a port's traffic class. As in",
        "every run of this chip the first half of a short run is not counted.",
        "",
        "What stands behind the AXI interfaces is the same code in both, since this chip has no",
        "second model: the masters, and when they and the interfaces act, are what is compared.",
        "",
        f"{summary(rows)}.",
        "",
        HEAD[0].format("board"),
        HEAD[1],
        *lines(rows, lambda key: ", ".join(f"{k}={v}" for k, v in key.items())),
        "",
        "### Masters that share a port",
        "",
        "Two to four generators behind the multiplexer of `rtl/mux` on each port, drawn likewise.",
        f"{summary(shared)}.",
        "",
        HEAD[0].format("board"),
        HEAD[1],
        *lines(shared, lambda key: ", ".join(f"{k}={v}" for k, v in key.items())),
        "",
        "### Random jobs on Zynq UltraScale+",
        "",
        "Any ports, one direction or both at once on each, with patterns, regions, gaps, limits of",
        "bursts in flight, durations, starts and classes drawn by `lab/validate/fuzz_traffic.py`:",
        f"{jobs}.",
    ]
    return "\n".join(told)


if __name__ == "__main__":
    sys.exit(main())
