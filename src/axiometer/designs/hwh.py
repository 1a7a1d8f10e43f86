"""Reading a hardware handoff of Vivado (.hwh): modules, interfaces, parameters, clocks, addresses.

Registers, documents and most pins are skipped. `cores/` explains the parameters of cores,
`exports.toml` those of the processor system.
"""

from __future__ import annotations

from axiometer.base import harmless
from axiometer.base.xml_parts import BadPartError, Budget, Element, visit
from axiometer.designs.netlist import (
    BUS,
    EXTERNAL,
    SIGNALS,
    STREAM,
    Interface,
    Module,
    Netlist,
    Range,
    core_of,
)

MAX_ELEMENTS = 1_000_000  # a design of 5 MB has 50 000
MAX_INTERFACES = 1000  # of a module
MAX_RANGES = 5000  # of a module
LONGEST_TEXT = 2000  # characters of a value
_KINDS = {"aximm": BUS, "axis": STREAM}
_DRIVES, _DRIVEN = ("MASTER", "INITIATOR"), ("SLAVE", "TARGET")
_UNCONNECTED = "__NOC__"


def read(content: bytes, name: str) -> Netlist:
    """The block design in `content`, a .hwh named `name`. BadPartError where it has none."""
    reader = _Reader()
    visit(content, name, Budget(MAX_ELEMENTS), reader.see)
    if reader.netlist is None:
        raise BadPartError(f"{harmless.quoted(name)} has no EDKSYSTEM: not a hardware handoff")
    reader.netlist.join_nets()
    return reader.netlist


def _text(element: Element, name: str) -> str:
    return harmless.line(element.get(name)[:LONGEST_TEXT])


class _Reader:
    """Builds the netlist; `see` is called at the begin and the end of each element."""

    def __init__(self) -> None:
        self.netlist: Netlist | None = None
        self.module: Module | None = None
        self.interface: Interface | None = None
        self.pin = ""

    def see(self, element: Element, ended: bool) -> None:
        name = element.name
        if not ended:
            handler = _BEGINS.get(name)
            if handler and (name == "EDKSYSTEM" or self.netlist is not None):
                handler(self, element)
        elif name == "MODULE":
            self.module = None
        elif name == "BUSINTERFACE":
            self.interface = None

    @property
    def net(self) -> Netlist:
        """The netlist, from EDKSYSTEM on."""
        assert self.netlist is not None
        return self.netlist

    def _system(self, element: Element) -> None:
        tool = f"Vivado {_text(element, 'VIVADOVERSION')}".strip()
        self.netlist = Netlist("", tool, "", "")

    def _information(self, element: Element) -> None:
        net = self.net
        net.name, net.board = _text(element, "NAME"), _text(element, "BOARD")
        net.architecture = _text(element, "ARCH")
        parts = [_text(element, key) for key in ("DEVICE", "PACKAGE", "SPEEDGRADE")]
        # "7z020" and its package are written together, "xczu3eg" and its package apart.
        joined = "-".join(parts[:2]) if parts[0].startswith("xc") else f"xc{parts[0]}{parts[1]}"
        net.part = joined + parts[2] if parts[0] else ""

    def _module(self, element: Element) -> None:
        instance = _text(element, "INSTANCE")
        if not instance or instance in self.net.modules:
            raise BadPartError(f"module {harmless.quoted(instance)} exists twice or has no name")
        name = _text(element, "FULLNAME").lstrip("/") or instance
        self.module = Module(name, instance, core_of(_text(element, "VLNV")))
        self.net.modules[instance] = self.module

    def _parameter(self, element: Element) -> None:
        if self.interface is not None:
            self.interface.parameters[_text(element, "NAME")] = _text(element, "VALUE")
        elif self.module is not None and element.within[-1] == "PARAMETERS":
            self.module.parameters[_text(element, "NAME")] = _text(element, "VALUE")

    def _port(self, element: Element) -> None:
        if self.module is None:
            return
        self.pin = _text(element, "NAME")
        signal = _text(element, "SIGNAME")
        if element.get("SIGIS") == "clk" and signal:
            out = element.get("DIR") == "O"
            (self.module.made if out else self.module.clocks)[self.pin] = signal
            rate = _number(element.get("CLKFREQUENCY"))
            if rate and (out or signal not in self.net.rates):
                self.net.rates[signal] = rate

    def _connection(self, element: Element) -> None:
        # Only pins that another block may drive matter, of thousands.
        if self.module is not None and self.pin.upper().endswith(SIGNALS):
            joined = (_text(element, "INSTANCE"), _text(element, "PORT"))
            self.module.joined.setdefault(self.pin, joined)

    def _businterface(self, element: Element) -> None:
        kind = _KINDS.get(element.get("VLNV").split(":")[2:3][0]) if _is_vlnv(element) else None
        if self.module is None and element.get("TYPE") in _DRIVEN:
            name = _text(element, "NAME")  # a port of the block design: RTL beside it drives it
            outside = Module(name, f"{EXTERNAL} {name}", EXTERNAL)
            self.net.modules[outside.instance] = outside
            self._interface(element, outside, BUS, True)
        elif self.module is not None and kind is not None:
            self._interface(element, self.module, kind, element.get("TYPE") in _DRIVES)

    def _interface(self, element: Element, module: Module, kind: str, drives: bool) -> None:
        net = _text(element, "BUSNAME")
        width = _number(element.get("DATAWIDTH"))
        self.interface = Interface(
            _text(element, "NAME"),
            kind,
            drives,
            "" if net == _UNCONNECTED else net,
            int(width) if width else None,
        )
        module.interfaces[self.interface.name] = self.interface
        if len(module.interfaces) > MAX_INTERFACES:
            raise BadPartError(f"a module has more than {MAX_INTERFACES} interfaces")

    def _portmap(self, element: Element) -> None:
        signal = element.get("LOGICAL").upper()
        if self.interface is not None and signal in SIGNALS:
            self.interface.pins[signal] = _text(element, "PHYSICAL")

    def _range(self, element: Element) -> None:
        if self.module is None:
            return
        base, high = (_address(element.get(key)) for key in ("BASEVALUE", "HIGHVALUE"))
        if base is None or high is None or high < base:
            return
        if len(self.module.ranges) == MAX_RANGES:
            raise BadPartError(f"a module has more than {MAX_RANGES} address ranges")
        master, instance = _text(element, "MASTERBUSINTERFACE"), _text(element, "INSTANCE")
        interface, block = _text(element, "SLAVEBUSINTERFACE"), _text(element, "ADDRESSBLOCK")
        self.module.ranges.append(Range(master, instance, interface, block, base, high))


_BEGINS = {
    "EDKSYSTEM": _Reader._system,
    "SYSTEMINFO": _Reader._information,
    "MODULE": _Reader._module,
    "PARAMETER": _Reader._parameter,
    "PORT": _Reader._port,
    "CONNECTION": _Reader._connection,
    "BUSINTERFACE": _Reader._businterface,
    "PORTMAP": _Reader._portmap,
    "MEMRANGE": _Reader._range,
}


def _is_vlnv(element: Element) -> bool:
    return element.get("VLNV").count(":") == 3


def _number(text: str) -> float | None:
    try:
        value = float(text[:40])
    except ValueError:
        return None
    return value if 0 < value < 1e12 else None


def _address(text: str) -> int | None:
    try:
        value = int(text[:40], 0)
    except ValueError:
        return None
    return value if 0 <= value < 2**64 else None
