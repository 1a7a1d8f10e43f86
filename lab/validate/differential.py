"""Many random specifications on all cores: the forms of the model must agree on each.

    PYTHONPATH=tests python -m validate.differential [first seed] [seeds]

Run by `make validate`. `test_differential.py` does the same for the first of each kind. The
processor's side is also tried at all shipped points. Exit status 1 if a seed fails; each
is reported with the first difference and the smallest case that shows one.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable
from multiprocessing import Pool

import fuzz_compare
import fuzz_model
import fuzz_open
import fuzz_processor
import fuzz_usp
from axiometer.base import data

SEEDS = 2500
SHIPPED_BYTES = 65536  # of a transfer at most


def tried(seed: int) -> tuple[str | None, int]:
    """What is wrong with the seed, and how many refresh intervals it skipped."""
    case = fuzz_usp.case(seed)
    found, _ = fuzz_compare.compare(case)
    if found:
        return "Zynq UltraScale+: " + fuzz_compare.report(seed, case, found), 0
    transfer = fuzz_processor.case(seed)
    found = fuzz_processor.disagreement(transfer)
    if found:
        return "the processor's side: " + fuzz_processor.report(seed, transfer, found), 0
    for shared in (fuzz_open.case(seed), fuzz_open.usp_case(seed)):
        found = fuzz_open.disagreement(shared)
        if found:
            return "an open run: " + fuzz_open.report(seed, shared, found), 0
    case = fuzz_model.case(seed)
    found, skipped = fuzz_compare.compare(case)
    if found:
        return fuzz_compare.report(seed, case, found), skipped
    found, more = fuzz_compare.compare_forgetful(case)
    return (f"seed {seed}: {found}" if found else None), skipped + more


def shipped(name: str) -> list[str]:
    """What is wrong with each point of an experiment on which the processor's models disagree."""
    points = fuzz_processor.shipped(name, SHIPPED_BYTES)
    found = [(place, fuzz_processor.disagreement(spec)) for place, spec in points]
    return [f"{place}: {wrong}" for place, wrong in found if wrong]


def summary(results: Iterable[tuple[str | None, int]]) -> tuple[int, int]:
    """How many seeds disagree and how many intervals were skipped; prints the former."""
    failed = skipped = 0
    for found, intervals in results:
        skipped += intervals
        if found:
            failed += 1
            print(found, flush=True)
    return failed, skipped


def main(first: int = 0, count: int = SEEDS) -> int:
    began = time.monotonic()
    with Pool(os.cpu_count()) as pool:
        seeds = range(first, first + count)
        failed, skipped = summary(pool.imap_unordered(tried, seeds, chunksize=8))
        wrong = [w for of in pool.imap(shipped, data.names("experiments")) for w in of]
    print("\n".join(wrong) if wrong else "the processor's side at all shipped points: agrees")
    print(
        f"model: {count} random specifications, and as many of Zynq UltraScale+ and of "
        f"the processor's side, "
        f"{failed} on which its forms disagree, "
        f"{skipped} refresh intervals skipped, {time.monotonic() - began:.0f} s"
    )
    return 1 if failed or wrong or not skipped else 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
