"""What each key of a `[[master]]` table may be, and how it is normalised.

A parser gets the value as the file wrote it, the platform, and the master's values so far; it
returns the normalised value or raises `BadValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import cast

from axiometer.base import clocks, pace
from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.experiment import (
    keys,
    keys_processor,
    keys_usp,
    master_job_values,
    master_keys,
    vendor,
)
from axiometer.experiment.keys import KEYS, Given
from axiometer.experiment.values import Master, Values, known
from axiometer.platform import Platform, limits

Known = Mapping[str, object]
"""Values of a master by their keys."""
ENGINES = ("engine", "accelerator")
"""Kinds at ports as the chip's file describes them, with keys of their own for their bursts."""
_AT_PORTS = (*keys_processor.IN_FABRIC, "ring", "neighbour")
MOST_MBS = 1_000_000
"""That a master may ask for; what its port does not carry is told."""
# A board without this figure describes no simple masters.
_SIMPLE = "fabric.master.plain_issue_cycles"


def kinds(platform: Platform) -> list[str]:
    """The kinds of masters that the platform describes at its memory."""
    own = [_figure(platform, name, "master") for name in platform.memory_ports]
    simple = master_keys.SIMPLE if own and platform.has(_SIMPLE) else ()
    ring = ["ring"] if own and platform.has("processor.ring.fifo_bytes") else []
    beside = ["neighbour"] if platform.neighbours else []
    return [
        "engine",
        "accelerator",
        *beside,
        *(kind for kind in own if kind is not None),
        *(("memcpy", "loop") if "processor" in own else ()),
        *simple,
        *ring,
        *(kind for kind in vendor.KINDS if kind not in own),
    ]


def engine_of(platform: Platform, table: Mapping[str, Given]) -> str | None:
    """The vendor's engine that a master is; None of other kinds, and of the `axi_dma` of 32 bits
    that published rows name, which the processor's side of the platform describes."""
    kind = str(table["kind"].value)
    if kind not in vendor.KINDS:
        return None
    told = {key for key in table if key not in (*master_keys.COMMON, *master_keys.PUBLISHED)}
    if told == {"width_bits"} and table["width_bits"].value == keys_processor.MASTER_BITS:
        told = set()
    port = table["port"].value if "port" in table else None
    usual = [p for p in platform.ports if vendor.published(platform, p)]
    two = "direction" in table and table["direction"].value not in ("read", "write")
    if kind != "axi_dma" or told or two or not usual or (port and port not in usual):
        return kind
    return None


def ports(platform: Platform, own: Master) -> list[str]:
    """The ports at which a master of this kind may be: of engines, those with a way to the memory
    of their own; of others, those of the processor's side; none where a kind has no port."""
    if own["kind"] in ENGINES:
        return [port for port in platform.ports if platform.has(f"port.{port}.path")]
    if own["engine"]:
        return vendor.ports(platform)
    if own["kind"] == "neighbour":
        return platform.neighbours
    allowed = keys_processor.KINDS.get(own["kind"], ())
    found = [port for port in platform.ports if keys_processor.kind(platform, port) in allowed]
    if own["kind"] not in _AT_PORTS:  # into the fabric
        return [p for p in found if keys_processor.kind(platform, p) == "gp-master"]
    # Where a master in the fabric is, there is its way to the memory.
    return [p for p in found if platform.has(f"{platform.way(p)}.path")]


def _memory_port(platform: Platform, own: Master) -> str:
    """The way of a kind that is no engine: in the fabric its port, or else the memory port that the
    chip has for the kind."""
    if own["kind"] in _AT_PORTS:
        return str(own["port"])
    by_processor = own["kind"] in master_keys.BY_PROCESSOR
    return _for_kind(platform, "processor" if by_processor else own["kind"], own["port"])


def is_stream(master: Master) -> bool:
    """Whether a master is streams of bursts of its own at a port, which others may share."""
    return bool(master["engine"]) or master["kind"] in ENGINES


