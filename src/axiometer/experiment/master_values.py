"""The allowed values and the normalisation of each key of a `[[master]]` table.

A parser gets the value from the file, the platform, and the master's values so far; it returns the
normalised value or raises `BadValueError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import cast

from axiometer.base import clocks, pace
from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.experiment import keys, keys_processor, kinds, master_keys, sizes, vendor
from axiometer.experiment.directions import DIRECTIONS, normal_direction
from axiometer.experiment.keys import KEYS, Given
from axiometer.experiment.kinds import accelerator, job_values, ring
from axiometer.experiment.kinds.kind import Known
from axiometer.experiment.kinds.processor import WORDS
from axiometer.experiment.values import Master, Values, known
from axiometer.platform import Platform, limits

# A board without this figure describes no simple masters.
_SIMPLE = "fabric.master.plain_issue_cycles"


def described(platform: Platform) -> list[str]:
    """The kinds of masters that the platform describes at its memory."""
    own = [platform.word(f"memory_port.{n}.master", None) for n in platform.memory_ports]
    simple = kinds.SIMPLE if own and platform.has(_SIMPLE) else ()
    rings = ["ring"] if own and platform.has("processor.ring.fifo_bytes") else []
    beside = ["neighbour"] if platform.neighbours else []
    return [
        "engine",
        "accelerator",
        *beside,
        *(kind for kind in own if kind is not None),
        *(("memcpy", "loop") if "processor" in own else ()),
        *simple,
        *rings,
        *(kind for kind in vendor.KINDS if kind not in own),
    ]


def engine_of(platform: Platform, table: Mapping[str, Given]) -> str | None:
    """The vendor's engine of a master; None for other kinds, and for the `axi_dma` of 32 bits of
    published rows, which the platform describes on the processor's side."""
    kind = str(table["kind"].value)
    if kind not in vendor.KINDS:
        return None
    more = {key for key in table if key not in (*master_keys.COMMON, *master_keys.PUBLISHED)}
    if more == {"width_bits"} and table["width_bits"].value == keys_processor.MASTER_BITS:
        more = set()
    port = table["port"].value if "port" in table else None
    usual = [p for p in platform.ports if vendor.published(platform, p)]
    two = "direction" in table and table["direction"].value not in ("read", "write")
    if kind != "axi_dma" or more or two or not usual or (port and port not in usual):
        return kind
    return None


def ports(platform: Platform, own: Master) -> list[str]:
    """The ports at which a master of this kind may be; [] for kinds without a port."""
    return kinds.of(own).ports(platform)


def is_stream(master: Master) -> bool:
    """Whether a master is streams of bursts at a port that other streams may share."""
    return kinds.of(master).stream


def follows(key: str, platform: Platform, own: Master) -> Known:
    """Values that follow from a master's `key`."""
    of = kinds.of(own)
    if key == "port":
        way = of.way(platform, own["port"])
        width = of.width_bits(platform, own, way)
        return {"way": way, "width_bits": width, **of.follows(key, platform, own)}
    if key == "pl_mhz":
        clock = of.link_mhz(platform, own)
        if clock == "pl":
            return {"link_mhz": own["pl_mhz"]}
        return {"link_mhz": float(clocks.meant(platform.word(f"processor.clocks.{clock}")))}
    return of.follows(key, platform, own)


def _port(raw: object, platform: Platform, own: Master) -> str:
    beside = own["kind"] == "neighbour" and raw in platform.neighbours
    found = [str(raw)] if beside else keys.ports_of(raw, platform)
    if len(found) != 1:
        raise BadValueError(f"port is {limits.shown(raw)}", "name one port of each master")
    good = ports(platform, own)
    if found[0] not in good:
        listed = f"ports of kind {own['kind']}: {', '.join(good)}"
        raise BadValueError(f"port {found[0]} has no path to the memory for {own['kind']}", listed)
    return found[0]


def _operation(raw: object, platform: Platform, own: Master) -> str:
    word = WORDS.get(raw, raw) if isinstance(raw, str) else raw
    return _one_of("operation", word, master_keys.OPERATIONS)


