"""Random specifications for the model: ports, paths, controllers, clocks and traffic of all kinds.

The same seed gives the same case. `fuzz_compare.py` compares the forms of the model on them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from axiometer import _model as model

Spec = dict[str, Any]
DIRECTIONS = ("read", "write")
# Periods of the two clocks: equal, simple, the boards' own (525 : 100, 400 : 110), and ugly.
RATIOS = [(1, 1), (1, 2), (2, 1), (4, 21), (11, 40), (3, 10), (7, 19), (13, 5), (97, 101), (5, 31)]
LARGEST_PLAIN = 48 * 1024  # bytes that a run of the plain model moves at most


class Case:
    """A specification and two starts for it, on one simulator."""

    def __init__(self, spec: Spec, starts: list[Spec]) -> None:
        self.spec, self.starts = spec, starts

    def __repr__(self) -> str:
        return json.dumps({"spec": self.spec, "starts": self.starts})


def both_ways(**keys: Any) -> Spec:
    """Keys with what they are for each direction."""
    return {f"{key}_{d}": value for key, value in keys.items() for d in DIRECTIONS}


# -- drawing --------------------------------------------------------------------------------------


def case(seed: int) -> Case:
    """The case of a seed. Cases that the model refuses are drawn again."""
    draw = random.Random(f"axiometer:{seed}")
    own = random.Random(f"clocks and stops:{seed}")
    held = random.Random(f"first beats:{seed}")
    asked = random.Random(f"rates:{seed}")
    ranks = random.Random(f"priorities:{seed}")
    way = random.Random(f"between:{seed}")
    while True:
        regular = draw.random() < 0.35
        drawn = _regular(draw) if regular else _wild(draw)
        if own.random() < 0.4:
            _own_clocks(own, drawn.spec, regular)
        if own.random() < 0.3:
            _own_stops(own, drawn.spec["streams"])
        if held.random() < 0.5:
            _held(held, drawn.spec["streams"])
        rates(asked, drawn.spec)
        between(way, drawn.spec)
        _ranks(ranks, drawn.spec)
        try:
            model.Simulator(drawn.spec)
        except ValueError:
            continue
        return drawn


def between(draw: random.Random, spec: Spec) -> None:
    """Something stands between some masters and their ports."""
    if draw.random() < 0.4:
        for stream in spec["streams"]:
            stream["between_cycles"] = draw.choice([0, 1, 14, 90])


def _wild(draw: random.Random) -> Case:
    """Anything goes."""
    dram = _dram(draw, regular=False)
    paths = [_path(draw, dram, i) for i in range(draw.randint(1, 4))]
    ports = [draw_port(draw, len(paths), i) for i in range(draw.randint(1, 4))]
    streams = _streams(draw, dram, ports, regular=False)
    return _case(draw, dram, paths, ports, streams)


def rates(draw: random.Random, spec: Spec) -> None:
    """Let some masters request a rate: from the peak of their ports to a small part of it, not a
    whole number of cycles a burst."""
    for stream in spec["streams"]:
        if draw.random() < 0.7:
            continue
        beats = -(-stream["burst_bytes"] // spec["ports"][stream["port"]]["width_bytes"])
        bursts = draw.choice([1, 2, 3, 7, 16, 2**20])
        part = draw.choice([1.0, 1.02, 1.3, 2.0, 7.0])
        stream["pace_bursts"] = bursts
        stream["pace_cycles"] = int(beats * bursts * part) + draw.choice([0, 1, bursts // 2])


def _ranks(draw: random.Random, spec: Spec) -> None:
    """Some controllers have high-priority reads, some paths another priority than others."""
    controller = spec["controller"]
    if controller["policy"] != "zynq-ddrc":
        return
    if draw.random() < 0.4:
        for path in spec["paths"]:
            path |= _pair(draw, "priority", lambda: draw.choice([0, 31, 64, 300, 1023]))
    if draw.random() < 0.5:
        high = draw.choice([2, 4, 8, 16, 31])
        controller["read_entries"] = min(controller["read_entries"], 48 - high)
        controller |= {
            "high_entries": high,
            "high_starve_clocks": draw.choice([1, 7, 64, 200]),
            "high_run_length": draw.choice([1, 3, 8, 20]),
            "high_min_non_critical_clocks": draw.choice([0, 1, 32, 100]),
        }
        for key in ("pick_window", "prepare_window"):
            controller.pop(key, None)
        for path in spec["paths"]:
            path["high_priority_reads"] = draw.random() < 0.5


def whole(seed: int) -> Case:
    """The case of a seed with bursts of whole parts, many of which wait for places."""
    draw = random.Random(f"whole:{seed}")
    while True:
        drawn = case(draw.getrandbits(32))
        streams, ports = drawn.spec["streams"], drawn.spec["ports"]
        parts = [draw.choice([1, 1, 2, 4]) for _ in streams]
        for number, stream in enumerate(streams):
            port = ports[stream["port"]]
            part = port["part_bytes"]
            burst = (
                part * parts[min(number, stream["partner"]) if stream["partner"] >= 0 else number]
            )
            stream |= {
                "burst_bytes": burst,
                "bytes": max(stream["bytes"] // burst, 1) * burst,
                "base": stream["base"] // part * part,
                "outstanding": draw.choice([2, 8, 16]),
                "pattern": draw.choice(["sequential", "sequential", "random"]),
                "gap_cycles": 0,
                "region": 0,
            }
            port |= both_ways(fifo_bytes=max(part * draw.choice([1, 2, 3, 8]), burst))
            for key in ("pace_cycles", "pace_bursts", "address_cycles", "stop"):
                stream.pop(key, None)
        try:
            model.Simulator(drawn.spec)
        except ValueError:
            continue
        return drawn


def _regular(draw: random.Random) -> Case:
    """Equal engines that walk through aligned buffers for many refreshes: there is much to skip."""
    dram = _dram(draw, regular=True)
    paths = [_path(draw, dram, i) for i in range(draw.randint(1, 2))]
    port = draw_port(draw, len(paths), 0)
    ports = [port | {"path": i % len(paths)} for i in range(draw.choice([1, 1, 2, 4]))]
    streams = _streams(draw, dram, ports, regular=True)
    return _case(draw, dram, paths, ports, streams)


def _case(draw: random.Random, dram: Spec, paths: list, ports: list, streams: list) -> Case:
    ddr, pl = draw.choice(RATIOS)
    spec = {
        "clocks": {"ddr": ddr, "pl": pl},
        "dram": dram,
        "controller": _controller(draw),
        "paths": paths,
        "ports": ports,
        "streams": streams,
    }
    return Case(spec, [_start(draw, spec) for _ in range(2)])


def _dram(draw: random.Random, regular: bool) -> Spec:
    def near(usual: int, spread: int) -> int:
        return max(1, usual + draw.randint(-spread, spread))

    # tCCD and burst length belong together; the data bus allows no less than these.
    burst_clocks = draw.choice([4, 4, 4, 2])
    cl, cwl = near(7, 2), near(6, 1)
    t = {
        "CL": cl,
        "CWL": cwl,
        "tRCD": near(7, 4),
        "tRP": near(7, 4),
        "tRAS": near(19, 8),
        "tRC": near(27, 10),
        "tRRD": near(5, 3),
        "tFAW": near(22, 12),
        "tCCD": burst_clocks + draw.choice([0, 0, 0, 1, 2]),
        "tWTR": near(4, 2),
        "tRTP": near(4, 2),
        "tWR": near(8, 4),
        "tRFC": near(70, 25),
        "tREFI": draw.randint(450, 900) if regular else draw.choice([500, 700, 1200, 4064]),
        "read_to_write": max(1, cl + burst_clocks + 2 - cwl) + draw.choice([0, 0, 1, 4]),
    }
    # As on every part: a row is open for tRAS at least, and REF comes no sooner than tRC.
    t["tRC"] = min(t["tRC"], t["tRAS"] + t["tRP"])
    column_bytes = draw.choice([16, 32, 32, 64])
    return {
        "timing": t,
        "banks": draw.choice([2, 4, 8, 8, 16]),
        "row_bytes": draw.choice([512, 1024, 4096]),
        "column_bytes": column_bytes,
        "burst_clocks": burst_clocks,
        "bytes": 2**24,
        "mapping": "row-bank-column" if regular or draw.random() < 0.7 else "bank-row-column",
    }


def _pair(draw: random.Random, key: str, one: Callable[[], Any]) -> Spec:
    both = one()
    return {f"{key}_{d}": both if draw.random() < 0.5 else one() for d in DIRECTIONS}


def _entries(draw: random.Random) -> Spec:
    of = _pair(draw, "entries", lambda: draw.choice([2, 4, 8, 16, 31, 32, 48]))
    return {f"{d}_entries": of[f"entries_{d}"] for d in DIRECTIONS}


def _controller(draw: random.Random) -> Spec:
    window = [1, 2, 3, 5, 8, 16, 63, 64]
    c = {
        "policy": draw.choice(["zynq-ddrc", "zynq-ddrc", "in-order-batch"]),
        **_entries(draw),
        "starve_clocks": draw.choice([1, 7, 32, 64, 200]),
        "run_length": draw.choice([1, 3, 8, 20]),
        "min_non_critical_clocks": draw.choice([0, 1, 32, 100]),
        "batch": draw.choice([1, 2, 8, 15]),
    }
    if draw.random() < 0.5:
        c |= {"pick_window": draw.choice(window), "prepare_window": draw.choice(window)}
    return {key: value for key, value in c.items() if key in keys_of(c["policy"])}


@lru_cache
def keys_of(policy: str) -> frozenset[str]:
    """The keys of a controller's table."""
    rows = [row for row in model.describe() if row["table"] == "controller"]
    return frozenset(row["key"] for row in rows if row["only"] in ("", policy))


