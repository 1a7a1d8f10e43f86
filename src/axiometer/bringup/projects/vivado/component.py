"""The IP as IP-XACT 1685-2009, Vivado's own format: `component.xml`.

Bus interfaces, clock, reset, interrupt, address spaces, files; and the memory map with each
register of each block's window, from the generated maps of `regs/`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from xml.sax.saxutils import escape, quoteattr

from axiometer.bringup.projects import NEVER_RUN
from axiometer.bringup.projects.plan import WINDOW, Plan
from axiometer.bringup.projects.vivado import interfaces, wrapper
from axiometer.bringup.projects.vivado.interfaces import Interface
from axiometer.runs.cosim.registers import registers

VENDOR, LIBRARY, VERSION = "axiometer", "instrument", "1.0"
BLOCK, RAM_BLOCK = "registers", "memory"
_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_SPIRIT = "http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"
_XILINX = "http://www.xilinx.com"
_SYNTHESIS, _SIMULATION = "xilinx_anylanguagesynthesis", "xilinx_anylanguagebehavioralsimulation"
_FAMILIES = ("zynq", "zynquplus")


def name(plan: Plan) -> str:
    """The IP's name."""
    return f"axm_{plan.identifier}"


def vlnv(plan: Plan) -> str:
    """Vendor, library, name and version: the IP's name in the block design."""
    return f"{VENDOR}:{LIBRARY}:{name(plan)}:{VERSION}"


