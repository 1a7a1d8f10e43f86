"""The plan of a project: board, top with its parameters, ports, converters, clock and addresses.

A plan has everything that `vivado` writes and that the validation compares. Figures of the board
come from its platform (`boards/*.toml`), names of the tool from its table `[tool]` and the chip's
`project.toml`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

from axiometer.base import chip_files, data
from axiometer.base.board_tools import Tool, tools
from axiometer.base.chip_files import Table
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.bringup.projects import engines, module
from axiometer.designs import ps_facts
from axiometer.platform import Platform, pl_clock

_HERE = Path(__file__).parent
_OWN = ("PORTS", "DATA_W", "ADDR_W", "ID_W", "USER_W", "AXI3", "CLOCK_HZ")
WINDOW = 4096


@cache
def facts(name: str) -> Table:
    """A data file beside this module: "tops"."""
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Memory:
    """Addresses of the board's DRAM at a port; `segment`: their name in the tool."""

    segment: str
    base: int
    size: int


@dataclass(frozen=True)
class Link:
    """The port of the processor system behind the top's port `number`: its interface in the tool,
    clock pin, protocol, width in bits, settings, and the memory behind it. `resized`, `converted`:
    whether a converter of width or of protocol is between."""

    number: int
    name: str
    interface: str
    clock_pin: str
    protocol: str
    width: int
    settings: Mapping[str, str]
    memory: tuple[Memory, ...]
    resized: bool
    converted: bool

    @property
    def reach(self) -> int:
        """The smallest power of two in bytes that is above all addresses of its memory."""
        return 1 << max(part.base + part.size - 1 for part in self.memory).bit_length()


@dataclass(frozen=True)
class Master:
    """The processor's master port to the fabric: its name, its width in bits, and the tool's
    setting of the width (None: the width is fixed)."""

    name: str
    width: int
    setting: str | None


@dataclass(frozen=True)
class Block:
    """A 4 KiB window of the register bus: its map of `regs/`, and its port."""

    window: int
    map: str


@dataclass(frozen=True)
class Plan:
    """A project. `protocol`, `width`: of the top, width in bits; `asked_mhz`: the clock requested
    from the tool; `mhz`: the rate that its PLL makes; `ram`: bytes of a RAM that the processor
    reaches (0: none). Addresses are the processor's. `headers`: included by `sources`; `engine`:
    the vendor's engine, if the top has one."""

    board: str
    title: str
    chip: str
    part: str
    presets: tuple[str, ...]
    top: str
    module: module.Module
    sources: tuple[Path, ...]
    headers: tuple[Path, ...]
    protocol: str
    width: int
    asked_mhz: Fraction
    mhz: Fraction
    pll_mhz: Fraction | None
    links: tuple[Link, ...]
    masters: tuple[Master, ...]
    blocks: tuple[Block, ...]
    registers_base: int
    registers_size: int
    ram_base: int
    ram: int
    engine: engines.Engine | None = None

    @property
    def identifier(self) -> str:
        """The top's name without hyphens."""
        return self.top.replace("-", "_")

    @property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """The processor's windows as (address, bytes): registers, followed by those of vendors'
        engines; then a RAM."""
        behind = len(self.links) * engines.STEP if self.engine else 0
        ram = ((self.ram_base, self.ram),) if self.ram else ()
        return ((self.registers_base, self.registers_size + behind), *ram)

    @property
    def system(self) -> Table:
        """The chip's `project.toml`."""
        return chip_files.read(self.chip, "project") or {}

    @property
    def tool(self) -> str:
        """The vendor's tool of the project."""
        return str(self.system.get("tool", "Vivado"))

    @property
    def never_run(self) -> str:
        """The notice in every written file."""
        return f"never run through {self.tool}"


