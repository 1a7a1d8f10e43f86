"""Cyclone V and Arria V SoC: figures of several fields. Cyclone V HPS Technical Reference Manual,
chapters "Clock Manager" and "SDRAM Controller Subsystem"."""

from __future__ import annotations

from fractions import Fraction

from axiometer.platform.registers import tables
from axiometer.platform.registers.rules.reference import reference_mhz
from axiometer.platform.registers.sheet import Rule, Sheet

_PORTS = range(10)  # command ports of the multi-port front end
_PRIORITIES = range(8)
_WIDTHS = (32, 64, 128, 256)
_DIRECTIONS = ("off", "write", "read", "both")
_ECC_BITS = 8  # the bus of 24 and of 40 bits is one of 16 and of 32 with the ECC's


def _reference(sheet: Sheet) -> Fraction:
    if sheet.field("CLK.SDRPLLGRP_VCO.SSRC"):
        sheet.note("the SDRAM's PLL runs from another clock than oscillator 1, which is taken")
    if "reference_mhz" not in sheet.given and sheet.written("OSC.OSC1"):
        return Fraction(sheet.field("OSC.OSC1.ALL"), 10**6)
    usual = tables.load("cyclone-v").about["reference_mhz"]
    return reference_mhz(
        sheet, usual, lambda: _multiple(sheet, "SDR") / _count(sheet, "SDR", "DDRDQSCLK")
    )


def _multiple(sheet: Sheet, group: str) -> Fraction:
    """A PLL's oscillator over its reference."""
    register = f"CLK.{group}PLLGRP_VCO."
    return Fraction(sheet.field(register + "NUMER") + 1, sheet.field(register + "DENOM") + 1)


def _count(sheet: Sheet, group: str, output: str) -> int:
    return sheet.field(f"CLK.{group}PLLGRP_{output}.CNT") + 1


def _output(sheet: Sheet, group: str, output: str) -> Fraction | None:
    if not sheet.written(f"CLK.{group}PLLGRP_{output}"):
        return None
    rate = sheet.figure("clocks.reference_mhz") * _multiple(sheet, group)
    return rate / _count(sheet, group, output)


def _main(sheet: Sheet, output: str) -> Fraction | None:
    """An output of the main PLL that has another divider before its own."""
    rate = _output(sheet, "MAIN", output)
    return rate and rate / (sheet.field(f"CLK.ALTERAGRP_{output}.ALL") + 1)


def _bus(sheet: Sheet) -> int:
    width = sheet.field("sdr.DRAMIFWIDTH.IFWIDTH")
    return width - _ECC_BITS if width % 16 == _ECC_BITS and width > _ECC_BITS else width


def _row_bytes(sheet: Sheet) -> int:
    return 2 ** sheet.field("sdr.DRAMADDRW.COLBITS") * sheet.figure("dram.bus_bits") // 8


def _size(sheet: Sheet) -> int:
    bits = sheet.field("sdr.DRAMADDRW.ROWBITS") + sheet.field("sdr.DRAMADDRW.BANKBITS")
    return 2**bits * sheet.figure("dram.row_bytes") * sheet.figure("dram.ranks") // 2**20


def _read_to_write(sheet: Sheet) -> int:
    read, write = (sheet.figure(f"dram.timing.{name}") for name in ("CL", "CWL"))
    data = sheet.figure("dram.burst_length") // 2
    extra = sheet.field("sdr.EXTRATIME1.CFG_EXTRA_CTL_CLK_RD_TO_WR")
    return read + data + 2 - write + extra


def _of_port(sheet: Sheet, field: str, port: int, bits: int) -> int:
    return sheet.field(f"sdr.{field}") >> bits * port & 2**bits - 1


def _weight(sheet: Sheet, port: int) -> int:
    weights = sheet.field("sdr.MPWIEIGHT_0.STATICWEIGHT_31_0")
    weights |= sheet.field("sdr.MPWIEIGHT_1.STATICWEIGHT_49_32") << 32
    return weights >> 5 * port & 31


def _sum(sheet: Sheet, priority: int) -> int:
    sums = sheet.field("sdr.MPWIEIGHT_1.SUMOFWEIGHT_13_0")
    sums |= sheet.field("sdr.MPWIEIGHT_2.SUMOFWEIGHT_45_14") << 14
    sums |= sheet.field("sdr.MPWIEIGHT_3.SUMOFWEIGHT_63_46") << 46
    return sums >> 8 * priority & 255


def _port_rules(n: int) -> list[Rule]:
    bits = f"of port {n}"
    return [
        Rule(f"arbiter.port{n}.priority", None, f"three bits {bits}",
             lambda s: _of_port(s, "MPPRIORITY.USERPRIORITY", n, 3)),
        Rule(f"arbiter.port{n}.weight", None, f"five bits {bits}", lambda s: _weight(s, n)),
        Rule(f"arbiter.port{n}.width_bits", "bits", f"two bits {bits}",
             lambda s: _WIDTHS[_of_port(s, "CPORTWIDTH.CPORTWIDTH", n, 2)]),
        Rule(f"arbiter.port{n}.direction", None, f"two bits {bits}",
             lambda s: _DIRECTIONS[_of_port(s, "CPORTRDWR.CPORTRDWR", n, 2)]),
    ]  # fmt: skip


_MHZ = "MHz"
_CLOCKS = "DRAM clocks"
RULES = [
    Rule("clocks.reference_mhz", _MHZ, "oscillator 1", _reference),
    Rule("clocks.ddr_mhz", _MHZ, "SDRAM PLL", lambda s: _output(s, "SDR", "DDRDQSCLK")),
    Rule("clocks.h2f_user0_mhz", _MHZ, "main PLL",
         lambda s: _output(s, "MAIN", "CFGS2FUSER0CLK")),
    Rule("clocks.h2f_user1_mhz", _MHZ, "peripheral PLL",
         lambda s: _output(s, "PER", "S2FUSER1CLK")),
    Rule("clocks.h2f_user2_mhz", _MHZ, "SDRAM PLL", lambda s: _output(s, "SDR", "S2FUSER2CLK")),
    Rule("clocks.l3_main_mhz", _MHZ, "main PLL", lambda s: _main(s, "MAINCLK")),
    Rule("processor.clocks.cpu", _MHZ, "main PLL", lambda s: _main(s, "MPUCLK")),
    Rule("processor.clocks.interconnect", _MHZ, "main PLL", lambda s: _main(s, "MAINCLK")),
    Rule("dram.bus_bits", "bits", "without the ECC's", _bus),
    Rule("dram.banks", None, "two to the bank bits",
         lambda s: 2 ** s.field("sdr.DRAMADDRW.BANKBITS")),
    Rule("dram.row_bytes", "bytes", "two to the column bits, times the bus", _row_bytes),
    Rule("dram.size_MiB", "MiB", "rows, banks and chip selects", _size),
    Rule("dram.timing.read_to_write", _CLOCKS, "CL + BL/2 + 2 - CWL, and the controller's own",
         _read_to_write),
    *(rule for n in _PORTS for rule in _port_rules(n)),
    *(
        Rule(f"arbiter.priority{n}.weights", None, f"eight bits of priority {n}",
             lambda s, n=n: _sum(s, n))
        for n in _PRIORITIES
    ),
]  # fmt: skip
