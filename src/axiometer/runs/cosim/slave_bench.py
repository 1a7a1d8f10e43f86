"""Transfers of the processor on `axm_slave_top`: RAM and sniffer are RTL, the master is a model."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.base.record import Between
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.cosim.beat_gaps import between
from axiometer.runs.cosim.bench import arm_sniffer, broken, same
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.engines.engines import counter
from axiometer.simulate.outcome import TransferOutcome
from axiometer.simulate.transfer import Transfer

SEED = 0x5AA5C33C
# PL clocks between two checks of the sniffer.
LOOK = 16


class SlaveBench:
    """A co-simulated slave with the processor that is its master in `transfer`."""

    def __init__(self, cosim: Cosim, transfer: Transfer) -> None:
        self.cosim = cosim
        self.write = transfer.tables.transfer.to_fabric
        self.client = Client(cosim.transport)
        self.client.hello()
        (sniffer,) = self.client.capabilities().find(block_types.SNIFFER, None)
        self.sniffer = sniffer.block

    def run(self, phases: Mapping[str, int]) -> tuple[TransferOutcome, Between | None]:
        """One transfer, with clocks and refresh at `phases`: its outcome in the form of the model's
        binding, and the sniffer's clocks between beats.

        AxiometerError if data are wrong, or if the counts of sniffer and port differ.
        """
        self.cosim.fill(seed=SEED ^ 0xFFFFFFFF if self.write else SEED)
        arm_sniffer(self.client, self.cosim, self.sniffer, LOOK)
        outcome = self.cosim.transfer(seed=SEED, **phases)
        counters = self.client.counters(self.sniffer)
        if self.write:
            self.cosim.check(seed=SEED)
        slot = int(self.write)
        same("the sniffer", counter(counters, slot=slot), {"beats": outcome["beats"]})
        seen = between(counters, slot)
        if (seen is None) != (not outcome["between"]):
            raise broken("the sniffer saw no data, or the port sent none")
        if seen is not None:
            ends = {"min": min(outcome["between"]), "max": max(outcome["between"])}
            same("the sniffer", seen, ends)
        return outcome, seen
