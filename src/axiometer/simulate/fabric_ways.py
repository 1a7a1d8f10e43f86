"""Ways to the memory of simple masters and DMAs in the fabric: through the interconnect beside
them and a port into which masters write (S_AXI_HP, S_AXI_ACP, S_AXI_GP).

Each step is one that the processor's side's own model has, too (`slave_port.cpp` and
`fabric_master.cpp` in `model/src/processor/`), from the same figures; none is run for it. What
other masters cost is the memory model's affair.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from axiometer.clocks import meant
from axiometer.experiment import keys_processor
from axiometer.platform import Platform
from axiometer.simulate import memory_way
from axiometer.simulate.memory_way import Master, Travel, Way

Document = dict[str, Any]


def simple(platform: Platform, master: Master) -> Way:
    """Words or bursts by a master that has one in flight, and thinks between them; or (improved)
    by one that waits for no response, so that its own pace is the limit."""
    document = memory_way.beside(platform, master)
    fabric, own = document["fabric"], meant(master["link_mhz"])
    travel = Travel.on(platform, memory_way.path(platform, master))
    ddr = meant(platform.value("clocks.ddr_mhz"))
    out, behind, back = _steps(platform, master, document)
    held = _held(master, document)
    # The edge at which a request is taken behind the port lies half a clock away, in the mean.
    crossed = behind + Fraction(1, 2) / _behind(platform, master)
    read, read_late = _whole((1 + out) / own + crossed + travel.read, own)
    write, write_late = _whole((held + out) / own + crossed + travel.write, own)
    arrives = round((read_late + travel.read) * own)
    reads = master["direction"] == "read"
    between = _between(document)
    waits = fabric["outstanding"] == 1
    limits = (1, 1) if waits else _in_flight(platform, master, document)
    return Way(
        request_cycles_read=read,
        request_cycles_write=write,
        return_cycles=max(0, arrives + back + fabric["taken_cycles"]),
        response_clocks=max(0, round((write_late + travel.write + back / own) * ddr)),
        outstanding_read=limits[0],
        outstanding_write=limits[1],
        period_us=Fraction(0) if waits else _pace(master, document) / own,
        # A read's first beat was taken late already.
        think_cycles=between + (0 if reads else fabric["taken_cycles"]) if waits else 0,
        serial_clocks=_serial_clocks(platform, master),
    )


def _held(master: Master, document: Document) -> int:
    """Cycles for which a write's first beats wait for the interconnect; its other beats are the
    stream's own."""
    if memory_way.beats(master) == 1:
        return 0
    return int(document["port"]["address_cycles"] + document["fabric"]["hold_cycles"])


def _between(document: Document) -> int:
    """The master's own cycles from an address (read), or the last beat (write), to the next
    burst."""
    return int(document["fabric"]["issue_cycles"]) - 1


def _pace(master: Master, document: Document) -> Fraction:
    """Cycles of the master's clock from burst to burst, of one that waits for no response."""
    if master["direction"] == "read":
        return Fraction(1 + _between(document))
    return Fraction(_held(master, document) + memory_way.beats(master) + _between(document))


def _serial_clocks(platform: Platform, master: Master) -> int:
    """DRAM clocks for which a port serves a part of a line, one after the other."""
    if master["burst_bytes"] >= platform.value("processor.cache.line_bytes"):
        return 0
    kind = keys_processor.kind(platform, master["port"])
    clocks = platform.value(f"processor.port.{kind}.serial_clocks")
    return round(clocks / _behind(platform, master) * meant(platform.value("clocks.ddr_mhz")))


def _whole(us: Fraction, mhz: Fraction) -> tuple[int, Fraction]:
    """A time in whole cycles, and what is left of it in us; below zero if they are longer."""
    cycles = round(us * mhz)
    return cycles, us - cycles / mhz


