"""`--set KEY=VALUE`: from text to a key, or to a figure of the platform."""

from __future__ import annotations

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys
from axiometer.experiment.keys import Given, checked
from axiometer.platform import targets

TARGET = "target"
"""Short name of the figure that selects the masters' memory."""


def split(setting: str) -> tuple[str, str]:
    """KEY and VALUE of "KEY=VALUE"; AxiometerError if there is no "="."""
    name, equals, value = setting.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise AxiometerError(
            f"--set {setting!r} is not KEY=VALUE", remedy="write for example --set burst_beats=8"
        )
    shown = harmless.found_in(setting)
    if shown:
        raise AxiometerError(
            f"--set {setting!r} has the control character {shown}", remedy="remove it"
        )
    return name.strip(), value.strip()


def is_platform_path(name: str) -> bool:
    """Whether a KEY is a figure of the platform: `target`, or a path with a dot that is not a key
    of a master."""
    return name == TARGET or "." in name and not master_keys.is_setting(name)


def platform_path(name: str) -> str:
    """The figure's path: `platform.controller.x` and `controller.x` are the same."""
    return targets.TARGET if name == TARGET else name.removeprefix("platform.")


def choices(name: str, value: str) -> list[Given]:
    """The values of an experiment key in "a,b,c"; for ports, "HP0,1" is one value."""
    option = f"--set {name}={value}"
    checked(name, Given(None, option))
    parts = [part.strip() for part in value.split(",")]
    if name == "ports" and any(part.isdigit() for part in parts):
        parts = [value]
    if not all(parts):
        raise AxiometerError(
            "the list has an empty value", file=option, remedy="write values as a,b,c"
        )
    return [checked(name, Given(literal(part), option)) for part in parts]


def literal(text: str) -> object:
    """An int, a float, a bool, or the text itself."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text, text)


def written(value: object) -> str:
    """A value in the form for `--set KEY=`, which `literal` reads; lists as a,b,c."""
    if isinstance(value, list | tuple):
        return ",".join(map(written, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
