"""How experiment keys are headed and their values written for a reader.

A key without an entry is shown by its own name and its value as the file wrote it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from axiometer.base.units import parse_bytes
from axiometer.experiment import master_keys, settings
from axiometer.platform.targets import DRAM
from axiometer.present import text

_MODES = {
    "duplex": "duplex",
    "mixed": "mixed",
    "ps_to_pl": "PS to PL",
    "pl_to_ps": "PL to PS",
    "read": "read",
    "write": "write",
}
_HEADINGS = {
    "ports": "ports",
    "mode": "mode",
    "width_bits": "width",
    "pl_mhz": "PL clock",
    "burst_beats": "burst",
    "burst_bytes": "burst",
    "transfer_bytes": "transfer",
    "gap_cycles": "gap",
    "outstanding_read": "reads in flight",
    "outstanding_write": "writes in flight",
    "outstanding": "bursts in flight",
    "skew_us": "start skew",
    "masters_per_port": "masters a port",
    "background": "beside it",
    "of": "masters",
}
_AXES = {
    "transfer_bytes": "transfer size, bytes",
    "burst_bytes": "burst size, bytes",
    "burst_beats": "burst length, beats",
    "pl_mhz": "PL clock, MHz",
    "width_bits": "port width, bits",
    "gap_cycles": "gap between bursts, PL clocks",
    "skew_us": "start skew, µs",
    "outstanding_read": "reads in flight at most",
    "outstanding_write": "writes in flight at most",
    "masters_per_port": "masters on a port",
}
_UNITS = {
    "width_bits": "bit",
    "pl_mhz": "MHz",
    "burst_beats": "beats",
    "gap_cycles": "clocks",
    "skew_us": "µs",
}
_BYTES = {"transfer_bytes", "burst_bytes"}


def heading(key: str) -> str:
    """The column heading of a swept key."""
    return _HEADINGS.get(key, key)


def axis(key: str) -> str:
    """The axis title of a swept key, with its unit."""
    return _AXES.get(key, key)


def is_bytes(key: str) -> bool:
    """Whether the key's values are sizes in bytes."""
    return key in _BYTES


def is_quantity(key: str) -> bool:
    """Whether the key's values are numbers with a unit, to be aligned right in a table."""
    return key in _BYTES or key in _UNITS


def value_label(key: str, value: object) -> str:
    """A swept key's value for a reader: `32 MiB`, `64 bit`, `PS to PL`, `HP0+HP1`."""
    if key == "mode":
        return _MODES.get(str(value), str(value))
    if key in _BYTES:
        try:
            return text.size(parse_bytes(value if isinstance(value, int) else str(value)))
        except ValueError:
            return str(value)
    if key in _UNITS and isinstance(value, (int, float)):
        unit = _UNITS[key]
        return f"{value:g} {unit.removesuffix('s') if value == 1 else unit}"
    if isinstance(value, (list, tuple)):
        return "+".join(str(v) for v in value)
    return str(value)


def key_label(key: Mapping[str, object], sep: str = " · ") -> str:
    """The swept keys of one point in one line: `HP0+HP1 · duplex · 64 bit`."""
    return sep.join(value_label(name, value) for name, value in key.items())


def unvalidated(ports: Sequence[str]) -> str:
    """What is to be said of figures of ports (and the chip's own masters) of which no measurement
    is published."""
    return (
        f"Not validated: no measurement of {', '.join(ports)} is published; "
        "these figures stand on documents and guesses."
    )


def target(name: str) -> list[str]:
    """What is to be said of the memory that masters reach, where it is not the DRAM."""
    if name == DRAM:
        return []
    return [f"The memory is {name.upper()}: where the DRAM and its bus are named, it is meant."]


def change_label(change: Mapping[str, object]) -> str:
    """Changed keys in words: `HP0+HP2`, `placement random`; of a master `a: 200 MHz`."""
    return ", ".join(_changed(key, value) for key, value in change.items())


def change_words(change: Mapping[str, object]) -> str:
    """Changed keys as what to do: `use HP0+HP2`, `--set placement=random`."""
    said = []
    for key, value in change.items():
        if key == "ports":
            said.append(f"use {value_label(key, value)}")
        else:
            said.append(f"--set {key}={_typed(key, value)}")
    return " ".join(said)


def _typed(key: str, value: object) -> str:
    """A value as `--set` takes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if key in _BYTES and isinstance(value, int):
        return text.size(value).removesuffix(" B").replace(" ", "")
    return "+".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _changed(key: str, value: object) -> str:
    if settings.is_platform_path(key):
        return f"--set {key}={value}"
    if master_keys.is_setting(key):
        master, own = master_keys.split(key)
        return f"{master}: {_changed(own, value)}"
    label = value_label(key, value)
    return label if key == "ports" or is_quantity(key) else f"{heading(key)} {label}"
