"""The path of a DMA to the memory through a port of the processor's side (S_AXI_ACP, S_AXI_GP), as
values of its streams and their port: for a ring's DMA, and vendors' engines. Steps are as in
`model/src/sources/slave_port.cpp`, from the same figures."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from axiometer.base.clocks import meant
from axiometer.experiment.points import single
from axiometer.experiment.values import Master
from axiometer.platform import Platform
from axiometer.simulate import chip
from axiometer.simulate.model_tables import Port
from axiometer.simulate.sources import Travel
from axiometer.simulate.transfer import Transfer


def port(platform: Platform, master: Master, paths: Sequence[str]) -> Port:
    """The model's port for the DMA; `paths` are the names of the scenario's paths. A burst's beats,
    and the cycle from a burst's end to the next one's start, are the model's own."""
    travel = Travel.on(platform, platform.value(f"{platform.way(master['way'])}.path"))
    dma, own, beats = _dma(platform, master), meant(master["link_mhz"]), _beats(master)
    out, behind, back = _steps(dma, master)
    before, after = out / own + behind, back / own
    late = _address_cycles(dma, master)
    cycles = {
        "request_cycles_read": max(0, round((before + travel.read) * own) - 1),
        "request_cycles_write": max(0, round((before + travel.write) * own) - beats - late - 1),
        "return_cycles": max(0, round((travel.read + after) * own) - beats),
        "response_clocks": round((travel.write + after) * meant(platform.value("clocks.ddr_mhz"))),
    }
    return chip.port(platform, master["way"], master["width_bits"], paths, None, cycles)


def outstanding(platform: Platform, master: Master, direction: str) -> int:
    """The DMA's outstanding bursts."""
    fabric, port = _dma(platform, master).in_fabric
    most = port.acceptance_read if direction == "read" else port.acceptance_write
    return min(fabric.outstanding, most)


def address_cycles(platform: Platform, master: Master) -> int:
    """Cycles for which a write's first beat waits for the interconnect beside its master; 0 for a
    ring's DMA."""
    return _address_cycles(_dma(platform, master), master)


def _address_cycles(dma: Transfer, master: Master) -> int:
    none = master["kind"] == "ring" or _beats(master) == 1
    return 0 if none else dma.in_fabric[1].address_cycles


def _beats(master: Master) -> int:
    """Beats of a burst of the master."""
    return int(-(-master["burst_bytes"] * 8 // master["width_bits"]))


def _steps(dma: Transfer, master: Master) -> tuple[Fraction, Fraction, int]:
    """Cycles of the master's clock to the port; us behind it, where bursts are stored whole; cycles
    from there back to the master."""
    fabric, slave = dma.in_fabric
    sync = dma.tables.gp.sync_cycles
    stored = sync + -(-master["burst_bytes"] // slave.beat_bytes) - 1
    out = fabric.interconnect_cycles // 2
    behind = stored * slave.beat_period * dma.unit * 10**6
    return Fraction(out), behind, sync + fabric.interconnect_cycles - out


def _dma(platform: Platform, master: Master) -> Transfer:
    """A DMA alone at the master's port."""
    settings: dict[str, object] = {"ports": master["port"], "master": "axi_dma", "mode": "ps_to_pl"}
    settings |= {
        "transfer_bytes": 8192,
        "pl_mhz": master["pl_mhz"],
        "through": master.get("through"),
    }
    return Transfer.of(platform, single(platform, settings).values, as_asked=True)
