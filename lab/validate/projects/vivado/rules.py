"""Rules that every block design must keep: pins, clocks, resets, interfaces, addresses.

They know nothing of the plan. Each finding names cells and pins by their paths.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from validate.projects.vivado.catalogue import Bus, Pin
from validate.projects.vivado.recorded import Assigned, Recorded

_NEVER: Pin = {"low": False, "out": False, "width": 1}


def check(it: Recorded) -> list[str]:
    """Everything that is wrong with what was recorded."""
    return [*_pins(it), *_resets(it), *_interfaces(it), *_addresses(it), *_rest(it)]


def _pin(it: Recorded, path: str) -> Pin:
    cell, _, name = path.strip("/").partition("/")
    pin = it.cells[cell].pin(name)
    assert pin is not None, f"{path} is not there"
    return {**_NEVER, **pin}


def _net(it: Recorded, path: str) -> frozenset[str]:
    return next((frozenset(net) for net in it.nets if path in net), frozenset())


def _driver(it: Recorded, path: str) -> str:
    """What drives the net of a pin; "" if nothing, or several do."""
    drivers = [end for end in _net(it, path) if _there(it, end) and _pin(it, end)["out"]]
    return drivers[0] if len(drivers) == 1 else ""


def _there(it: Recorded, path: str) -> bool:
    cell, _, pin = path.strip("/").partition("/")
    return it.cells[cell].pin(pin) is not None


def _pins(it: Recorded) -> Iterator[str]:
    """Each pin is driven once, by one of its kind and width."""
    for net in it.nets:
        gone = sorted(end for end in net if not _there(it, end))
        if gone:
            yield f"{gone[0]} is connected and then switched off"
            continue
        drivers = sorted(end for end in net if _pin(it, end)["out"])
        if len(drivers) != 1:
            yield f"{', '.join(sorted(net))}: driven {len(drivers)} times"
            continue
        source = _pin(it, drivers[0])
        for end in sorted(net):
            pin = _pin(it, end)
            if pin["is"] != source["is"]:
                yield f"{end}, a {pin['is']} pin, is driven by {drivers[0]}, a {source['is']} pin"
            if pin["width"] != source["width"]:
                yield f"{end} has {pin['width']} bits, {drivers[0]} {source['width']}"
    for cell in it.cells.values():
        for name, pin in cell.pins().items():
            path = f"/{cell.name}/{name}"
            if not pin.get("out") and not pin.get("optional") and not _net(it, path):
                yield f"{path} is not connected"


def _resets(it: Recorded) -> Iterator[str]:
    """A reset has the polarity that its pin wants, and is of the clock that it resets."""
    for cell in it.cells.values():
        for name, pin in cell.pins().items():
            path = f"/{cell.name}/{name}"
            driver = _driver(it, path)
            if pin["is"] != "reset" or pin.get("out") or not driver:
                continue
            low = pin.get("low", False)
            if isinstance(low, str):  # a setting: 1 is active high
                low = cell.value(low) == "0"
            source = _pin(it, driver)
            if bool(low) != bool(source["low"]):
                yield f"{path} and {driver}: one is active low, the other high"
            if pin.get("any_clock"):
                continue
            if "of" not in source:
                yield f"{path}: {driver} is released at no clock of the fabric"
            elif _clock(it, driver, source["of"] or "") != _clock(it, path, pin.get("of") or ""):
                yield f"{path}: {driver} is of another clock"


def _clock(it: Recorded, path: str, pin: str) -> str:
    """What makes the clock at a pin of the cell that `path` is of."""
    return _driver(it, f"{path.rpartition('/')[0]}/{pin}")


def _interfaces(it: Recorded) -> Iterator[str]:
    """A master and a slave of one protocol, width and clock; identifiers and addresses that fit."""
    used = Counter(end for bus in it.buses for end in bus[:2])
    for cell in it.cells.values():
        for name in cell.interfaces():
            if f"/{cell.name}/{name}" not in used:
                yield f"/{cell.name}/{name} is connected to nothing"
    for start, end, _ in it.buses:
        ends = [path for path in (start, end) if _bus(it, path) is not None]
        if len(ends) < 2:
            yield f"{start} and {end}: one is not there any more"
            continue
        masters = [path for path in ends if (_bus(it, path) or {}).get("master")]
        if len(masters) != 1:
            yield f"{start} and {end}: {len(masters)} of them are masters"
            continue
        master, slave = masters[0], end if masters[0] == start else start
        yield from _pair(it, master, slave)


def _bus(it: Recorded, path: str) -> Bus | None:
    cell, _, name = path.strip("/").partition("/")
    return it.cells[cell].interfaces().get(name)


def _value(it: Recorded, path: str, key: str) -> str | int:
    """A fact of an interface as its cell is set; 0 if it has none such."""
    cell = it.cells[path.strip("/").partition("/")[0]]
    value = cell.resolved(dict(_bus(it, path) or {}).get(key))
    if isinstance(value, str):
        return int(value) if value.isdigit() else value
    return value if isinstance(value, int) else 0


def _pair(it: Recorded, master: str, slave: str) -> Iterator[str]:
    for key, word in (("protocol", "is {}"), ("width", "has {} bits")):
        here, there = _value(it, master, key), _value(it, slave, key)
        if "any" not in (here, there) and here != there:
            yield f"{master} {word.format(here)}, {slave} {word.format(there)}"
    for key in ("id", "address"):
        here, there = _value(it, master, key), _value(it, slave, key)
        # A processor's addresses are cut to a slave's; those of the fabric must all arrive.
        cut = key == "address" and "space" not in (_bus(it, master) or {})
        if isinstance(here, str) or isinstance(there, str):
            continue  # "any"
        if here and there and here > there and not cut:
            yield f"{master} has {here} {key} bits, {slave} {there}"
    clocks = [_clock(it, path, (_bus(it, path) or {})["of"]) for path in (master, slave)]
    if clocks[0] != clocks[1]:
        yield f"{master} has the clock {clocks[0] or 'of nothing'}, {slave} {clocks[1] or 'none'}"


def _addresses(it: Recorded) -> Iterator[str]:
    """Every segment that a space reaches is assigned once, within what leads there."""
    for place, one in enumerate(it.addresses):
        for other in it.addresses[:place]:
            if one.space == other.space and one.base < other.base + other.size \
                    and other.base < one.base + one.size:  # fmt: skip
                yield f"{one.segment} overlaps {other.segment} in {one.space}"
        fixed = _segment(it, one.segment)
        if fixed and fixed[1] and one.size > fixed[1]:
            yield f"{one.segment} has {fixed[1]:#x} bytes, {one.size:#x} are assigned"
        if fixed and one.segment.split("/")[2].startswith(("S_AXI_HP", "SAXIGP")) \
                and one.base < fixed[0]:  # fmt: skip
            yield f"{one.segment} begins at {fixed[0]:#x}, not at {one.base:#x}"
        yield from _reached(it, one)
    for path in _all_segments(it):
        if path not in {one.segment for one in it.addresses}:
            yield f"{path} has no address"


def _segment(it: Recorded, path: str) -> list[int] | None:
    cell, _, name = path.strip("/").partition("/")
    for bus in it.cells[cell].interfaces().values():
        if name in bus.get("segments", {}):
            return bus["segments"][name]
    return None


def _all_segments(it: Recorded) -> Iterator[str]:
    for cell in it.cells.values():
        for bus in cell.interfaces().values():
            yield from (f"/{cell.name}/{segment}" for segment in bus.get("segments", {}))


def _bus_of_segment(it: Recorded, path: str) -> str:
    cell, _, name = path.strip("/").partition("/")
    return next((f"/{cell}/{bus}" for bus, facts in it.cells[cell].interfaces().items()
                 if name in facts.get("segments", {})), "")  # fmt: skip


def _reached(it: Recorded, one: Assigned) -> Iterator[str]:
    """The way from the space's master to the segment's slave, and that master's window."""
    masters = _masters(it, one.space)
    goal = _bus_of_segment(it, one.segment)
    ways = [master for master in masters if goal in slaves(it, master)]
    if not ways:
        yield f"nothing of {one.space} leads to {one.segment}"
        return
    windows = (_bus(it, ways[0]) or {}).get("windows")
    last = one.base + one.size - 1
    if windows and not any(low <= one.base and last <= high for low, high in windows):
        yield f"{one.segment} at {one.base:#x} is not in what {ways[0]} leads to"


