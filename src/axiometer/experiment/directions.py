"""The one map of directions. *Read* and *write* are seen from the master; every other word for a
direction is understood here and nowhere else.

`MODES` are the words of a point's `mode`, `DIRECTIONS` those of a master.
"""

from __future__ import annotations

from collections.abc import Mapping

DIRECTIONS = ("read", "write", "pair", "both")
"""pair: the halves of a loop-back; both: an independent read engine and write engine."""
OF_MODE: Mapping[str, str] = {
    "duplex": "pair",
    "ps_to_pl": "read",
    "pl_to_ps": "write",
    "mixed": "both",
}
"""The direction of the masters of a point, by its mode."""
MODES = tuple(OF_MODE)
MODE_OF: Mapping[str, str] = {direction: mode for mode, direction in OF_MODE.items()}
"""The mode of a point whose masters all have this direction."""
MODE_ALIASES = {
    **{way: MODE_OF[way] for way in ("read", "write")},
    "h2f": "ps_to_pl",
    "f2h": "pl_to_ps",
}
"""Further words of users for modes."""
ONE_WAY = ("read", "write")


def ways(word: str) -> tuple[str, ...]:
    """The directions in which a mode or a direction moves data; both for any other word."""
    direction = OF_MODE.get(word, word)
    return (direction,) if direction in ONE_WAY else ONE_WAY


def normal_mode(text: str) -> str | None:
    """One of `MODES` for a mode or another word for it; None for any other text."""
    word = text.strip().lower()
    word = MODE_ALIASES.get(word, word)
    return word if word in MODES else None


def normal_direction(text: str) -> str | None:
    """One of `DIRECTIONS` for a direction, a mode, or another word for it; None for others."""
    word = text.strip().lower()
    return word if word in DIRECTIONS else OF_MODE.get(normal_mode(word) or "")