def make(
    board: str,
    top: str,
    ports: Sequence[str] = (),
    width: int | None = None,
    pl_mhz: float | None = None,
    protocol: str | None = None,
    parameters: Mapping[str, int] | None = None,
    pll_mhz: float | None = None,
) -> Plan:
    """The plan of a board and a top for Vivado.

    ports: of the processor system (HP0 to HP3; ACP of a Zynq-7000, HPC0 and HPC1 of an UltraScale+;
    default HP0); a slave has none. width: of the top's ports in bits (default: the widest that both
    the processor's ports and the top support). pl_mhz: default 100. protocol: AXI3 or AXI4
    (default: the processor's). parameters: of the top, except derived ones. pll_mhz: the rate of
    the PLL for the fabric's clock, if the preset's differs from the board's file. AxiometerError
    for an impossible project, with the possible choices.
    """
    platform = Platform.load(board)
    about = about_top(top)
    names = _board(platform.name)
    for_tool(about, "Vivado")
    system = _system(platform)
    slave = about.get("slave", False)
    ports = _ports(platform.name, system, ports, slave)
    width = _width(about, _widths(platform, system, ports), slave, width)
    resized = not slave and width not in _widths(platform, system, ports)
    used = protocol_of(about, system, slave, protocol, resized)
    asked, made, pll = _clock(platform, pl_mhz, pll_mhz)
    given = {
        "PORTS": max(len(ports), 1),
        "DATA_W": width,
        "ADDR_W": 32 if slave else system["address_bits"],
        "ID_W": system["master_ids"] if slave else _id_bits(system, ports),
        "AXI3": int(used == "AXI3"),
        "CLOCK_HZ": round(made * 10**6),
    }
    if "engine" in about:
        given["COHERENT"] = int(set(ports) <= set(system["coherent"]["ports"]))
    registers = _base(platform, system["registers"])
    built, engine = build(about, top, given, parameters or {}, registers)
    if module.evaluate(about.get("id_bits", "1"), built.parameters) > given["ID_W"]:
        raise AxiometerError(
            f"the {given['ID_W']} bits of identifiers at {'+'.join(ports)} are too few for the "
            "masters",
            remedy="use fewer masters or other ports",
        )
    size = registers_bytes(built)
    return Plan(
        platform.name,
        platform.title,
        platform.family,
        names.part,
        names.presets,
        top,
        built,
        sources_of(about.get("module", top)),
        (data.directory("rtl") / module.BUNDLES,),
        slave_protocol(used, built) if slave else used,
        width,
        asked,
        made,
        pll,
        tuple(_link(platform, system, i, port, width, used) for i, port in enumerate(ports)),
        tuple(masters_of(platform, system, built, slave)),
        tuple(blocks_of(about, built.parameters)),
        registers,
        size,
        _base(platform, system["ram"]),
        built.parameters["BYTES"] if slave else 0,
        engine,
    )


def build(
    about: Table,
    top: str,
    given: dict[str, int],
    parameters: Mapping[str, int],
    registers: int,
) -> tuple[module.Module, engines.Engine | None]:
    """The module of a top (`about`: its table in `tops.toml`) with the parameters `given` and the
    user's, and its vendor's engine, whose registers follow those of the top at `registers`."""
    file = data.directory("rtl") / "tops" / f"axm_{about.get('module', top)}_top.sv"
    given |= parameters_of(file, about, parameters)
    if "engine" not in about:
        return module.read(file, given), None
    base = registers + registers_bytes(module.read(file, given))
    given |= engines.parameters(about["engine"], given["DATA_W"], base, parameters)
    built = module.read(file, given)
    return built, engines.of(about["engine"], built.parameters)


def registers_bytes(built: module.Module) -> int:
    """The bytes that the register port of a top decodes."""
    return 1 << next(port.width for port in built.ports if port.name == "s_axil_awaddr")


def about_top(top: str) -> Table:
    """The table of a top in `tops.toml`. AxiometerError if there is no such top."""
    tops = {name: about for name, about in facts("tops").items() if name != "limits"}
    if top not in tops:
        raise AxiometerError(
            f"there is no top {top!r}", remedy=did_you_mean(top, list(tops), "tops")
        )
    found: Table = tops[top]
    return found


def for_tool(about: Table, tool: str) -> None:
    """AxiometerError if a top has a core of another tool than `tool`."""
    if about.get("tool", tool) != tool:
        raise AxiometerError(
            f"this top has a core of {about['tool']}, but projects of this board are for {tool}",
            remedy="select another --top",
        )


def boards() -> dict[str, Tool]:
    """The boards whose projects can be written, by name."""
    return {name: tool for name, tool in tools().items() if tool.part and tool.presets}


def _board(name: str) -> Tool:
    known = boards()
    if name not in known:
        raise AxiometerError(
            f"the board's file of {name} lacks Vivado's part and preset",
            remedy=f"select one of {', '.join(known)}, or add a table [tool] to the board's file "
            "(docs/add-a-board.md)",
        )
    return known[name]


