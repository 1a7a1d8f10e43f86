"""The clock of each net of single pins: its name, the pin that makes it, and its rate."""

from __future__ import annotations

import re
from math import prod

from axiometer.designs import core_facts
from axiometer.designs.core_facts import Core
from axiometer.designs.netlist import Module
from axiometer.designs.ps_facts import System
from axiometer.designs.tcl.block_design import BlockDesign, Pin, is_clock

_ENTERS = re.compile(r"^clk(?:_?in.*)?$|aclk|_clk_i$|_sync_clk$", re.I)
MAX_BUFFERS = 8  # one after another
MAX_OUTPUTS = 16  # of a clock generator
BUILT = 0.05  # dividers that are further from the requested rate are of another setting


class NetClocks:
    """Clocks of the nets of `design`; `modules` by the paths of their cells."""

    def __init__(
        self,
        design: BlockDesign,
        modules: dict[str, Module],
        ps_path: str,
        system: System | None,
    ) -> None:
        self.design, self.modules, self.ps_path, self.system = design, modules, ps_path, system
        self.sets = design.nets.sets()

    def of(self, paths: list[str]) -> tuple[str, str, float | None] | None:
        """The clock of the net that joins `paths`: its name, the path of the pin that makes it
        ("": unknown), and its rate in Hz (None: unknown). None where the net is no clock."""
        return self._source(paths, MAX_BUFFERS) or self._unrated(paths)

    def _source(self, paths: list[str], left: int) -> tuple[str, str, float | None] | None:
        """The clock of a net: its name, the pin that makes it, and its rate in Hz (None: unknown).
        Buffers hand theirs on; None where no pin is known to make one."""
        for path in paths:
            cell, _, pin = path.rpartition("/")
            core = core_facts.core(self.modules[cell].core) if cell in self.modules else None
            if cell == self.ps_path and self.system is not None:
                if pin in {facts["pin"] for facts in self.system.clocks.values()}:
                    return f"{self.modules[cell].instance}_{pin}", path, None
            elif core is not None and core.makes and (made := self._made(cell, pin, core)):
                return f"{self.modules[cell].instance}_{pin}", path, made
            elif core is not None and left:
                for out, into in core.follows.items():
                    before = f"{cell}/{pin.replace(out, into)}" if pin.startswith(out) else path
                    net = self.sets.get(self.design.nets.net(before), []) if before != path else []
                    if found := self._source(net, left - 1):
                        return found
            given = _number(self.design.settings.get(path, {}).get("FREQ_HZ"))
            port: Pin | None = self.design.pins.get(path)
            if given and port is not None and not cell and port.kind == "clk" and not port.drives:
                return pin, path, given
            if given and cell in self.modules and (port is None or port.drives):
                return f"{self.modules[cell].instance}_{pin}", path, given
        return None

    def _made(self, cell: str, pin: str, core: Core) -> float | None:
        """The Hz of an output of a clock generator: as its dividers make it, else as requested."""
        module, makes = self.modules[cell], core.makes
        for number in range(1, MAX_OUTPUTS + 1):
            names = {k: v.format(n=number, m=number - 1) for k, v in makes.items()}
            if pin != (module.parameter(names["named"]) or names["pin"]):
                continue
            asked = _number(module.parameter(names["mhz"]))
            texts = (
                module.parameter(n) or module.parameter(f"{n}_F") for n in names["built"].split()
            )
            parts = list(map(_number, texts))
            if asked and None not in parts:
                source, times, *dividers = (part or 1 for part in parts)
                built = source * times / prod(dividers)
                return 1e6 * (built if abs(built / asked - 1) < BUILT else asked)
            return asked * 1e6 if asked else None
        return None

    def _unrated(self, paths: list[str]) -> tuple[str, str, None] | None:
        """The clock of unknown rate that a net carries by the names of its pins; else None."""
        split = (path.rpartition("/") for path in paths)
        ends = [(cell, pin) for cell, _, pin in split if cell in self.modules]
        if not any(is_clock(pin) for _, pin in ends):
            return None
        ports = [path[1:] for path in paths if path.count("/") == 1 and path in self.design.pins]
        names = [(f"{self.modules[c].instance}_{p}", f"{c}/{p}") for c, p in ends]
        makers = [
            name for name, (_, pin) in zip(names, ends, strict=True) if not _ENTERS.search(pin)
        ]
        return (ports[0], "", None) if ports else (*[*makers, *names][0], None)


def _number(text: str | None) -> float | None:
    try:
        value = float((text or "")[:40])
    except ValueError:
        return None
    return value if 0 < value < 1e12 else None
