"""Exports of designs that a stranger gave: handoffs, systems, initialisations, archives."""

from __future__ import annotations

import io
import lzma
import re
import tempfile
import zipfile
from pathlib import Path

import designs_shown

TITLE = "exports of designs (.hwh, .qsys, .xsa, .xz, design files)"
WORDS = [
    *b"MASTER SLAVE INITIATOR __NOC__ AXI3 AXI4 AXI4LITE READ_ONLY WRITE_ONLY 0x1FFFFFFF".split(),
    *b"S_AXI_HP0 S_AXI_HP1 S_AXI_GP0 S_AXI_ACP S00_AXI M00_AXI M_AXI_MM2S M_AXI_S2MM".split(),
    *b"xilinx.com:ip:axi_dma:7.1 xilinx.com:ip:axi_interconnect:2.1 xilinx.com:hls:x:1.0".split(),
    *b"PCW_FCLK0_PERIPHERAL_DIVISOR0 C_MM2S_BURST_SIZE STRATEGY NUM_READ_OUTSTANDING".split(),
    *b"encoding='UTF-7' gb2312 utf-32 hex_codec".split(),
    *b"<!DOCTYPE <!ENTITY &a; ]> <![CDATA[ mask_write 0XF8000170 0xFFFFFFFF [[master]]".split(),
]
MAX_BYTES = 8000
_BUS = b'VLNV="xilinx.com:interface:aximm:1.0"'
_HANDOFF = (
    b'<EDKSYSTEM VIVADOVERSION="2022.1"><SYSTEMINFO ARCH="zynq" DEVICE="7z020" NAME="bd" '
    b'PACKAGE="clg400" SPEEDGRADE="-1"/><MODULES>'
    b'<MODULE FULLNAME="/ps" INSTANCE="ps" VLNV="xilinx.com:ip:processing_system7:5.5">'
    b"<PARAMETERS>"
    b'<PARAMETER NAME="PCW_CRYSTAL_PERIPHERAL_FREQMHZ" VALUE="33.333333"/>'
    b'<PARAMETER NAME="PCW_IOPLL_CTRL_FBDIV" VALUE="30"/>'
    b'<PARAMETER NAME="PCW_FCLK0_PERIPHERAL_CLKSRC" VALUE="IO PLL"/>'
    b'<PARAMETER NAME="PCW_FPGA0_PERIPHERAL_FREQMHZ" VALUE="142"/>'
    b'<PARAMETER NAME="PCW_FCLK0_PERIPHERAL_DIVISOR0" VALUE="7"/>'
    b'<PARAMETER NAME="PCW_FCLK0_PERIPHERAL_DIVISOR1" VALUE="1"/>'
    b'<PARAMETER NAME="PCW_S_AXI_HP0_DATA_WIDTH" VALUE="64"/></PARAMETERS>'
    b'<PORTS><PORT CLKFREQUENCY="142857132" DIR="O" NAME="FCLK_CLK0" SIGIS="clk" SIGNAME="c"/>'
    b'</PORTS><BUSINTERFACES><BUSINTERFACE BUSNAME="h" DATAWIDTH="64" NAME="S_AXI_HP0" '
    b'TYPE="SLAVE" ' + _BUS + b'><PARAMETER NAME="PROTOCOL" VALUE="AXI3"/></BUSINTERFACE>'
    b"</BUSINTERFACES></MODULE>"
    b'<MODULE FULLNAME="/ic" INSTANCE="ic" VLNV="xilinx.com:ip:axi_interconnect:2.1">'
    b'<BUSINTERFACES><BUSINTERFACE BUSNAME="d" DATAWIDTH="32" NAME="S00_AXI" TYPE="SLAVE" '
    + _BUS
    + b'/><BUSINTERFACE BUSNAME="h" DATAWIDTH="64" NAME="M00_AXI" TYPE="MASTER" '
    + _BUS
    + b"/></BUSINTERFACES></MODULE>"
    b'<MODULE FULLNAME="/dma" INSTANCE="dma" VLNV="xilinx.com:ip:axi_dma:7.1"><PARAMETERS>'
    b'<PARAMETER NAME="C_MM2S_BURST_SIZE" VALUE="16"/>'
    b'<PARAMETER NAME="C_SG_LENGTH_WIDTH" VALUE="14"/></PARAMETERS>'
    b'<PORTS><PORT DIR="I" NAME="m_axi_mm2s_aclk" SIGIS="clk" SIGNAME="c"/></PORTS>'
    b'<BUSINTERFACES><BUSINTERFACE BUSNAME="d" DATAWIDTH="32" NAME="M_AXI_MM2S" TYPE="MASTER" '
    + _BUS
    + b'><PARAMETER NAME="READ_WRITE_MODE" VALUE="READ_ONLY"/></BUSINTERFACE></BUSINTERFACES>'
    b'<MEMORYMAP><MEMRANGE ADDRESSBLOCK="m" BASEVALUE="0x0" HIGHVALUE="0x1FFFFFFF" INSTANCE="ps" '
    b'MASTERBUSINTERFACE="M_AXI_MM2S" SLAVEBUSINTERFACE="S_AXI_HP0"/></MEMORYMAP></MODULE>'
    b"</MODULES></EDKSYSTEM>"
)
_SYSTEM = (
    b'<system name="x"><parameter name="device" value="5CSEBA6U23I7"/>'
    b'<module name="c" kind="clock_source"><parameter name="clockFrequency" value="5e7"/></module>'
    b'<module name="h" kind="altera_hps"><parameter name="F2SDRAM_Width" value="128,64"/>'
    b'<parameter name="F2SDRAM_Type">AXI-3,Avalon-MM Bidirectional</parameter></module>'
    b'<module name="d" kind="altera_msgdma"><parameter name="DATA_WIDTH" value="64"/></module>'
    b'<connection kind="avalon" start="d.mm_read" end="h.f2h_sdram1_data">'
    b'<parameter name="baseAddress" value="0x100"/></connection>'
    b'<connection kind="clock" start="c.clk" end="h.f2h_sdram1_clock"/></system>'
)
_INIT = (
    b"    mask_write 0XF8000108 0x0007F000 0x00014000\n mask_write 0XF8000170 0x3F03F30 0x200500\n"
)
_NAMES = ("bd.hwh", "bd.qsys", "ps7_init.tcl", "bd.hwh.xz", "bd.xsa", "bd.toml")
# Kinds whose further bytes are edits of a valid file.
_EDITED = {6: "bd.hwh", 7: "bd.qsys", 8: "bd.toml"}
_ATTRIBUTE = re.compile(rb'"([^"]*)"')
# What attributes of sound files are exchanged for, besides each other.
_VALUES = [
    *b"0 1 -1 7 16 64 0.5 1e9 nan 0x3 99999999999999999999 AXI3 AXI4 AXI4LITE READ_ONLY".split(),
    *b"WRITE_ONLY MASTER SLAVE INITIATOR O I clk d h c ps dma ic __NOC__ M00_AXI S00_AXI".split(),
    *b"S_AXI_HP0 S_AXI_HP1 S_AXI_GP0 S_AXI_ACP xilinx.com:ip:axi_vdma:6.3 altera_hps".split(),
    *b"xilinx.com:ip:axi_cdma:4.1 xilinx.com:hls:x:1.0 xilinx.com:ip:zynq_ultra_ps_e:3.3".split(),
    *b"analog.com:user:axi_dmac:1.0 xilinx.com:ip:xlconstant:1.1 f2h_sdram0_data".split(),
    b"",
]


