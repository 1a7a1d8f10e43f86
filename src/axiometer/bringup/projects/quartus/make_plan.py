"""Plans a project for an Intel board: ports of the HPS, their widths, the PLL's clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from axiometer.base import chip_files, data
from axiometer.base.chip_files import Table
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.bringup.projects import module, plan
from axiometer.bringup.projects.quartus.board import boards
from axiometer.designs import ps_facts
from axiometer.platform import Platform, pl_clock


def make(
    board: str,
    top: str,
    ports: Sequence[str] = (),
    width: int | None = None,
    pl_mhz: float | None = None,
    protocol: str | None = None,
    parameters: Mapping[str, int] | None = None,
    pll_mhz: float | None = None,
) -> plan.Plan:
    """As `plan.make`, for Quartus. ports: F2S0 to F2S2, F2H (default F2S0)."""
    platform = Platform.load(board)
    about = plan.about_top(top)
    plan.for_tool(about, "Quartus")
    system = chip_files.read(platform.family, "project") or {}
    if pll_mhz is not None:
        raise AxiometerError("the fabric has its own PLL on this board", remedy="remove --pll-mhz")
    if platform.name not in boards():
        raise AxiometerError(
            f"pins and memory of {platform.name} are unknown",
            remedy=f"select one of {', '.join(boards())}",
        )
    slave = about.get("slave", False)
    chosen = _ports(platform.name, system, ports, slave)
    wide = _widths(system, chosen)
    width = _width(about, wide, width)
    resized = any(width not in of["widths"] or width > most for of, most in wide)
    used = plan.protocol_of(about, system, slave, protocol, resized)
    asked, made = clock(system, platform, pl_mhz)
    given = {
        "PORTS": max(len(chosen), 1),
        "DATA_W": width,
        "ADDR_W": system["address_bits"],
        "ID_W": system["master_ids"] if slave else system["id_bits"],
        "AXI3": int(used == "AXI3"),
        "CLOCK_HZ": round(made * 10**6),
    }
    registers = window(platform.family, system["registers"])[0]
    built, engine = plan.build(about, top, given, parameters or {}, registers)
    size = plan.registers_bytes(built)
    return plan.Plan(
        platform.name,
        platform.title,
        platform.family,
        boards()[platform.name].device,
        (),
        top,
        built,
        plan.sources_of(about.get("module", top)),
        (data.directory("rtl") / module.BUNDLES,),
        plan.slave_protocol(used, built) if slave else used,
        width,
        asked,
        made,
        None,
        tuple(_links(platform, chosen, wide, width, used)),
        tuple(plan.masters_of(platform, system, built, slave)),
        tuple(plan.blocks_of(about, built.parameters)),
        registers,
        size,
        window(platform.family, system["ram"])[0],
        built.parameters["BYTES"] if slave else 0,
        engine,
    )


def _ports(board: str, system: Table, ports: Sequence[str], slave: bool) -> tuple[str, ...]:
    if slave:
        if ports:
            raise AxiometerError("the top slave has no ports", remedy="remove --ports")
        return ()
    chosen = tuple(ports) or (names(system)[0],)
    for port in chosen:
        if port not in names(system):
            raise AxiometerError(
                f"{board}: projects have no port {port!r}",
                remedy=did_you_mean(port, names(system), "ports of projects"),
            )
    if len(set(chosen)) != len(chosen):
        raise AxiometerError("a port is given twice", remedy="give each port once: F2S0+F2S1")
    for of in system["port"]:
        own = [port for port in names(system) if port in chosen and port.startswith(of["kind"])]
        wanted = [port for port in names(system) if port.startswith(of["kind"])][: len(own)]
        if own != wanted:
            raise AxiometerError(
                f"ports of {of['kind']} begin with {wanted[0]}", remedy=f"give {'+'.join(wanted)}"
            )
    return chosen


def names(system: Table) -> list[str]:
    """The ports of projects; several ports of a kind have numbers."""
    return [
        of["kind"] + (str(number) if of["ports"] > 1 else "")
        for of in system["port"]
        for number in range(of["ports"])
    ]


def window(chip: str, reached: Table) -> tuple[int, int]:
    """First address and bytes of the fabric window of a master in `project.toml`."""
    master = ps_facts.system(chip).masters[reached["master"]]
    own = (chip_files.read(chip, "host") or {})["windows"][master["name"]]
    return own.get("base", master.get("base", 0)), own["bytes"]


def of_port(system: Table, name: str) -> Table:
    """The table of a port's kind in `system`."""
    found: Table = next(of for of in system["port"] if name.startswith(of["kind"]))
    return found


