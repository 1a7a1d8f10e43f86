"""The colour of each cause: the same in every chart, on every page and in the terminal.

Hues say where the cause is: masters and software (ochre and brown), ports and paths (green and
teal), the controller (blue), the DRAM (purple and red).
"""

from __future__ import annotations

import colorsys

from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.present import cause_text

_BY_CAUSE = {
    NOTHING: "#98a2b3",
    "asked": "#5b6b82",
    "processor": "#8c6d5a",
    "launch": "#b5892e",
    "jobs": "#a0793a",
    "master": "#d9a441",
    "burst": "#c77f2a",
    "in_turn": "#937b1f",
    "partner": "#7d6340",
    "uneven": "#b89b6d",
    "port": "#2aa198",
    "fifo": "#4f9d69",
    "issue": "#6aa84f",
    "path": "#1f7a74",
    "queue": "#3d6b8f",
    "qos": "#4a86c5",
    "throttling": "#27527a",
    "neighbours": "#6c8ebf",
    "placement": "#9a6fb5",
    "rows": "#d07ab0",
    "turnaround": "#b0527f",
    "refresh": "#7a4d8f",
    "dram_saturated": "#cf5c54",
}
"""By the keys of `answer/relax/table.py`."""
_OTHERS = ("#8f5d2e", "#5d7f3a", "#355f86", "#8a4a66", "#6e6a9c", "#4b8b8b")
"""Of causes of the processor's side, by their name."""
_LIKELY = "likely "

_HUES = ("red", "yellow", "green", "cyan", "blue", "magenta")
"""The terminal's colours around the circle, from red on."""
_GREY = 0.2

EVERY = (*_BY_CAUSE.values(), *_OTHERS)
"""All colours of causes."""


def of(name: str) -> str:
    """The colour of a cause by the name that people see, also of a likely one."""
    plain = name.removeprefix(_LIKELY)
    cause = next((key for key in _BY_CAUSE if cause_text.name(key) == plain), None)
    if cause is not None:
        return _BY_CAUSE[cause]
    return _OTHERS[sum(map(ord, plain)) % len(_OTHERS)]


def terminal(name: str) -> tuple[str, ...]:
    """The terminal's colour that is nearest to that of a cause; none of a grey one."""
    colour = of(name).removeprefix("#")
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, saturation, _ = colorsys.rgb_to_hsv(red, green, blue)
    return () if saturation < _GREY else (_HUES[round(hue * len(_HUES)) % len(_HUES)],)
