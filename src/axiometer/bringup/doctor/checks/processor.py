"""What makes figures differ from hour to hour: the processor's clock, and other programs."""

from __future__ import annotations

import re

from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes

CPUS = "/sys/devices/system/cpu"
STEADY = ("performance", "userspace")
MOST_LOAD = 0.2
"""Of /proc/loadavg, over a minute: programs that wanted the processor."""


def frequency(visit: Visit) -> Finding:
    """Each processor's clock is at its highest, and a governor that leaves it there."""
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
            "; ".join(wrong) + ": the processor's clock moves while it measures",
            f"for each: echo performance > {CPUS}/cpu0/cpufreq/scaling_governor; if the clock is "
            "still low, the chip is too hot",
        )
    if not notes.looked_at:
        return notes.not_checked("this kernel does not change the processor's clock (no cpufreq)")
    return notes.ok("the processors' clocks are at their highest, and stay there")


def traffic(visit: Visit) -> Finding:
    """Other programs take the processor, the memory and the interconnect from the measurement."""
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
        return notes.not_checked("/proc/loadavg is not as Linux writes it")
    if busy > MOST_LOAD:
        return notes.fault(
            f"{busy:g} programs wanted the processor over the last minute",
            "top tells which: stop them (a desktop, an updater), or measure without Linux",
        )
    return notes.ok("next to nothing else runs")
