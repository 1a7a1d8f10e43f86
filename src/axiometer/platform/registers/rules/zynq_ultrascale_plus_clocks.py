"""Zynq UltraScale+: clocks. UG1085, chapter 37: five PLLs, each with a divider by two, a fraction,
and dividers where its clock crosses to the other power domain."""

from __future__ import annotations

from fractions import Fraction

from axiometer.platform.registers import tables
from axiometer.platform.registers.rules.reference import reference_mhz
from axiometer.platform.registers.sheet import Rule, Sheet

_LOW = ("IOPLL", "RPLL")  # PLLs of the low-power domain (CRL_APB); the others are in CRF_APB


def _multiple(sheet: Sheet, pll: str) -> Fraction:
    """A PLL's output over its reference."""
    block = "CRL_APB" if pll in _LOW else "CRF_APB"
    by = Fraction(sheet.field(f"{block}.{pll}_CTRL.FBDIV"))
    if sheet.field(f"{block}.{pll}_FRAC_CFG.ENABLED"):
        by += Fraction(sheet.field(f"{block}.{pll}_FRAC_CFG.DATA"), 65536)
    return by / 2 if sheet.field(f"{block}.{pll}_CTRL.DIV2") else by


def _pll(sheet: Sheet, pll: str) -> Fraction:
    return sheet.figure("clocks.reference_mhz") * _multiple(sheet, pll)


def _crossing(sheet: Sheet, pll: str, into: str) -> Fraction:
    """A PLL's clock as the power domain `into` (CRL_APB or CRF_APB) has it."""
    home = "CRL_APB" if pll in _LOW else "CRF_APB"
    if home == into:
        return _pll(sheet, pll)
    name = f"{home}.{pll}_TO_{'LPD' if into == 'CRL_APB' else 'FPD'}_CTRL.DIVISOR0"
    return _pll(sheet, pll) / (sheet.field(name) or 1)


def _divided(sheet: Sheet, register: str, sources: dict[int, str]) -> Fraction | None:
    """The clock of MODULE.REGISTER, whose SRCSEL selects one of `sources`."""
    block = register.partition(".")[0]
    source = sources.get(sheet.field(f"{register}.SRCSEL"))
    if source is None:
        sheet.note(f"{register} selects a source that the decoder does not know")
        return None
    return _crossing(sheet, source, block) / (sheet.field(f"{register}.DIVISOR0") or 1)


def _fabric(sheet: Sheet, n: int) -> Fraction | None:
    register = f"CRL_APB.PL{n}_REF_CTRL"
    if not sheet.written(register) or not sheet.field(f"{register}.CLKACT"):
        return None
    rate = _divided(sheet, register, _FABRIC)
    return rate and rate / (sheet.field(f"{register}.DIVISOR1") or 1)


def _pll_name(sheet: Sheet, n: int) -> str | None:
    register = f"CRL_APB.PL{n}_REF_CTRL"
    return _FABRIC.get(sheet.field(f"{register}.SRCSEL")) if sheet.written(register) else None


def _fabric_pll(sheet: Sheet, n: int) -> Fraction | None:
    """The PLL's clock where the dividers of PL clock n get it."""
    name = _pll_name(sheet, n)
    return name and _crossing(sheet, name, "CRL_APB")


def _ddr_pll(sheet: Sheet) -> str:
    return ("DPLL", "VPLL")[sheet.field("CRF_APB.DDR_CTRL.SRCSEL") & 1]


def _ddr_multiple(sheet: Sheet) -> Fraction:
    return 2 * _multiple(sheet, _ddr_pll(sheet)) / sheet.field("CRF_APB.DDR_CTRL.DIVISOR0")


def _reference(sheet: Sheet) -> Fraction:
    usual = tables.load("zynq-ultrascale-plus").about["reference_mhz"]
    return reference_mhz(sheet, usual, lambda: _ddr_multiple(sheet))


_FABRIC = {0: "IOPLL", 2: "RPLL", 3: "DPLL"}
_MAIN = {0: "APLL", 2: "VPLL", 3: "DPLL"}
_MHZ = "MHz"
RULES = [
    Rule("clocks.reference_mhz", _MHZ, "PSS_REF_CLK", _reference),
    Rule("clocks.ddr_mhz", _MHZ, "twice the controller's clock",
         lambda s: s.figure("clocks.reference_mhz") * _ddr_multiple(s)),
    Rule("clocks.pl_mhz", _MHZ, "PL clock 0", lambda s: _fabric(s, 0)),
    Rule("clocks.pl_pll_mhz", _MHZ, "PLL of PL clock 0", lambda s: _fabric_pll(s, 0)),
    *(
        Rule(f"clocks.pl{n}_mhz", _MHZ, f"PL clock {n}", lambda s, n=n: _fabric(s, n))
        for n in range(4)
    ),
    *(Rule(f"clocks.pl{n}_pll", None, f"PLL of PL clock {n}", lambda s, n=n: _pll_name(s, n))
      for n in range(4)),
    *(Rule(f"clocks.pl{n}_pll_mhz", _MHZ, f"PLL of PL clock {n}", lambda s, n=n: _fabric_pll(s, n))
      for n in range(4)),
    Rule("clocks.top_switch_mhz", _MHZ, "main switch of the full-power domain",
         lambda s: _divided(s, "CRF_APB.TOPSW_MAIN_CTRL", _MAIN)),
    Rule("clocks.fpd_dma_mhz", _MHZ, "DMA of the full-power domain",
         lambda s: _divided(s, "CRF_APB.GDMA_REF_CTRL", _MAIN)),
    Rule("clocks.displayport_dma_mhz", _MHZ, "DMA of the DisplayPort",
         lambda s: _divided(s, "CRF_APB.DPDMA_REF_CTRL", _MAIN)),
    Rule("clocks.low_switch_mhz", _MHZ, "switch of the low-power domain",
         lambda s: _divided(s, "CRL_APB.LPD_SWITCH_CTRL", {0: "RPLL", 2: "IOPLL", 3: "DPLL"})),
    Rule("processor.clocks.cpu", _MHZ, "application processors",
         lambda s: _divided(s, "CRF_APB.ACPU_CTRL", {0: "APLL", 2: "DPLL", 3: "VPLL"})),
    Rule("processor.clocks.interconnect", _MHZ, "main switch of the full-power domain",
         lambda s: _divided(s, "CRF_APB.TOPSW_MAIN_CTRL", _MAIN)),
]  # fmt: skip
