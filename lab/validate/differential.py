"""Many random specifications on all cores: the forms of the model must agree on each.

`test_differential.py` does the same for the first of each kind. Of the processor's side, which has
one form, laws are tried. A seed that fails is reported with the first difference and the smallest
case that shows one.
"""

from __future__ import annotations

from multiprocessing import Pool

import fuzz_compare
import fuzz_model
import fuzz_open
import fuzz_processor
import fuzz_usp
from validate.compared import Outcome


def tried(seed: int) -> tuple[str | None, int]:
    """What is wrong with the seed, and how many refresh intervals it skipped."""
    case = fuzz_usp.case(seed)
    found, _ = fuzz_compare.compare(case)
    if found:
        return "Zynq UltraScale+: " + fuzz_compare.report(seed, case, found), 0
    transfer = fuzz_processor.drawn(seed)
    found = fuzz_processor.broken(transfer.spec)
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


def run(jobs: int, first: int, count: int) -> Outcome:
    """Seeds from `first` on."""
    failed = skipped = 0
    with Pool(jobs) as pool:
        for found, intervals in pool.imap_unordered(tried, range(first, first + count), 8):
            skipped += intervals
            failed += found is not None
            if found:
                print(found, flush=True)
    figure = (
        f"{count} random specifications, as many of Zynq UltraScale+ and of open runs: {failed} on "
        "which forms of the model disagree or a transfer of the processor's side breaks a law; "
        f"{skipped} refresh intervals skipped"
    )
    return Outcome(figure, not failed and skipped > 0)