def _widths(system: Table, chosen: Sequence[str]) -> list[tuple[Table, int]]:
    """Each port's kind and its widest width in bits beside the other ports of that kind."""
    kinds = [of_port(system, name) for name in chosen]
    found = []
    for of in kinds:
        together = of.get("bits_together", max(of["widths"])) // kinds.count(of)
        found.append((of, max(bits for bits in of["widths"] if bits <= together)))
    return found


def _width(about: Table, wide: Sequence[tuple[Table, int]], asked: int | None) -> int:
    every = plan.facts("tops")["limits"]["DATA_W"]
    limits: list[int] = about.get("limits", {}).get("DATA_W", every)
    if asked is not None and asked not in limits:
        raise AxiometerError(
            f"this top does not support {asked} bits",
            remedy=f"give {' or '.join(map(str, limits))}",
        )
    most = min((bits for _, bits in wide), default=limits[0])
    direct = [bits for bits in limits if bits <= most]
    return asked or (max(direct) if direct else limits[0])


def _links(
    platform: Platform,
    chosen: Sequence[str],
    wide: Sequence[tuple[Table, int]],
    width: int,
    protocol: str,
) -> Iterator[plan.Link]:
    ps = ps_facts.system(platform.family)
    memory = plan.Memory("", 0, platform.value("dram.size_MiB") << 20)
    for number, (name, (of, most)) in enumerate(zip(chosen, wide, strict=True)):
        known = next(p for p in ps.ports.values() if name in _called(p))
        fits = min(width, most)
        yield plan.Link(
            number, name, known["interface"], known["clock_pin"], "AXI3", fits,
            {of["width_setting"]: str(fits)}, (memory,), fits != width, protocol != "AXI3",
        )  # fmt: skip


def _called(port: ps_facts.Facts) -> tuple[str, str]:
    """The names of a port of the HPS in projects: alone, or with its number."""
    return port["platform_port"], f"{port['platform_port']}{port['number']}"


def clock(system: Table, platform: Platform, asked: float | None) -> tuple[Fraction, Fraction]:
    """The requested rate and the nearest rate that the PLL makes, in MHz."""
    wanted = Fraction(str(100.0 if asked is None else asked)).limit_denominator(10**6)
    _, most = pl_clock.limits(platform)
    if not 1 <= wanted <= most:
        raise AxiometerError(
            f"{float(wanted):g} MHz is not a possible clock of the fabric",
            remedy=f"give 1 to {float(most):g}",
        )
    return wanted, min(rates(system["pll"], wanted), key=lambda rate: abs(rate - wanted))


def rates(pll: Table, wanted: Fraction) -> Iterator[Fraction]:
    """Rates near `wanted` that a PLL makes, with the nearest multiplier for each divider and output
    counter whose oscillator is in its range."""
    low, high = pll["vco_mhz"]
    least, most = pll["detector_mhz"]
    for divide in range(1, pll["divide"] + 1):
        detector = Fraction(pll["reference_mhz"], divide)
        if not least <= detector <= most:
            continue
        for output in range(
            max(1, int(low / wanted)), min(pll["output"], int(high / wanted) + 1) + 1
        ):
            for multiply in {int(wanted * output / detector), int(wanted * output / detector) + 1}:
                if 1 <= multiply <= pll["multiply"] and low <= detector * multiply <= high:
                    yield detector * multiply / output
