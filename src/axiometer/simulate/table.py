"""The base of the generated classes in `model_tables.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, Protocol, Self, TypeVar, cast

Document = dict[str, object]
"""A table in the model's form: numbers, texts, lists and tables by their keys."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class _Maker(Protocol[T_co]):
    def __call__(self, **values: object) -> T_co: ...


class Table:
    """A table of the model's keys; immutable."""

    TABLE: ClassVar[str]

    @classmethod
    def of(cls, values: Mapping[str, object]) -> Self:
        """The table with these keys; a key for both directions sets each."""
        names = cls.__annotations__
        found: Document = {}
        for key, value in values.items():
            own = tuple(value) if isinstance(value, list) else value
            if key in names:
                found[key] = own
            elif f"{key}_read" in names:
                found[f"{key}_read"] = found[f"{key}_write"] = own
            else:
                raise ValueError(f"{cls.TABLE}.{key}: the model has no such key")
        return _make(cls, found)

    def document(self) -> Document:
        """The table in the model's form."""
        return {key: _plain(value) for key, value in vars(self).items() if value is not None}

    def having(self, changes: Mapping[str, Callable[[int], object]]) -> Self:
        """The table with `changes` of the keys that it has, for both directions or for each."""
        now = vars(self)
        made = {
            name: change(now[name])
            for key, change in changes.items()
            for name in (key, f"{key}_read", f"{key}_write")
            if now.get(name) is not None
        }
        return self.but(made)

    def but(self, made: Mapping[str, object]) -> Self:
        """The table with other values of these keys."""
        return _make(type(self), {**vars(self), **made})


def _make(cls: type[T], values: Mapping[str, object]) -> T:
    make = cast("_Maker[T]", cls)  # of a dataclass, whose keys `values` has
    return make(**values)


def _plain(value: object) -> object:
    if isinstance(value, Table):
        return value.document()
    return list(value) if isinstance(value, tuple) else value
