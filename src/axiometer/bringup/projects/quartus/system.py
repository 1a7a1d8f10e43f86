"""The system of Platform Designer: instances, connections, exports; as a script and as .qsys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from xml.sax.saxutils import quoteattr

from axiometer.bringup.projects.plan import Plan
from axiometer.bringup.projects.quartus import component, engines
from axiometer.bringup.projects.quartus.board import boards
from axiometer.bringup.projects.quartus.make_plan import of_port

PACKAGE = "16.1"
NAME = "axm_system"
_SIDES = {"sink": "end", "source": "start", "end": "end"}


@dataclass(frozen=True)
class Instance:
    """A core with its set parameters."""

    name: str
    kind: str
    version: str
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Connection:
    """kind: "clock", "reset", "interrupt", "avalon_streaming", or "avalon", Platform Designer's
    name for all buses."""

    start: str
    end: str
    kind: str
    parameters: Mapping[str, str]


@dataclass(frozen=True)
class Export:
    """An exported interface of an instance; `kind` and `side`: words of a script."""

    name: str
    kind: str
    side: str
    of: str


@dataclass(frozen=True)
class System:
    """A system of Platform Designer."""

    instances: tuple[Instance, ...]
    connections: tuple[Connection, ...]
    exports: tuple[Export, ...]


def of(plan: Plan) -> System:
    """The system of a plan."""
    return System(tuple(_instances(plan)), tuple(_connections(plan)), tuple(EXPORTS))


EXPORTS = (
    Export("clk", "clock", "sink", "clk.clk_in"),
    Export("reset", "reset", "sink", "clk.clk_in_reset"),
    Export("fabric_reset", "reset", "sink", "fabric.clk_in_reset"),
    Export("h2f_reset", "reset", "source", "hps.h2f_reset"),
    Export("pll_locked", "conduit", "end", "pll.locked"),
    Export("memory", "conduit", "end", "hps.memory"),
    Export("hps_io", "conduit", "end", "hps.hps_io"),
)


def _instances(plan: Plan) -> Iterator[Instance]:
    pll = plan.system["pll"]
    hertz = pll["reference_mhz"] * 10**6
    yield Instance("clk", "clock_source", "", {
        "clockFrequency": f"{hertz}", "clockFrequencyKnown": "true",
        "resetSynchronousEdges": "NONE"})  # fmt: skip
    yield Instance("pll", pll["core"], "", {
        **pll["settings"],
        "gui_reference_clock_frequency": f"{pll['reference_mhz']:.1f}",
        "gui_output_clock_frequency0": f"{float(plan.mhz):.6f}"})  # fmt: skip
    yield Instance("fabric", "clock_source", "", {
        "clockFrequency": f"{round(plan.mhz * 10**6)}", "clockFrequencyKnown": "true",
        "resetSynchronousEdges": "NONE"})  # fmt: skip
    yield Instance("hps", plan.system["core"], "", settings(plan))
    yield Instance("axm", component.name(plan), component.VERSION, {})
    for name, core, values in engines.cores(plan):
        yield Instance(name, core, "", values)


def settings(plan: Plan) -> dict[str, str]:
    """The parameters of the HPS: the board's, then the design's."""
    chosen = dict(boards()[plan.board].hps) | dict(plan.system["settings"])
    for of in plan.system["port"]:
        links = [link for link in plan.links if of_port(plan.system, link.name) is of]
        if "type" in of:
            chosen[of["type_setting"]] = " ".join([of["type"]] * len(links))
            chosen[of["width_setting"]] = " ".join(str(link.width) for link in links)
        else:
            width = links[0].width if links else 0
            chosen[of["width_setting"]] = str(of["width_codes"].index(width))
    ram = plan.system["ram"]
    chosen[ram["width_setting"]] = str(ram["widths"].index(plan.width if plan.ram else 0))
    return chosen


def _connections(plan: Plan) -> Iterator[Connection]:
    registers, ram = plan.system["registers"], plan.system["ram"]
    clocked = ["axm.clock", f"hps.{registers['clock_pin']}"]
    clocked += [f"hps.{ram['clock_pin']}"] if plan.ram else []
    clocked += [f"hps.{link.clock_pin}" for link in plan.links] + engines.clocked(plan)
    yield Connection("clk.clk", "pll.refclk", "clock", {})
    yield Connection("clk.clk_reset", "pll.reset", "reset", {})
    yield Connection("pll.outclk0", "fabric.clk_in", "clock", {})
    for end in clocked:
        yield Connection("fabric.clk", end, "clock", {})
    for end in ["axm.reset", *engines.released(plan)]:
        yield Connection("fabric.clk_reset", end, "reset", {})
    for end, at in [("axm.s_axil", 0), *engines.registers(plan)]:
        yield _bus(f"hps.{registers['master']}", end, at)
    if plan.ram:
        yield _bus(f"hps.{ram['master']}", "axm.s_axi")
    for link in plan.links:
        yield _bus(f"axm.m{link.number}_axi", f"hps.{link.interface}")
    for start, end in engines.masters(plan):
        yield _bus(start, end)
    for start, end in engines.streams(plan):
        yield Connection(start, end, "avalon_streaming", {})
    lines = [(f"hps.{plan.system['interrupt_pin']}", "axm.irq"), *engines.interrupts(plan)]
    for start, end in lines:
        yield Connection(start, end, "interrupt", {"irqNumber": "0"})


def _bus(start: str, end: str, at: int = 0) -> Connection:
    return Connection(start, end, "avalon", {"baseAddress": f"0x{at:08x}"})


def script(plan: Plan, system: System) -> str:
    """The script for qsys-script."""
    return "\n".join([*_script(plan, system), ""])


def _script(plan: Plan, system: System) -> Iterator[str]:
    yield f"# System of {plan.module.name} on {plan.title}:"
    yield f"#   qsys-script --script={NAME}.tcl"
    yield f"# Written by Axiometer; {plan.never_run}. build.sh runs this."
    yield f"package require -exact qsys {PACKAGE}"
    yield f"create_system {{{NAME}}}"
    yield f"set_project_property DEVICE_FAMILY {{{plan.system['family']}}}"
    yield f"set_project_property DEVICE {{{plan.part}}}"
    for instance in system.instances:
        yield ""
        yield f"add_instance {instance.name} {instance.kind} {instance.version}".rstrip()
        for key, value in instance.parameters.items():
            yield f"set_instance_parameter_value {instance.name} {{{key}}} {{{value}}}"
    yield ""
    for c in system.connections:
        yield f"add_connection {c.start} {c.end}"
        for key, value in c.parameters.items():
            yield f"set_connection_parameter_value {c.start}/{c.end} {key} {{{value}}}"
    yield ""
    for export in system.exports:
        yield f"add_interface {export.name} {export.kind} {export.side}"
        yield f"set_interface_property {export.name} EXPORT_OF {export.of}"
    yield ""
    yield f"save_system {{{NAME}.qsys}}"


def qsys(plan: Plan, system: System) -> str:
    """The system in the format of `save_system`, with the set parameters only."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>',
             f"<!-- Written by Axiometer; {plan.never_run}. build.sh rewrites it. -->",
             f'<system name="{NAME}">',
             f' <component name="{NAME}" displayName="{NAME}" version="1.0" '
             'description="" tags="" categories="System" />',
             f' <parameter name="device" value="{plan.part}" />',
             f' <parameter name="deviceFamily" value="{plan.system["family"]}" />']  # fmt: skip
    for export in system.exports:
        kind = f'type="{export.kind}" dir="{_SIDES[export.side]}"'
        lines.append(f' <interface name="{export.name}" internal="{export.of}" {kind} />')
    for instance in system.instances:
        version = instance.version or PACKAGE
        lines.append(
            f' <module name="{instance.name}" kind="{instance.kind}" version="{version}" '
            'enabled="1">'
        )
        lines += [_parameter(*each) for each in instance.parameters.items()]
        lines.append(" </module>")
    for c in system.connections:
        head = f' <connection kind="{c.kind}" version="{PACKAGE}" start="{c.start}" end="{c.end}"'
        if c.parameters:
            lines += [f"{head}>", *(_parameter(k, v) for k, v in c.parameters.items())]
            lines.append(" </connection>")
        else:
            lines.append(f"{head} />")
    return "\n".join([*lines, "</system>", ""])


_LISTS = ("F2SDRAM_Type", "F2SDRAM_Width", "GPIO_Enable", "LOANIO_Enable")


def _parameter(name: str, value: str) -> str:
    text = value.replace(" ", ",") if name in _LISTS else value
    return f"  <parameter name={quoteattr(name)} value={quoteattr(text)} />"
