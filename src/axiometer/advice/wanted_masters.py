"""Masters in the fabric that are to share a chip's ports, from a command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.harmless import quoted
from axiometer.base.units import needed, parse_bytes
from axiometer.experiment.keys import normal_mode

FORM = "NAME=DIRECTION[,rate=MB/s][,burst=BYTES+BYTES...][,pattern=PATTERN][,outstanding=N]"
_KEYS = ("rate", "burst", "pattern", "outstanding")
_DIRECTIONS = {"ps_to_pl": "read", "pl_to_ps": "write"}

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
    head, *settings = text.split(",")
    name, equals, word = head.partition("=")
    direction = _DIRECTIONS.get(normal_mode(word) or "", "")
    if not equals or not name.strip() or not direction:
        raise AxiometerError(
            f"--master {text!r} is not a master", remedy=f"give {FORM}, DIRECTION read or write"
        )
    if not name.isprintable():
        raise AxiometerError(
            f"--master {quoted(name)}: a name has no control characters and is one line",
            remedy="use letters, digits, - and _",
        )
    found: dict[str, str] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if key.strip() not in _KEYS or not equals:
            raise AxiometerError(
                f"--master {name}: {setting!r} is not a key",
                remedy=did_you_mean(key.strip(), _KEYS, "known keys"),
            )
        found[key.strip()] = value.strip()
    try:
        bursts = tuple(sorted({parse_bytes(b) for b in found["burst"].split("+")}))
    except KeyError:
        bursts = usual_bursts
    except ValueError:
        raise AxiometerError(
            f"--master {name}: burst is {found['burst']!r}", remedy="give bytes: burst=64+256+1KiB"
        ) from None
    rate = _number(name, "rate", found.get("rate"), lambda text: float(needed(text, "MB/s")))
    outstanding = _number(name, "outstanding", found.get("outstanding"), int)
    return Master(
        name.strip(), direction, rate, bursts, found.get("pattern", "sequential"), outstanding
    )


def _number(name: str, key: str, text: str | None, kind: Callable[[str], Number]) -> Number | None:
    if text is None:
        return None
    try:
        value = kind(text)
    except ValueError:
        value = None
    more = ", of MB/s or with its unit: 1.5GB/s" if key == "rate" else ""
    if value is None or not 0 < value < 10**6:
        raise AxiometerError(
            f"--master {name}: {key} is {text!r}", remedy=f"give a positive number{more}"
        )
    return value
