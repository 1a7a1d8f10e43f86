"""Checks of everything that is read from a store.

A store may come from a stranger, or from a disk that lost a bit. Each column must have the form
that Axiometer writes, or the store is damaged. Not for: whether figures are right.
"""

from __future__ import annotations

import json
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard, cast

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError
from axiometer.base.record import Record
from axiometer.experiment.values import Values

MAX_UNPACKED = 2**28  # bytes of a point's records: 100 000 repeats stay below
MAX_TEXT = 2**23
_RUN_ID = re.compile(r"[\w-]{1,200}-\d{4,9}")  # part of file names
_TEXTS = (
    *("id", "experiment", "spec", "backend", "experiment_file", "experiment_text"),
    *("platform_name", "platform_file", "platform_text", "overlay", "provenance"),
)
_RATES = ("total_MBps", "read_MBps", "write_MBps")
_LATENCIES = ("mean", "min", "max", "p50", "p99")
_LARGEST = 1e18


@dataclass(frozen=True)
class RunRow:
    """The columns of a run that are read (`schema.py`), overlay and provenance decoded."""

    id: str
    experiment: str
    backend: str
    overlay: tuple[str, ...]
    experiment_file: str
    experiment_text: str
    platform_name: str
    platform_file: str
    platform_text: str
    provenance: dict[str, object]
    points_total: int
    wall_s: float


class DamagedError(ValueError):
    """A fault of a row, in words."""


def damaged(file: Path, what: str) -> AxiometerError:
    return AxiometerError(
        f"the store is damaged: {what}",
        file=file,
        remedy="move the file away (its -wal and -shm too) and run again, or restore a copy",
    )


def run_row(row: sqlite3.Row) -> RunRow:
    """A run. DamagedError for a column in another form."""
    for name in _TEXTS:
        _need(isinstance(row[name], str) and len(row[name]) <= MAX_TEXT, name)
        if not name.endswith("_text"):  # these are parsed, never shown
            _need(harmless.found_in(row[name]) is None, name)
    run = row["id"]
    _need(_RUN_ID.fullmatch(run) is not None, "id")
    _need(run.rpartition("-")[0] == row["experiment"], "experiment")
    _need(isinstance(row["number"], int) and run.endswith(f"-{row['number']:04d}"), "number")
    _need(_is_count(row["points_total"]), "points_total")
    _need(_is_number(row["wall_s"]) and row["wall_s"] >= 0, "wall_s")
    made_by = provenance(row["provenance"])
    overlay = _decoded(row["overlay"], "overlay")
    if not isinstance(overlay, list) or not all(isinstance(item, str) for item in overlay):
        raise _wrong("overlay")
    whole = {name: row[name] for name in RunRow.__annotations__}
    return RunRow(**whole | {"overlay": tuple(overlay), "provenance": made_by})


def each_once(rows: Iterable[sqlite3.Row], key: str) -> Iterator[sqlite3.Row]:
    """`rows` in order; DamagedError at a repeated `key`, before more are read: pages in a circle
    return the same rows again."""
    seen = set()
    for row in rows:
        _need(row[key] not in seen, key)
        seen.add(row[key])
        yield row


def provenance(text: str) -> dict[str, object]:
    """The provenance of a run; DamagedError for other content."""
    found = _decoded(text, "provenance")
    if not isinstance(found, dict) or not isinstance(found.get("started_at"), str):
        raise _wrong("provenance")
    _need(all(_is_plain(value) for value in found.values()), "provenance")
    return found


def point_row(row: sqlite3.Row) -> tuple[int, dict[str, object], Values, bytes]:
    """Number, key, values and packed records of a point; DamagedError for other content."""
    key, values = (_decoded(row[name], name) for name in ("point_key", "point_values"))
    _need(_is_count(row["number"]), "number")
    if not isinstance(key, dict) or not all(_is_plain(value) for value in key.values()):
        raise _wrong("point_key")
    if not isinstance(values, dict) or not _are_values(values):
        raise _wrong("point_values")
    _need(isinstance(row["records"], bytes), "records")
    # Values that `_are_values` does not check were written by `points.normalise`.
    return row["number"], key, cast("Values", values), row["records"]


