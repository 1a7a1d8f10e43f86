"""Connections that Vivado's automation (`apply_bd_automation` with the rule axi4) makes.

A request names both ends, in its -config or as its object; only the block between them and clocks
that it leaves to the tool are assumed: an AXI Interconnect for each slave, and the first clock of
the processor system.
"""

from __future__ import annotations

from axiometer.base import harmless
from axiometer.designs.ps_facts import System
from axiometer.designs.tcl.block_design import CORE, BlockDesign, Cell, is_clock

INTERCONNECT, SMARTCONNECT = "xilinx.com:ip:axi_interconnect:2.1", "xilinx.com:ip:smartconnect:1.0"
_RULE, _CLOCKS, _PRESET = ":axi4", ":clkrst", "apply_board_preset"


def join(design: BlockDesign, ps_path: str, system: System) -> list[str]:
    """Make the connections in `design` and return a note on each assumption; other rules than axi4
    are left out, with a note."""
    notes = []
    first = min(facts["pin"] for facts in system.clocks.values()) if system.clocks else ""
    for line, config, objects in design.automated:
        rule = config["rule"]
        if rule.endswith(_CLOCKS) and config.get("Clk", "")[:1] == "/" and objects:
            design.nets.join([config["Clk"].partition(" ")[0], *objects])
            continue
        if not rule.endswith(_RULE):
            if _PRESET not in config:
                named = harmless.line(rule.rpartition(":")[2], 60)
                notes.append(f"line {line}: the additions of the automation {named} are left out")
            continue
        ends = {key: config[key] for key in ("Master", "Slave") if config.get(key, "")[:1] == "/"}
        rest = [path for path in objects if path not in ends.values()]
        master, slave = (ends.get(key) or next(iter(rest), "") for key in ("Master", "Slave"))
        if not master or not slave or master == slave:
            notes.append(f"line {line}: an automation without both ends is left out")
            continue
        block = _block(design, slave, config.get("intc_ip", ""), line)
        number = sum(path.startswith(f"{block}/S") for path in design.interfaces.ends())
        into, out = f"{block}/S{number:02}_AXI", f"{block}/M{_outputs(design, block):02}_AXI"
        design.interfaces.join([into, master])
        if slave not in design.interfaces.ends():
            design.interfaces.join([out, slave])
        for key, end, pin in (("Clk_master", master, into), ("Clk_slave", slave, out)):
            given = config.get(key, config.get("Clk", "")).partition(" ")[0]
            clock = given if given.startswith("/") else f"{ps_path}/{first}"
            _clock(design, end, system, ps_path, pin, clock)
        shown = " to ".join(harmless.line(end, 120) for end in (master, slave))
        notes.append(f"line {line}: automation connects {shown}: the block between is assumed")
    return notes


def _block(design: BlockDesign, slave: str, wanted: str, line: int) -> str:
    """The block in front of `slave`: the named one, one that is there, or a new one."""
    joined = design.interfaces.sets().get(design.interfaces.net(slave), [])
    before = [path.rpartition("/")[0] for path in joined if path != slave]
    for cell in (wanted, *before):
        if cell in design.cells and design.cells[cell].vlnv:
            return cell
    path = f"/auto_{slave[1:].replace('/', '_')}"
    if path not in design.cells:
        smart = "smart" in wanted.lower()
        design.add(Cell(path, CORE, SMARTCONNECT if smart else INTERCONNECT, line))
    return path


def _outputs(design: BlockDesign, block: str) -> int:
    return sum(path.startswith(f"{block}/M") for path in design.interfaces.ends())


def _clock(
    design: BlockDesign, end: str, system: System, ps_path: str, pin: str, clock: str
) -> None:
    """Clock an interface of a cell, unless the script does, and the block's interface `pin`."""
    cell, _, name = end.rpartition("/")
    facts = {**system.ports, **system.masters}.get(name, {}) if cell == ps_path else {}
    own = f"{cell}/{facts.get('clock_pin', f'{name.lower()}_aclk')}"
    stated = [path for path in design.nets.ends() if path.rpartition("/")[0] == cell]
    clocked = own in stated or (
        cell != ps_path and any(is_clock(path.rpartition("/")[2]) for path in stated)
    )
    if not clocked:
        design.nets.join([clock, own])
    design.nets.join([own if own in design.nets.ends() else clock, pin.replace("_AXI", "_ACLK")])
