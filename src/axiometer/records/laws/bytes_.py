"""Laws of bytes: bytes in equal bytes out, at each place with a count."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Literal

from axiometer.base.record import Rates, StreamRecord, by_master, owner, rate_of
from axiometer.experiment import master_keys
from axiometer.experiment.values import known
from axiometer.records.laws.case import DIRECTIONS, ROUNDING, Case

RATES: tuple[Literal["total_MBps", "read_MBps", "write_MBps"], ...] = (
    "total_MBps",
    "read_MBps",
    "write_MBps",
)


def _differ(a: float, b: float) -> bool:
    return abs(a - b) > 1e3 * ROUNDING * max(abs(a), abs(b))


def rates(case: Case) -> Iterator[str]:
    record = case.record
    total = record["total_MBps"]
    if _differ(total, record["bytes"] / case.elapsed * 1e-6):
        yield (
            f"rate is bytes over time: total_MBps is {total:.9g}; {record['bytes']} bytes in "
            f"{case.elapsed:.9g} s are {record['bytes'] / case.elapsed * 1e-6:.9g}"
        )
    whole: dict[str, Rates] = {"the whole": record}
    ports, masters = record.get("by_port") or {}, record.get("by_master") or {}
    beside = record.get("background") or {}
    for name, rate in chain.from_iterable(of.items() for of in (whole, ports, masters, beside)):
        both = rate["read_MBps"] + rate["write_MBps"]
        if _differ(rate["total_MBps"], both):
            yield (
                f"reads and writes are the total: total_MBps of {name} is "
                f"{rate['total_MBps']:.9g}; both directions are {both:.9g}"
            )


def ports(case: Case) -> Iterator[str]:
    record = case.record
    for words, found in (("ports", record.get("by_port")), ("masters", record.get("by_master"))):
        if found is None:
            continue
        for rate in RATES:
            together = sum(of[rate] for of in found.values())
            if _differ(together, record[rate]):
                yield (
                    f"{words} add up: {rate} of all {words} is {together:.9g}; "
                    f"that of the whole is {record[rate]:.9g}"
                )
    each = by_master(record)
    if case.masters and set(each) != set(case.masters):
        yield f"masters are those of the point: {', '.join(each)}; {', '.join(case.masters)}"
    if set(case.record["by_port"]) != set(case.values["ports"]):
        listed = "+".join(case.record["by_port"])
        yield f"ports are those of the point: {listed}; {'+'.join(case.values['ports'])}"


def streams(case: Case) -> Iterator[str]:
    if not case.streams:
        return
    record = case.record
    moved = sum(stream["bytes"] for stream in case.streams)
    if moved != record["bytes"]:
        yield f"bytes in are bytes out: streams moved {moved}; the record has {record['bytes']}"
    of: dict[tuple[str, str], int] = {}
    for stream in case.streams:
        key = stream["port"], stream["direction"]
        of[key] = of.get(key, 0) + stream["bytes"]
    for (port, direction), count in of.items():
        rate = rate_of(record["by_port"][port], direction)
        if _differ(rate, count / case.elapsed * 1e-6):
            yield (
                f"rate is bytes over time: {direction}_MBps of {port} is {rate:.9g}; its streams "
                f"moved {count / case.elapsed * 1e-6:.9g}"
            )
    wanted = case.values["transfer_bytes"]
    if wanted is None:
        return
    for stream in case.streams:
        asked = _asked(case, stream, wanted)
        if stream["bytes"] != asked:
            yield (
                f"bytes in are bytes out: {stream['port']} {stream['direction']} moved "
                f"{stream['bytes']} of {asked}"
            )


def _asked(case: Case, stream: StreamRecord, wanted: int) -> int:
    """Bytes of a stream if the point moves `wanted`: whole jobs for a master that works in jobs."""
    master = case.master_of(stream)
    if master is not None and stream["direction"] not in master_keys.directions(master):
        return 0
    if master is None or not master_keys.works_in_jobs(master):
        return wanted
    count = -(-wanted // master_keys.job_bytes(master, "read"))
    return count * master_keys.job_bytes(master, stream["direction"])


def jobs(case: Case) -> Iterator[str]:
    """Results are written only for jobs that were read, and no more are read than a master
    holds."""
    for name, master in case.masters.items():
        if not master_keys.works_in_jobs(master):
            continue
        done = {"read": 0.0, "write": 0.0}
        for stream in case.streams:
            if owner(stream) == name:
                way = stream["direction"]
                done[way] += stream["bytes"] / master_keys.job_bytes(master, way)
        most = known(master["buffers"] if master["kind"] == "accelerator" else master["depth"])
        # In a part of a run, jobs may have been read before.
        least = -most if case.free else 0
        if not least - 1e-9 <= done["read"] - done["write"] <= most + 1e-9:
            yield (
                f"results follow what was read: {name} read {done['read']:.6g} jobs, wrote "
                f"{done['write']:.6g} and holds {most}"
            )


def beats(case: Case) -> Iterator[str]:
    """Bytes through the port took their beats there."""
    for stream in case.streams:
        if case.is_source(stream):
            continue  # its beats are not at the memory's end
        beat_bytes, hz = case.link(stream)
        most = stream["classes_s"]["data"] * hz * beat_bytes
        if stream["bytes"] > most * (1 + 1e3 * ROUNDING):
            yield (
                f"a beat moves no more than the width: {stream['port']} {stream['direction']} "
                f"moved {stream['bytes']} bytes; its beats hold {most:.0f}"
            )


def commands(case: Case) -> Iterator[str]:
    """Bytes through the ports also passed the DRAM, except for those in buffers at either end."""
    dram = case.record.get("dram")
    if dram is None or not case.streams:
        return
    for direction in DIRECTIONS:
        if direction == "write" and case.combines:
            continue  # writes to the same bytes may be combined
        at_ports = sum(
            s.get("memory_bytes", s["bytes"]) for s in case.streams if s["direction"] == direction
        )
        at_dram = dram["counts"][f"{direction}s"] * case.column_bytes
        late = case.free or direction == "write"  # writes are answered before they are made
        held = case.buffered(direction, case.values["ports"]) if late else 0
        if at_ports > at_dram + held:
            yield (
                f"bytes in are bytes out: {at_ports} bytes were {direction} at the ports; the DRAM "
                f"moved {at_dram}, and buffers hold {held} at most"
            )
