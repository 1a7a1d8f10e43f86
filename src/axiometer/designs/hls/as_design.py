"""A synthesis report alone as a design: each m_axi interface at a port of its own.

It is built as the handoff of a block design with this core and the processor system, so cores and
ports have the same meaning. The ports, which the report does not have, are the chip's memory ports
in turn; `--set CORE.m_axi_NAME.port=HP1` moves a master.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from axiometer.base import other_chips
from axiometer.base.data import not_supported
from axiometer.base.errors import AxiometerError
from axiometer.designs.build import build
from axiometer.designs.hls import files
from axiometer.designs.hls.bursts import completed
from axiometer.designs.hls.report import Adapter, Report
from axiometer.designs.initialisation import Initialisation
from axiometer.designs.model import Design
from axiometer.designs.netlist import BUS, Interface, Module, Netlist
from axiometer.designs.ps_facts import System, all_systems

CLOCK = "ap_clk"
USUAL_NS = 10.0


def load(path: Path) -> Design:
    """The design of the report at `path`. AxiometerError where it cannot be read or is for a chip
    that is not supported."""
    report = files.read(path)
    system = _system(report, path)
    design = build(_netlist(report, system), path.name, Initialisation(system.chip))
    return completed(_stated(design, report), report)


def _system(report: Report, path: Path) -> System:
    family = report.family.lower()
    for system in all_systems():
        if family in system.hls_families:
            return system
    chip = other_chips.of_export((report.part, report.family), ())
    if chip:
        raise not_supported(f"the core {report.top!r} is for", chip, path)
    raise AxiometerError(
        f"the core {report.top!r} is for {report.part or 'an unknown part'}, which has no "
        "supported processor system",
        file=path,
        remedy="set a Zynq as the part of the solution, or give the export of the block design, "
        "and the report with import design --hls",
    )


def _netlist(report: Report, system: System) -> Netlist:
    ports = [facts for facts in system.ports.values() if facts["kind"] == "memory"]
    period = report.period_ns or USUAL_NS
    tool = f"Vitis HLS {report.version}".strip()
    netlist = Netlist(report.top, tool, "", report.part, rates={CLOCK: 1e9 / period})
    ps = Module("ps", "ps", system.cores[0], dict(system.defaults))
    core = Module(report.top, report.top, f"xilinx.com:hls:{report.top}", clocks={CLOCK: CLOCK})
    ps.clocks[CLOCK] = CLOCK
    for number, adapter in enumerate(report.adapters):
        at = ports[number % len(ports)]["interface"]
        core.interfaces[adapter.interface] = _master(adapter, at)
        ps.interfaces[at] = Interface(at, BUS, False, at)
    netlist.modules = {module.instance: module for module in (ps, core)}
    netlist.join_nets()
    return netlist


def _master(adapter: Adapter, port: str) -> Interface:
    parameters = {"PROTOCOL": "AXI4", "DATA_WIDTH": str(adapter.width_bits)}
    for name, way in adapter.ways.items():
        parameters[f"MAX_{name.upper()}_BURST_LENGTH"] = str(way.most)
        parameters[f"NUM_{name.upper()}_OUTSTANDING"] = str(way.outstanding)
    if len(adapter.ways) == 1:
        parameters["READ_WRITE_MODE"] = f"{next(iter(adapter.ways)).upper()}_ONLY"
    assumed = [f"port: {port}, without a block before it (a report has no ports)"]
    return Interface(
        adapter.interface, BUS, True, port, adapter.width_bits, parameters, assumed=assumed
    )


def _stated(design: Design, report: Report) -> Design:
    """The design with the sources of its figures."""
    source = "the period of the report"
    if report.period_ns is None:
        source = "assumed: csynth.rpt has no clock, csynth.xml has"
    clocks = tuple(replace(clock, source=source) for clock in design.clocks)
    return replace(design, clocks=clocks)