def text(plan: Plan) -> str:
    """The file."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- Written by Axiometer; {NEVER_RUN}. -->",
        f'<spirit:component xmlns:xilinx="{_XILINX}" xmlns:spirit="{_SPIRIT}" xmlns:xsi="{_XSI}">',
    ]
    for tag, value in zip(("vendor", "library", "name", "version"), vlnv(plan).split(":"),
                          strict=True):  # fmt: skip
        lines.append(_leaf(tag, value))
    buses = list(interfaces.all_of(plan))
    lines += _in("busInterfaces", [*_buses(plan, buses), *_signals(plan, buses)])
    lines += _in("addressSpaces", [line for bus in buses if bus.master for line in _space(bus)])
    lines += _in("memoryMaps", _maps(plan, buses))
    lines += _in("model", [*_views(plan), *_in("ports", _ports(plan, buses))])
    lines += _in("fileSets", _files(plan))
    lines.append(_leaf("description", f"{plan.module.name} of Axiometer; {NEVER_RUN}"))
    lines += _in("parameters", _parameter("Component_Name", f"{wrapper.name(plan)}_v1_0",
                                          of="PARAM_VALUE", resolve="user", order="1"))  # fmt: skip
    lines += _extensions(plan)
    lines.append("</spirit:component>")
    return "\n".join(lines) + "\n"


def _leaf(tag: str, value: object, **attributes: str) -> str:
    written = "".join(f" spirit:{key}={quoteattr(text)}" for key, text in attributes.items())
    return f"<spirit:{tag}{written}>{escape(str(value))}</spirit:{tag}>"


def _in(tag: str, lines: list[str] | Iterator[str]) -> list[str]:
    inside = [f"  {line}" for line in lines]
    return [f"<spirit:{tag}>", *inside, f"</spirit:{tag}>"] if inside else []


def _type(tag: str, vlnv: str) -> str:
    vendor, library, called, version = vlnv.split(":")
    return (
        f'<spirit:{tag} spirit:vendor="{vendor}" spirit:library="{library}" '
        f'spirit:name="{called}" spirit:version="{version}"/>'
    )


def _parameter(key: str, value: object, of: str, **attributes: str) -> list[str]:
    """A parameter, with the identity by which the tool finds it; `of`: its owner."""
    named = {"id": f"{of}.{key}"} | attributes
    return _in("parameter", [_leaf("name", key), _leaf("value", value, **named)])


def _port_map(logical: str, physical: str) -> list[str]:
    return _in("portMap", [*_in("logicalPort", [_leaf("name", logical)]),
                           *_in("physicalPort", [_leaf("name", physical)])])  # fmt: skip


def _bus(called: str, kind: str, mode: list[str], maps: Mapping[str, str],
         parameters: Mapping[str, object]) -> list[str]:  # fmt: skip
    return _in("busInterface", [
        _leaf("name", called),
        _type("busType", f"xilinx.com:{kind}:1.0"),
        _type("abstractionType", f"xilinx.com:{kind}_rtl:1.0"),
        *mode,
        *_in("portMaps", [line for each in maps.items() for line in _port_map(*each)]),
        *_in("parameters", [
            line for each in parameters.items()
            for line in _parameter(*each, of=f"BUSIFPARAM_VALUE.{called.upper()}")
        ]),
    ])  # fmt: skip


def _buses(plan: Plan, buses: list[Interface]) -> Iterator[str]:
    for bus in buses:
        if bus.master:
            reference = f'<spirit:addressSpaceRef spirit:addressSpaceRef="{bus.name}"/>'
            mode = _in("master", [reference])
        else:
            mode = _in("slave", [f'<spirit:memoryMapRef spirit:memoryMapRef="{bus.name}"/>'])
        values = {"PROTOCOL": bus.protocol, "DATA_WIDTH": bus.width("wdata"),
                  "ADDR_WIDTH": bus.width("awaddr")}  # fmt: skip
        if bus.protocol != "AXI4LITE":
            values |= {"ID_WIDTH": bus.width("awid"), "SUPPORTS_NARROW_BURST": int(not bus.master),
                       "MAX_BURST_LENGTH": 1 << bus.width("awlen")}  # fmt: skip
        pins = {signal.name.upper(): signal.pin for signal in bus.signals}
        yield from _bus(bus.name, "interface:aximm", mode, pins, values)


def _signals(plan: Plan, buses: list[Interface]) -> Iterator[str]:
    slave, master = ["<spirit:slave/>"], ["<spirit:master/>"]
    joined = ":".join(bus.name for bus in buses)
    yield from _bus("aclk", "signal:clock", slave, {"CLK": "aclk"},
                    {"ASSOCIATED_BUSIF": joined, "ASSOCIATED_RESET": "aresetn"})  # fmt: skip
    yield from _bus("aresetn", "signal:reset", slave, {"RST": "aresetn"},
                    {"POLARITY": "ACTIVE_LOW"})  # fmt: skip
    yield from _bus("irq", "signal:interrupt", master, {"INTERRUPT": "irq"},
                    {"SENSITIVITY": "LEVEL_HIGH"})  # fmt: skip
    for line in interfaces.engine_lines(plan):
        yield from _bus(line, "signal:interrupt", slave, {"INTERRUPT": line},
                        {"SENSITIVITY": "LEVEL_HIGH"})  # fmt: skip


def _space(bus: Interface) -> list[str]:
    return _in("addressSpace", [
        _leaf("name", bus.name),
        _leaf("range", 1 << bus.width("awaddr"), format="long"),
        _leaf("width", bus.width("wdata"), format="long"),
    ])  # fmt: skip


def _maps(plan: Plan, buses: list[Interface]) -> Iterator[str]:
    for bus in buses:
        if bus.name == interfaces.REGISTERS:
            yield from _map(bus, BLOCK, plan.registers_size, "register", list(_registers(plan)))
        elif not bus.master:
            size = plan.ram if bus.port is None else plan.links[bus.port].reach
            yield from _map(bus, RAM_BLOCK, size, "memory", [])


def _map(bus: Interface, block: str, size: int, usage: str, inside: list[str]) -> list[str]:
    return _in("memoryMap", [
        _leaf("name", bus.name),
        *_in("addressBlock", [
            _leaf("name", block),
            _leaf("baseAddress", 0, format="long"),
            _leaf("range", size, format="long"),
            _leaf("width", bus.width("wdata"), format="long"),
            _leaf("usage", usage),
            _leaf("access", "read-write"),
            *inside,
        ]),
    ])  # fmt: skip


def windows(plan: Plan) -> Iterator[tuple[str, int]]:
    """Every register word of the plan's windows: its name, and its offset in bytes."""
    for block in plan.blocks:
        found = vars(registers(block.map))
        for key, register in found.items():
            if not isinstance(register, type) or not hasattr(register, "OFFSET"):
                continue
            called = f"w{block.window}_{block.map}_{key}"
            count = getattr(register, "COUNT", None)
            for index in range(count or 1):
                offset = register.OFFSET + index * getattr(register, "STRIDE", 4)
                yield (f"{called}_{index}" if count else called), WINDOW * block.window + offset


