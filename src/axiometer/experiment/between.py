"""Blocks between a master in the fabric and its port: the key `through`, with `between.toml`.

The value is names joined by `+`, in the order from the master to the port: `"smartconnect"`,
`"upsizer+clock_crossing@150+smartconnect"` (150 MHz on the master's side of the crossing; default:
the port's clock). A whole number replaces blocks that the table lacks: clocks of the port for the
way there and back.

Results are clocks of the port, averaged over clock phases. Blocks pass a beat a clock and hold any
number of bursts, except where `apart` or `splits_beats` limits them.
Not for: widths and clocks on the two sides of a block; a point has its port's.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import cast

from axiometer.base import clocks
from axiometer.base.errors import BadValueError, did_you_mean
from axiometer.platform import limits

FILE = Path(__file__).with_name("between.toml")
NONE = "none"
MOST_BLOCKS = 16
MOST_CLOCKS = 10_000
"""There and back, for a number of clocks."""
_CHANNELS = {"read": ("ar", "r"), "write": ("aw", "w", "b")}


@cache
def table() -> Mapping[str, Mapping[str, object]]:
    """The file, by names of blocks, with the entries of `like` filled in."""
    read = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {name: {**read.get(of.get("like", ""), {}), **of} for name, of in read.items()}


@dataclass(frozen=True)
class Block:
    """A block with a name, or a number of `clocks` there and back; `mhz`: the clock on the master's
    side (None: the port's)."""

    name: str
    mhz: Fraction | None = None
    clocks: int | None = None

    @property
    def title(self) -> str:
        """The block's name in words."""
        if self.clocks is not None:
            return f"{self.clocks} clocks of interconnect"
        return str(table()[self.name]["title"])

    def figure(self, name: str, usual: int = 0) -> Fraction:
        """A figure from the table; `usual` where the table has none."""
        entry = cast("Mapping[str, float]", table()[self.name].get(name, {"value": usual}))
        return Fraction(str(entry["value"]))

    def channel(self, name: str, port_mhz: Fraction) -> Fraction:
        """Clocks of the port on one AXI channel while no data wait."""
        if self.clocks is not None:
            return Fraction(self.clocks if name in ("ar", "w") else 0)
        if not crosses(self.name):
            return self.figure(name)
        slow = port_mhz / (self.mhz or port_mhz)
        sends, receives = (slow, 1) if name in ("ar", "aw", "w") else (1, slow)
        return self.figure("here") * sends + self.figure("there") * receives


def parse(raw: object, name: str = "through") -> str | None:
    """The normalised value of the key; None for no blocks. BadValueError for a bad value."""
    if raw is None or (isinstance(raw, str) and raw.strip() == NONE):
        return None
    if isinstance(raw, list | tuple):
        raw = "+".join(map(str, raw))
    if isinstance(raw, int) and not isinstance(raw, bool) and 0 <= raw <= MOST_CLOCKS:
        raw = str(raw)
    if not isinstance(raw, str):
        raise BadValueError(f"{name} is {limits.shown(raw)}", _listed())
    words = [word.strip() for word in raw.split("+")]
    if len(words) > MOST_BLOCKS:
        raise BadValueError(
            f"{name} has {len(words)} blocks",
            f"give at most {MOST_BLOCKS}; or one number of clocks",
        )
    for word in words:
        _check(word, name)
    return "+".join(words)


def blocks(text: str | None) -> Iterator[Block]:
    """The blocks of a value, in order."""
    for word in text.split("+") if text else ():
        of, _, mhz = word.partition("@")
        if of.isdigit():
            yield Block(of, clocks=int(of))
        else:
            yield Block(of, clocks.meant(float(mhz)) if mhz else None)


def cycles(text: str | None, direction: str, port_mhz: float) -> int:
    """Clocks of the port for a burst from its master to the port and back, in one direction.
    Writes count the later of address and data."""
    mhz = clocks.meant(port_mhz)
    each = {c: sum(b.channel(c, mhz) for b in blocks(text)) for c in _CHANNELS[direction]}
    if direction == "read":
        return round(sum(each.values()))
    return round(max(each["aw"], each["w"]) + each["b"])


def loop_cycles(text: str | None, port_mhz: float) -> int:
    """Clocks of the port for data from the port to the master and back."""
    mhz = clocks.meant(port_mhz)
    return round(sum(b.channel("r", mhz) + b.channel("w", mhz) for b in blocks(text)))


def apart(text: str | None) -> int:
    """The least number of clocks from one address to the next."""
    gaps = [b.figure("apart", 1) for b in blocks(text) if b.clocks is None]
    return int(max(gaps, default=Fraction(1)))


def splits(text: str | None, beats: int) -> bool:
    """Whether bursts of `beats` beats are split and pass one at a time."""
    longest = (b.figure("splits_beats", 0) for b in blocks(text) if b.clocks is None)
    return any(0 < most < beats for most in longest)


def beyond(text: str | None, known: str | None) -> str | None:
    """`text` if it has a block that `known`, the blocks in the port's figures, lacks; else None."""
    return text if {b.name for b in blocks(text)} - {b.name for b in blocks(known)} else None


def words(text: str | None) -> str:
    """The blocks in words: "a SmartConnect and a clock crossing"."""
    titles = [b.title for b in blocks(text)]
    named = [t if t[0].isdigit() else f"{'an' if t[0] in 'AEIOaeiou' else 'a'} {t}" for t in titles]
    return " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def converts(block: str) -> bool:
    """Whether a block splits bursts for AXI3 itself, without delaying other bursts."""
    return bool(table().get(block, {}).get("converts_protocols"))


def crosses(block: str) -> bool:
    """Whether a block has a different clock on each side."""
    return "here" in table().get(block, {})


def crossing(block: str, mhz: float, port_mhz: float) -> str:
    """`block` with the clock `mhz` on the master's side; `mhz` is left out if it is the port's."""
    own = clocks.number(clocks.meant(mhz))
    same = own == clocks.number(clocks.meant(port_mhz))
    return block if same else f"{block}@{own:.10g}"


def _check(word: str, name: str) -> None:
    of, at, mhz = word.partition("@")
    if of.isascii() and of.isdigit() and not at:
        if len(of) > 6 or int(of) > MOST_CLOCKS:
            raise BadValueError(f"{name} has {of} clocks", f"give at most {MOST_CLOCKS}")
        return
    if of not in table():
        raise BadValueError(
            f"{name} is {limits.shown(word)}", did_you_mean(of, table(), "known blocks")
        )
    if not at:
        return
    least, most = limits.of_key("pl_mhz").bounds
    if not crosses(of):
        raise BadValueError(f"{name} is {limits.shown(word)}", f"{of} has no clock: leave @ out")
    try:
        rate = float(mhz)
    except ValueError:
        rate = 0.0
    if not least <= rate <= most:
        raise BadValueError(
            f"{name} is {limits.shown(word)}",
            f"give the clock of the master's side, {least:g} to {most:g} MHz: {of}@150",
        )


def _listed() -> str:
    return f"join by +: {', '.join(table())}, or a number of clocks"
