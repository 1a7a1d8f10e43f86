"""The processor's DMA engine, between the memory and the slave of a port into the fabric."""

from __future__ import annotations

from axiometer.experiment.kinds.kind import STREAM, Conflict, Kind
from axiometer.experiment.port_kinds import dmac
from axiometer.experiment.values import Master, Values, known
from axiometer.platform import Platform


class PsDma(Kind):
    keys: tuple[str, ...] = ("port", "direction", "pl_mhz", *STREAM)
    at: tuple[str, ...] = ("gp-master",)
    source = True

    def lacks(self, platform: Platform, port: str) -> str:
        has = platform.has(f"{dmac(platform, port)}.burst_bytes")
        return "" if has else "the processor's DMA engine"

    def acts(self, platform: Platform, values: Values) -> tuple[str, ...]:
        own = ("os", "cache", "dma_burst_bytes", "dma_program", "outstanding_read", "slave")
        # Without an effect in the model, `memory_type` tells measured rows apart.
        usual = (*own, "memory_type", "width_bits")
        return (*usual, "io") if values["os"] == "linux" else usual

    def _conflict(self, values: Values, platform: Platform) -> Conflict | None:
        if values["dma_burst_bytes"]:
            beat = platform.whole(f"{dmac(platform, values['ports'][0])}.beat_bytes_linux")
            most = beat * platform.whole("processor.gp.burst_beats")
            if values["dma_burst_bytes"] > most:
                message = "a longer burst than the engine has"
                return "dma_burst_bytes", message, f"give at most {most}"
        return super()._conflict(values, platform)

    def burst_bytes(self, platform: Platform, own: Master) -> int:
        return platform.whole(f"{dmac(platform, known(own['port']))}.burst_bytes")
