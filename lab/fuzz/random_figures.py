"""Random figures: platforms with figures at their limits, beyond them and of the wrong kind, and
points, known and nonsense, on them. Shared by the targets `figures` and `model_sanitized`.

`draw` gives a case that JSON can hold; `point_of` makes a platform and a point of it.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

from axiometer.answer.selftest import draw as points
from axiometer.base import data
from axiometer.experiment.keys import KEYS
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform, limits

NUMBERS = (
    *(0, -1, 1, 2, 3, 7, 63, 64, 65, 255, 4096, 65535, 65536, 1 << 20, (1 << 20) + 1),
    *(2**31 - 1, 2**31, -(2**31), 2**53 + 1, 2**62, 2**63, 10**400, -(10**400)),
    *(0.5, 1e-9, 1e9, 1e300, float("inf"), float("-inf"), float("nan")),
)
ODD = (True, False, "", "x", "1/0", "2000/3", "0", None, [], [1], [[]], {}, "\0", "é" * 300)
# Small, so that thousands of points can be run; a few are longer.
SIZES = (1, 4, 64, 1000, 4096, 16384)
TIMES = ("1us", "3us", "10us", "30us")


@cache
def platform(name: str) -> Platform:
    return Platform.load(name)


def draw(rng: random.Random) -> dict[str, Any]:
    """A case: a platform's name, figures that are set, keys, and changes of the specification."""
    name = rng.choice(data.names("platforms"))
    board = platform(name)
    kinds = [k for k, (_, fits, _) in points.KINDS_OF_POINTS.items() if fits(board)]
    keys = points.KINDS_OF_POINTS[rng.choice(kinds)][0](board, rng)
    if "duration" in keys:
        keys["duration"] = rng.choice(TIMES)
    elif "transfer_bytes" in keys:
        keys["transfer_bytes"] = rng.choice(SIZES)
    if rng.random() < 0.3:
        keys["pl_mhz"] = _clock(rng)
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        keys[rng.choice([*KEYS, "kyes"])] = rng.choice((*NUMBERS, *ODD, *_words(rng)))
    figures = {}
    for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3))):
        path, leaf = rng.choice(board.leaves())
        figures[path] = _figure(path, leaf.value, rng)
    changes = []
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        changes.append([rng.random(), rng.choice((*NUMBERS, *ODD)), rng.choice("vvvvdn")])
    return {"platform": name, "keys": keys, "set": figures, "change": changes}


def _clock(rng: random.Random) -> float:
    mhz = rng.choice((rng.randint(10, 330), rng.randint(10, 990) / 3, rng.uniform(1, 333)))
    return mhz * rng.choice((1, 1, 1 + 1e-9, 1 - 1e-9))


def _words(rng: random.Random) -> tuple[str, ...]:
    return (
        rng.choice(("HP0", "HP0+HP1", "HP0,1", "GP1", "+", "HP0+HP0")),
        rng.choice(("9" * 5000, "1.5us", "1e9s", "64KiB", "stride:0", "stride:1", "random")),
        rng.choice(("DisplayPort=nan", "DisplayPort=1e-300", "HP0=video", "HP0.read=16", "²")),
    )


def _figure(path: str, value: Any, rng: random.Random) -> Any:
    limit = limits.of_figure(path)
    if limit is None or rng.random() < 0.15:
        return rng.choice((*NUMBERS, *ODD))
    if limit.kind == "word":
        return rng.choice(limit.choices)
    if limit.kind == "truth":
        return not value
    if limit.kind in ("whole", "number"):
        least, most = int(limit.least), int(limit.most)
        near = (max(least, value // 2), min(most, value * 2 + 1), value + 1, value - 1)
        return rng.choice(
            (least, least, most, most, least - 1, most + 1, rng.randint(least, most), *near)
        )
    if limit.kind == "wholes":
        size = rng.choice((len(value), len(value), rng.randint(0, 9)))
        return [rng.choice((*value, int(limit.least), int(limit.most))) for _ in range(size)]
    return rng.choice((value, *ODD))


def point_of(case: dict[str, Any]) -> tuple[Platform, Point]:
    """The platform and the point of a case; AxiometerError where they cannot be."""
    board = platform(case["platform"]).with_overrides(case["set"])
    return board, single(board, case["keys"])


def changed(spec: dict[str, Any], changes: list[Any]) -> dict[str, Any]:
    """A copy of a specification with some of its leaves replaced, removed or beside a new one."""
    spec = json.loads(json.dumps(spec))
    for where, value, how in changes:
        leaves = list(_leaves(spec))
        table, key = leaves[int(where * len(leaves))]
        if how == "d" and isinstance(table, dict):
            del table[key]
        elif how == "n" and isinstance(table, dict):
            table["unknown"] = value
        else:
            table[key] = value
    return spec


def _leaves(node: Any):
    for key, child in node.items() if isinstance(node, dict) else enumerate(node):
        if isinstance(child, dict | list) and child:
            yield from _leaves(child)
        else:
            yield node, key
