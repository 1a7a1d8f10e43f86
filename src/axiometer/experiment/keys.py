"""The keys of an experiment: allowed values and normalisation.

To add a key, add one entry to `KEYS`, and run `tools/typed_keys.py --write`. Its `parse` gets the
value from the file, the platform, and the values of the keys before it; it returns the normalised
value or raises `BadValueError`. A default that depends on the platform or on other keys is a
function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from axiometer.base import clocks
from axiometer.base.errors import AxiometerError, BadValueError, did_you_mean
from axiometer.base.units import format_bytes
from axiometer.experiment import (
    between,
    key_names,
    keys_processor,
    keys_qos,
    keys_shared,
    master_keys,
    programs,
    run_length,
)
from axiometer.experiment.directions import MODE_ALIASES, MODES, normal_mode
from axiometer.experiment.sizes import MAX_BURST_BEATS as MAX_BURST_BEATS
from axiometer.experiment.sizes import burst_limit, size_of, usual_burst, widest
from axiometer.experiment.values import Qos, Values
from axiometer.platform import MAPPINGS, Platform, limits, pl_clock

USUAL_TRANSFER_BYTES = 2**25
PAGE_BYTES = 4096
PATTERNS = ("sequential", "random", "stride:<bytes>")
PLACEMENTS = ("aligned", "packed", "random")
BOTH = "both"
"""The mode in which the engines of a board move data in both directions: duplex where they are
pairs, whose write follows their read, and mixed where each runs alone."""


_IN_FILE = re.compile(r"""\b([a-z][a-z_.]*) = ["']?([\w.+-]+)["']?""")
"""A key with its value, as a file has them."""


class Given(NamedTuple):
    """A value as written, and its place: a file and line, or a command-line option."""

    value: object
    file: str | None = None
    line: int | None = None

    @property
    def is_option(self) -> bool:
        """Whether the value comes from the command line."""
        return self.file is not None and self.file.startswith("--")

    def error(self, message: str, remedy: str) -> AxiometerError:
        """An error that points at this value. `remedy` shows keys as a file has them
        (`os = "linux"`); the error of an option shows them as options (`--set os=linux`)."""
        if self.is_option:
            remedy = _IN_FILE.sub(self._as_option, remedy)
        return AxiometerError(message, file=self.file, line=self.line, remedy=remedy)

    def _as_option(self, found: re.Match[str]) -> str:
        """A key of a file as an option: the one that the value itself was given by, or --set."""
        key, value = found.groups()
        own = "--" + key.replace("_", "-")
        return f"{own} {value}" if f"{self.file} ".startswith(f"{own} ") else f"--set {key}={value}"


@dataclass(frozen=True)
class Key:
    """One experiment key: `expects` describes the allowed values for a person; `excludes` names the
    key that sets the same quantity in another unit; `default` is a value or a function of
    (platform, values of the keys before)."""

    expects: str
    parse: Callable[[object, Platform, Values], object]
    default: object | Callable[[Platform, Values], object] = None
    excludes: str | None = None

    def usual(self, platform: Platform, values: Values) -> object:
        """The normalised default."""
        return self.default(platform, values) if callable(self.default) else self.default


def split_ports(text: str) -> list[str]:
    """The port names in "HP0+HP1", "HP0,HP1" or the papers' short form "HP0,1"."""
    names: list[str] = []
    for part in re.split(r"[+,]", text):
        name = part.strip()
        stem = re.match(r".*?(?=\d+$)", names[-1]) if names else None
        names.append(stem[0] + name if stem and name.isdigit() else name)
    return names


def _ports(raw: object, platform: Platform, values: Values) -> list[str]:
    return ports_of(raw, platform)


def ports_of(raw: object, platform: Platform) -> list[str]:
    """The ports in a value of `ports`, in the platform's order. BadValueError for an unknown
    port."""
    example = "+".join(platform.ports[:2])
    if not isinstance(raw, str) or not raw.strip():
        raise BadValueError(
            f"ports is {limits.shown(raw)}", f'name ports of {platform.name} as text: "{example}"'
        )
    aliases = platform.port_aliases()
    by_lower = {alias.lower(): port for alias, port in aliases.items()}
    chosen = []
    for name in split_ports(raw):
        port = by_lower.get(name.lower())
        if port is None:
            listed = f"ports of {platform.name}: {', '.join(platform.ports)}"
            hint = did_you_mean(name, aliases)
            raise BadValueError(
                f"board {platform.name} has no port {name!r}",
                f"{hint} {listed}" if hint.startswith("did you mean") else listed,
            )
        if port in chosen:
            raise BadValueError(
                f"port {port} is named twice in {limits.shown(raw)}", "name each port once"
            )
        chosen.append(port)
    return sorted(chosen, key=platform.ports.index)


def both_ways(platform: Platform, values: Values) -> str:
    """What `BOTH` means for engines at the ports of `values`: the usual mode of a point."""
    return "mixed" if keys_shared.is_free(platform, values) else "duplex"


def _mode(raw: object, platform: Platform, values: Values) -> str:
    mode = normal_mode(raw) if isinstance(raw, str) else None
    if raw == BOTH:
        return both_ways(platform, values)
    if mode is None:
        modes = (*MODES, *MODE_ALIASES, BOTH)
        raise BadValueError(
            f"mode is {limits.shown(raw)}", did_you_mean(limits.shown(raw), modes, "known modes")
        )
    return mode


def _width(raw: object, platform: Platform, values: Values) -> int:
    for port in values["ports"]:
        widths = platform.wholes(f"port.{port}.widths")
        if isinstance(raw, bool) or raw not in widths:
            raise BadValueError(
                f"port {port} cannot be {limits.shown(raw)} bits wide",
                f"widths of {port}: {', '.join(str(width) for width in widths)}",
            )
    assert isinstance(raw, int | float)  # one of the widths of some port
    return int(raw)


def _pl_mhz(raw: object, platform: Platform, values: Values) -> float:
    least, most = map(clocks.number, pl_clock.limits(platform))
    noise = float(clocks.TOLERANCE)
    if limits.is_number(raw) and least * (1 - noise) <= raw <= most * (1 + noise):
        raw = clocks.number(clocks.meant(raw))
    return _number("pl_mhz", raw, least, most)


def _burst_beats(raw: object, platform: Platform, values: Values) -> int:
    beats = _whole("burst_beats", raw, 1, burst_limit(platform, values["ports"]))
    _allowed_burst(beats * (values["width_bits"] // 8), platform, values)
    return beats


def _allowed_burst(size: int, platform: Platform, values: Values) -> None:
    """BadValueError if a port accepts only certain burst sizes and `size` is not among them."""
    for port in values["ports"]:
        sizes = platform.wholes(f"port.{port}.burst_bytes", None)
        if sizes and size not in sizes:
            raise BadValueError(
                f"port {port} does not accept bursts of {size} bytes",
                f"bursts of {port}: {', '.join(map(str, sizes))} bytes",
            )


def _burst_bytes(raw: object, platform: Platform, values: Values) -> int:
    size = size_of("burst_bytes", raw)
    beat = values["width_bits"] // 8
    limit = burst_limit(platform, values["ports"])
    if size % beat or not 1 <= size // beat <= limit:
        raise BadValueError(
            f"a burst of {size} bytes is not 1 to {limit} beats of {beat} bytes",
            f"give a multiple of {beat} up to {limit * beat}",
        )
    _allowed_burst(size, platform, values)
    return size


def _memory_and_streams(platform: Platform, values: Values) -> tuple[int, int]:
    streams = len(values["ports"]) * (2 if values["mode"] in ("duplex", "mixed") else 1)
    return platform.memory_bytes, streams


def _for_a_time(platform: Platform, values: Values) -> bool:
    """Whether a point runs for a time by default: engines that do so, and independent engines that
    read and write, which would end a transfer at different times."""
    apart = values["mode"] == "mixed" and values.get("master", "dma") == "dma"
    return keys_shared.is_free(platform, values) or apart


def _usual_transfer(platform: Platform, values: Values) -> int | None:
    if _for_a_time(platform, values):
        return None
    memory, streams = _memory_and_streams(platform, values)
    share = memory // streams
    return min(USUAL_TRANSFER_BYTES, share - share % min(share, PAGE_BYTES))


def _transfer(raw: object, platform: Platform, values: Values) -> int:
    size = size_of("transfer_bytes", raw)
    if values.get("master") == "convolution":
        raise BadValueError(
            f"the accelerators of {platform.name} run for a time and have no transfer_bytes",
            'give a duration instead: "5ms"',
        )
    memory, streams = _memory_and_streams(platform, values)
    if size * streams > memory:
        raise BadValueError(
            f"{streams} transfers of {format_bytes(size)} need {format_bytes(size * streams)}; "
            f"{platform.name} has {format_bytes(memory)}",
            f"give at most {format_bytes(memory // streams)}",
        )
    return size


def _pattern(raw: object, platform: Platform, values: Values) -> str:
    text = raw.strip() if isinstance(raw, str) else ""
    if text in ("sequential", "random"):
        return text
    word, colon, stride = text.partition(":")
    if word == "stride" and colon:
        size = size_of("the stride of pattern", stride)
        beat = values["width_bits"] // 8
        if size % beat:
            raise BadValueError(
                f"pattern is {limits.shown(raw)}", f"give a stride that is a multiple of {beat}"
            )
        return f"stride:{size}"
    raise BadValueError(
        f"pattern is {limits.shown(raw)}",
        did_you_mean(limits.shown(raw), PATTERNS, "known patterns"),
    )


def _whole(name: str, raw: object, low: int, high: int) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= high:
        raise BadValueError(
            f"{name} is {limits.shown(raw)}", f"give a whole number from {low} to {high}"
        )
    return raw


def _number(name: str, raw: object, low: float, high: float) -> float:
    if isinstance(raw, bool) or not isinstance(raw, int | float) or not low <= raw <= high:
        raise BadValueError(
            f"{name} is {limits.shown(raw)}", f"give a number from {low:g} to {high:g}"
        )
    return raw


def _limited(name: str) -> Callable[[object, Platform, Values], int]:
    """A parser for a whole number, or for bytes, within the limits in the table."""
    least, most = map(int, limits.of_key(name).bounds)
    is_size = limits.of_key(name).kind == "size"

    def parse(raw: object, platform: Platform, values: Values) -> int:
        return _whole(name, size_of(name, raw) if is_size else raw, least, most)

    return parse


def _one_of(name: str, choices: tuple[str, ...]) -> Callable[[object, Platform, Values], str]:
    def parse(raw: object, platform: Platform, values: Values) -> str:
        word = keys_processor.OTHER_WORDS.get(raw, raw) if isinstance(raw, str) else raw
        if isinstance(word, str) and word in choices:
            return word
        hint = did_you_mean(limits.shown(raw), choices, "known values")
        raise BadValueError(f"{name} is {limits.shown(raw)}", hint)

    return parse


def _slave(raw: object, platform: Platform, values: Values) -> str | None:
    slaves = keys_processor.slaves(platform)
    if isinstance(raw, str) and raw in slaves:
        return raw
    hint = did_you_mean(limits.shown(raw), slaves, f"slaves of {platform.name}")
    raise BadValueError(f"slave is {limits.shown(raw)}", hint)


def _through(raw: object, platform: Platform, values: Values) -> str | None:
    return between.parse(raw)


def _skew(raw: object, platform: Platform, values: Values) -> float:
    return float(_number("skew_us", raw, *limits.of_key("skew_us").bounds))


def _qos(raw: object, platform: Platform, values: Values) -> Qos | None:
    try:
        return keys_qos.parse_qos(raw, platform, values["ports"])
    except keys_qos.BadQosError as bad:
        raise BadValueError(bad.message, bad.remedy) from None


KEYS: Mapping[str, Key] = {
    "ports": Key("port names joined by +", _ports),
    "mode": Key(
        "duplex (pairs), mixed (both, independent), ps_to_pl (read) or pl_to_ps (write); default "
        "of masters with one direction: ps_to_pl",
        _mode,
        both_ways,
    ),
    "width_bits": Key(
        "a data width of the ports in bits", _width, lambda p, v: widest(p, v["ports"])
    ),
    "pl_mhz": Key(
        "clock of the PL in MHz, or as '150MHz'", _pl_mhz, lambda p, v: p.number("clocks.pl_mhz")
    ),
    "burst_beats": Key(
        "beats of a burst",
        _burst_beats,
        lambda p, v: usual_burst(p, v["ports"]),
        "burst_bytes",
    ),
    "burst_bytes": Key("bytes of a burst: 128 or '128B'", _burst_bytes, None, "burst_beats"),
    "transfer_bytes": Key(
        "bytes of each transfer, as 4096, '4K' (1K is 1024) or '32MiB'",
        _transfer,
        _usual_transfer,
        "duration",
    ),
    "duration": Key(
        "length of a run without an end, as '10ms'; settled or settled:<longest time> may end "
        "earlier",
        run_length.parse,
        lambda p, v: run_length.usual(p) if _for_a_time(p, v) else run_length.Length(None),
        "transfer_bytes",
    ),
    "repeats": Key("number of repeats", _limited("repeats"), 20),
    "pattern": Key("sequential, random or stride:<bytes>", _pattern, "sequential"),
    "outstanding_read": Key("outstanding reads, at most", _limited("outstanding_read")),
    "outstanding_write": Key("outstanding writes, at most", _limited("outstanding_write")),
    "masters_per_port": Key(
        "masters on each port, joined by a multiplexer in the fabric", keys_shared.masters, 1
    ),
    "through": Key(
        "blocks between masters in the fabric and their ports, joined by +: "
        f"{', '.join(between.table())}, or a number of clocks",
        _through,
    ),
    "background": Key(
        "traffic of the chip's own masters beside the ports, as 'DisplayPort=1000' (MB/s)",
        keys_shared.background,
    ),
    "gap_cycles": Key("PL clocks between bursts", _limited("gap_cycles"), 0),
    "skew_us": Key("fixed time between the starts of the ports in us", _skew),
    "placement": Key("placement of buffers in memory", _one_of("placement", PLACEMENTS), "aligned"),
    "mapping": Key(
        "address mapping", _one_of("mapping", MAPPINGS), lambda p, v: p.word("mapping.default")
    ),
    "qos": Key("class of the ports' traffic: best_effort, or HP0=video+HP3.read=7", _qos),
    "accelerators": Key(
        "convolution accelerators behind each port",
        _limited("accelerators"),
        4,
    ),
    "fill": Key(
        "turns of an accelerator's streams: after each burst, or after each filled buffer",
        _one_of("fill", keys_qos.FILLS),
        keys_qos.FILLS[0],
    ),
    "seed": Key("seed of all random choices", _limited("seed"), 0),
    **{
        name: Key(words, _one_of(name, known), usual)
        for name, (words, known, usual) in keys_processor.CHOICES.items()
    },
    **{
        name: Key(words, _limited(name), usual)
        for name, (words, usual) in keys_processor.NUMBERS.items()
    },
    "program": Key(
        "how software starts transfers and detects their end: a program in programs/, or the "
        "board's",
        programs.parse,
        programs.usual,
    ),
    "slave": Key(
        "a slave in the fabric that the platform describes",
        _slave,
        lambda p, v: next(iter(keys_processor.slaves(p)), None),
    ),
}


def excluded_by(name: str) -> str | None:
    """The key that sets the same quantity in another unit; None if none does."""
    return master_keys.excluded(name) if master_keys.is_setting(name) else KEYS[name].excludes


def checked(name: str, given: Given) -> Given:
    """`given` with its value in the unit of the key `name`: 150 for "150MHz". AxiometerError at
    `given` if no experiment key has this `name`, or the unit is of another kind."""
    if master_keys.is_setting(name):
        master_keys.check(name, given)
    elif name not in KEYS:
        raise given.error(f"unknown key {name!r}", key_names.remedy(name, KEYS))
    return in_unit(name, given)


def in_unit(name: str, given: Given) -> Given:
    """`given` with its value, or each of a list, in the unit of KEY of a point or master.NAME.KEY.
    Sizes and durations keep their text, which tables show. AxiometerError as `checked`."""
    key, value = name.rpartition(".")[2], given.value
    try:
        if isinstance(value, list):
            return given._replace(value=[limits.in_unit_of_key(key, item) for item in value])
        return given._replace(value=limits.in_unit_of_key(key, value))
    except BadValueError as bad:
        raise given.error(bad.message, bad.remedy) from None