def _registers(plan: Plan) -> Iterator[str]:
    for called, offset in windows(plan):
        yield from _in("register", [
            _leaf("name", called),
            _leaf("addressOffset", f"{offset:#x}"),
            _leaf("size", 32, format="long"),
        ])  # fmt: skip


def _views(plan: Plan) -> list[str]:
    views = []
    for called, kind in ((_SYNTHESIS, "synthesis"), (_SIMULATION, "simulation")):
        views += _in("view", [
            _leaf("name", called),
            _leaf("displayName", kind.capitalize()),
            _leaf("envIdentifier", f":vivado.xilinx.com:{kind}"),
            _leaf("language", "Verilog"),
            _leaf("modelName", wrapper.name(plan)),
            *_in("fileSetRef", [_leaf("localName", f"{called}_view_fileset")]),
        ])  # fmt: skip
    return _in("views", views)


def _ports(plan: Plan, buses: list[Interface]) -> Iterator[str]:
    yield from _port("aclk", False, 1)
    yield from _port("aresetn", False, 1)
    yield from _port("irq", True, 1)
    for line in interfaces.engine_lines(plan):
        yield from _port(line, False, 1)
    for bus in buses:
        for signal in bus.signals:
            yield from _port(signal.pin, signal.output, signal.width)


def _port(called: str, output: bool, width: int) -> list[str]:
    vector = _in("vector", [_leaf("left", width - 1, format="long"),
                            _leaf("right", 0, format="long")])  # fmt: skip
    kind = "std_logic_vector" if width > 1 else "std_logic"
    types = _in("wireTypeDefs", _in("wireTypeDef", [
        _leaf("typeName", kind),
        _leaf("viewNameRef", _SYNTHESIS),
        _leaf("viewNameRef", _SIMULATION),
    ]))  # fmt: skip
    wire = [_leaf("direction", "out" if output else "in"), *(vector if width > 1 else []), *types]
    return _in("port", [_leaf("name", called), *_in("wire", wire)])


def _files(plan: Plan) -> list[str]:
    sets = []
    for view in (_SYNTHESIS, _SIMULATION):
        kind = "systemVerilogSource"
        files = [line for path in plan.headers for line in _file(path.name, kind, included=True)]
        files += [line for path in plan.sources for line in _file(path.name, kind)]
        files += _file(f"{wrapper.name(plan)}.v", "verilogSource")
        if view == _SYNTHESIS:
            # Used only where the IP is synthesised by itself.
            files += _file(f"{wrapper.name(plan)}_ooc.xdc", "xdc", "USED_IN_implementation",
                           "USED_IN_out_of_context", "USED_IN_synthesis")  # fmt: skip
        sets += _in("fileSet", [_leaf("name", f"{view}_view_fileset"), *files])
    return sets


def _file(called: str, kind: str, *users: str, included: bool = False) -> list[str]:
    first = _leaf("userFileType" if kind == "xdc" else "fileType", kind)
    mark = [_leaf("isIncludeFile", "true")] if included else []
    return _in("file", [_leaf("name", f"src/{called}"), first, *mark,
                        *(_leaf("userFileType", user) for user in users)])  # fmt: skip


def _extensions(plan: Plan) -> list[str]:
    families = [f'        <xilinx:family xilinx:lifeCycle="Production">{family}</xilinx:family>'
                for family in _FAMILIES]  # fmt: skip
    return [
        "<spirit:vendorExtensions>",
        "  <xilinx:coreExtensions>",
        "    <xilinx:supportedFamilies>",
        *families,
        "    </xilinx:supportedFamilies>",
        "    <xilinx:taxonomies>",
        "      <xilinx:taxonomy>/Axiometer</xilinx:taxonomy>",
        "    </xilinx:taxonomies>",
        f"    <xilinx:displayName>{escape(plan.module.name)}</xilinx:displayName>",
        "    <xilinx:coreRevision>1</xilinx:coreRevision>",
        "  </xilinx:coreExtensions>",
        "</spirit:vendorExtensions>",
    ]
