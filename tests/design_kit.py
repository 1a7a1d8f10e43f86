"""Small designs for tests, written here: hardware handoffs, initialisations, exports."""

from __future__ import annotations

import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

import kit

ZYNQ, USP = "xilinx.com:ip:processing_system7:5.5", "xilinx.com:ip:zynq_ultra_ps_e:3.3"
DMA = "xilinx.com:ip:axi_dma:7.1"
INTERCONNECT = "xilinx.com:ip:axi_interconnect:2.1"
HLS = "xilinx.com:hls:scale:1.0"
AXIMM = "xilinx.com:interface:aximm:1.0"
AXIS = "xilinx.com:interface:axis:1.0"
# 1000 MHz divided by 10 and by 7.
CLOCKS = {
    "PCW_CRYSTAL_PERIPHERAL_FREQMHZ": "33.333333",
    "PCW_IOPLL_CTRL_FBDIV": "30",
    "PCW_FPGA0_PERIPHERAL_FREQMHZ": "100",
    "PCW_FCLK0_PERIPHERAL_CLKSRC": "IO PLL",
    "PCW_FCLK0_PERIPHERAL_DIVISOR0": "5",
    "PCW_FCLK0_PERIPHERAL_DIVISOR1": "2",
    "PCW_FPGA1_PERIPHERAL_FREQMHZ": "150",
    "PCW_FCLK1_PERIPHERAL_CLKSRC": "IO PLL",
    "PCW_FCLK1_PERIPHERAL_DIVISOR0": "7",
    "PCW_FCLK1_PERIPHERAL_DIVISOR1": "1",
}
WIDTHS = {f"PCW_S_AXI_HP{n}_DATA_WIDTH": "64" for n in range(4)}
USP_WIDTHS = {f"PSU__SAXIGP{n}__DATA_WIDTH": "128" for n in range(7)}


def outcome_of(board, plan, **keys):
    """The rates of all masters of a plan on a board, by master of the design; `keys` of the point,
    with its repeats."""
    from axiometer.api.sampling import sampled
    from axiometer.designs import masters, outcome
    from axiometer.platform import Platform

    own = masters.of(Platform.load(board), plan)
    row, _ = sampled(own.platform, own.point(keys), "model")
    return outcome.outcome(own, row.values, row.records)


def reference(name: str) -> Path:
    """A shipped design that is not distributed; the test is skipped where it is absent."""
    return kit.reference("designs", name)


def bus(name, net, drives, width=None, kind=AXIMM, pins=(), **parameters):
    """An interface; `net` is what joins it."""
    inner = "".join(_parameter(key, value) for key, value in parameters.items())
    maps = "".join(
        f"<PORTMAP LOGICAL={quoteattr(signal)} PHYSICAL={quoteattr(pin)}/>" for signal, pin in pins
    )
    wide = f' DATAWIDTH="{width}"' if width else ""
    kinds = ("MASTER", "SLAVE") if kind == AXIMM else ("INITIATOR", "TARGET")
    return (
        f'<BUSINTERFACE BUSNAME="{net}"{wide} NAME="{name}" TYPE="{kinds[not drives]}" '
        f'VLNV="{kind}">{inner}<PORTMAPS>{maps}</PORTMAPS></BUSINTERFACE>'
    )


def reads(name, net, width=64, **parameters):
    """A master interface that only reads."""
    return bus(name, net, True, width, READ_WRITE_MODE="READ_ONLY", PROTOCOL="AXI4", **parameters)


def writes(name, net, width=64, **parameters):
    """A master interface that only writes."""
    return bus(name, net, True, width, READ_WRITE_MODE="WRITE_ONLY", PROTOCOL="AXI4", **parameters)


def module(instance, vlnv, *interfaces, clock="ps_FCLK_CLK0", parameters=(), ranges=(), pins=()):
    """A module with one clock; `ranges` are (master interface, slave, its interface)."""
    facts = (_dma(dict(parameters)) if vlnv == DMA else {}) | dict(parameters)
    given = "".join(_parameter(key, value) for key, value in facts.items())
    memory = "".join(
        f'<MEMRANGE ADDRESSBLOCK="Mem" BASEVALUE="0x00000000" HIGHVALUE="0x1FFFFFFF" '
        f'INSTANCE="{slave}" MASTERBUSINTERFACE="{master}" SLAVEBUSINTERFACE="{at}"/>'
        for master, slave, at in ranges
    )
    clocked = f'<PORT DIR="I" NAME="aclk" SIGIS="clk" SIGNAME="{clock}"/>'
    return (
        f'<MODULE FULLNAME="/{instance}" INSTANCE="{instance}" VLNV="{vlnv}">'
        f"<PARAMETERS>{given}</PARAMETERS><PORTS>{clocked}{''.join(pins)}</PORTS>"
        f"<BUSINTERFACES>{''.join(interfaces)}</BUSINTERFACES>"
        f"<MEMORYMAP>{memory}</MEMORYMAP></MODULE>"
    )


