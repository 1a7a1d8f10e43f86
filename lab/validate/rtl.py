"""RTL and model: the published tables and traffic, a sample of Zynq UltraScale+, random jobs.

A total or a mean latency that differs by more than `LIMITS`, or a random job that differs by
anything, is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from axiometer.runs.backends import rtl
from validate import agreement, compared, fuzz_traffic, traffic_cases, usp_cases
from validate.agreement import Row
from validate.compared import Outcome

LIMITS, USP_LIMITS = (0.5, 2.0), (1.0, 1.0)  # per cent: of totals, of mean latencies
Named = Callable[[Mapping[str, Any]], str]


def run(repeats: int, random_jobs: int) -> Outcome:
    """All 47 rows of Tables 3 to 5 at 256 KiB, traffic at 64 KiB, and jobs, of the older chips."""
    tables = []
    for name in agreement.EXPERIMENTS:
        platform, points = agreement.points(name)
        rtl.prepare(platform, points)
        tables += told(agreement.rows(platform, name, points, repeats))
    traffic = [r for case in traffic_cases.MANY for r in told(agreement.traffic(case, repeats))]
    jobs, differ = drawn(fuzz_traffic.differences, random_jobs)
    text = [
        "### The published tables, on DMA engines",
        "",
        f"{agreement.SIZE} a transfer. {summary(tables)}.",
        "",
        *table("experiment", tables, lambda key: ", ".join(str(value) for value in key.values())),
        "",
        "### Patterns, gaps and durations, on traffic generators",
        "",
        f"{traffic_cases.SIZE} a transfer, or a duration. *{traffic_cases.LONG_BURSTS}* is not a "
        "chip: its bursts are longer than AXI3's.",
        f"{summary(traffic)}.",
        "",
        *table("platform", traffic, settings),
        "",
        "### Random jobs of traffic generators",
        "",
        "Any ports of the Zybo, one direction or both at once on each, with patterns, regions,",
        f"gaps, sizes, durations and starts drawn by `lab/validate/fuzz_traffic.py`: {jobs}.",
    ]
    return outcome([*tables, *traffic], LIMITS, jobs, differ, text)


def usp(repeats: int, random_jobs: int) -> Outcome:
    """The sample of Zynq UltraScale+ (`usp_cases.py`), masters that share a port, and jobs."""
    rows, shared = (
        [row for case in cases for row in told(agreement.traffic(case, repeats))]
        for cases in (usp_cases.SAMPLE, usp_cases.MULTIPLEXED)
    )
    jobs, differ = drawn(fuzz_traffic.usp_differences, random_jobs)
    text = [
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
        *table("board", rows, settings),
        "",
        "### Masters that share a port",
        "",
        "Two to four generators behind the multiplexer of `rtl/mux` on each port, drawn likewise.",
        f"{summary(shared)}.",
        "",
        *table("board", shared, settings),
        "",
        "### Random jobs on Zynq UltraScale+",
        "",
        "Any ports, one direction or both at once on each, with patterns, regions, gaps, limits of",
        "bursts in flight, durations, starts and classes drawn by `lab/validate/fuzz_traffic.py`:",
        f"{jobs}.",
    ]
    return outcome([*rows, *shared], USP_LIMITS, jobs, differ, text)


def told(rows: Iterable[Row]) -> list[Row]:
    """The rows, each printed as it is done."""
    found = []
    for row in rows:
        cells = f"{row.rtl_mbps:8.2f} {row.model_mbps:8.2f} {row.total_error:+.4f} %"
        exact = "to the clock" if row.same else "not exact"
        print(f"{row.experiment:24} {settings(row.key)} {row.repeat} {cells} {exact}", flush=True)
        found.append(row)
    return found


def drawn(differences: Callable[[int], Any], count: int) -> tuple[str, dict[int, Any]]:
    """So many random jobs in words, and the differences of those that differ."""
    differ = {seed: found for seed in range(count) if (found := differences(seed))}
    return f"{count} random jobs, the same to the clock in {count - len(differ)}", differ


def outcome(
    rows: Sequence[Row],
    limits: tuple[float, float],
    jobs: str,
    differ: Mapping[int, Any],
    text: Sequence[str],
) -> Outcome:
    """Whether all is within the limits."""
    bad = [r for r in rows if abs(r.total_error) > limits[0] or abs(r.latency_error) > limits[1]]
    said = [f"job {seed}: {found}" for seed, found in differ.items()]
    figure = f"{summary(rows)}; {jobs}"
    return Outcome(figure, not bad and not differ, said, {"": "\n".join(text)})


def summary(found: Sequence[Row]) -> str:
    """How far they are apart."""
    rows = {(row.experiment, repr(row.key)) for row in found}
    return (
        f"{len(rows)} rows, {len(found)} runs: largest difference of totals "
        f"{max(abs(r.total_error) for r in found):.4f} %, of mean latencies "
        f"{max(abs(r.latency_error) for r in found):.4f} %; "
        f"the same to the clock in {sum(r.same for r in found)} of {len(found)} runs"
    )


def settings(key: Mapping[str, Any]) -> str:
    """Keys and values in words."""
    return ", ".join(f"{name}={value}" for name, value in key.items())


def table(head: str, found: Sequence[Row], name: Named) -> list[str]:
    """The first repeat of each row."""
    heads = (head, "row", "RTL MB/s", "model MB/s", "total", "latency", "to the clock")
    return compared.table(
        heads,
        (
            (row.experiment, name(row.key), f"{row.rtl_mbps:.2f}", f"{row.model_mbps:.2f}",
             f"{row.total_error:+.3f} %", f"{row.latency_error:+.3f} %",
             "yes" if row.same else "no")
            for row in found
            if row.repeat == 0
        ),
    )  # fmt: skip
