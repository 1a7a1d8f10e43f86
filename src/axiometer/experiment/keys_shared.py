"""Experiment keys that only the model of the Zynq UltraScale+ supports: several masters behind a
port, and traffic of the chip's own masters. For `keys.KEYS`."""

from __future__ import annotations

from fractions import Fraction

from axiometer.base import clocks, pace, units
from axiometer.base.errors import BadValueError
from axiometer.experiment.values import Values
from axiometer.platform import Platform, limits

PORTS_AT_MEMORY = ("hp", "coherent")
"""Kinds of ports with a direct path to the memory."""


ENGINES = ("dma", "convolution")
"""Masters of a point that are engines of the platform."""


def runs_freely(platform: Platform) -> bool:
    """Whether the published engines of `platform` run for a time, each in a separate region."""
    return platform.has("master.region_MiB")


def is_free(platform: Platform, values: Values) -> bool:
    """Whether a point's masters are such engines: its ports and its master allow them."""
    return (
        runs_freely(platform)
        and values.get("master", ENGINES[0]) in ENGINES
        and all(
            platform.value(f"port.{port}.kind", "hp") in PORTS_AT_MEMORY for port in values["ports"]
        )
    )


MAX_MASTERS = limits.most_of_key("masters_per_port")


def masters(raw: object, platform: Platform, values: Values) -> int:
    if isinstance(raw, bool) or not isinstance(raw, int) or not 1 <= raw <= MAX_MASTERS:
        raise BadValueError(
            f"masters_per_port is {limits.shown(raw)}",
            f"give a whole number from 1 to {MAX_MASTERS}",
        )
    count = raw
    if count == 1:
        return count
    if not runs_freely(platform):
        raise BadValueError(
            f"masters_per_port is {raw}, but the model of {platform.name} has no multiplexer",
            "remove it; zcu102 and ultra96 have one",
        )
    each = 2 if values["mode"] == "mixed" else 1
    needed = len(values["ports"]) * count * each * platform.value("master.region_MiB")
    memory = platform.value("dram.size_MiB")
    if needed > memory:
        raise BadValueError(
            f"{count} masters on each of {len(values['ports'])} ports need {needed} MiB for their "
            f"regions; {platform.name} has {memory} MiB",
            "give fewer masters or ports, or one direction",
        )
    return count


def split_background(text: str | None) -> dict[str, float]:
    """Neighbours and their MB/s in "DisplayPort=1000+FPD_DMA=500"; {} for None or "none".
    ValueError for any other text."""
    found: dict[str, float] = {}
    if text is None or text == "none":
        return found
    for part in text.split("+"):
        name, equals, rate = part.partition("=")
        if not equals or name.strip() in found:
            raise ValueError(text)
        found[name.strip()] = float(units.needed(rate, "MB/s"))
    return found


def background(raw: object, platform: Platform, values: Values) -> str | None:
    known = platform.neighbours
    remedy = f"masters beside the ports of {platform.name}: {', '.join(known) or 'none'}"
    try:
        if not isinstance(raw, str | None):
            raise ValueError(raw)
        rates = split_background(raw)
    except ValueError:
        example = f'"{known[0]}=1000" (MB/s)' if known else "nothing"
        raise BadValueError(
            f"background is {limits.shown(raw)}", f"give {example}; {remedy}"
        ) from None
    for name, rate in rates.items():
        if name not in known:
            raise BadValueError(f"board {platform.name} has no neighbour {name!r}", remedy)
        most = values["width_bits"] // 8 * values["pl_mhz"]
        least = pace.least(platform.value(f"neighbour.{name}.burst_bytes"), values["pl_mhz"])
        if not least <= rate <= most:
            raise BadValueError(
                f"background of {rate:g} MB/s by {name}",
                f"give at least {least:g} and at most {most:g}: the model moves it at the PL clock",
            )
    if rates and values["transfer_bytes"] is not None:
        raise BadValueError(
            "traffic in the background has no end, and a run by size would have none",
            'give a duration instead of transfer_bytes: "5ms"',
        )
    each = (f"{name}={clocks.number(Fraction(str(rate)))}" for name, rate in rates.items())
    return "+".join(each) or None
