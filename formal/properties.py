"""Reads properties.toml: all rules by name, templates expanded."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("properties.toml")


@dataclass(frozen=True)
class Rule:
    """A rule of the bus: checker.part.rule, the side that must keep it, its text, its source."""

    name: str
    by: str
    rule: str
    source: str


def load(file: Path = FILE) -> list[Rule]:
    """All rules; ValueError if two have one name, or a template names an unknown channel."""
    with file.open("rb") as opened:
        content = tomllib.load(opened)
    rules = [rule for entry in content["rule"] for rule in _expanded(entry, content["channel"])]
    names = [rule.name for rule in rules]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"{file.name}: two rules are named {', '.join(twice)}")
    return rules


def _expanded(entry: dict, channels: dict[str, dict[str, dict]]) -> Iterator[Rule]:
    """The rules of an entry: itself, or with `of` one for each channel, and each of its signals."""
    texts = {key: value for key, value in entry.items() if key != "of"}
    if "of" not in entry:
        yield Rule(**texts)
        return
    known = channels[entry["name"].partition(".")[0]]
    for name in entry["of"]:
        if name not in known:
            raise ValueError(f"{entry['name']}: no channel {name}; there are {', '.join(known)}")
        channel = known[name]
        sides = {side: channel.get(side, "") for side in ("sender", "taker")}
        each = channel["signals"] if "{signal}" in entry["name"] else [""]
        for signal in each:
            words = {"c": name, "C": name.upper(), "signal": signal, "SIGNAL": signal.upper()}
            yield Rule(**{key: text.format(**words, **sides) for key, text in texts.items()})