def _for_kind(platform: Platform, kind: str, port: str | None = None) -> str:
    """The memory port of a kind; of several DMA engines, of that which `port` has."""
    of = [n for n in platform.memory_ports if _figure(platform, n, "master") == kind]
    engine = platform.value(f"port.{port}.dmac", None)
    return next((n for n in of if engine and _figure(platform, n, "dmac") == engine), of[0])


def _figure(platform: Platform, name: str, key: str) -> str | None:
    return platform.word(f"memory_port.{name}.{key}", None)


def follows(key: str, platform: Platform, own: Master) -> Known:
    """What is known of a master once its `key` is, for no key says it."""
    engine = is_stream(own)
    if own["engine"] and key in _FOLLOWS_ENGINE:
        return _FOLLOWS_ENGINE[key](platform, own)
    if key == "direction" and own["kind"] in master_keys.JOBS:
        return {"direction": "pair"}
    if key == "port":
        way = known(own["port"]) if engine else _memory_port(platform, own)
        width = None if engine else platform.whole(f"memory_port.{way}.width_bits", None)
        if own["kind"] in keys_processor.IN_FABRIC:
            width = keys_processor.MASTER_BITS
        elif own["kind"] == "neighbour":  # the model moves it as a port of the fabric does
            width = keys.widest(platform, platform.ports[:1])
        elif own["kind"] == "ring":
            width = keys.widest(platform, [known(own["port"])])
        more = _ENGINE_HAS if own["engine"] else {}
        return {"way": way, "width_bits": width, **more}
    if key == "operation" and own["operation"] is not None:
        return {"direction": master_keys.OPERATIONS[own["operation"]]}
    if key == "pl_mhz":
        clock = "pl" if engine else _figure(platform, own["way"], "clock") or "pl"
        if clock == "pl":
            return {"link_mhz": own["pl_mhz"]}
        return {"link_mhz": float(clocks.meant(platform.word(f"processor.clocks.{clock}")))}
    if key == "burst_bytes" and own["kind"] == "accelerator":
        return {"pattern": "sequential"}
    if key == "burst_bytes" and not engine:
        return {"burst_bytes": _BURSTS[own["kind"]](platform, own), "pattern": "sequential"}
    return {}


# What a vendor's engine has in any case.
_ENGINE_HAS = {"pattern": "sequential", "pieces": 1}


def _hls_burst(platform: Platform, own: Master) -> Known:
    """The longest burst of either direction; of a copy, what both have."""
    each = {"read": own["max_read_burst_length"], "write": own["max_write_burst_length"]}
    told = [beats for way in master_keys.directions(own) if (beats := each[way]) is not None]
    if len(told) < len(master_keys.directions(own)):
        return {}
    beats = min(told) if own["direction"] == "pair" else max(told)
    size = beats * own["width_bits"] // 8
    return {"burst_bytes": vendor.at_port(platform, known(own["port"]), size, own["width_bits"])}


