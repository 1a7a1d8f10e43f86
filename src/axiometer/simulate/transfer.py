"""A transfer that the processor starts, carries or pays for, as input of its model.

Not for: masters that stream through the memory model (`master = "dma"`); that is `scenario.py`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd, lcm

from axiometer.base.clocks import exact, meant, plain
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys_processor import IN_FABRIC, dmac
from axiometer.experiment.values import Values, known
from axiometer.platform import Platform, pl_clock
from axiometer.simulate import model_errors
from axiometer.simulate import model_tables as of_model
from axiometer.simulate import transfer_parts as parts
from axiometer.simulate.table import Document, Table

COPIES = {"memcpy": "copy", "loop": "loop", "register": "loop", "gpio_driver": "loop"}
_MASTERS = {**COPIES, "ps_dma": "dmac", "ring": "ring"}


def pl_mhz(platform: Platform, asked: float) -> Fraction:
    """The fabric's clock in MHz: of the PLL's rates, the nearest to the requested one."""
    made = pl_clock.of(platform, asked, "processor.clocks.pl_pll")
    nearest = made.nearest if made is not None else None
    return exact(asked) if nearest is None else nearest.mhz


def periods(platform: Platform, pl: Fraction) -> tuple[dict[str, int], Fraction]:
    """The periods of all clocks, with a fabric at `pl` MHz, in the largest unit of which all are
    whole multiples, and that unit in seconds."""
    figures = {
        **{name: f"processor.clocks.{name}" for name in ("cpu", "interconnect", "apb")},
        **{name: f"clocks.{name}_mhz" for name in ("ddr", "ddr_2x")},
    }
    mhz = {
        name: plain(meant(platform.value(figure)))
        for name, figure in figures.items()
        if platform.has(figure)
    }
    mhz["pl"] = pl
    scale = lcm(*(rate.denominator for rate in mhz.values()))
    rates = {name: int(rate * scale) for name, rate in mhz.items()}
    unit = lcm(*rates.values())
    return {name: unit // rate for name, rate in rates.items()}, Fraction(scale, unit) / 10**6


def units(microseconds: float, unit: Fraction) -> int:
    """A time of a platform in units of `unit` seconds."""
    return round(Fraction(str(microseconds)) / 10**6 / unit)


@dataclass(frozen=True)
class Phases:
    """Differences between repeats: the phases of the fabric's clock (units of time) and of the
    refresh (DRAM clocks) when the transfer begins."""

    pl_phase: int = 0
    refresh_phase: int = 0


@dataclass(frozen=True, kw_only=True)
class Side(Table):
    """The model's input for the processor's side; None: not needed for this transfer."""

    clocks: of_model.ProcessorClocks
    memory: of_model.Memory
    gp: of_model.Gp
    cache: of_model.Cache
    cpu: of_model.Cpu
    system: of_model.System
    transfer: of_model.Work
    master: str
    target: str
    attribute: str
    slave: of_model.Slave
    dmac: of_model.Dmac | None = None
    fabric: of_model.Fabric | None = None
    port: of_model.SlavePort | None = None
    ring: of_model.Ring | None = None


@dataclass(frozen=True)
class Transfer:
    """A transfer of the processor's side. Immutable.

    tables: the model's (docs/keys.md), times in `unit` seconds; platform, values: its origin, the
    point's values normalised.
    """

    platform: Platform
    values: Values
    tables: Side
    unit: Fraction
    phases: Phases = Phases()

    @classmethod
    def of(
        cls,
        platform: Platform,
        values: Values,
        as_asked: bool = False,
        by_kernel: bool = False,
    ) -> Transfer:
        """The transfer of a point's `values`; as_asked: at the requested clock of the fabric, not
        the nearest one of the PLL; by_kernel: the kernel copies, as around a driver's DMA.
        AxiometerError if its port is too narrow, or a figure is missing."""
        _check_width(values)
        asked = values["pl_mhz"]
        clocks, unit = periods(platform, exact(asked) if as_asked else pl_mhz(platform, asked))
        master = values["master"]
        kind = platform.word(f"port.{values['ports'][0]}.kind", "hp")
        own = {name: period for name, period in clocks.items() if name != "ddr_2x"}
        by_kernel |= values["os"] == "linux" and master not in COPIES
        engine = dmac(platform, values["ports"][0])
        has_engine, in_fabric = platform.has(f"{engine}.burst_bytes"), master in IN_FABRIC
        with model_errors.reported():
            tables = Side(
                clocks=of_model.ProcessorClocks.of(own),
                memory=parts.memory(platform),
                gp=parts.gp(platform, values, kind),
                cache=parts.cache(platform, values, by_kernel),
                cpu=parts.cpu(platform, values, by_kernel),
                system=of_model.System(
                    present=values["os"] == "linux",
                    system_call=units(platform.number("processor.linux.system_call_us"), unit),
                ),
                transfer=of_model.Work(
                    gpio_clocks=platform.whole("processor.apb.register_clocks", 0),
                    to_fabric=values["mode"] != "pl_to_ps",
                    prepare=values["dma_program"] == "included" or master == "axi_dma",
                    bytes=known(values["transfer_bytes"]),
                ),
                master=_MASTERS.get(master, "fabric"),
                target="gpio" if kind == "emio" else "slave",
                attribute=values["memory_type"],
                slave=parts.slave(platform, values["slave"]),
                dmac=parts.dmac(platform, values, engine) if has_engine else None,
                fabric=parts.behind(parts.fabric(platform, master), values) if in_fabric else None,
                port=parts.port(platform, kind, clocks) if in_fabric else None,
                ring=parts.ring(platform, values) if master == "ring" else None,
            )
        return cls(platform, values, tables, unit)

    @property
    def in_fabric(self) -> tuple[of_model.Fabric, of_model.SlavePort]:
        """The master in the fabric, and its port; for a transfer with these."""
        return known(self.tables.fabric), known(self.tables.port)

    @property
    def pl_mhz(self) -> Fraction:
        """The fabric's clock in MHz."""
        return pl_mhz(self.platform, self.values["pl_mhz"])

    def start(self, seed: int, repeat: int) -> Transfer:
        """The transfer at the start of repeat `repeat` of a run with this seed."""
        draw = random.Random(f"{seed}:{repeat}")
        pl_phase = draw.randrange(self.tables.clocks.pl)
        phases = Phases(pl_phase, draw.randrange(self.tables.memory.refresh_interval))
        return replace(self, phases=phases)

    def document(self) -> Document:
        """The input of the model."""
        clocks = replace(self.tables.clocks, pl_phase=self.phases.pl_phase)
        memory = replace(self.tables.memory, refresh_phase=self.phases.refresh_phase)
        return replace(self.tables, clocks=clocks, memory=memory).document()


LONG = 2**20
"""Bytes of a transfer for which one start can be enough: hundreds of intervals of refreshes."""
OFFSETS = 5
"""Places of an edge of the fabric's clock between two of the interconnect's, from which on a long
transfer meets them all. With fewer, as at 200 and 400 MHz, a start's place may stay."""


def starts_alike(platform: Platform, values: Values) -> bool:
    """Whether all starts of a transfer have one rate, by its length and its clocks: within 0.1 %
    (a test)."""
    if known(values["transfer_bytes"]) < LONG:
        return False
    clocks = Transfer.of(platform, values).tables.clocks
    return clocks.interconnect // gcd(clocks.interconnect, clocks.pl) >= OFFSETS


def _check_width(values: Values) -> None:
    if values["width_bits"] < 8 * parts.WORD_BYTES:
        raise AxiometerError(
            f"port {values['ports'][0]} is {values['width_bits']} bits wide, but its masters move "
            "words of 32 bits",
            remedy=f"set port.{values['ports'][0]}.widths to the chip's widths",
        )
