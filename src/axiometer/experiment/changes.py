"""A point with some of its keys changed: keys of an experiment (`burst_bytes`), of a master
(`master.NAME.burst_bytes`), and figures of the platform (`controller.starve_clocks`).

Other values stay, even those that were defaults: at a wider port, bursts keep their bytes.
Not for: designs (`designs/changes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.experiment import keys_processor, listed, master_keys, settings
from axiometer.experiment.directions import MODE_OF
from axiometer.experiment.expect_command import same_masters
from axiometer.experiment.keys import KEYS, Given, in_unit
from axiometer.experiment.values import Master, Values, having
from axiometer.platform import Platform

Change = Mapping[str, object]


def made(platform: Platform, values: Values, change: Change) -> tuple[Platform, Values]:
    """The platform and the values with `change`. AxiometerError for a bad value, or if the masters
    of the point cannot be written as settings."""
    figures = {name: value for name, value in change.items() if settings.is_platform_path(name)}
    keys = {name: value for name, value in change.items() if name not in figures}
    other = platform.with_overrides(figures) if figures else platform
    if not keys:
        return other, values
    if master_keys.of(values):
        return other, same_masters(other, values, keys)
    return other, _changed(other, values, keys)


def of_each(
    platform: Platform, values: Values, change: Callable[[Master], Mapping[str, object]]
) -> dict[str, object]:
    """The settings that give each master of a point other values, by key; of masters with tables,
    those that the masters of a port accept together. Empty where nothing changes."""
    found: dict[str, object] = {}
    at: dict[str, dict[str, object]] = {}
    for master in listed.masters(values):
        now: Mapping[str, object] = {**master}
        own = {name: value for name, value in change(master).items() if now[name] != value}
        if master_keys.of(values):
            prefix = f"{master_keys.PREFIX}.{master['name']}"
            of = at.setdefault(master["way"], {})
            of |= {f"{prefix}.{key}": value for key, value in own.items()}
        else:
            found |= _of_keys(master, own)
    for of in at.values():
        try:
            made(platform, values, of)
        except AxiometerError:
            continue
        found |= of
    return found


def of_ports(values: Values, moved: Mapping[str, str]) -> dict[str, object]:
    """The settings that move all masters of some ports to others."""
    masters = [m for m in listed.masters(values) if m["port"] in moved]
    if not master_keys.of(values):
        return {"ports": [moved.get(port, port) for port in values["ports"]]}
    return {f"{master_keys.PREFIX}.{m['name']}.port": moved[str(m["port"])] for m in masters}


def _of_keys(master: Master, own: Change) -> dict[str, object]:
    """New values of an engine that keys name, as keys of the point."""
    keys = dict(own)
    if "direction" in keys:
        keys["mode"] = MODE_OF[str(keys.pop("direction"))]
    if "outstanding" in keys:
        most = keys.pop("outstanding")
        keys |= {f"outstanding_{way}": most for way in master_keys.directions(master)}
    return keys


def _changed(platform: Platform, values: Values, keys: Change) -> Values:
    found = values
    for name, key in KEYS.items():
        if name not in keys:
            continue
        raw = in_unit(name, Given(keys[name])).value
        text = "+".join(map(str, raw)) if isinstance(raw, list | tuple) else raw
        try:
            found = having(found, {name: key.parse(text, platform, found)})
        except BadValueError as bad:
            raise Given(raw).error(bad.message, bad.remedy) from None
    found = having(found, {"burst_beats": found["burst_bytes"] * 8 // found["width_bits"]})
    conflict = keys_processor.conflict(found, platform)
    if conflict is not None:
        raise AxiometerError(conflict[1], remedy=conflict[2])
    return found