def _dma(given):
    """Without descriptors; each stream is at least as wide as its data in memory."""
    wide = {way: given.get(f"C_M_AXI_{way}_DATA_WIDTH", 1024) for way in ("MM2S", "S2MM")}
    streams = {
        f"C_{'MS'[way == 'S2MM']}_AXIS_{way}_TDATA_WIDTH": bits for way, bits in wide.items()
    }
    return {"C_INCLUDE_SG": 0, **streams}


def tied(pin, instance, its):
    """A pin of a module that is joined to one of another."""
    inner = f'<CONNECTION INSTANCE="{instance}" PORT="{its}"/>'
    return f'<PORT DIR="O" NAME="{pin}"><CONNECTIONS>{inner}</CONNECTIONS></PORT>'


def zynq(*ports, parameters=(), rates=(("FCLK_CLK0", 100e6), ("FCLK_CLK1", 1e9 / 7))):
    """A Zynq-7000; `ports` are (interface, net) or (interface, net, width)."""
    return _ps("ps", ZYNQ, "AXI3", 64, ports, CLOCKS | WIDTHS | dict(parameters), rates)


def usp(*ports, parameters=()):
    """A Zynq UltraScale+, likewise."""
    rates = (("pl_clk0", 100e6),)
    return _ps("ps", USP, "AXI4", 128, ports, USP_WIDTHS | dict(parameters), rates)


def _ps(instance, vlnv, protocol, usual, ports, parameters, rates):
    made = "".join(
        f'<PORT CLKFREQUENCY="{int(rate)}" DIR="O" NAME="{pin}" SIGIS="clk" '
        f'SIGNAME="{instance}_FCLK_CLK{number}"/>'
        for number, (pin, rate) in enumerate(rates)
    )
    domain = f"bd_{instance}_0_{rates[0][0]}"
    interfaces = [
        bus(p[0], p[1], False, p[2] if len(p) > 2 else usual, PROTOCOL=protocol, CLK_DOMAIN=domain)
        for p in ports
    ]
    given = "".join(_parameter(key, value) for key, value in parameters.items())
    return (
        f'<MODULE FULLNAME="/{instance}" INSTANCE="{instance}" VLNV="{vlnv}"><PARAMETERS>{given}'
        f"</PARAMETERS><PORTS>{made}</PORTS><BUSINTERFACES>{''.join(interfaces)}</BUSINTERFACES>"
        "</MODULE>"
    )


def interconnect(instance, entries, out, width=64, **parameters):
    """An AXI Interconnect: `entries` are (net, width), `out` the net that leaves it."""
    sides = [bus(f"S{n:02}_AXI", net, False, wide) for n, (net, wide) in enumerate(entries)]
    return module(
        instance, INTERCONNECT, *sides, bus("M00_AXI", out, True, width), parameters=parameters
    )


def hwh(*modules, device="7z020", arch="zynq", name="bd"):
    """The text of a hardware handoff."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><EDKSYSTEM VIVADOVERSION="2022.1">'
        f'<SYSTEMINFO ARCH="{arch}" DEVICE="{device}" NAME="{name}" PACKAGE="clg400" '
        f'SPEEDGRADE="-1"/><MODULES>{"".join(modules)}</MODULES></EDKSYSTEM>'
    )


def saved(directory: Path, *modules, name="bd.hwh", **more) -> Path:
    """A hardware handoff on disk."""
    path = directory / name
    path.write_text(hwh(*modules, **more), encoding="utf-8")
    return path


def export(path: Path, members) -> Path:
    """An .xsa or .hdf of the members {name: text}."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def _parameter(name, value):
    return f"<PARAMETER NAME={quoteattr(name)} VALUE={quoteattr(str(value))}/>"