def _descriptors(platform: Platform, own: Master) -> Known:
    """Of an engine that copies: a job is what a descriptor says."""
    if own["direction"] != "pair":
        return {}
    usual = max(USUAL_DESCRIPTOR // own["burst_bytes"], 1) * own["burst_bytes"]
    return {"descriptor_bytes": own["descriptor_bytes"] or usual, "depth": DESCRIPTORS_AHEAD}


def _demand(platform: Platform, own: Master) -> Known:
    if own["frame"] is None:
        return {}
    return {"rate_mbs": float(vendor.demand_mbs(own["frame"], known(own["pixel_bytes"])))}


_FOLLOWS_ENGINE: Mapping[str, Callable[[Platform, Master], Known]] = {
    "max_write_burst_length": _hls_burst,
    "descriptor_bytes": _descriptors,
    "frame": _demand,
}
USUAL_DESCRIPTOR = 65536
"""Bytes of a descriptor's buffer where none are told."""
DESCRIPTORS_AHEAD = 2
"""Descriptors that an engine which copies holds: one at work, one in its queue."""


def _full_burst(platform: Platform, own: Master) -> int:
    return platform.whole("fabric.master.burst_beats") * own["width_bits"] // 8


# Bytes of a burst at the memory, of kinds that are not told: a cache line, the master's burst, or
# its word.
_BURSTS: Mapping[str, Callable[[Platform, Master], int]] = {
    **dict.fromkeys(master_keys.BY_PROCESSOR, lambda p, own: p.whole("processor.cache.line_bytes")),
    "ps_dma": lambda p, own: p.whole(f"{keys_processor.dmac(p, known(own['port']))}.burst_bytes"),
    **dict.fromkeys(("axi_dma", "full", "full_improved"), _full_burst),
    **dict.fromkeys(("lite", "lite_improved"), lambda p, own: own["width_bits"] // 8),
    "neighbour": lambda p, own: p.whole(f"neighbour.{own['way']}.burst_bytes"),
    # Before the packet's size is known; one that is smaller is a burst (`_packet`).
    "ring": lambda p, own: keys.usual_burst(p, [known(own["port"])]) * own["width_bits"] // 8,
}


def _port(raw: object, platform: Platform, own: Master) -> str:
    beside = own["kind"] == "neighbour" and raw in platform.neighbours
    found = [str(raw)] if beside else keys.ports_of(raw, platform)
    if len(found) != 1:
        raise BadValueError(f"port is {limits.shown(raw)}", "name one port of each master")
    good = ports(platform, own)
    if found[0] not in good:
        listed = f"ports of kind {own['kind']}: {', '.join(good)}"
        raise BadValueError(f"port {found[0]} has no way to the memory for {own['kind']}", listed)
    return found[0]


def _operation(raw: object, platform: Platform, own: Master) -> str:
    return _one_of("operation", raw, master_keys.OPERATIONS)


def _one_of(name: str, raw: object, choices: Iterable[str]) -> str:
    if isinstance(raw, str) and raw in choices:
        return raw
    hint = did_you_mean(limits.shown(raw), choices, "known values")
    raise BadValueError(f"{name} is {limits.shown(raw)}", hint)


def _direction(told: object, platform: Platform, own: Master) -> str:
    raw = _one_of("direction", told, master_keys.DIRECTIONS)
    if own["kind"] == "neighbour":
        good = _directions(platform, own)
        if raw not in good:
            raise BadValueError(
                f"direction is {limits.shown(raw)}", f"{own['port']} has: {', '.join(good)}"
            )
    elif own["engine"]:
        good = vendor.directions(own["engine"])
        if raw not in good:
            raise BadValueError(
                f"direction is {limits.shown(raw)}", f"{own['engine']} has: {', '.join(good)}"
            )
        return raw
    elif own["kind"] != "engine" and raw not in ("read", "write"):
        raise BadValueError(
            f"direction is {limits.shown(raw)}",
            f"a master of kind {own['kind']} has one at a time: read or write, of the memory",
        )
    if raw == "pair" and keys_usp.runs_freely(platform):
        raise BadValueError(f"the engines of {platform.name} are not pairs", 'give "both"')
    return raw


def _directions(platform: Platform, own: Master) -> list[str]:
    """Those of one of the chip's own masters, the usual one first."""
    found = list(platform.words(f"neighbour.{own['port']}.directions"))
    return ["both", *found] if len(found) > 1 else found


def _as(name: str) -> Callable[[object, Platform, Master], object]:
    """As the key `name` of a point, at the master's port and width."""

    def parse(raw: object, platform: Platform, own: Master) -> object:
        return KEYS[name].parse(raw, platform, _as_point(own))

    return parse


def _outstanding(raw: object, platform: Platform, own: Master) -> int:
    names = [f"outstanding_{way}" for way in master_keys.directions(own)]
    found = [KEYS[name].parse(raw, platform, _as_point(own)) for name in names]
    return min(cast("list[int]", found))


def _as_point(own: Master) -> Values:
    """What keys of a point that masters have, too, look at of one."""
    return cast("Values", {**own, "ports": [own["port"]]})


def _engine_or(
    name: str, of_engine: Callable[[object, Platform, Master], object]
) -> Callable[[object, Platform, Master], object]:
    """As `_as`; but of a vendor's engine what that has."""
    usual = _as(name)
    return lambda raw, platform, own: (of_engine if own["engine"] else usual)(raw, platform, own)


def _engine_width(raw: object, platform: Platform, own: Master) -> int:
    return vendor.width(known(own["engine"]), raw, platform, known(own["port"]))


def _engine_burst(raw: object, platform: Platform, own: Master) -> int:
    """Bytes of a burst at the port: of a longer one that the engine begins the interconnect makes
    `pieces`."""
    size, beat = keys.size_of("burst_bytes", raw), own["width_bits"] // 8
    beats = None if size % beat else size // beat
    vendor.check_burst(known(own["engine"]), "burst_bytes", raw, beats)
    found = vendor.at_port(platform, known(own["port"]), size, own["width_bits"])
    own["pieces"] = size // found
    return found


def _beats(name: str) -> Callable[[object, Platform, Master], int]:
    def parse(raw: object, platform: Platform, own: Master) -> int:
        vendor.check_burst(known(own["engine"]), name, raw, raw)
        assert isinstance(raw, int)  # as it says
        return raw

    return parse


def _truth(name: str) -> Callable[[object, Platform, Master], bool]:
    def parse(raw: object, platform: Platform, own: Master) -> bool:
        if not isinstance(raw, bool):
            raise BadValueError(f"{name} is {limits.shown(raw)}", "give true or false")
        return raw

    return parse


def _frame(raw: object, platform: Platform, own: Master) -> str:
    vendor.frame(raw)
    return str(raw).strip()


def _rate(raw: object, platform: Platform, own: Master) -> float:
    of_bytes = Fraction(own["burst_bytes"])
    if own["kind"] in master_keys.JOBS:  # what moves fewer bytes asks for as much less
        sizes = [master_keys.job_bytes(own, way) for way in ("read", "write")]
        of_bytes *= Fraction(max(sizes), min(sizes))
    least = pace.least(of_bytes, own["link_mhz"])
    if not limits.is_number(raw) or not least <= raw <= MOST_MBS:
        raise BadValueError(
            f"rate_mbs is {limits.shown(raw)}",
            f"give at least {least:g} and at most {MOST_MBS:g} MB/s",
        )
    return float(raw)


def _bytes(name: str, least: int) -> Callable[[object, Platform, Master], int]:
    def parse(raw: object, platform: Platform, own: Master) -> int:
        size = (
            0 if raw == 0 and not isinstance(raw, bool) and not least else keys.size_of(name, raw)
        )
        memory = platform.memory_bytes
        if size > memory or size < (own["burst_bytes"] if least else 0):
            raise BadValueError(
                f"{name} is {limits.shown(raw)}",
                f"give at least {'a burst' if least else 0} and at most the memory, {memory} bytes",
            )
        return size

    return parse


def _time(name: str) -> Callable[[object, Platform, Master], float]:
    def parse(raw: object, platform: Platform, own: Master) -> float:
        most = limits.of_key("duration").bounds[1] * 1e6
        if not limits.is_number(raw) or not 0 <= raw <= most:
            raise BadValueError(f"{name} is {limits.shown(raw)}", f"give 0 to {most:g} us")
        return float(raw)

    return parse


PARSE: Mapping[str, Callable[[object, Platform, Master], object]] = {
    "port": _port,
    "operation": _operation,
    "direction": _direction,
    "width_bits": _engine_or("width_bits", _engine_width),
    "pl_mhz": _as("pl_mhz"),
    "burst_bytes": _engine_or("burst_bytes", _engine_burst),
    "max_read_burst_length": _beats("max_read_burst_length"),
    "max_write_burst_length": _beats("max_write_burst_length"),
    "outstanding": _outstanding,
    "num_read_outstanding": _as("outstanding_read"),
    "num_write_outstanding": _as("outstanding_write"),
    "latency": master_job_values.whole("latency", 0, 2**20, "cycles"),
    "scatter_gather": _truth("scatter_gather"),
    "descriptor_bytes": master_job_values.whole_bursts("descriptor_bytes"),
    "pixel_bytes": master_job_values.whole("pixel_bytes", 1, 16, "bytes"),
    "frame": _frame,
    **master_job_values.PARSE,
    "rate_mbs": _rate,
    "gap_cycles": _as("gap_cycles"),
    "pattern": _as("pattern"),
    "memory_type": _as("memory_type"),
    "region": _bytes("region", 1),
    "base": _bytes("base", 0),
    "start_us": _time("start_us"),
    "stop_us": _time("stop_us"),
}
"""By key, in an order in which each needs only those before it."""


def _usual_direction(platform: Platform, own: Master) -> str:
    if own["engine"]:
        return vendor.directions(own["engine"])[0]
    if own["kind"] == "neighbour":
        return _directions(platform, own)[0]
    if own["kind"] != "engine":
        return "read"
    return "both" if keys_usp.runs_freely(platform) else "pair"


def _usual_port(platform: Platform, own: Master) -> str | None:
    """Where a chip has a port for masters of the kind; None: it has to be told."""
    if own["engine"] or own["kind"] in (*ENGINES, *master_keys.SIMPLE, "ring", "neighbour"):
        return None
    if own["kind"] in master_keys.BY_PROCESSOR:
        return ports(platform, own)[0]
    way = _for_kind(platform, own["kind"])
    return way if way in platform.ports else ports(platform, own)[0]


def _usual_burst(platform: Platform, own: Master) -> int:
    port, width = known(own["port"]), own["width_bits"]
    if own["engine"]:
        size = vendor.number(own["engine"], "burst_beats") * width // 8
        return vendor.at_port(platform, port, size, width)
    return keys.usual_burst(platform, [port]) * width // 8


def _usual_outstanding(platform: Platform, own: Master) -> int | None:
    """Of an engine whose directions keep as many; None where the streams say it."""
    if not own["engine"]:
        return None
    read, write = (vendor.figure(own["engine"], f"outstanding_{way}") for way in ("read", "write"))
    return cast("int | None", read) if read == write else None


# Keys of an engine, and the figures of its table that are usual.
_FIGURES = {
    **{f"max_{way}_burst_length": "burst_beats" for way in ("read", "write")},
    **{f"num_{way}_outstanding": f"outstanding_{way}" for way in ("read", "write")},
    "latency": "latency",
}


def _of_engine(key: str) -> Callable[[Platform, Master], int]:
    return lambda platform, own: vendor.number(known(own["engine"]), _FIGURES[key])


USUAL: Mapping[str, Callable[[Platform, Master], object]] = {
    "port": _usual_port,
    "operation": lambda p, own: "copy",
    "direction": lambda p, own: _usual_direction(p, own),
    "width_bits": lambda p, own: keys.widest(p, [known(own["port"])]),
    "burst_bytes": _usual_burst,
    "outstanding": _usual_outstanding,
    **{name: _of_engine(name) for name in _FIGURES},
    "scatter_gather": lambda p, own: own["engine"] and vendor.figure(own["engine"], "descriptors"),
    "pixel_bytes": lambda p, own: 3,
    "pattern": lambda p, own: "sequential",
    **master_job_values.USUAL,
}