def _masters(it: Recorded, space: str) -> list[str]:
    cell, _, name = space.strip("/").partition("/")
    own = it.cells[cell]
    whole = own.kind.facts.get("space") == name
    return [f"/{cell}/{bus}" for bus, facts in own.interfaces().items()
            if facts.get("master") and (whole or facts.get("space") == name)]  # fmt: skip


def slaves(it: Recorded, master: str) -> list[str]:
    """Where a master's bus ends, through cells that pass it on."""
    ends, left = [], [master]
    while left:
        at = left.pop()
        for start, end, _ in it.buses:
            if at not in (start, end):
                continue
            slave = end if at == start else start
            if slave in ends:
                continue
            ends.append(slave)
            cell = it.cells[slave.strip("/").partition("/")[0]]
            if cell.kind.facts.get("passes"):
                left += [f"/{cell.name}/{bus}" for bus, facts in cell.interfaces().items()
                         if facts.get("master")]  # fmt: skip
    return ends


def number_of(it: Recorded, end: str, numbers: Mapping[str, int]) -> int | None:
    """The number of the processor system's pin that is wired to `end`."""
    net = next((net for net in it.nets if end in net), set())
    return next((numbers[pin] for pin in numbers if f"/ps/{pin}" in net), None)


def _rest(it: Recorded) -> Iterator[str]:
    for cell in it.cells.values():
        if cell.kind.facts.get("external") and not cell.external:
            yield f"/{cell.name}: DDR and FIXED_IO are not pins of the design"
