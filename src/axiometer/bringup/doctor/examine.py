"""The order of the checks, and the checks that each needs before it may touch the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from axiometer.bringup.doctor.checks import (
    bridges,
    clock_rate,
    counters,
    devices,
    identity,
    interrupts,
    loopback,
    memory,
    processor,
    rules,
    system,
    widths,
)
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.expected import Expected
from axiometer.bringup.doctor.finding import FAULT, NOT_CHECKED, OK, Finding, Notes
from axiometer.bringup.doctor.target import Target


@dataclass(frozen=True)
class Check:
    """`needs`: checks that must have passed, except those that the chip or a simulation lacks.
    `unless`: checks that must not have found a fault. `chip`: the check reads registers of the chip
    and is left out where the chip's file has nothing for it."""

    name: str
    look: Callable[[Visit], Finding]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    chip: bool = False


_REACH = ("clocks", "resets", "levels", "bitstream", "bridges")
CHECKS = (
    Check("system", system.system),
    Check("clocks", rules.rules("clocks"), ("system",), chip=True),
    Check("clock-rate", clock_rate.clock_rate, ("clocks",), chip=True),
    Check("resets", rules.rules("resets"), ("system",), chip=True),
    Check("levels", rules.rules("levels"), ("system",), chip=True),
    Check("widths", widths.widths, ("clocks", "resets"), chip=True),
    Check("bitstream", rules.rules("bitstream"), ("system",), chip=True),
    Check("bridges", bridges.bridges, ("bitstream",), chip=True),
    # From here on, checks access the fabric.
    Check("identification", identity.identity, _REACH),
    Check("design", identity.design, ("identification",)),
    Check("contiguous-memory", memory.contiguous),
    Check("u-dma-buf", memory.buffer),
    Check("devices", devices.devices),
    Check("processor-clock", processor.frequency),
    Check("other-programs", processor.traffic),
    # From here on, the design is a bus master.
    Check("loop-back", loopback.loopback, ("design",), ("widths",)),
    Check("interrupts", interrupts.interrupts, ("loop-back",)),
    Check("coherence", loopback.coherence, ("loop-back",)),
    Check("counters", counters.counters, ("loop-back", "coherence")),
)
BEFORE_TRANSFERS = "loop-back"


def examine(target: Target, expected: Expected, unguarded: bool = False) -> Iterator[Finding]:
    """Yields each finding as soon as it is made. A check whose needs have not passed touches
    nothing. `unguarded` also runs checks whose needs could not be checked, never those whose needs
    have a fault: the user vouches for them."""
    visit = Visit(target, expected)
    for check in CHECKS:
        if check.chip and not _concerned(check, visit):
            continue
        finding = _hindered(check, visit, unguarded)
        if finding is None:
            if check.name == BEFORE_TRANSFERS:
                interrupts.before(visit)
            finding = check.look(visit)
        visit.found[check.name] = finding
        yield finding


def _concerned(check: Check, visit: Visit) -> bool:
    """Whether the check applies to the chip; to an unknown chip all checks apply."""
    if visit.target.simulated:
        return False
    return visit.chip is None or visit.chip.has(check.name)


def _hindered(check: Check, visit: Visit, unguarded: bool) -> Finding | None:
    for need in (*check.needs, *check.unless):
        found = visit.found.get(need)
        if found is None or found.verdict == OK:
            continue
        if found.verdict == NOT_CHECKED and need in check.unless:
            continue
        if found.verdict == NOT_CHECKED and unguarded and visit.chip is not None:
            continue
        # The cause that blocks the needed check also blocks this one.
        root = visit.roots.setdefault(check.name, visit.roots.get(need, need))
        wrong = visit.found[root].verdict == FAULT
        what = "has a fault" if wrong else "was not checked"
        return Notes(check.name).not_checked(f"{root} {what}", f"resolve {root} first")
    return None