def _are_values(values: dict[str, object]) -> bool:
    ports = values.get("ports")
    return (
        isinstance(ports, list)
        and bool(ports)
        and all(isinstance(port, str) for port in ports)
        and all(isinstance(values.get(name), str) for name in ("mode", "pattern", "mapping"))
        and all(_is_number(values.get(name)) for name in ("width_bits", "pl_mhz", "burst_bytes"))
        and all(isinstance(values.get(name), str | None) for name in ("background", "master"))
        and _are_masters(values.get("masters", []))
        and _is_plain(values, 8)
    )


def records(packed: bytes) -> list[Record]:
    """The records of a point; DamagedError for other content."""
    unpacker = zlib.decompressobj()
    try:
        text = unpacker.decompress(packed, MAX_UNPACKED)
    except zlib.error as error:
        raise DamagedError(f"records: {error}") from None
    _need(unpacker.eof and not unpacker.unused_data, "records")
    found = _decoded(text, "records")
    check_records(found)
    return cast("list[Record]", found)


def check_records(found: object) -> None:
    """DamagedError unless these are records of a point. Also checked before saving, so that a store
    saves nothing that it cannot read."""
    if not isinstance(found, list) or not found:
        raise _wrong("records")
    shape = None
    for record in found:
        problem = _problem(record)
        if problem:
            raise DamagedError(f"records: {problem}")
        groups = (record.get(name) or {} for name in ("by_port", "by_master", "background"))
        here = [sorted(group) for group in groups]
        shape = shape or here
        _need(here == shape, "records")


def _problem(record: object) -> str | None:
    """The fault in a record's form; None for a good one."""
    if not isinstance(record, dict):
        return "one is not a record"
    if not _is_count(record.get("repeat")) or not _is_number(record.get("bytes")):
        return "repeat or bytes"
    if not _is_number(record.get("elapsed_s")) or record["elapsed_s"] <= 0:
        return "elapsed_s"
    if not _are_rates(record) or not isinstance(record.get("by_port"), dict):
        return "rates"
    for name in ("by_port", "by_master", "background"):
        group = record.get(name, {})
        if not isinstance(group, dict) or not all(map(_are_rates, group.values())):
            return name
        if not all(_is_latency(of.get("latency_ns")) for of in group.values()):
            return name
        if any(harmless.found_in(port) for port in group):
            return name
    if not record["by_port"]:
        return "by_port"
    if not _is_latency(record.get("latency_cycles")):
        return "latency_cycles"
    for name, parts in (("dram", ("classes_s", "counts")), ("processor", ("classes_s",))):
        group = record.get(name)
        if group is not None and not (
            isinstance(group, dict) and all(_are_numbers(group.get(part)) for part in parts)
        ):
            return name
    beats = (record.get("processor") or {}).get("beats")
    if beats is not None and not (isinstance(beats, dict) and _are_clocks(beats.get("between"))):
        return "beats"
    if not _is_board(record.get("board")):
        return "board"
    if "host" in record and not _is_host(record["host"]):
        return "host"
    streams = record.get("streams", [])
    if not isinstance(streams, list) or not all(map(_is_stream, streams)):
        return "streams"
    return None


def _are_clocks(found: object) -> bool:
    """Clocks from beat to beat; the mean may be None, if a sniffer's bins do not fix it."""
    return isinstance(found, dict) and _are_numbers(
        {name: value for name, value in found.items() if name != "mean" or value is not None}
    )


