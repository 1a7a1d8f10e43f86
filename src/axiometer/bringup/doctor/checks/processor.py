"""Checks of conditions that change measurements: the processor's clock, and other programs."""

from __future__ import annotations

import re

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

CPUS = "/sys/devices/system/cpu"
STEADY = ("performance", "userspace")
MOST_LOAD = 0.2
"""Highest one-minute load of /proc/loadavg: runnable programs on average."""


def frequency(visit: Visit) -> Finding:
    """Each processor must run at its highest clock, with a governor that keeps it there."""
    notes, wrong = Notes("processor-clock"), []
    if visit.target.simulated:
        return notes.not_checked("a simulation has no processor")
    for cpu in (n for n in visit.names(CPUS) if re.fullmatch(r"cpu\d+", n)):
        folder = f"{CPUS}/{cpu}/cpufreq"
        governor = visit.text(f"{folder}/scaling_governor")
        if governor is None:
            continue
        now = visit.text(f"{folder}/scaling_cur_freq")
        most = visit.text(f"{folder}/cpuinfo_max_freq")
        notes.saw(f"{folder}: {governor}, {now} of {most} kHz")
        if governor not in STEADY:
            wrong.append(f"{cpu} has the governor {governor}")
        elif now != most:
            wrong.append(f"{cpu} runs at {now} kHz of {most}")
    if wrong:
        return notes.fault(
            "; ".join(wrong) + ": the processor's clock may change during a measurement",
            f"for each: echo performance > {CPUS}/cpu0/cpufreq/scaling_governor; if the clock "
            "stays low, cool the chip",
        )
    if not notes.looked_at:
        return notes.not_checked("this kernel does not change the processor's clock (no cpufreq)")
    return notes.ok("the processors stay at their highest clock")


def traffic(visit: Visit) -> Finding:
    """Other programs, which use processor, memory and interconnect, must be idle."""
    notes = Notes("other-programs")
    if visit.target.simulated:
        return notes.not_checked("a simulation runs nothing else")
    load = visit.text("/proc/loadavg")
    if load is None:
        return notes.not_checked("there is no /proc/loadavg")
    notes.saw(f"/proc/loadavg: {load}")
    try:
        busy = float(load.split()[0])
    except (ValueError, IndexError):
        return notes.not_checked("/proc/loadavg has an unknown format")
    if busy > MOST_LOAD:
        return notes.fault(
            f"{busy:g} programs were runnable over the last minute",
            "find them with top and stop them (a desktop, an updater), or measure without Linux",
        )
    return notes.ok("other programs are idle")