def _system(platform: Platform) -> Table:
    table = chip_files.read(platform.family, "project")
    if table is None:
        raise AxiometerError(
            f"projects for boards of {platform.family} are not supported",
            remedy=f"chips with projects: {', '.join(chip_files.having('project'))}; another needs "
            f"a project.toml (docs/add-a-board.md)",
        )
    return table


def _ports(board: str, system: Table, ports: Sequence[str], slave: bool) -> tuple[str, ...]:
    if slave:
        if ports:
            raise AxiometerError("the top slave has no ports", remedy="remove --ports")
        return ()
    chosen = tuple(ports) or ("HP0",)
    usual = [*(f"HP{n}" for n in range(4)), *system["coherent"]["ports"]]
    for port in chosen:
        if port not in usual:
            raise AxiometerError(
                f"{board}: projects have no port {port!r}",
                remedy=did_you_mean(port, usual, "ports of projects"),
            )
    if len(set(chosen)) != len(chosen):
        raise AxiometerError("a port is given twice", remedy="give each port once: HP0+HP2")
    return chosen


def protocol_of(about: Table, system: Table, slave: bool, asked: str | None, resized: bool) -> str:
    # A width converter may make bursts longer than AXI3 allows: then the top uses AXI4.
    own = about.get("protocol") or ("AXI4" if resized else None)
    usual: str = system["slave_protocol"]
    if not slave:
        usual = system.get("protocol", usual)
    if asked is None:
        return own or usual
    if asked not in ("AXI3", "AXI4"):
        raise AxiometerError(f"there is no protocol {asked!r}", remedy="give AXI3 or AXI4")
    if own is not None and asked != own:
        raise AxiometerError(
            f"this top with these ports supports only {own}", remedy="remove --protocol"
        )
    if slave and asked != usual:
        raise AxiometerError(f"the processor's port is {usual}", remedy="remove --protocol")
    return asked


def slave_protocol(used: str, built: module.Module) -> str:
    """The protocol at the slave's port: AXI4-Lite for a RAM with bursts of one beat."""
    return used if built.parameters["FULL"] else "AXI4LITE"


def _known(platform: Platform, name: str) -> ps_facts.Facts:
    """The facts of a port of the processor system in `exports.toml`."""
    ports = ps_facts.system(platform.family).ports.values()
    return next(port for port in ports if port["name"] == name)


def _widths(platform: Platform, system: Table, ports: Sequence[str]) -> list[int]:
    """The widths in bits that all of the ports support."""
    own = [_known(platform, name) for name in ports]
    fixed = {int(port["width"]) for port in own if "width_setting" not in port}
    return sorted(fixed) if fixed else system["port_widths"]


def _id_bits(system: Table, ports: Sequence[str]) -> int:
    """The bits of identifiers that every port accepts."""
    coherent = system["coherent"]
    usual = int(system["id_bits"])
    few = int(coherent["id_bits"]) if set(ports) & set(coherent["ports"]) else usual
    return min(few, usual)


def _width(about: Table, widths: Sequence[int], slave: bool, asked: int | None) -> int:
    every = facts("tops")["limits"]["DATA_W"]
    limits: list[int] = about.get("limits", {}).get("DATA_W", every)
    direct = [width for width in limits if width in widths]
    usual = limits[0] if slave or not direct else max(direct)
    if asked is None:
        return usual
    if asked not in limits:
        raise AxiometerError(
            f"this top does not support {asked} bits", remedy=f"give {_either(limits)}"
        )
    return asked


def _clock(
    platform: Platform, asked: float | None, pll: float | None
) -> tuple[Fraction, Fraction, Fraction | None]:
    wanted = Fraction(str(100.0 if asked is None else asked)).limit_denominator(10**6)
    _, most = pl_clock.limits(platform)
    if not 1 <= wanted <= most:
        raise AxiometerError(f"{float(wanted):g} MHz is not a possible clock of the fabric",
                             remedy=f"give 1 to {float(most):g}")  # fmt: skip
    if pll is not None:
        platform = platform.with_overrides({"clocks.pl_pll_mhz": pll})
    clock = pl_clock.of(platform, float(wanted))
    if clock is None or clock.nearest is None:
        return wanted, wanted, None
    return wanted, clock.nearest.mhz, clock.pll


