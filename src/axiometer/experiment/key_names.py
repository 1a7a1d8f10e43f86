"""The remedy for an unknown key: the keys that the word may mean, from `key_names.toml`, else the
nearest names. Not for: which keys exist (`keys.py`, `master_keys.py`)."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path

from axiometer.base.errors import did_you_mean

_MOST = 3


@cache
def table() -> Mapping[str, list[str]]:
    """Words that people try, with the keys that they may mean."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def meant(word: str, known: Collection[str]) -> list[str]:
    """Up to three keys of `known` that `word` may mean; none where the table has none."""
    found = table().get(word.strip().lower().replace("-", "_"), [])
    return [key for key in found if key in known][:_MOST]


def remedy(word: str, known: Collection[str], what: str = "known keys") -> str:
    """What to write in the place of the unknown key `word`."""
    found = meant(word, known)
    if found:
        return f"did you mean {' or '.join(map(repr, found))}?"
    return did_you_mean(word, known, what)
