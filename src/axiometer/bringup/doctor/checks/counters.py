"""The design's counter over a transfer against the target's own clock."""

from __future__ import annotations

from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor.checks import transfer
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import NotThere
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Capabilities
from axiometer.runs.cosim.registers import registers

SHARE = 0.02
"""How far the design's clock may be from the target's over a transfer, as a share of it."""
LATE_NS = 100_000
"""By how much Linux may tell too late that a transfer is over; a simulation is not late."""
BYTES = 4 << 20
"""So many that what Linux is late by is of no weight."""
SIMULATED_BYTES = 64 << 10
"""So many that the register accesses before and after it, some 15 clocks, are of no weight."""


def counters(visit: Visit) -> Finding:
    """Clocks of the design against nanoseconds of the target, over one transfer."""
    notes = Notes("counters")
    try:
        client = visit.target.agent()
        found = client.capabilities()
        if not found.find(block_types.COUNTER) or not transfer.engines(found):
            return notes.not_checked("the design has no counter, or no loop-back to time")
        client.reset()
        size = SIMULATED_BYTES if visit.target.simulated else BYTES
        source, to = client.allocate(size), client.allocate(size)
        first = _time(client, found)
        outcome = transfer.run(client, transfer.engines(found)[0], source, to, size)
        second = _time(client, found)
        client.reset()
    except NotThere as error:
        return notes.not_checked(error.why, error.remedy)
    except AxiometerError as error:
        return notes.fault(f"the agent: {error.message}", error.remedy or "start it anew")
    notes.saw(f"counter {first}, then {second}; {outcome.clocks} clocks in {outcome.ns} ns")
    if outcome.state != "done" or outcome.clocks is None:
        return notes.fault(f"the transfer ended with {outcome.state}", "see the check loop-back")
    if second <= first or outcome.ns == 0:
        return notes.fault("the design's counter stands still", "is the design still in reset?")
    clocks = outcome.clocks - (outcome.overhead or 0)
    late = 0 if visit.target.simulated else LATE_NS
    says = found.clock_hz / 1e6
    if abs(clocks * 1e3 / says - outcome.ns) > SHARE * outcome.ns + late:
        return notes.fault(
            f"over {outcome.ns} ns the design counted {clocks} clocks: its clock is about "
            f"{clocks * 1e3 / outcome.ns:.4g} MHz, and it says {says:g}",
            "set the fabric's clock to what the design is built for (node axm-clock of the "
            "overlay, or a boot loader of this project)",
        )
    return notes.ok(f"they agree with {says:g} MHz within {SHARE:.0%}")


def _time(client: Client, found: Capabilities) -> int:
    block = found.find(block_types.COUNTER)[0].block
    map_ = registers("counter")
    low = client.read_register(block, map_.TIME_LO.OFFSET)
    return client.read_register(block, map_.TIME_HI.OFFSET) << 32 | low
