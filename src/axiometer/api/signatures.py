"""Keys of an experiment in the signature and the help of a function that takes them as `**keys`."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, getdoc, signature
from typing import ParamSpec, TypeVar

from axiometer.experiment.keys import KEYS

P = ParamSpec("P")
R = TypeVar("R")


class _Absent:
    """The default of a key in a signature: what the board or the master has."""

    def __repr__(self) -> str:
        return "..."


def showing(keys: type) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A decorator: the signature has the keys of the typed dictionary `keys` in place of `**keys`,
    and the docstring ends with their meanings."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        plain = signature(function)
        own = [of for of in plain.parameters.values() if of.kind is not Parameter.VAR_KEYWORD]
        more = [
            Parameter(name, Parameter.KEYWORD_ONLY, default=_Absent(), annotation=kind)
            for name, kind in keys.__annotations__.items()
        ]
        vars(function)["__signature__"] = plain.replace(parameters=[*own, *more])
        words = [f"  {name}: {KEYS[name].expects}" for name in keys.__annotations__ if name in KEYS]
        function.__doc__ = "\n".join([getdoc(function) or "", "", "Keys:", *words])
        return function

    return decorate