def _copy_bytes(raw: object, platform: Platform, own: Master) -> object:
    found = _routine("copy_bytes")(raw, platform, own)
    sizes = [2**n for n in range(platform.whole("processor.cache.line_bytes").bit_length())]
    if own["kind"] == "processor" and found not in sizes:
        listed = ", ".join(map(str, sizes))
        raise BadValueError(f"copy_bytes is {limits.shown(raw)}", f"give one of {listed}")
    return found


def _routine(name: str) -> Callable[[object, Platform, Master], object]:
    """The parser of a key of the copy routine, which the kernel's own copies do not have."""
    usual = _as(name)

    def parse(raw: object, platform: Platform, own: Master) -> object:
        if own["operation"] in master_keys.BUFFERS:
            raise BadValueError(
                f"{name} is not a driver's to choose: operation {own['operation']} is the kernel's "
                "copy at its uncached buffer",
                f"remove {name}, or choose operation read, write or copy",
            )
        return usual(raw, platform, own)

    return parse


def _one_of(name: str, raw: object, choices: Iterable[str]) -> str:
    if isinstance(raw, str) and raw in choices:
        return raw
    hint = did_you_mean(limits.shown(raw), choices, "known values")
    raise BadValueError(f"{name} is {limits.shown(raw)}", hint)


def _direction(value: object, platform: Platform, own: Master) -> str:
    word = normal_direction(value) if isinstance(value, str) else None
    raw = _one_of("direction", word or value, DIRECTIONS)
    if raw not in kinds.of(own).directions(platform, own):
        raise kinds.of(own).wrong_direction(raw, platform, own)
    return raw


def _as(name: str) -> Callable[[object, Platform, Master], object]:
    """A parser like that of the point's key `name`, at the master's port and width."""

    def parse(raw: object, platform: Platform, own: Master) -> object:
        return KEYS[name].parse(raw, platform, _as_point(own))

    return parse


def _outstanding(raw: object, platform: Platform, own: Master) -> int:
    names = [f"outstanding_{way}" for way in master_keys.directions(own)]
    found = [KEYS[name].parse(raw, platform, _as_point(own)) for name in names]
    return min(cast("list[int]", found))


def _as_point(own: Master) -> Values:
    """A master's values in the form that parsers of a point's keys read."""
    return cast("Values", {**own, "ports": [own["port"]]})


def _engine_or(
    name: str, of_engine: Callable[[object, Platform, Master], object]
) -> Callable[[object, Platform, Master], object]:
    """The parser `of_engine` for vendors' engines, `_as` for other masters."""
    usual = _as(name)
    return lambda raw, platform, own: (of_engine if own["engine"] else usual)(raw, platform, own)


def _engine_width(raw: object, platform: Platform, own: Master) -> int:
    return vendor.width(known(own["engine"]), raw, platform, known(own["port"]))


def _engine_burst(raw: object, platform: Platform, own: Master) -> int:
    """Bytes of a burst at the port; the interconnect splits a longer burst of the engine into
    `pieces`."""
    size, beat = sizes.size_of("burst_bytes", raw), own["width_bits"] // 8
    beats = None if size % beat else size // beat
    vendor.check_burst(known(own["engine"]), "burst_bytes", raw, beats)
    found = vendor.at_port(platform, known(own["port"]), size, own["width_bits"])
    own["pieces"] = size // found
    return found


def _beats(name: str) -> Callable[[object, Platform, Master], int]:
    def parse(raw: object, platform: Platform, own: Master) -> int:
        vendor.check_burst(known(own["engine"]), name, raw, raw)
        assert isinstance(raw, int)  # `check_burst` ensures this
        return raw

    return parse


def _truth(name: str) -> Callable[[object, Platform, Master], bool]:
    def parse(raw: object, platform: Platform, own: Master) -> bool:
        if not isinstance(raw, bool):
            raise BadValueError(f"{name} is {limits.shown(raw)}", "give true or false")
        return raw

    return parse


