"""Compares the design's counter over a transfer with the target's clock."""

from __future__ import annotations

from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor.checks import transfer
from axiometer.bringup.doctor.examination import Visit
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import NotThere
from axiometer.runs.agent import block_types, two_clocks
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Capabilities
from axiometer.runs.cosim.registers import registers

BYTES = 4 << 20
"""Enough to make the delay of Linux negligible."""
SIMULATED_BYTES = 64 << 10
"""Enough to make the register accesses around a transfer, some 15 clocks, negligible."""


def counters(visit: Visit) -> Finding:
    """Compares clocks of the design with nanoseconds of the target over one transfer."""
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
        return notes.fault(f"the agent: {error.message}", error.remedy or "restart the agent")
    notes.saw(f"counter {first}, then {second}; {outcome.clocks} clocks in {outcome.ns} ns")
    if outcome.state != "done" or outcome.clocks is None:
        return notes.fault(f"the transfer ended with {outcome.state}", "see the check loop-back")
    if second <= first or outcome.ns == 0:
        return notes.fault("the design's counter does not count", "release the design's reset")
    late_ns = 0 if visit.target.simulated else two_clocks.LATE_NS
    says = found.clock_hz / 1e6
    if wrong := two_clocks.disagreement(found.clock_hz, outcome, late_ns):
        return notes.fault(
            wrong,
            f"set the fabric's clock to {says:g} MHz (node axm-clock of the overlay, or a boot "
            "loader of this project)",
        )
    return notes.ok(f"counter and clock agree on {says:g} MHz within {two_clocks.SHARE:.0%}")


def _time(client: Client, found: Capabilities) -> int:
    block = found.find(block_types.COUNTER)[0].block
    map_ = registers("counter")
    low = client.read_register(block, map_.TIME_LO.OFFSET)
    return client.read_register(block, map_.TIME_HI.OFFSET) << 32 | low