def parameters_of(file: Path, about: Table, given: Mapping[str, int]) -> dict[str, int]:
    written = [name for name in module.parameters_of(file) if name not in _OWN]
    limits, ranges = about.get("limits", {}), about.get("ranges", {})
    free = [name for name in written if name in limits or name in ranges]
    for name, value in given.items():
        if name not in free:
            raise AxiometerError(
                f"{file.stem} has no settable parameter {name!r}",
                remedy=did_you_mean(name, free, "parameters"),
            )
        if name in limits and value not in limits[name]:
            raise AxiometerError(f"{name} is {value}", remedy=f"give {_either(limits[name])}")
        if name in ranges and not ranges[name][0] <= value <= ranges[name][1]:
            least, most = ranges[name]
            raise AxiometerError(f"{name} is {value}", remedy=f"give {least} to {most}")
    return dict(given)


def _either(values: Sequence[int]) -> str:
    return " or ".join(filter(None, (", ".join(map(str, values[:-1])), str(values[-1]))))


def sources_of(top: str) -> tuple[Path, ...]:
    """The files of a top, packages first, from `rtl/tops/*_sources.txt` and its included lists."""
    rtl = data.directory("rtl")

    def listed(file: Path) -> list[Path]:
        found = []
        for line in file.read_text(encoding="utf-8").splitlines():
            wanted = line.partition("#")[0].strip()
            if wanted.startswith("@"):
                found += listed(rtl / wanted[1:] / "sources.txt")
            elif wanted:
                found.append((rtl / wanted).resolve())
        return found

    files = dict.fromkeys(listed(rtl / "tops" / f"{top}_sources.txt"))
    return tuple(sorted(files, key=lambda path: not path.stem.endswith("_pkg")))


def _link(
    platform: Platform, system: Table, number: int, name: str, width: int, protocol: str
) -> Link:
    known, coherent = _known(platform, name), system["coherent"]
    # In settings, a port has its own number on Zynq-7000 and another number on UltraScale+.
    also = known.get("segment", f"{known['number']}").removeprefix("SAXIGP")
    names = {"n": known["number"], "m": also, "name": name}
    widths = _widths(platform, system, [name])
    fits = width if width in widths else max(widths)
    settings = {system["port_on"].format(**names): "1"}
    if "width_setting" in known:
        settings[known["width_setting"]] = str(fits)
    if name in coherent["ports"]:
        settings |= {key.format(**names): value for key, value in coherent["settings"].items()}
    memory = tuple(_memory(platform, system, names))
    used = {part.segment for part in memory}
    for part in system["memory"]:
        if "setting" in part:
            there = part["segment"].format(**names) in used
            settings[part["setting"]] = str(int(there))
    return Link(
        number,
        name,
        known["interface"],
        known["clock_pin"],
        known["protocol"],
        fits,
        settings,
        memory,
        fits != width,
        protocol != known["protocol"],
    )


def masters_of(
    platform: Platform, system: Table, built: module.Module, slave: bool
) -> Iterator[Master]:
    """The masters for the registers and for a RAM; the latter has the width of the top's port."""
    for place, pin in (("registers", "s_axil_wdata"), ("ram", "s_axi_wdata")):
        if place == "registers" or slave:
            known = ps_facts.system(platform.family).masters[system[place]["master"]]
            width = next(port.width for port in built.ports if port.name == pin)
            yield Master(known["name"], width, system[place].get("width_setting"))


def _base(platform: Platform, reached: Table) -> int:
    """The address of a slave: given explicitly, else the first address of its master."""
    master = ps_facts.system(platform.family).masters[reached["master"]]
    return int(reached.get("base", master["addresses"][0][0]))


def _memory(platform: Platform, system: Table, names: Mapping[str, str]) -> Iterator[Memory]:
    left = platform.value("dram.size_MiB")
    for part in system["memory"]:
        size = min(left, part["MiB"])
        if size > 0:
            yield Memory(part["segment"].format(**names), part["base"], size << 20)
        left -= size


def blocks_of(about: Table, values: Mapping[str, int]) -> Iterator[Block]:
    """The windows in the top's order: identification, counter, its own blocks, the sniffer."""
    maps = ["id", "counter"]
    for _ in range(values["PORTS"]):
        for block in about.get("block", []):
            maps += [block["map"]] * module.evaluate(str(block.get("count", 1)), values)
    maps.append("sniffer")
    return (Block(window, name) for window, name in enumerate(maps))
