"""What a project is: board, top with its parameters, ports, converters, clock and addresses.

A plan says everything that `vivado` writes and that the proof compares with. Figures of the board
come from its platform (`boards/*.toml`), names of the tool from their
table `[tool]` and the chip's `project.toml`.
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
    """Addresses of the board's DRAM at a port: `segment` as the tool calls it."""

    segment: str
    base: int
    size: int


@dataclass(frozen=True)
class Link:
    """A port of the processor system that the top's port `number` reaches: its interface in the
    tool, clock pin, protocol, width in bits, the settings that make it so, and the memory behind
    it. `resized` and `converted`: a converter of width or of protocol stands between."""

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
        """The least power of two below which all of its memory is, in bytes."""
        return 1 << max(part.base + part.size - 1 for part in self.memory).bit_length()


@dataclass(frozen=True)
class Master:
    """A port by which the processor reaches the fabric: its name, and its width in bits with what
    sets that in the tool (None: it has one width)."""

    name: str
    width: int
    setting: str | None


@dataclass(frozen=True)
class Block:
    """A 4 KiB window of the register bus: which map of `regs/` it has, and for which port."""

    window: int
    map: str


@dataclass(frozen=True)
class Plan:
    """A project. `protocol` and `width` are the top's, in bits; `asked_mhz` is what the tool is
    asked for, `mhz` what its PLL makes of it. `ram` is the size in bytes of a RAM that the
    processor reaches (0: the top has none); addresses are the processor's. `headers` are what the
    `sources` include. `engine`: the vendor's, where the top has such."""

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
        """The top's name where a name has no hyphen."""
        return self.top.replace("-", "_")

    @property
    def windows(self) -> tuple[tuple[int, int], ...]:
        """What the processor reaches, as (address, bytes): our registers and, right behind them,
        those of vendors' engines; then a RAM."""
        behind = len(self.links) * engines.STEP if self.engine else 0
        ram = ((self.ram_base, self.ram),) if self.ram else ()
        return ((self.registers_base, self.registers_size + behind), *ram)

    @property
    def system(self) -> Table:
        """What the chip's `project.toml` says."""
        return chip_files.read(self.chip, "project") or {}

    @property
    def tool(self) -> str:
        """The vendor's tool that the project is for."""
        return str(self.system.get("tool", "Vivado"))

    @property
    def never_run(self) -> str:
        """What every written file says of itself."""
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
    """The project of a board and a top, for Vivado.

    ports: of the processor system (HP0 to HP3; ACP of a Zynq-7000, HPC0 and HPC1 of an UltraScale+;
    default HP0); a slave has none. width: of the top's ports in bits (default: the widest that the
    processor's take and the top has). pl_mhz: default 100. protocol: AXI3 or AXI4 (default: the
    processor's). parameters: of the top, besides those that follow. pll_mhz: of the PLL that makes
    the fabric's clock, where the preset's is another than that of the board's file. AxiometerError
    for what cannot be built, with what can.
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
            f"identifiers of {'+'.join(ports)} have {given['ID_W']} bits, which do not tell the "
            "masters apart",
            remedy="give fewer masters, or other ports",
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
    """The module of a top that `tops.toml` tells `about`, with the parameters `given` and the
    user's, and its vendor's engine: the registers of the first are behind ours at `registers`."""
    file = data.directory("rtl") / "tops" / f"axm_{about.get('module', top)}_top.sv"
    given |= parameters_of(file, about, parameters)
    if "engine" not in about:
        return module.read(file, given), None
    base = registers + registers_bytes(module.read(file, given))
    given |= engines.parameters(about["engine"], given["DATA_W"], base, parameters)
    built = module.read(file, given)
    return built, engines.of(about["engine"], built.parameters)


def registers_bytes(built: module.Module) -> int:
    """What the register port of a top decodes."""
    return 1 << next(port.width for port in built.ports if port.name == "s_axil_awaddr")


def about_top(top: str) -> Table:
    """What `tops.toml` says of a top. AxiometerError if it has none of that name."""
    tops = {name: about for name, about in facts("tops").items() if name != "limits"}
    if top not in tops:
        raise AxiometerError(
            f"no top is called {top!r}", remedy=did_you_mean(top, list(tops), "tops")
        )
    found: Table = tops[top]
    return found


def for_tool(about: Table, tool: str) -> None:
    """AxiometerError if a top has what `tool` has no core for."""
    if about.get("tool", tool) != tool:
        raise AxiometerError(
            f"this top has a core of {about['tool']}",
            remedy=f"projects of this board are {tool}'s: give another --top",
        )


def boards() -> dict[str, Tool]:
    """The boards whose projects can be written, by name."""
    return {name: tool for name, tool in tools().items() if tool.part and tool.presets}


def _board(name: str) -> Tool:
    known = boards()
    if name not in known:
        raise AxiometerError(
            f"Vivado's part and preset of {name} are not known",
            remedy=f"projects are written for {', '.join(known)}; others need a table [tool] in "
            f"the board's file (docs/add-a-board.md)",
        )
    return known[name]


def _system(platform: Platform) -> Table:
    table = chip_files.read(platform.family, "project")
    if table is None:
        raise AxiometerError(
            f"no project is written for a board of {platform.family}",
            remedy=f"chips with projects: {', '.join(chip_files.having('project'))}; another needs "
            f"a project.toml (docs/add-a-board.md)",
        )
    return table


def _ports(board: str, system: Table, ports: Sequence[str], slave: bool) -> tuple[str, ...]:
    if slave:
        if ports:
            raise AxiometerError("the top slave has no ports", remedy="leave --ports out")
        return ()
    chosen = tuple(ports) or ("HP0",)
    usual = [*(f"HP{n}" for n in range(4)), *system["coherent"]["ports"]]
    for port in chosen:
        if port not in usual:
            raise AxiometerError(
                f"{board}: a project has no port {port!r}",
                remedy=did_you_mean(port, usual, "ports of projects"),
            )
    if len(set(chosen)) != len(chosen):
        raise AxiometerError("a port is named twice", remedy="name each port once: HP0+HP2")
    return chosen


def protocol_of(about: Table, system: Table, slave: bool, asked: str | None, resized: bool) -> str:
    # A converter of width may make bursts longer than AXI3 has them: the top is AXI4 then.
    own = about.get("protocol") or ("AXI4" if resized else None)
    usual: str = system["slave_protocol"]
    if not slave:
        usual = system.get("protocol", usual)
    if asked is None:
        return own or usual
    if asked not in ("AXI3", "AXI4"):
        raise AxiometerError(f"no protocol is called {asked!r}", remedy="give AXI3 or AXI4")
    if own is not None and asked != own:
        raise AxiometerError(
            f"this top, with these ports, is {own} only", remedy="leave --protocol out"
        )
    if slave and asked != usual:
        raise AxiometerError(f"the processor's port is {usual}", remedy="leave --protocol out")
    return asked


def slave_protocol(used: str, built: module.Module) -> str:
    """A RAM for bursts of one beat is AXI4-Lite at its port."""
    return used if built.parameters["FULL"] else "AXI4LITE"


def _known(platform: Platform, name: str) -> ps_facts.Facts:
    """What exports say of a port of the processor system."""
    ports = ps_facts.system(platform.family).ports.values()
    return next(port for port in ports if port["name"] == name)


def _widths(platform: Platform, system: Table, ports: Sequence[str]) -> list[int]:
    """Bits that each of the ports can have."""
    own = [_known(platform, name) for name in ports]
    fixed = {int(port["width"]) for port in own if "width_setting" not in port}
    return sorted(fixed) if fixed else system["port_widths"]


def _id_bits(system: Table, ports: Sequence[str]) -> int:
    """Bits of the identifiers that every port takes."""
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
            f"this top has no ports of {asked} bits", remedy=f"give {_either(limits)}"
        )
    return asked


def _clock(
    platform: Platform, asked: float | None, pll: float | None
) -> tuple[Fraction, Fraction, Fraction | None]:
    wanted = Fraction(str(100.0 if asked is None else asked)).limit_denominator(10**6)
    most = platform.leaf("clocks.pl_mhz").max
    assert most is not None  # each chip with projects says it
    if not 1 <= wanted <= Fraction(most):
        raise AxiometerError(f"{float(wanted):g} MHz is no clock of the fabric",
                             remedy=f"give 1 to {most:g}")  # fmt: skip
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
                f"{file.stem} has no parameter {name!r} to be set",
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
    """Files of a top, packages first, as `rtl/tops/*_sources.txt` and what it names list them."""
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
    # Zynq-7000's settings of a port have its own number, those of UltraScale+ another.
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
    """That of the registers, and that of a RAM: as wide as the top's port behind it."""
    for place, pin in (("registers", "s_axil_wdata"), ("ram", "s_axi_wdata")):
        if place == "registers" or slave:
            known = ps_facts.system(platform.family).masters[system[place]["master"]]
            width = next(port.width for port in built.ports if port.name == pin)
            yield Master(known["name"], width, system[place].get("width_setting"))


def _base(platform: Platform, reached: Table) -> int:
    """Where the processor reaches something: as its master's addresses begin, unless it says."""
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
    """The windows as the top lays them out: identification, counter, its own, the sniffer."""
    maps = ["id", "counter"]
    for _ in range(values["PORTS"]):
        for block in about.get("block", []):
            maps += [block["map"]] * module.evaluate(str(block.get("count", 1)), values)
    maps.append("sniffer")
    return (Block(window, name) for window, name in enumerate(maps))
