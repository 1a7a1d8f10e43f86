"""The Verilog module around a top: fixed parameters, and ports for bus interfaces.

Verilog-2001, because some versions of Vivado refuse SystemVerilog as the top of an IP.
"""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.bringup.projects.module import Port
from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.vivado import interfaces
from axiometer.bringup.projects.vivado.interfaces import Interface, Signal

# Inputs of a RAM with single beats that AXI4-Lite lacks: words, one beat, incrementing.
_TIED = {"awsize": "3'd2", "arsize": "3'd2", "awburst": "2'd1", "arburst": "2'd1", "wlast": "1'b1"}
_FOLLOWING = ("BYTES", "STRB_W", "BLOCKS", "LITE_W", "EACH")


def name(plan: Plan) -> str:
    """The wrapper's module."""
    return f"axm_{plan.identifier}_ip"


def text(plan: Plan) -> str:
    """The file."""
    buses = list(interfaces.all_of(plan))
    declared = ["input wire aclk", "input wire aresetn", "output wire irq"]
    declared += [f"input wire {line}" for line in interfaces.engine_lines(plan)]
    for bus in buses:
        for signal in bus.signals:
            direction = "output" if signal.output else "input"
            declared.append(f"{direction} wire {_range(signal.width)}{signal.pin}")
    wires, connected = _inside(plan, buses)
    ports = ",\n".join(f"    {line}" for line in declared)
    values = ",\n".join(f"      .{key}({_number(value)})" for key, value in _parameters(plan))
    joined = ",\n".join(f"      .{port}({what})" for port, what in connected)
    return (
        f"// {plan.module.name} with its parameters fixed and a bus interface for each port.\n"
        f"// Written by Axiometer; {plan.never_run}.\n"
        f"module {name(plan)} (\n{ports}\n);\n\n"
        + "".join(f"  {line}\n" for line in wires)
        + f"\n  {plan.module.name} #(\n{values}\n  ) u_top (\n{joined}\n  );\nendmodule\n"
    )


def _range(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def _number(value: int) -> str:
    """A Verilog literal: a plain number is signed and has 32 bits."""
    return f"32'd{value}" if value >> 31 else str(value)


def _parameters(plan: Plan) -> Iterator[tuple[str, int]]:
    """The parameters that do not follow from others, and BYTES of a RAM: its size."""
    for key, value in plan.module.parameters.items():
        if key not in _FOLLOWING or (key == "BYTES" and plan.ram):
            yield key, value


def _inside(plan: Plan, buses: list[Interface]) -> tuple[list[str], list[tuple[str, str]]]:
    """Wires and assignments, and each port of the top with its connection."""
    wires: list[str] = []
    connected = [(pin, pin) for pin in ("aclk", "aresetn", "irq")]
    lines = interfaces.engine_lines(plan)
    if lines:
        connected.append(("engine_irq", f"{{{', '.join(reversed(lines))}}}"))
    for prefix in ("s_axil_", "s_axi_", "m_axi_"):
        own = [bus for bus in buses if bus.inside == prefix]
        for port in plan.module.ports:
            if not own or not port.name.startswith(prefix):
                continue
            signal = port.name.removeprefix(prefix)
            ends = [next((s for s in bus.signals if s.name == signal), None) for bus in own]
            if port.output:
                wires.append(f"wire {_range(port.width)}all_{port.name};")
                wires += [
                    f"assign {end.pin} = all_{port.name}{_part(i, end.whole, end.width, port)};"
                    for i, end in enumerate(ends)
                    if end is not None
                ]
                connected.append((port.name, f"all_{port.name}"))
            else:
                each = port.width // len(own)
                values = [_driven(end, signal, each) for end in reversed(ends)]
                joined = values[0] if len(values) == 1 else f"{{{', '.join(values)}}}"
                connected.append((port.name, joined))
    return wires, connected


def _part(index: int, whole: int, width: int, port: Port) -> str:
    if port.width == 1:
        return ""
    low = index * whole
    return f"[{low + width - 1}:{low}]" if width > 1 else f"[{low}]"


def _driven(end: Signal | None, signal: str, width: int) -> str:
    """The driver of an input of the top: the pin, with zeros above it, or a constant."""
    if end is None:
        return _TIED.get(signal, f"{width}'d0")
    if end.width < width:
        return f"{{{width - end.width}'d0, {end.pin}}}"
    return end.pin