def _is_board(board: object) -> bool:
    """The board's part of a record (`BoardSide`), or None."""
    if board is None:
        return True
    if not isinstance(board, dict) or not isinstance(board.get("streams"), list):
        return False
    around = [board.get("before"), board.get("after")]
    words = [board.get("design")]
    for side in around:
        if not isinstance(side, dict):
            return False
        words += [*side, *(value for value in side.values() if not _is_number(value))]
    named = all(isinstance(word, str) and harmless.found_in(word) is None for word in words)
    numbers = (board.get("ns"), board.get("clocks") or 0, board.get("clock_hz"))
    return named and all(map(_is_number, numbers))


def _is_host(found: object) -> bool:
    """The host's part; its time is None for a port outside the memory model."""
    return (
        isinstance(found, dict)
        and isinstance(found.get("name"), str)
        and harmless.found_in(found["name"]) is None
        and all(_is_number(found.get(name)) for name in ("instructions", "accesses"))
        and (found.get("fabric_memory_s") is None or _is_number(found["fabric_memory_s"]))
    )


def _is_stream(stream: object) -> bool:
    return (
        isinstance(stream, dict)
        and isinstance(stream.get("port"), str)
        and harmless.found_in(stream["port"]) is None
        and stream.get("direction") in ("read", "write")
        and _is_master(stream.get("master", 0))
        and _are_numbers(stream.get("classes_s"))
        and _is_latency(stream.get("latency_cycles"))
        and all(_is_number(stream.get(name, 0)) for name in ("bytes", "start_s", "end_s"))
        and _is_number(stream.get("inactivity_cycles", 0))
    )


def _is_master(found: object) -> bool:
    """A master's name; in older stores, its number behind a multiplexer."""
    return isinstance(found, int) or (isinstance(found, str) and harmless.found_in(found) is None)


def _are_masters(found: object) -> bool:
    return isinstance(found, list) and all(
        isinstance(master, dict)
        and all(isinstance(master.get(name), str) for name in ("name", "way", "direction"))
        and all(_is_number(master.get(name)) for name in ("width_bits", "link_mhz", "burst_bytes"))
        and _is_plain(master)
        for master in found
    )


def _is_latency(found: object) -> bool:
    if found is None:
        return True
    if not isinstance(found, dict) or not all(_is_number(found.get(name)) for name in _LATENCIES):
        return False
    counts = found.get("hist") or {}
    return (
        _is_count(found.get("n", 0))
        and isinstance(counts, dict)
        and all(cycles.isascii() and cycles.isdigit() and len(cycles) < 19 for cycles in counts)
        and all(type(count) is int and 0 < count < _LARGEST for count in counts.values())
        and all(type(found[name]) in (int, float) for name in _LATENCIES)
    )


def _are_rates(found: object) -> bool:
    return isinstance(found, dict) and all(
        _is_number(found.get(name)) and found[name] >= 0 for name in _RATES
    )


def _are_numbers(found: object) -> bool:
    return isinstance(found, dict) and all(
        _is_number(value) and harmless.found_in(name) is None for name, value in found.items()
    )


def _is_number(value: object) -> TypeGuard[float]:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return -_LARGEST <= value <= _LARGEST


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and 0 <= value <= _LARGEST


def _is_plain(value: object, depth: int = 4) -> bool:
    """Text, a number, None, or a small collection of them, fit for display."""
    if isinstance(value, str):
        return harmless.found_in(value) is None
    if isinstance(value, list | dict) and depth:
        inside = list(value) if isinstance(value, list) else [*value, *value.values()]
        return all(_is_plain(item, depth - 1) for item in inside)
    return value is None or isinstance(value, bool) or _is_number(value)


def _decoded(text: str | bytes, name: str) -> object:
    try:
        found: object = json.loads(text, parse_constant=_no_number)
        return found
    except (ValueError, TypeError, RecursionError) as error:
        raise DamagedError(f"{name}: {harmless.quoted(str(error))}") from None


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a number")


def _need(good: bool, name: str) -> None:
    if not good:
        raise _wrong(name)


def _wrong(name: str) -> DamagedError:
    return DamagedError(f"{name} does not have the form that Axiometer writes")
