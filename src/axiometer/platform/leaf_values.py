"""What the value of a figure may be: the table of limits, and the figure's own `min` and `max`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.platform import limits
from axiometer.platform.limits import is_number, shown

if TYPE_CHECKING:
    from axiometer.platform.leaf import Leaf


def checked(path: str, leaf: Leaf, value: object) -> limits.Figure:
    """`value` if the figure at `path` may have it, else AxiometerError.

    What it may be stands in the table of limits, by path; the platform's own `min` and `max` can
    only narrow that. 32.0 is good where a whole number stands. A figure that the table does not
    know takes what is like the file's value.
    """
    limit = limits.of_figure(path)
    try:
        found = _like(path, leaf, value) if limit is None else limit.check(path, value)
    except BadValueError as bad:
        raise AxiometerError(bad.message, remedy=bad.remedy) from None
    if not is_number(found):
        return found
    if leaf.min is not None and found < leaf.min:
        raise AxiometerError(
            f"{path} is {shown(found)}", remedy=f"the least it may be is {leaf.min}"
        )
    if leaf.max is not None and found > leaf.max:
        raise AxiometerError(
            f"{path} is {shown(found)}", remedy=f"the most it may be is {leaf.max}"
        )
    return found


def _like(path: str, leaf: Leaf, value: object) -> limits.Figure:
    """`value` where nothing is known of the figure but the file's own value."""
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