def dma(platform: Platform, master: Master) -> Way:
    """A DMA that waits for nothing: its own pace, and the time that its bursts take. A stream's own
    are its beats, and the cycle from a burst's end to the next one's begin."""
    document = memory_way.beside(platform, master)
    travel, own = Travel.on(platform, memory_way.path(platform, master)), meant(master["link_mhz"])
    beats = memory_way.beats(master)
    out, behind, back = _steps(platform, master, document)
    before, after = out / own + behind, back / own
    most, slave = document["fabric"]["outstanding"], document["port"]
    return Way(
        request_cycles_read=max(0, round((before + travel.read) * own) - 1),
        request_cycles_write=max(0, round((before + travel.write) * own) - beats - 1),
        return_cycles=max(0, round((travel.read + after) * own) - beats),
        response_clocks=round((travel.write + after) * meant(platform.value("clocks.ddr_mhz"))),
        outstanding_read=min(most, slave["acceptance_read"]),
        outstanding_write=min(most, slave["acceptance_write"]),
        period_us=_pace(master, document) / own,
    )


def ring(platform: Platform, master: Master) -> Way:
    """The DMA of a ring at the coherent port: the way of a DMA there, but the ring's own pace."""
    alone = {**master, "kind": "axi_dma", "direction": "read"}
    return replace(dma(platform, alone), period_us=Fraction(0))


def _steps(
    platform: Platform, master: Master, document: Document
) -> tuple[Fraction, Fraction, int]:
    """Cycles of the master's clock to the port; us behind it, where bursts are stored whole; cycles
    from there back to the master."""
    fabric, slave, sync = document["fabric"], document["port"], document["gp"]["sync_cycles"]
    stored = sync + -(-master["burst_bytes"] // slave["beat_bytes"]) - 1
    behind = stored / _behind(platform, master)
    if slave["central"]:  # stores the beats of the narrow side, too
        gp = document["gp"]
        clocks = min(gp["read_clocks"], gp["write_clocks"])
        clocks += -(-master["burst_bytes"] // gp["beat_bytes"]) - 1
        behind += clocks / memory_way.clock(platform, "interconnect")
    out = fabric["interconnect_cycles"] // 2
    return Fraction(out), behind, sync + fabric["interconnect_cycles"] - out


def _behind(platform: Platform, master: Master) -> Fraction:
    """The clock behind the master's port, MHz."""
    kind = keys_processor.kind(platform, master["port"])
    name = platform.value(f"processor.port.{kind}.clock")
    if name == "ddr_2x":
        return meant(platform.value("clocks.ddr_2x_mhz"))
    return memory_way.clock(platform, name)


def _in_flight(platform: Platform, master: Master, document: Document) -> tuple[int, int]:
    """Bursts that a master has in flight, reads and writes: what the port takes and, by Little's
    law at the rate that the master has alone, those that are with it and in the interconnect: from
    an address's cycle to that in which the response is taken."""
    fabric, slave = document["fabric"], document["port"]
    own = meant(master["link_mhz"])
    reads = master["direction"] == "read"
    accepted = slave["acceptance_read" if reads else "acceptance_write"]
    serial = _serial_clocks(platform, master) / meant(platform.value("clocks.ddr_mhz"))
    period = max(
        _pace(master, document),
        Fraction(memory_way.beats(master)),
        own * max(serial, _stay(platform, master, document) / accepted),
    )
    beside = round((fabric["interconnect_cycles"] + 2) / period)
    most = fabric["outstanding"]
    return min(most, slave["acceptance_read"] + beside), min(
        most, slave["acceptance_write"] + beside
    )


def _stay(platform: Platform, master: Master, document: Document) -> Fraction:
    """us for which a burst has its place in the port: to the DRAM, where nobody else is, and back
    over the crossing. The edges that it waits for lie half a clock away, in the mean."""
    behind = _steps(platform, master, document)[1] + Fraction(1, 2) / _behind(platform, master)
    back = (document["gp"]["sync_cycles"] + Fraction(1, 2)) / meant(master["link_mhz"])
    if master["direction"] == "read":
        value = platform.value("processor.memory.dram_read_clocks")
        return Fraction(behind + value / memory_way.clock(platform, "cpu") + back)
    return behind + 2 * Travel.on(platform, memory_way.path(platform, master)).write + back
