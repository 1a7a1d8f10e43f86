"""The `axiometer expect` command that repeats a point.

It gives identical records: the same number of repeats, from the same seed. The command names only
values that are not defaults, and exists only if it provably means the same point.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys, master_tables, run_length, settings, vendor
from axiometer.experiment.keys import KEYS, Given
from axiometer.experiment.points import effective
from axiometer.experiment.values import Master, Values
from axiometer.platform import Platform

ALWAYS = ("ports", "mode", "repeats")
"""Always named: without repeats `expect` chooses their number."""


def command(
    platform: Platform, values: Values, backend: str = "model", repeats: bool = True
) -> str:
    """The command for the point with `values` (`Point.values`) on `platform`; "" if no command is
    known to mean the same. repeats: whether it names their number, and not as many as an answer
    needs."""
    asked = keys(platform, values)
    if asked is None:
        return ""
    words = ["axiometer", "expect", _named(platform)]
    words += [asked.pop(name) for name in ("ports", "mode") if name in asked]
    count = asked.pop("repeats")
    words += ["--repeats", count] if repeats else []
    words += [word for line in _lines(asked) for word in ("--master", line)]
    words += [word for name, text in asked.items() for word in ("--set", f"{name}={text}")]
    words += [] if backend == "model" else ["--backend", backend]
    return shlex.join(words)


def keys(platform: Platform, values: Values) -> dict[str, str] | None:
    """The settings that make `values` on the board as it is, as few as do: keys of an experiment,
    keys of its masters, changed figures; None if no settings are known to."""
    asked = _of_masters(platform, values) if master_keys.of(values) else _of_keys(platform, values)
    figures = {path: settings.written(value) for path, value in platform.overrides.items()}
    return None if asked is None else {**asked, **figures}


def _lines(asked: dict[str, str]) -> Iterator[str]:
    """The masters of `asked` as lines of --master, if all have a direction; they leave `asked`."""
    settings_of: dict[str, dict[str, str]] = {}
    for setting, text in asked.items():
        if master_keys.is_setting(setting):
            name, key = master_keys.split(setting)
            settings_of.setdefault(name, {})[key] = text
    if any("direction" not in own for own in settings_of.values()):
        return  # --set comes before --master, and would change the order
    short = {key: word for word, key in master_keys.SHORT.items()}
    for name, own in settings_of.items():
        for key in own:
            del asked[f"{master_keys.PREFIX}.{name}.{key}"]
        rest = (f"{short.get(k, k)}={text}" for k, text in own.items() if k != "direction")
        yield ",".join([f"{name}={own['direction']}", *rest])


@cache
def is_known(board: str) -> bool:
    """Whether a board of this name is one of Axiometer."""
    return board in data.names("boards")


def _named(platform: Platform) -> str:
    """The name of a board of Axiometer; the file of any other."""
    return platform.name if is_known(platform.name) else str(platform.file)


def _of_keys(platform: Platform, values: Values) -> dict[str, str] | None:
    """The keys that make `values`, without those at their defaults; None if no keys do."""
    asked = {name: _written(name, values) for name in ALWAYS}
    for _ in KEYS:
        made = _made(asked, platform)
        if made is None:
            break
        other = next((name for name in KEYS if _differs(name, made, values)), None)
        if other is None:
            return asked
        # Burst bytes follow from beats and width: of these two, beats come first in KEYS.
        asked[other] = _written(other, values)
        # Some keys are only valid together.
    every = [name for name in KEYS if name not in ("burst_bytes", *ALWAYS)]
    return _fewest(platform, values, {**asked, **_present(every, values)}, ALWAYS)


def _of_masters(platform: Platform, values: Values) -> dict[str, str] | None:
    """The masters as settings, and the point's keys that apply to all of them."""
    asked = {**dict(_masters(values)), **_present(master_keys.STAY, values)}
    kept = [f"{master_keys.PREFIX}.{m['name']}.direction" for m in master_keys.of(values)]
    return _fewest(platform, values, asked, ("repeats", *kept))


def same_masters(platform: Platform, values: Values, keys: Mapping[str, object]) -> Values:
    """The values of a point of masters with some keys changed; AxiometerError if the change is not
    valid, or if settings cannot express the point."""
    asked = {**dict(_masters(values)), **_present(master_keys.STAY, values)}
    made = _made(asked, platform)
    if made is None or any(made.get(name) != value for name, value in values.items()):
        raise AxiometerError("settings cannot express this point", remedy="change its tables")
    given = {name: Given(settings.literal(text)) for name, text in asked.items()}
    changed = {name: Given(value) for name, value in keys.items()}
    for name in changed:
        given.pop(master_keys.excluded(name) or "" if master_keys.is_setting(name) else "", None)
    return effective(master_tables.from_settings(given | changed), platform)


def _masters(values: Values) -> Iterator[tuple[str, str]]:
    for master in master_keys.of(values):
        takes = ("kind", *_takes(master))
        for key, value in master.items():
            if value is not None and key in takes:
                yield f"master.{master['name']}.{key}", settings.written(value)


def _takes(master: Master) -> Sequence[str]:
    """The keys of a master's kind. With more keys, the DMA of published rows becomes another."""
    published = master["kind"] in vendor.KINDS and not master["engine"]
    return master_keys.PUBLISHED if published else master_keys.KINDS[master["kind"]]


def _present(names: Iterable[str], values: Values) -> dict[str, str]:
    return {name: _written(name, values) for name in names if _kept(name, values) is not None}


def _fewest(
    platform: Platform, values: Values, asked: dict[str, str], kept: Sequence[str]
) -> dict[str, str] | None:
    """`asked` without keys that change nothing; None if `asked` does not make `values`."""

    def right(of: Mapping[str, str]) -> bool:
        made = _made(of, platform)
        return made is not None and all(made.get(n) == value for n, value in values.items())

    if not right(asked):
        return None
    for name in [name for name in asked if name not in kept]:
        fewer = {key: text for key, text in asked.items() if key != name}
        asked = fewer if right(fewer) else asked
    return asked


def _made(asked: Mapping[str, str], platform: Platform) -> Values | None:
    """The values that `expect` makes of these keys; None if it refuses them."""
    given = {
        name: Given(text if name == "ports" else settings.literal(text))
        for name, text in asked.items()
    }
    try:
        return effective(master_tables.from_settings(given), platform)
    except AxiometerError:
        return None


def _differs(name: str, made: Values, values: Values) -> bool:
    kept = _kept(name, values)
    return kept is not None and _kept(name, made) != kept


def _kept(name: str, values: Values) -> object:
    """The normalised value of a key; None if it is not set."""
    if name == "duration":
        return None if values["duration_s"] is None else run_length.of_point(values)
    return values.get(name)


def _written(name: str, values: Values) -> str:
    if name == "ports":
        return "+".join(values["ports"])
    if name == "duration":
        return run_length.written(values)
    if name == "qos":
        return "+".join(f"{port}.{way}={kind}" for port, of in (values["qos"] or {}).items()
                        for way, kind in of.items())  # fmt: skip
    return settings.written(values.get(name))
