"""What the classes of `model_tables.py`, which is generated, have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Protocol, Self, TypeVar, cast

Document = dict[str, object]
"""A table as the model reads it: numbers, texts, lists and tables by their keys."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class _Maker(Protocol[T_co]):
    def __call__(self, **told: object) -> T_co: ...


class Table:
    """A table of the model's keys; nothing in it is changed."""

    TABLE: ClassVar[str]

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Self:
        """The table with these keys; one that is for both directions holds for each."""
        names = cls.__annotations__
        found: Document = {}
        for key, value in told.items():
            own = tuple(value) if isinstance(value, list) else value
            if key in names:
                found[key] = own
            elif f"{key}_read" in names:
                found[f"{key}_read"] = found[f"{key}_write"] = own
            else:
                raise ValueError(f"{cls.TABLE}.{key}: the model has no such key")
        return _make(cls, found)

    def document(self) -> Document:
        """As the model reads it."""
        return {key: _told(value) for key, value in vars(self).items() if value is not None}

    def having(self, changes: Mapping[str, Callable[[int], object]]) -> Self:
        """The same with `changes` of those keys that it has, for both directions or for each."""
        now = vars(self)
        made = {
            name: change(now[name])
            for key, change in changes.items()
            for name in (key, f"{key}_read", f"{key}_write")
            if now.get(name) is not None
        }
        return self.but(made)

    def but(self, made: Mapping[str, object]) -> Self:
        """The same with other values of these keys."""
        return _make(type(self), {**vars(self), **made})


def _make(cls: type[T], told: Mapping[str, object]) -> T:
    make = cast("_Maker[T]", cls)  # of a dataclass, whose keys `told` has
    return make(**told)


def _told(value: object) -> object:
    if isinstance(value, Table):
        return value.document()
    return list(value) if isinstance(value, tuple) else value
