"""Laws of time: a run takes time, and every moment of it is in exactly one class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from axiometer.base.record import DRAM_CLASSES, STREAM_CLASSES
from axiometer.records.laws.case import ROUNDING, Case


def some_time(case: Case) -> Iterator[str]:
    if not case.elapsed > 0:
        yield f"elapsed time: elapsed_s is {case.elapsed:g}; it must be more than 0"


def _partition(case: Case, what: str, classes: Mapping[str, float]) -> Iterator[str]:
    total = sum(classes.values())
    if abs(total - case.elapsed) > 1e3 * ROUNDING * case.elapsed:
        yield (
            f"classes of time add up: those of {what} are {total:.9g} s together; "
            f"elapsed_s is {case.elapsed:.9g}"
        )


def _names(what: str, classes: Mapping[str, float], right: tuple[str, ...]) -> Iterator[str]:
    if set(classes) != set(right):
        odd = ", ".join(sorted(set(classes) ^ set(right)))
        yield f"classes of time are known: those of {what} differ in {odd}"


def dram_classes(case: Case) -> Iterator[str]:
    dram = case.record.get("dram")
    if dram is None:
        return
    classes = dram["classes_s"]
    yield from _names("the DRAM", classes, DRAM_CLASSES)
    yield from _partition(case, "the DRAM's bus", classes)
    clocks = case.platform.whole("dram.burst_length") / 2
    for direction in ("read", "write"):
        most = (dram["counts"][f"{direction}s"] + case.free) * clocks / case.ddr_hz
        seconds = classes[f"{direction}_data"]
        if seconds > most * (1 + ROUNDING) + 1e-15:
            yield (
                f"data take their clocks: {direction}_data is {seconds:.9g} s; "
                f"{dram['counts'][f'{direction}s']} commands take at most {most:.9g}"
            )


def stream_classes(case: Case) -> Iterator[str]:
    for stream in case.streams:
        what = f"{stream['port']} {stream['direction']}"
        yield from _names(what, stream["classes_s"], STREAM_CLASSES)
        yield from _partition(case, what, stream["classes_s"])


def processor_classes(case: Case) -> Iterator[str]:
    side = case.record.get("processor")
    if side is not None:
        yield from _partition(case, "the processor's side", side["classes_s"])


def spans(case: Case) -> Iterator[str]:
    for stream in case.streams:
        begin, end = stream["start_s"], stream["end_s"]
        if not begin <= end <= case.elapsed * (1 + ROUNDING):
            yield (
                f"streams end within the run: {stream['port']} {stream['direction']} lasts from "
                f"{begin:g} to {end:g} s; elapsed_s is {case.elapsed:g}"
            )
