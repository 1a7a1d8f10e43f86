"""Zynq UltraScale+: figures of several fields. UG1085, chapters 17 (DDR) and 37 (clocks)."""

from __future__ import annotations

from fractions import Fraction

from axiometer.platform.registers.rules import mode
from axiometer.platform.registers.rules import zynq_ultrascale_plus_clocks as clocks
from axiometer.platform.registers.rules import zynq_ultrascale_plus_map as memory
from axiometer.platform.registers.sheet import Rule, Sheet

_TYPES = {"lpddr4": "LPDDR4", "ddr4": "DDR4", "lpddr3": "LPDDR3", "ddr3": "DDR3"}
_STORE = 64  # commands of the read store, both classes together (UG1087, SCHED)
_TWO_QUEUES = ("s1", "s2")
# Where the mode register with the latencies is, of types that have both in MR2.
_MR_OF = {"LPDDR4": "INIT3.emr"}

_ALL_LOW = 15  # no QoS value is above it


def _type(sheet: Sheet) -> str | None:
    found = [name for field, name in _TYPES.items() if sheet.field(f"DDRC.MSTR.{field}")]
    if len(found) != 1:
        sheet.note("MSTR sets none, or several, of the memory types that the decoder knows")
        return None
    return found[0]


def _has_groups(sheet: Sheet) -> bool:
    return sheet.figure("dram.type") == "DDR4"


def _between(sheet: Sheet, short: str, field: str) -> int:
    """Twice the field, of DDR4 that which holds between bank groups."""
    name = f"DDRC.DRAMTMG9.{short}" if _has_groups(sheet) else f"DDRC.{field}"
    return 2 * sheet.field(name)


def _within(sheet: Sheet, field: str) -> int | None:
    return 2 * sheet.field(f"DDRC.{field}") if _has_groups(sheet) else None


def _mode_read(sheet: Sheet) -> int | None:
    kind = sheet.figure("dram.type")
    return mode.read_latency(kind, sheet.field(f"DDRC.{_MR_OF.get(kind, 'INIT3.mr')}"))


def _mode_write(sheet: Sheet) -> int | None:
    kind = sheet.figure("dram.type")
    return mode.write_latency(kind, sheet.field(f"DDRC.{_MR_OF.get(kind, 'INIT4.emr2')}"))


def _after_write(sheet: Sheet, clocks_: int | None) -> int | None:
    """What is left of a distance after the write's latency and its data: the DRAM's own latency,
    since the controller's field is rounded to its clock."""
    if clocks_ is None:
        return None
    latency = sheet.figure_or_none("dram.mode.CWL") or sheet.figure("dram.timing.CWL")
    return clocks_ - latency - sheet.figure("dram.burst_length") // 2


def _level_read(sheet: Sheet, port: str) -> int:
    """The AXI QoS value above which reads are no longer of low priority."""
    register = f"PORT.{port}.PCFGQOS0.rqos_map_"
    if sheet.field(register + "region1"):
        return sheet.field(register + "level1")
    if port in _TWO_QUEUES and sheet.field(register + "region2"):
        return sheet.field(register + "level2")
    return _ALL_LOW


def _level_write(sheet: Sheet, port: str) -> int:
    register = f"PORT.{port}.PCFGWQOS0.wqos_map_"
    return sheet.field(register + "level") if sheet.field(register + "region1") else _ALL_LOW


def _controller(sheet: Sheet) -> Fraction:
    return sheet.figure("clocks.ddr_mhz") / 2


_MHZ = "MHz"
_CLOCKS = "DRAM clocks"
RULES = [
    *clocks.RULES,
    *(
        Rule(f"path.s{n}.clock_mhz", _MHZ, "the controller's (UG1085, chapter 17)", _controller)
        for n in (3, 4, 5)
    ),
    Rule("dram.type", None, "", _type),
    *memory.RULES,
    Rule("dram.mode.CL", _CLOCKS, "mode register", _mode_read),
    Rule("dram.mode.CWL", _CLOCKS, "mode register", _mode_write),
    Rule("dram.timing.tCCD", _CLOCKS, "twice",
         lambda s: _between(s, "t_ccd_s", "DRAMTMG4.t_ccd")),
    Rule("dram.timing.tCCD_L", _CLOCKS, "twice", lambda s: _within(s, "DRAMTMG4.t_ccd")),
    Rule("dram.timing.tRRD", _CLOCKS, "twice",
         lambda s: _between(s, "t_rrd_s", "DRAMTMG4.t_rrd")),
    Rule("dram.timing.tRRD_L", _CLOCKS, "twice", lambda s: _within(s, "DRAMTMG4.t_rrd")),
    Rule("dram.timing.tWTR", _CLOCKS, "twice, less CWL and BL/2",
         lambda s: _after_write(s, _between(s, "wr2rd_s", "DRAMTMG2.wr2rd"))),
    Rule("dram.timing.tWTR_L", _CLOCKS, "twice, less CWL and BL/2",
         lambda s: _after_write(s, _within(s, "DRAMTMG2.wr2rd"))),
    Rule("dram.timing.tWR", _CLOCKS, "twice, less CWL and BL/2",
         lambda s: _after_write(s, 2 * s.field("DDRC.DRAMTMG0.wr2pre"))),
    Rule("controller.low_latency_entries", "commands",
         f"{_STORE} less those of low priority (UG1087, SCHED)",
         lambda s: _STORE - s.figure("controller.read_entries")),
    *(
        Rule(f"path.s{n}.qos_level_read", None, "highest QoS value of low priority",
             lambda s, n=n: _level_read(s, f"s{n}"))
        for n in range(6)
    ),
    *(
        Rule(f"path.s{n}.qos_level_write", None, "highest QoS value of normal writes",
             lambda s, n=n: _level_write(s, f"s{n}"))
        for n in range(6)
    ),
    *(
        Rule(f"port.{port}.issue_commands", "commands", "reads; writes have their own",
             lambda s, port=port: s.field(f"AFIFM.{port}.AFIFM_RDISSUE.value") + 1)
        for port in ("HP0", "HP1", "HP2", "HP3", "HPC0", "HPC1")
    ),
]  # fmt: skip
