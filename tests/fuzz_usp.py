"""Random specifications of Zynq UltraScale+: its controller, ports, AFI interfaces, and engines of
all kinds together. The same seed gives the same case; `fuzz_compare.py` compares the forms of the
model on them."""

from __future__ import annotations

import random

from axiometer import _model as model
from fuzz_model import DIRECTIONS, Case, Spec, between, rates

# Periods of the DRAM's and the fabric's clocks: simple, the boards' own (1066.67 : 300,
# 533.33 : 100), and ugly.
RATIOS = [(1, 1), (1, 4), (9, 32), (3, 16), (2, 1), (7, 19), (13, 5), (31, 97)]
COLUMN, CAPACITY = 64, 2**26
CLASSES = ("best_effort", "video", "low_latency")
CLOCKS = 6000  # of the DRAM, that a case lasts at most


def case(seed: int) -> Case:
    """The case of a seed. Cases that the model refuses are drawn again."""
    draw = random.Random(f"axiometer:usp:{seed}")
    asked = random.Random(f"rates:usp:{seed}")
    way = random.Random(f"between:usp:{seed}")
    while True:
        spec = _spec(draw)
        rates(asked, spec)
        between(way, spec)
        try:
            model.Simulator(spec)
        except ValueError:
            continue
        return Case(spec, [_start(draw, spec) for _ in range(2)])


def _spec(draw: random.Random) -> Spec:
    ddr, pl = draw.choice(RATIOS)
    scale = draw.choice([1, 2, 2, 2, 4])  # DRAM clocks of a controller clock
    paths = [_path(draw, i, scale) for i in range(draw.randint(1, 4))]
    ports = [_port(draw, len(paths), i) for i in range(draw.randint(1, 5))]
    if draw.random() < 0.5:  # clocks of their own
        for port in ports:
            port["period"] = draw.choice([0, 2, 9, 20, 35])
    return {
        "clocks": {"ddr": ddr, "pl": pl},
        "dram": _dram(draw),
        "controller": _controller(draw, scale),
        "paths": paths,
        "ports": ports,
        "streams": _streams(draw, ports),
        "measure": {"settle": draw.choice([0, 1, 100, 10**6]), "block": 0, "confidence": 0},
    }


def _both(draw: random.Random, key: str, values: list) -> Spec:
    return {f"{key}_{d}": draw.choice(values) for d in DIRECTIONS}


