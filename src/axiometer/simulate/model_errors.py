"""Errors of the model, for a person. The model names the value by its own tables
(`streams[1].gap_cycles`); this file has the user's words for it, and the remedy."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from axiometer.base.errors import AxiometerError

if TYPE_CHECKING:
    from axiometer.simulate.scenario import Scenario

_ENTRY = re.compile(r"\b(streams|ports|paths)\[(\d+)\](?:\.(\w+))?")
_KEYS = {
    "gap_cycles": "the gap between bursts, in PL clocks (gap_cycles, or what rate_mbs leaves)",
    "base": "the address of the buffer (base, placement)",
    "bytes": "the size (transfer_bytes)",
    "partner": "the other half of the pair",
    "stop": "the time of the end (stop_us, duration)",
}


@contextmanager
def reported(scenario: Scenario | None = None) -> Iterator[None]:
    """Turn an error of the model into an AxiometerError: a value that it cannot simulate, named in
    the words of `scenario`, or a run that makes no progress."""
    try:
        yield
    except ValueError as error:
        raise AxiometerError(
            f"the model cannot run this point: {in_words(str(error), scenario)}",
            remedy="change this value in the platform file or with --set",
        ) from None
    except RuntimeError as error:
        raise AxiometerError(
            f"the model stopped at this point: {in_words(str(error), scenario)}",
            remedy="reset the platform's figures one by one; if none is the cause, report it",
        ) from None


def in_words(text: str, scenario: Scenario | None) -> str:
    """`text` with the names of figures and masters' keys for entries of the model's tables."""
    if scenario is None:
        return text

    def words(entry: re.Match[str]) -> str:
        table, number, key = entry[1], int(entry[2]), entry[3] or ""
        if number >= len(getattr(scenario, table)):
            return entry[0]
        if table != "streams":
            name = getattr(scenario, table)[number].name
            return f"{table[:-1]}.{name}.{key}".rstrip(".")
        stream = scenario.streams[number]
        whose = stream.name if stream.owner in (None, stream.name) else f"master {stream.owner}"
        what = _KEYS.get(key, key.replace("_", " "))
        return f"{what} of the {stream.direction}s of {whose}" if key else f"stream of {whose}"

    return _ENTRY.sub(words, text)
