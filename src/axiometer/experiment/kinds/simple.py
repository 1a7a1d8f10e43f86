"""Masters in the fabric with words of 32 bits, at any port into which masters write: simple masters
of words or bursts, which wait for each response or (improved) do not wait, and the `axi_dma` of
published rows."""

from __future__ import annotations

from axiometer.experiment import vendor
from axiometer.experiment.kinds.kind import MASTER_BITS, PUBLISHED, InFabric, memory_ports
from axiometer.experiment.port_kinds import kind
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform


class Simple(InFabric):
    keys: tuple[str, ...] = PUBLISHED
    at: tuple[str, ...] = ("gp-slave", "acp", "hp", "coherent")
    source = True
    word_bits = MASTER_BITS

    def lacks(self, platform: Platform, port: str) -> str:
        of = kind(platform, port)
        has = platform.has(f"processor.port.{of}.clock")
        return "" if has else f"{self.name} at ports of kind {of}"

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return ("cache", "dma_program", "through", "width_bits")

    def width_bits(self, platform: Platform, own: Master, way: str) -> int | None:
        return MASTER_BITS

    def burst_bytes(self, platform: Platform, own: Master) -> int:
        """Bytes of the master's burst, or of its word."""
        beats = 1 if self.name.startswith("lite") else platform.whole("fabric.master.burst_beats")
        return beats * MASTER_BITS // 8


class PublishedDma(Simple):
    at: tuple[str, ...] = vendor.PUBLISHED_AT

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        return ("cache", "through", "width_bits")

    def usual_port(self, platform: Platform) -> str | None:
        has_one = memory_ports(platform, self.name)
        return super(InFabric, self).usual_port(platform) if has_one else None
