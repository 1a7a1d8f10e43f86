"""The Verilog of the pins: the system, and the resets between HPS, PLL and fabric."""

from __future__ import annotations

from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus import system
from axiometer.bringup.projects.quartus.board import Board, boards

NAME = f"{system.NAME}_top"
_INTERFACES = {"mem_": "memory", "oct_": "memory", "hps_io_": "hps_io"}


def text(plan: Plan) -> str:
    """The file."""
    board = boards()[plan.board]
    ports = [f"input wire {board.clock.pin}"]
    for pin in board.pins:
        bits = f"[{pin.width - 1}:0] " if pin.width > 1 else ""
        ports.append(f"{pin.direction} wire {bits}{pin.name}")
    links = [
        ("clk_clk", board.clock.pin),
        ("reset_reset_n", "h2f_reset_n"),
        ("fabric_reset_reset_n", "h2f_reset_n & locked"),
        ("h2f_reset_reset_n", "h2f_reset_n"),
        ("pll_locked_export", "locked"),
        *_pins(board),
    ]
    declared = ",\n".join(f"    {port}" for port in ports)
    joined = ",\n".join(f"      .{port}({net})" for port, net in links)
    return (
        f"// Pins of {plan.title} and the system. The PLL starts when the processor leaves\n"
        "// reset, the fabric when the PLL has locked.\n"
        f"// Written by Axiometer; {plan.never_run}.\n"
        f"module {NAME} (\n{declared}\n);\n\n"
        "  wire h2f_reset_n;\n  wire locked;\n\n"
        f"  {system.NAME} u_system (\n{joined}\n  );\nendmodule\n"
    )


def _pins(board: Board) -> list[tuple[str, str]]:
    """Ports of the exported interfaces (interface's name, then role) with their pins."""
    found = []
    for role, pin in board.joined:
        interface = next(name for start, name in _INTERFACES.items() if role.startswith(start))
        found.append((f"{interface}_{role}", pin))
    return found