def _edited(content: bytes, edits: bytes) -> bytes:
    """A valid file with attributes exchanged: three bytes select attribute and value."""
    for at in range(0, len(edits) - 2, 3):
        found = list(_ATTRIBUTE.finditer(content))
        place = found[int.from_bytes(edits[at : at + 2], "big") % len(found)]
        values = [*_VALUES, *(other[1] for other in found)]
        value = values[edits[at + 2] % len(values)]
        content = content[: place.start(1)] + value + content[place.end(1) :]
    return content


def _file() -> bytes:
    from axiometer.designs import design_file, load

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bd.hwh"
        path.write_bytes(_HANDOFF)
        return design_file.dumps(load(path)).encode()


def seeds() -> list[bytes]:
    """The first byte selects the kind of the rest."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bd.hwh", _HANDOFF)
        archive.writestr("ps7_init.tcl", _INIT)
    packed = lzma.compress(_HANDOFF)
    contents = (_HANDOFF, _SYSTEM, _INIT, packed, out.getvalue(), _file())
    found = [bytes([number]) + content for number, content in enumerate(contents)]
    for number, encoding in enumerate((b"UTF-7", b"gb2312")):
        declared = b'<?xml version="1.0" encoding="' + encoding + b'"?>'
        found.append(bytes([number]) + declared + contents[number])
    return found + [bytes([number, 1, 2, 3, 4, 5, 6]) for number in _EDITED]


def one(data: bytes) -> None:
    from axiometer.designs import load

    kind = data[0] % (len(_NAMES) + len(_EDITED)) if data else 0
    name = _NAMES[kind] if kind < len(_NAMES) else _EDITED[kind]
    if kind in _EDITED:
        sound = {"bd.hwh": _HANDOFF, "bd.qsys": _SYSTEM}.get(name) or _file()
        data = data[:1] + _edited(sound, data[1:61])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(data[1:])
        if name.endswith(".tcl"):
            (Path(folder) / "bd.hwh").write_bytes(_HANDOFF)
            path = Path(folder)
        design = load(path)
        designs_shown.look(design, folder)