def _dram(draw: random.Random) -> Spec:
    def near(usual: int) -> int:
        return max(1, usual + draw.randint(-usual // 3, usual // 3))

    timing = {
        **{"CL": near(16), "CWL": near(14), "tRCD": near(15), "tRP": near(15), "tRAS": near(34)},
        **{"tRRD": near(4), "tFAW": near(28), "tCCD": 4, "tWTR": near(4), "tRTP": near(8)},
        **{"tWR": near(16), "tRFC": near(180), "tREFI": draw.choice([1100, 1500, 4000])},
        "read_to_write": near(12),
        "tCCD_L": draw.choice([0, 4, 6]),
        "tRRD_L": draw.choice([0, 5, 8]),
        "tWTR_L": draw.choice([0, 6, 9]),
    }
    timing["tRC"] = timing["tRAS"] + draw.randint(0, timing["tRP"] + 4)
    groups, per_group, ranks = draw.choice([1, 2, 4]), draw.choice([2, 4]), draw.choice([1, 1, 2])
    bank_bits = (groups * per_group).bit_length() - 1
    low = draw.choice([6, 9, 11])  # the first bit of the bank: interleaved columns, or whole rows
    bits = [low + k for k in range(bank_bits)]
    if draw.random() < 0.3:  # one of them low, the others high
        bits = [6, *range(12, 11 + bank_bits)]
    row = max(bits) + 1
    return {
        "timing": timing,
        "banks": groups * per_group,
        "bank_groups": groups,
        "ranks": ranks,
        "rank_gap": draw.choice([0, 2, 5]),
        "command_clocks": draw.choice([1, 1, 2, 4, 5]),
        "rank_address_bit": draw.choice([8, 13, 25]) if ranks == 2 else -1,
        "row_bytes": draw.choice([1024, 8192]),
        "column_bytes": COLUMN,
        "burst_clocks": 4,
        "bytes": CAPACITY,
        "mapping": "row-bank-column",
        "bank_address_bits": bits,
        "row_address_bits": [row, max(row, 25)],
    }


def _controller(draw: random.Random, scale: int) -> Spec:
    spec = {
        "policy": "usp-ddrc",
        "dram_clocks": scale,
        "read_entries": draw.choice([6, 16, 24, 33]),
        "write_entries": draw.choice([16, 24, 64]),
        "low_latency_entries": draw.choice([1, 8, 31]),
        "starve_clocks": draw.choice([0, 16, 64]),
        "run_length": draw.choice([0, 1, 4, 8]),
        "least_run": draw.choice([0, 2, 9]),
        "idle_gap_clocks": draw.choice([0, 1, 8]),
        "read_tail_clocks": draw.choice([0, 3, 15]),
        "write_combining": draw.random() < 0.5,
        "turn": draw.choice(["part", "part", "command"]),
        "write_bytes": draw.choice([16, 32, 64]),
        "command_clocks": draw.choice([1, 2, 3]),
        "write_turns": draw.choice([0, 1, 3]),
        "starved_writes_turn": draw.random() < 0.5,
        "read_clocks": draw.choice([0, 3, 25, 50]),
        **_both(draw, "throttle_entries", [0, 4, 16]),
    }
    for d in DIRECTIONS:  # at all places throttled ports never had a turn
        spec[f"throttle_entries_{d}"] = min(spec[f"throttle_entries_{d}"], spec[f"{d}_entries"] - 2)
    return spec


def _path(draw: random.Random, number: int, scale: int) -> Spec:
    return {
        "name": f"s{number}",
        **_both(draw, "inflight", [16, 20, 64]),
        **_both(draw, "request_clocks", [0, 9, 40, 110]),
        "release_clocks": 0,
        "column_clocks": draw.choice([0, 4, 8, 9]) * scale // 2,
        "ordered": True,
        **_both(draw, "queue_parts", [1, 2, 4, 16, 64]),
        **_both(draw, "timeout_clocks", [0, 10, 79, 200]),
        **_both(draw, "entry_clocks", [0, 0, 1, 7]),
        "clock_bytes": draw.choice([8, 16, 16, 32]),
        "buffers": draw.random() < 0.5,
        "part_clocks": draw.choice([0, 3, 6, 17]),
        **{f"throttled_{d}": draw.random() < 0.3 for d in DIRECTIONS},
    }


def _port(draw: random.Random, paths: int, number: int) -> Spec:
    return {
        "name": f"HP{number}",
        "path": draw.randrange(paths),
        "width_bytes": draw.choice([4, 8, 16, 16]),
        "part_bytes": draw.choice([64, 256, 256]),
        "period": 0,
        **_both(draw, "fifo_bytes", [256, 320, 2048, 2048]),
        "request_cycles": 0,
        "return_cycles": 0,
        "response_clocks": draw.choice([0, 12, 40]),
        "early_response": True,
        "release_whole_burst": draw.random() < 0.3,
        "issue_commands": draw.choice([1, 3, 16, 64]),
        "inflight_parts": draw.choice([1, 6, 8, 64]),
        "address_bursts": draw.choice([1, 2, 38, 64]),
        "passed_commands": draw.choice([1, 6, 24, 128]),
        **_both(draw, "qos", [0, 0, 3, 7, 15]),
        "traffic_read": draw.choice(CLASSES),
        "traffic_write": draw.choice(CLASSES[:2]),
    }


def _streams(draw: random.Random, ports: list[Spec]) -> list[Spec]:
    """Up to four engines for each direction of a port, each with its own burst, gap and place."""
    streams = []
    for number, port in enumerate(ports):
        for direction in draw.choice([["read"], ["write"], DIRECTIONS, DIRECTIONS]):
            for _ in range(draw.choice([1, 1, 1, 2, 4])):
                streams.append(_stream(draw, number, port, direction))
    draw.shuffle(streams)
    if draw.random() < 0.4:  # some stop before the run does
        for stream in streams:
            stream["stop"] = draw.choice([-1, 0, draw.randint(1, 100), draw.randint(1, 2000)])
    for number, stream in enumerate(streams):
        if draw.random() < 0.3:
            _jobs(draw, streams, number, stream)
    return streams


def _jobs(draw: random.Random, streams: list[Spec], number: int, stream: Spec) -> None:
    """The stream and another one of its port that goes the other way work in jobs: through a FIFO,
    or with all that a job reads in store."""
    fits = [
        other
        for other, half in enumerate(streams)
        if stream["partner"] == half["partner"] == -1
        and half["port"] == stream["port"]
        and half["direction"] != stream["direction"]
    ]
    if not fits:
        return
    other, half = fits[0], streams[fits[0]]
    bursts = {way: draw.choice([1, 2, 5, 16]) for way in DIRECTIONS}
    common = {
        "job_fill": bursts["read"],
        "job_ahead": draw.choice([1, 2, 3, 8]),
        "job_setup_cycles": draw.choice([0, 0, 1, 17, 200]),
        "job_place_cycles": draw.choice([0, 0, 1, 60]),
        "job_compute_cycles": draw.choice([0, 1, 20, 300]),
        "loopback_cycles": draw.choice([0, 1, 3]),
        "stop": stream["stop"],
    }
    if draw.random() < 0.5 and half["region"] >= stream["burst_bytes"]:
        bursts["write"] = bursts["read"]
        room = draw.choice([1, 2, 7, 31])
        common["job_fill"] = draw.randint(1, min(bursts["read"], room))
        common |= {"loopback_bursts": room, "burst_bytes": stream["burst_bytes"]}
    for own, partner in ((stream, other), (half, number)):
        count = bursts[own["direction"]]
        own |= common | {"partner": partner, "job_bursts": count}
        own["bytes"] = 2**20 * count * own["burst_bytes"]


def _stream(draw: random.Random, number: int, port: Spec, direction: str) -> Spec:
    width = port["width_bytes"]
    most = draw.choice([1, 4, 16, 64])
    burst = draw.randint(1, most) * width
    pattern = draw.choice(["sequential", "sequential", "stride", "random"])
    region = max(burst, draw.choice([burst, 512, 2**14, 2**18]))
    return {
        "port": number,
        "direction": direction,
        "base": draw.choice([0, draw.randrange(2**8) * 2**16, draw.randrange(2**20) * width]),
        "bytes": 2**40,
        "region": region,
        "burst_bytes": burst,
        "outstanding": draw.choice([1, 2, 5, 30, 63]),
        "gap_cycles": draw.choice([0, 0, 0, 1, 20, 150]),
        "stop": -1,
        "pattern": pattern,
        "stride": draw.choice([burst, 4096, 3 * width]) if pattern == "stride" else 0,
        "partner": -1,
        "loopback_bursts": 0,
        "loopback_cycles": 0,
        "job_compute_cycles": 0,
    }


def _start(draw: random.Random, spec: Spec) -> Spec:
    cycles = CLOCKS * spec["clocks"]["ddr"] // spec["clocks"]["pl"]
    skew = draw.choice([0, 1, 60, cycles])
    return {
        "launch": [draw.randint(0, skew) for _ in spec["streams"]],
        "first_refresh": draw.randrange(spec["dram"]["timing"]["tREFI"]),
        "stop": draw.choice([0, 1, cycles // 7, cycles // 2, cycles, cycles]),
        "pattern_seed": draw.getrandbits(63),
    }