def _name(raw: object, platform: Platform, own: Master) -> str:
    if not isinstance(raw, str) or raw == own["name"]:
        raise BadValueError(
            f"partner is {limits.shown(raw)}",
            'name the engine at the other end of the stream, or give direction = "pair"',
        )
    return raw


def _frame(raw: object, platform: Platform, own: Master) -> str:
    vendor.frame(raw)
    return str(raw).strip()


def _rate(raw: object, platform: Platform, own: Master) -> float:
    of_bytes = Fraction(own["burst_bytes"])
    if own["kind"] in master_keys.JOBS:  # the direction with fewer bytes has a lower rate
        sizes = [master_keys.job_bytes(own, way) for way in ("read", "write")]
        of_bytes *= Fraction(max(sizes), min(sizes))
    least = pace.least(of_bytes, own["link_mhz"])
    most = limits.most_of_key("rate_mbs")
    if not limits.is_number(raw) or not least <= raw <= most:
        raise BadValueError(
            f"rate_mbs is {limits.shown(raw)}",
            f"give at least {least:g} and at most {most:g} MB/s",
        )
    return float(raw)


def _bytes(name: str, least: int) -> Callable[[object, Platform, Master], int]:
    def parse(raw: object, platform: Platform, own: Master) -> int:
        size = (
            0 if raw == 0 and not isinstance(raw, bool) and not least else sizes.size_of(name, raw)
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
        most = limits.most_of_key(name)
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
    "latency": job_values.whole("latency", 0, 2**20, "cycles"),
    "scatter_gather": _truth("scatter_gather"),
    "descriptor_bytes": job_values.whole_bursts("descriptor_bytes"),
    "pixel_bytes": job_values.whole("pixel_bytes", 1, 16, "bytes"),
    "frame": _frame,
    **accelerator.PARSE,
    **ring.PARSE,
    "rate_mbs": _rate,
    "gap_cycles": _as("gap_cycles"),
    "pattern": _as("pattern"),
    "through": _as("through"),
    "partner": _name,
    "memory_type": _routine("memory_type"),
    "copy_bytes": _copy_bytes,
    "region": _bytes("region", 1),
    "base": _bytes("base", 0),
    "start_us": _time("start_us"),
    "stop_us": _time("stop_us"),
}
"""By key; each parser needs only values of the keys before it."""


def _usual_outstanding(platform: Platform, own: Master) -> int | None:
    """An engine's figure if both directions have the same; None if the streams' figures apply."""
    if not own["engine"]:
        return None
    read, write = (vendor.figure(own["engine"], f"outstanding_{way}") for way in ("read", "write"))
    return cast("int | None", read) if read == write else None


# Keys of an engine, and the figures of its table that are their defaults.
_FIGURES = {
    **{f"max_{way}_burst_length": "burst_beats" for way in ("read", "write")},
    **{f"num_{way}_outstanding": f"outstanding_{way}" for way in ("read", "write")},
    "latency": "latency",
}


def _of_engine(key: str) -> Callable[[Platform, Master], int]:
    return lambda platform, own: vendor.number(known(own["engine"]), _FIGURES[key])


USUAL: Mapping[str, Callable[[Platform, Master], object]] = {
    "port": lambda p, own: kinds.of(own).usual_port(p),
    "operation": lambda p, own: "copy",
    "direction": lambda p, own: kinds.of(own).directions(p, own)[0],
    "width_bits": lambda p, own: sizes.widest(p, [known(own["port"])]),
    "burst_bytes": lambda p, own: kinds.of(own).usual_burst(p, own),
    "outstanding": _usual_outstanding,
    **{name: _of_engine(name) for name in _FIGURES},
    "scatter_gather": lambda p, own: own["engine"] and vendor.figure(own["engine"], "descriptors"),
    "pixel_bytes": lambda p, own: 3,
    "pattern": lambda p, own: "sequential",
    **accelerator.USUAL,
    **ring.USUAL,
}
