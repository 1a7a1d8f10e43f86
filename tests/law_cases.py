"""Configurations for test_laws.py, as hypothesis strategies, and a plain one."""

from hypothesis import assume
from hypothesis import strategies as st

import fuzz_model
from axiometer import _model as model

DIRECTIONS = fuzz_model.DIRECTIONS
both_ways = fuzz_model.both_ways


TIMING = {
    "CL": 7,
    "CWL": 6,
    "tRCD": 7,
    "tRP": 7,
    "tRAS": 19,
    "tRC": 26,
    "tRRD": 6,
    "tFAW": 21,
    "tCCD": 4,
    "tWTR": 4,
    "tRTP": 4,
    "tWR": 8,
    "tRFC": 70,
    "read_to_write": 7,
}

PORTS = st.fixed_dictionaries(
    {
        "name": st.just("port"),
        "path": st.just(0),
        "width_bytes": st.sampled_from([4, 8, 16]),
        "part_bytes": st.sampled_from([32, 64, 128, 256]),
        **both_ways(fifo_bytes=st.sampled_from([256, 1024, 4096])),
        **both_ways(request_cycles=st.integers(0, 8)),
        "return_cycles": st.integers(0, 8),
        "response_clocks": st.integers(0, 20),
        "early_response": st.booleans(),
        "release_whole_burst": st.booleans(),
    }
)

PATHS = st.fixed_dictionaries(
    {
        "name": st.just("path"),
        **both_ways(inflight=st.integers(8, 64)),
        **both_ways(request_clocks=st.integers(0, 10)),
        **both_ways(release_clocks=st.integers(0, 100)),
        "column_clocks": st.sampled_from([0, 4, 6]),
        **both_ways(ordered=st.booleans()),
    }
)

CONTROLLERS = st.fixed_dictionaries(
    {
        "policy": st.sampled_from(["zynq-ddrc", "in-order-batch"]),
        **dict.fromkeys(("read_entries", "write_entries"), st.integers(8, 48)),
        "starve_clocks": st.integers(1, 100),
        "run_length": st.integers(1, 16),
        "min_non_critical_clocks": st.integers(0, 64),
        "batch": st.integers(1, 16),
        "pick_window": st.integers(1, 64),
        "prepare_window": st.integers(1, 64),
    }
)


@st.composite
def cases(draw, most_ports=3, aligned=False):
    """A valid specification and a start: ports that read, write, or copy through a loop-back."""
    ports = draw(st.lists(PORTS, min_size=1, max_size=most_ports))
    column_bytes = draw(st.sampled_from([16, 32]))
    streams = []
    for number, port in enumerate(ports):
        kind = draw(st.sampled_from(["read", "write", "both", "pair"]))
        unit = max(column_bytes, port["width_bytes"]) if aligned else 1
        size = draw(st.integers(1, 6000 // unit)) * unit
        beats = draw(st.integers(1, 16))
        burst = -(-beats * port["width_bytes"] // unit) * unit
        common = {
            "port": number,
            "bytes": size,
            "region": 0,
            "burst_bytes": burst,
            "gap_cycles": draw(st.sampled_from([0, 0, 3, 40])),
            "pattern": "sequential",
            "stride": 0,
            "loopback_bursts": draw(st.integers(1, 8)),
            "loopback_cycles": draw(st.integers(0, 8)),
        }
        directions = {"read": ["read"], "write": ["write"]}.get(kind, ["write", "read"])
        for half, direction in enumerate(directions):
            first = len(streams) - half
            streams.append(
                common
                | {
                    "direction": direction,
                    "base": len(streams) * 2**16 + draw(st.integers(0, 2**14 // unit)) * unit,
                    "outstanding": draw(st.integers(1, 16)),
                    "partner": first + 1 - half if kind == "pair" else -1,
                }
            )
    ddr, pl = draw(st.sampled_from(fuzz_model.RATIOS))
    spec = {
        "clocks": {"ddr": ddr, "pl": pl},
        "dram": {
            "timing": TIMING | {"tREFI": draw(st.integers(500, 1500))},
            "banks": draw(st.sampled_from([4, 8])),
            "row_bytes": draw(st.sampled_from([512, 2048])),
            "column_bytes": column_bytes,
            "burst_clocks": 4,
            "bytes": 2**22,
            "mapping": draw(st.sampled_from(["row-bank-column", "bank-row-column"])),
        },
        "controller": draw(CONTROLLERS),
        "paths": [draw(PATHS)],
        "ports": ports,
        "streams": streams,
    }
    start = {
        "launch": [draw(st.integers(0, 200)) for _ in streams],
        "first_refresh": draw(st.integers(0, spec["dram"]["timing"]["tREFI"])),
        "stop": -1,
        "pattern_seed": 0,
    }
    try:
        model.Simulator(spec)
    except ValueError:
        assume(False)
    return spec, start


@st.composite
def lone_streams(draw):
    """A case with one stream, which its controller serves strictly in the order of age."""
    spec, start = draw(cases(most_ports=1))
    stream = draw(st.sampled_from(spec["streams"])) | {"partner": -1}
    spec["streams"] = [stream]
    spec["controller"] |= {"pick_window": 1, "prepare_window": 1}
    return spec, start | {"launch": start["launch"][:1]}


def one_reader():
    """A plain case: one port, one engine that reads 1 KiB in bursts of 128 bytes."""
    spec = {
        "clocks": {"ddr": 4, "pl": 20},
        "dram": {
            "timing": TIMING | {"tREFI": 4000},
            "banks": 8,
            "row_bytes": 4096,
            "column_bytes": 32,
            "burst_clocks": 4,
            "bytes": 2**22,
            "mapping": "row-bank-column",
        },
        "controller": {
            "policy": "in-order-batch",
            "read_entries": 32,
            "write_entries": 32,
            "batch": 8,
        },
        "paths": [
            {
                "name": "path",
                "column_clocks": 0,
                **both_ways(inflight=16, request_clocks=0, release_clocks=0, ordered=True),
            }
        ],
        "ports": [
            {
                "name": "port",
                "path": 0,
                "width_bytes": 8,
                "part_bytes": 128,
                **both_ways(fifo_bytes=1024, request_cycles=0),
                "return_cycles": 0,
                "response_clocks": 0,
                "early_response": True,
                "release_whole_burst": True,
            }
        ],
        "streams": [
            {
                "port": 0,
                "direction": "read",
                "base": 0,
                "bytes": 1024,
                "region": 0,
                "burst_bytes": 128,
                "outstanding": 4,
                "gap_cycles": 0,
                "pattern": "sequential",
                "stride": 0,
                "partner": -1,
                "loopback_bursts": 1,
                "loopback_cycles": 0,
            }
        ],
    }
    return spec, {"launch": [0], "first_refresh": 3000, "stop": -1, "pattern_seed": 0}
