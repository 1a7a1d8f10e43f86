"""Checks of the chip's registers and files: clocks, resets, level shifters, bitstream."""

from __future__ import annotations

from collections.abc import Callable

from axiometer.bringup.doctor.checks.devices import AXM, bound_to_axm
from axiometer.bringup.doctor.chip import FileRule, at
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import BusError, NotThere

_TOLD = {
    "clocks": "the fabric's first clock runs",
    "resets": "the design and its ports are out of reset",
    "levels": "processor and fabric are connected",
    "bitstream": "the fabric has a bitstream",
    "bridges": "the bridges are open",
}


def rules(check: str) -> Callable[[Visit], Finding]:
    """The check named `check` in the chip's file."""
    return lambda visit: _look(check, visit)


def _look(check: str, visit: Visit) -> Finding:
    notes, lacking, wrong = Notes(check), None, []
    for rule in (r for r in visit.known.rules if r.check == check):
        name, address = rule.register.key, at(rule.register)
        try:
            word = visit.target.read32(address)
        except NotThere as error:
            lacking = error
            break
        except BusError as error:
            notes.saw(f"{name} at {address:#010x}")
            wrong.append((f"{name}: {error.why}", "check that this is the reported chip"))
            continue
        notes.saw(f"{name} at {address:#010x} = {word:#010x}")
        if not rule.holds(word):
            wrong.append((rule.wrong, rule.remedy))
    decided = False
    for file in (f for f in visit.known.files if f.check == check):
        said = _said(file, visit, notes)
        if said is not None and said != file.want:
            wrong.append((f"{file.wrong} ({said})", file.remedy))
        decided = decided or (said is not None and file.decides)
    if wrong and check == "clocks" and (device := _asleep(visit, notes)):
        return notes.not_checked(
            "the driver axm has stopped the fabric's clock, as no program has a channel open",
            f"echo on > {device}/power/control keeps it running (auto: back)",
        )
    if wrong:
        remedies = dict.fromkeys(remedy for _, remedy in wrong)
        return notes.fault("; ".join(words for words, _ in wrong), "; ".join(remedies))
    if lacking is not None and not decided:
        return notes.not_checked(lacking.why, lacking.remedy)
    return notes.ok(_TOLD[check])


def _asleep(visit: Visit, notes: Notes) -> str:
    """A device of the driver axm that is suspended, as all are that nobody uses; "" if none is."""
    for name in bound_to_axm(visit) if visit.expected.driver == "axm" else ():
        path = f"{AXM}/{name}"
        if (said := visit.text(f"{path}/power/runtime_status")) == "suspended":
            notes.saw(f"{path}/power/runtime_status: {said}")
            return path
    return ""


def _said(file: FileRule, visit: Visit, notes: Notes) -> str | None:
    for path in file.paths:
        said = visit.text(path)
        if said is not None:
            notes.saw(f"{path}: {said}")
            return said
    return None
