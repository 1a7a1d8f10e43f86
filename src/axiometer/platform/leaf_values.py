"""Allowed values of a figure: the table of limits, and the figure's own `min` and `max`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.platform import limits
from axiometer.platform.limits import is_number, shown

if TYPE_CHECKING:
    from axiometer.platform.leaf import Leaf


def checked(path: str, leaf: Leaf, value: object) -> limits.Figure:
    """`value` if it is allowed for the figure at `path`, else AxiometerError.

    The table of limits bounds it by path; the platform's own `min` and `max` can only narrow that.
    32.0 is allowed for a whole number. A figure that is not in the table allows values of the type
    of the file's value.
    """
    limit = limits.of_figure(path)
    try:
        found = _like(path, leaf, value) if limit is None else limit.check(path, value)
    except BadValueError as bad:
        raise AxiometerError(bad.message, remedy=bad.remedy) from None
    if not is_number(found):
        return found
    if leaf.min is not None and found < leaf.min:
        raise AxiometerError(f"{path} is {shown(found)}", remedy=f"give at least {leaf.min}")
    if leaf.max is not None and found > leaf.max:
        raise AxiometerError(f"{path} is {shown(found)}", remedy=f"give at most {leaf.max}")
    return found


def _like(path: str, leaf: Leaf, value: object) -> limits.Figure:
    """`value`, checked only against the type of the file's value."""
    if is_number(leaf.value):
        kind = "whole" if isinstance(leaf.value, int) else "number"
        return limits.Limit((path,), kind, "", -limits.MOST, limits.MOST).check(path, value)
    if not isinstance(value, bool | int | float | str | list) or type(value) is not type(
        leaf.value
    ):
        raise BadValueError(
            f"{path} is {shown(value)}", f"give a value like the platform's: {shown(leaf.value)}"
        )
    return value
