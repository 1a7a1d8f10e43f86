"""The component of our RTL for Platform Designer: `axm_TOP_hw.tcl`."""

from __future__ import annotations

from collections.abc import Iterator

from axiometer.bringup.projects import module
from axiometer.bringup.projects.plan import Plan, facts
from axiometer.bringup.projects.vivado import interfaces, wrapper
from axiometer.bringup.projects.vivado.interfaces import Interface

VERSION = "1.0"
_PACKAGE = "16.1"
_TYPES = {"AXI3": "axi", "AXI4": "axi4", "AXI4LITE": "axi4lite"}
_SET = "QUARTUS_SYNTH"


def name(plan: Plan) -> str:
    """The component's name."""
    return f"axm_{plan.identifier}"


def text(plan: Plan) -> str:
    """The file."""
    return "\n".join([*_head(plan), *_files(plan), *_interfaces(plan), ""])


def _head(plan: Plan) -> Iterator[str]:
    title = facts("tops")[plan.top]["title"]
    yield f"# {plan.module.name} as a component of Platform Designer."
    yield f"# Written by Axiometer; {plan.never_run}."
    yield f"package require -exact qsys {_PACKAGE}"
    yield ""
    for key, value in (
        ("NAME", name(plan)), ("VERSION", VERSION), ("DISPLAY_NAME", f"Axiometer: {title}"),
        ("DESCRIPTION", f"{plan.module.name}; {plan.never_run}"), ("GROUP", "Axiometer"),
        ("AUTHOR", "Axiometer"), ("INSTANTIATE_IN_SYSTEM_MODULE", "true"), ("EDITABLE", "false"),
        ("REPORT_TO_TALKBACK", "false"),
    ):  # fmt: skip
        yield f"set_module_property {key} {{{value}}}"


def _files(plan: Plan) -> Iterator[str]:
    own = f"{wrapper.name(plan)}.v"
    yield ""
    yield f'add_fileset {_SET} {_SET} "" ""'
    yield f"set_fileset_property {_SET} TOP_LEVEL {wrapper.name(plan)}"
    yield f"set_fileset_property {_SET} ENABLE_RELATIVE_INCLUDE_PATHS true"
    for path in plan.headers:
        yield f"add_fileset_file {path.name} SYSTEM_VERILOG_INCLUDE PATH src/{path.name}"
    for path in plan.sources:
        yield f"add_fileset_file {path.name} SYSTEM_VERILOG PATH src/{path.name}"
    yield f"add_fileset_file {own} VERILOG PATH src/{own} TOP_LEVEL_FILE"


def _interfaces(plan: Plan) -> Iterator[str]:
    yield from _interface("clock", "clock end", {"clockRate": "0"}, [("aclk", "clk", "Input", 1)])
    yield from _interface("reset", "reset end",
                          {"associatedClock": "clock", "synchronousEdges": "DEASSERT"},
                          [("aresetn", "reset_n", "Input", 1)])  # fmt: skip
    for bus in interfaces.all_of(plan):
        ports = [(s.pin, s.name, "Output" if s.output else "Input", s.width) for s in bus.signals]
        side = "start" if bus.master else "end"
        yield from _interface(bus.name.lower(), f"{_TYPES[bus.protocol]} {side}",
                              _of_bus(plan, bus), ports)  # fmt: skip
    for line in interfaces.engine_lines(plan):
        yield from _interface(line, "interrupt start",
                              {"associatedClock": "clock", "associatedReset": "reset",
                               "irqScheme": "INDIVIDUAL_REQUESTS"},
                              [(line, "irq", "Input", 1)])  # fmt: skip
    yield from _interface("irq", "interrupt end",
                          {"associatedAddressablePoint": "s_axil", "associatedClock": "clock",
                           "associatedReset": "reset"}, [("irq", "irq", "Output", 1)])  # fmt: skip


def _of_bus(plan: Plan, bus: Interface) -> dict[str, str]:
    values = {"associatedClock": "clock", "associatedReset": "reset"}
    if bus.port is not None:
        under_way = module.evaluate(facts("tops")[plan.top]["outstanding"], plan.module.parameters)
        kind = "Issuing" if bus.master else "Acceptance"
        values[f"read{kind}Capability"] = values[f"write{kind}Capability"] = str(under_way)
        values[f"combined{kind}Capability"] = str(2 * under_way)
    return values


def _interface(
    called: str, kind: str, values: dict[str, str], ports: list[tuple[str, str, str, int]]
) -> Iterator[str]:
    yield ""
    yield f"add_interface {called} {kind}"
    for key, value in values.items():
        yield f"set_interface_property {called} {key} {value}"
    for pin, role, way, width in ports:
        yield f"add_interface_port {called} {pin} {role} {way} {width}"