def _path(draw: random.Random, dram: Spec, number: int) -> Spec:
    return {
        "name": f"path{number}",
        **_pair(draw, "inflight", lambda: draw.choice([4, 8, 8, 16, 17, 33, 64])),
        **_pair(draw, "request_clocks", lambda: draw.choice([0, 0, 1, 4, 11])),
        **_pair(draw, "release_clocks", lambda: draw.choice([0, 0, 1, 20, 67, 170])),
        "column_clocks": draw.choice([0, 0, 2, 4, 6, 9]),
        **_pair(draw, "ordered", lambda: draw.random() < 0.5),
    }


def draw_port(draw: random.Random, paths: int, number: int) -> Spec:
    """A port of one of so many paths, without its own clock."""
    return {
        "name": f"port{number}",
        "path": draw.randrange(paths),
        "width_bytes": draw.choice([4, 8, 8, 16, 32]),
        "part_bytes": draw.choice([32, 64, 128, 128, 256]),
        **_pair(draw, "fifo_bytes", lambda: draw.choice([64, 128, 256, 640, 1024, 4096])),
        **_pair(draw, "request_cycles", lambda: draw.choice([0, 0, 1, 4, 9])),
        "return_cycles": draw.choice([0, 1, 4, 9]),
        "response_clocks": draw.choice([0, 0, 1, 6, 40]),
        "early_response": draw.random() < 0.6,
        "release_whole_burst": draw.random() < 0.5,
    }


