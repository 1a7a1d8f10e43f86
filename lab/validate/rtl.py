"""All 47 rows of Tables 3 to 5 with the RTL and with the model at 256 KiB, traffic at 64 KiB, and
random jobs of traffic generators.

Usage: python -m validate.rtl [--repeats N] [--jobs N] [--write]. Prints a line a row;
exit status 1 if a total differs by more than 0.5 % or a mean latency by more than 2 %, or a random
job by anything.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from axiometer.runs.backends import rtl
from validate import agreement, fuzz_traffic, marks, traffic_cases

COMMAND = "python -m validate.rtl --write"
LIMITS = (0.5, 2.0)  # per cent: of totals, of mean latencies
HEAD = (
    "| {} | row | RTL MB/s | model MB/s | total | latency | to the clock |",
    "|---|---|---|---|---|---|---|",
)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=200, help="random jobs")
    parser.add_argument("--write", action="store_true", help="write docs/agreement.md")
    args = parser.parse_args()
    tables, traffic = [], []
    for kept, rows in ((tables, published(args.repeats)), (traffic, generated(args.repeats))):
        for row in rows:
            kept.append(row)
            print(text(row), flush=True)
        print(summary(kept))
    differ = {seed: found for seed in range(args.jobs) if (found := fuzz_traffic.differences(seed))}
    jobs = f"{args.jobs} random jobs, the same to the clock in {args.jobs - len(differ)}"
    print("".join(f"job {seed}: {found}\n" for seed, found in differ.items()) + jobs)
    if args.write:
        marks.write(marks.DOCS / "agreement.md", COMMAND, page(tables, traffic, jobs))
    bad = [
        r
        for r in (*tables, *traffic)
        if abs(r.total_error) > LIMITS[0] or abs(r.latency_error) > LIMITS[1]
    ]
    return 1 if bad or differ else 0


def published(repeats: int) -> Iterator[agreement.Row]:
    """The rows of the published tables: DMA engines."""
    for name in agreement.EXPERIMENTS:
        platform, points = agreement.points(name)
        rtl.prepare(platform, points)
        yield from agreement.rows(platform, name, points, repeats)


def generated(repeats: int) -> Iterator[agreement.Row]:
    """Points that traffic generators run."""
    for case in traffic_cases.MANY:
        yield from agreement.traffic(case, repeats)


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


def page(tables: list[agreement.Row], traffic: list[agreement.Row], jobs: str) -> str:
    """The section of docs/agreement.md."""
    told = [
        "### The published tables, on DMA engines",
        "",
        f"{agreement.SIZE} a transfer. {summary(tables)}.",
        "",
        HEAD[0].format("experiment"),
        HEAD[1],
        *lines(tables, lambda key: ", ".join(str(value) for value in key.values())),
        "",
        "### Patterns, gaps and durations, on traffic generators",
        "",
        f"{traffic_cases.SIZE} a transfer, or a duration. *{traffic_cases.LONG_BURSTS}* is not a "
        "chip: its bursts are longer than AXI3's.",
        f"{summary(traffic)}.",
        "",
        HEAD[0].format("platform"),
        HEAD[1],
        *lines(traffic, lambda key: ", ".join(f"{k}={v}" for k, v in key.items())),
        "",
        "### Random jobs of traffic generators",
        "",
        "Any ports of the Zybo, one direction or both at once on each, with patterns, regions,",
        f"gaps, sizes, durations and starts drawn by `lab/validate/fuzz_traffic.py`: {jobs}.",
    ]
    return "\n".join(told)


def lines(found: list[agreement.Row], name) -> Iterator[str]:
    for row in found:
        if row.repeat == 0:
            yield (
                f"| {row.experiment} | {name(row.key)} | {row.rtl_mbps:.2f} "
                f"| {row.model_mbps:.2f} | {row.total_error:+.3f} % | {row.latency_error:+.3f} % "
                f"| {'yes' if row.same else 'no'} |"
            )


if __name__ == "__main__":
    sys.exit(main())
