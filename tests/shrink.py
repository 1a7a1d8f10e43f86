"""A smaller document, of the kind that JSON has, on which something still fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import copy
from typing import Any


def shrunk(
    document: Any,
    fails: Callable[[Any], bool],
    more: Callable[[Any], Iterator[Any]] = lambda document: iter(()),
) -> Any:
    """The document with as much left out and as small numbers as still fail. more: other ways to
    make it smaller. A document that is refused does not fail."""

    def still(smaller: Any) -> bool:
        try:
            return fails(smaller)
        except (ValueError, KeyError, TypeError):
            return False

    def ways() -> Iterator[Any]:
        yield from more(document)
        yield from _smaller(document)

    while (smaller := next(filter(still, ways()), None)) is not None:
        document = smaller
    return document


def _smaller(document: Any) -> Iterator[Any]:
    """Documents that differ in one place: an entry less, or a smaller number."""
    if isinstance(document, dict | list | tuple):
        is_tuple = isinstance(document, tuple)
        entries = list(document) if isinstance(document, dict) else range(len(document))
        for key in () if is_tuple else entries:
            rest = copy(document)
            del rest[key]
            yield rest
        for key in entries:
            for value in _smaller(document[key]):
                changed = list(document) if is_tuple else copy(document)
                changed[key] = value
                yield tuple(changed) if is_tuple else changed
    elif document is True:
        yield False
    elif isinstance(document, int) and document > 0:
        yield from {0: None, document // 2: None, document - 1: None}
