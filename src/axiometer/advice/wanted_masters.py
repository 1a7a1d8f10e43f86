"""Masters in the fabric that are to share a chip's ports, from a command line or a mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.harmless import quoted
from axiometer.base.units import needed, parse_bytes
from axiometer.experiment.directions import ONE_WAY, normal_direction
from axiometer.experiment.master_keys import SHORT
from axiometer.experiment.master_tables import of_line

FORM = "NAME=DIRECTION[,rate=MB/s][,burst=BYTES+BYTES...][,pattern=PATTERN][,outstanding=N]"
_KEYS = {**SHORT, "pattern": "pattern", "outstanding": "outstanding"}
"""Keys as a command line has them, and as tables have them."""

Number = TypeVar("Number", int, float)


@dataclass(frozen=True)
class Master:
    """One engine in the fabric. `direction`: "read" or "write". `rate`: its demand, MB/s; None: as
    much as possible. `bursts`: its possible lengths, bytes. `pattern` and `outstanding` are as in
    an experiment file; None: the platform's value."""

    name: str
    direction: str
    rate: float | None
    bursts: tuple[int, ...]
    pattern: str = "sequential"
    outstanding: int | None = None


def parse(text: str, usual_bursts: tuple[int, ...]) -> Master:
    """The master in `text`, which has the form `FORM`. AxiometerError for a bad text."""
    name, direction, settings = of_line(text)
    table = {"name": name.strip(), "direction": direction}
    for key, equals, value in settings:
        if not equals:
            raise _no_key(name, key)
        table[key.strip()] = value.strip()
    return of(table, usual_bursts, text)


def of(
    table: Mapping[str, object], usual_bursts: tuple[int, ...], said: object | None = None
) -> Master:
    """The master in {"name": "in", "direction": "read", "rate_mbs": 500, "burst_bytes": [64, 256]}.
    said: the same, as the user has written it. AxiometerError for a bad table."""
    if not isinstance(table, Mapping):
        raise AxiometerError(f"{table!r} is not a master", remedy=f"give a mapping, or {FORM}")
    name, direction = table.get("name"), normal_direction(str(table.get("direction")))
    if not isinstance(name, str) or not name or direction not in ONE_WAY:
        raise AxiometerError(
            f"{said or table!r} is not a master",
            remedy=f"give a mapping, or {FORM}, DIRECTION read or write",
        )
    if not name.isprintable():
        raise AxiometerError(
            f"master {quoted(name)}: a name has no control characters and is one line",
            remedy="use letters, digits, - and _",
        )
    found = {key: value for key, value in table.items() if key not in ("name", "direction")}
    for key in found:
        if _KEYS.get(key, key) not in _KEYS.values():
            raise _no_key(name, key)
    given = {_KEYS.get(key, key): value for key, value in found.items()}
    bursts = usual_bursts
    if "burst_bytes" in given:
        bursts = _bursts(name, given["burst_bytes"])
    rate = _number(name, "rate", given.get("rate_mbs"), lambda text: float(needed(text, "MB/s")))
    outstanding = _number(name, "outstanding", given.get("outstanding"), int)
    pattern = str(given.get("pattern", "sequential"))
    return Master(name, direction, rate, bursts, pattern, outstanding)


def _no_key(name: str, key: str) -> AxiometerError:
    hint = did_you_mean(key.partition("=")[0].strip(), _KEYS, "known keys")
    return AxiometerError(f"master {name}: {key!r} is not a key", remedy=hint)


def _bursts(name: str, value: object) -> tuple[int, ...]:
    """Lengths in bytes, each once: a number, a list, or "64+256+1KiB"."""
    each = value if isinstance(value, list | tuple) else str(value).split("+")
    try:
        return tuple(sorted({parse_bytes(str(burst)) for burst in each}))
    except ValueError:
        raise AxiometerError(
            f"master {name}: burst is {value!r}", remedy="give bytes: burst=64+256+1KiB"
        ) from None


def _number(
    name: str, key: str, given: object | None, kind: Callable[[str], Number]
) -> Number | None:
    if given is None:
        return None
    try:
        value = kind(str(given))
    except ValueError:
        value = None
    more = ", of MB/s or with its unit: 1.5GB/s" if key == "rate" else ""
    if value is None or not 0 < value < 10**6:
        raise AxiometerError(
            f"master {name}: {key} is {given!r}", remedy=f"give a positive number{more}"
        )
    return value
