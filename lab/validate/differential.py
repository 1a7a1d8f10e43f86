"""Many random specifications on all cores: the forms of the model must agree on each.

`test_differential.py` does the same for the first of each kind. The processor's side is also tried
at all shipped points. A seed that fails is reported with the first difference and the smallest case
that shows one.
"""

from __future__ import annotations

from multiprocessing import Pool

import fuzz_compare
import fuzz_model
import fuzz_open
import fuzz_processor
import fuzz_usp
from axiometer.base import data
from validate.compared import Outcome

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


def run(jobs: int, first: int, count: int) -> Outcome:
    """Seeds from `first` on, and all shipped points of the processor's side."""
    failed = skipped = 0
    with Pool(jobs) as pool:
        for found, intervals in pool.imap_unordered(tried, range(first, first + count), 8):
            skipped += intervals
            failed += found is not None
            if found:
                print(found, flush=True)
        wrong = [w for of in pool.imap(shipped, data.names("experiments")) for w in of]
    figure = (
        f"{count} random specifications, as many of Zynq UltraScale+, of the processor's side and "
        f"of open runs: {failed} on which forms of the model disagree, {len(wrong)} shipped "
        f"points; {skipped} refresh intervals skipped"
    )
    return Outcome(figure, not failed and not wrong and skipped > 0, wrong)