def _streams(draw: random.Random, dram: Spec, ports: list[Spec], regular: bool) -> list[Spec]:
    """One engine or two for each port; two may be halves of a loop-back."""
    kinds = ["read", "write", "both", "pair", "pair"]
    kind = draw.choice(kinds)
    size = _size(draw, regular)
    burst = draw.randint(1, 16) * ports[0]["width_bytes"]
    streams: list[Spec] = []
    for number, port in enumerate(ports):
        if not regular:
            kind = draw.choice(kinds)
            size = _size(draw, regular)
            burst = draw.randint(1, 16) * port["width_bytes"]
        directions = {"read": ["read"], "write": ["write"]}.get(kind, ["write", "read"])
        ahead, delay = draw.choice([1, 2, 4, 31]), draw.choice([0, 0, 1, 4, 30])
        for half, direction in enumerate(directions):
            partner = len(streams) + (1 if half == 0 else -1) if kind == "pair" else -1
            stream = {
                "port": number,
                "direction": direction,
                "base": 0,
                "bytes": size,
                "region": 0,
                "burst_bytes": burst,
                "outstanding": draw.choice([1, 2, 4, 8, 16, 63]),
                "gap_cycles": draw.choice([0, 0, 0, 1, 5, 50]),
                "pattern": "sequential",
                "stride": 0,
                "partner": partner,
                "loopback_bursts": ahead,
                "loopback_cycles": delay,
            }
            if not regular:
                _pattern(draw, stream)
            streams.append(stream)
    _place(draw, dram, streams, regular)
    most = max(1, LARGEST_PLAIN // len(streams))
    for stream in streams:
        stream["bytes"] = min(stream["bytes"], most)
    for number, stream in enumerate(streams):
        if stream["partner"] > number and draw.random() < 0.5:
            _jobs(draw, streams[stream["partner"]], stream, most, regular)
    return streams


def _jobs(draw: random.Random, read: Spec, write: Spec, most: int, regular: bool) -> None:
    """The halves of a pair work in jobs: through a FIFO, or with all that a job reads in store."""
    reads = draw.choice([1, 2, 3, 8])
    common = {
        "job_ahead": draw.choice([1, 1, 2, 3, 8]),
        "job_setup_cycles": draw.choice([0, 0, 1, 17, 200]),
        "job_place_cycles": draw.choice([0, 0, 1, 60]),
        "job_compute_cycles": draw.choice([0, 0, 1, 9, 90, 400]),
    }
    if draw.random() < 0.4:
        writes, room = reads, read["loopback_bursts"]
        common["job_fill"] = draw.randint(1, min(reads, room))
    else:
        writes, room = draw.choice([1, 2, 5, reads]), 0
        common["job_fill"] = reads
        write["burst_bytes"] = draw.choice(
            [write["burst_bytes"], max(1, write["burst_bytes"] // 2)]
        )
        write["region"] = max(write["region"], write["burst_bytes"] if write["region"] else 0)
    sizes = reads * read["burst_bytes"], writes * write["burst_bytes"]
    count = max(1, most // max(sizes)) if regular else draw.randint(1, max(1, most // max(sizes)))
    for half, bursts, size in ((read, reads, sizes[0]), (write, writes, sizes[1])):
        half |= {**common, "job_bursts": bursts, "bytes": count * size, "loopback_bursts": room}


def _size(draw: random.Random, regular: bool) -> int:
    if regular:
        return draw.choice([16, 32, 48]) * 1024
    scale = draw.choice([200, 2_000, 12_000])
    return draw.choice([1, draw.randint(1, scale), draw.randint(1, scale) // 128 * 128 + 128])


def _pattern(draw: random.Random, stream: Spec) -> None:
    chance = draw.random()
    if chance < 0.5:
        return
    burst = stream["burst_bytes"]
    stream["region"] = draw.choice([burst, 3 * burst, 4096, 16384, 20_000])
    if chance < 0.7:
        stream["pattern"] = "random"
    elif chance < 0.9:
        stream["pattern"] = "stride"
        stream["stride"] = draw.choice([burst, 64, 100, 4096, 4096 * 8 + 64])


def _place(draw: random.Random, dram: Spec, streams: list[Spec], regular: bool) -> None:
    """Where the buffers begin: aligned, in neighbouring banks, or anywhere."""
    style = draw.choice(["aligned", "rows"]) if regular else draw.choice(["aligned", "any", "same"])
    for number, stream in enumerate(streams):
        if style == "same":
            stream["base"] = 4096
        elif style == "any":
            stream["base"] = draw.randrange(2**20)
        else:
            stream["base"] = number * 2**17
            if style == "rows":
                stream["base"] += draw.randrange(dram["banks"]) * dram["row_bytes"]


def _own_clocks(draw: random.Random, spec: Spec, regular: bool) -> None:
    """Ports with clocks of their own: multiples, where the whole is to recur soon."""
    pl = spec["clocks"]["pl"]
    for port in spec["ports"]:
        period = draw.choice([1, 2, 3]) * pl if regular else draw.choice([0, 1, 7, 12, 21, 40])
        if draw.random() < 0.7:
            port["period"] = period


def _own_stops(draw: random.Random, streams: list[Spec]) -> None:
    """Streams that end before the run does; both halves of a loop-back together."""
    for number, stream in enumerate(streams):
        if draw.random() < 0.4:
            continue
        stream["stop"] = draw.choice([-1, 0, draw.randint(1, 300), draw.randint(300, 8000)])
        if 0 <= stream["partner"] < number:
            stream["stop"] = streams[stream["partner"]].get("stop", -1)
        elif stream["partner"] >= 0:
            streams[stream["partner"]]["stop"] = stream["stop"]


def _held(draw: random.Random, streams: list[Spec]) -> None:
    """Writes whose first beat is late."""
    for stream in streams:
        if stream["direction"] == "write":
            stream["address_cycles"] = draw.choice([0, 0, 1, 3, 40])


def _start(draw: random.Random, spec: Spec) -> Spec:
    skew = draw.choice([0, 1, 20, 300])
    stop = -1
    if draw.random() < 0.15:
        stop = draw.choice([0, 1, draw.randint(1, 300), draw.randint(1, 5000)])
    return {
        "launch": [draw.randint(0, skew) for _ in spec["streams"]],
        "first_refresh": draw.randrange(spec["dram"]["timing"]["tREFI"]),
        "stop": stop,
        "pattern_seed": draw.getrandbits(63),
    }
