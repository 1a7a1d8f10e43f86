"""Configurations for tests of laws: of seeds, and a plain one."""

from axiometer import _model as model
from fuzz_model import both_ways, case

JOB = ("job_bursts", "job_fill", "job_ahead", "job_setup_cycles", "job_place_cycles",
       "job_compute_cycles")  # fmt: skip


def cases(count=40, aligned=False):
    """(specification, start) of the first seeds: ports have one clock, each stream moves all that
    it has, of whole columns and beats if `aligned`."""
    for seed in range(1000, 1000 + count):
        spec = case(seed).spec
        start = case(seed).starts[0] | {"stop": -1}
        for port in spec["ports"]:
            port.pop("period", None)
            if aligned:
                port["part_bytes"] = max(port["part_bytes"], spec["dram"]["column_bytes"])
        for stream in spec["streams"]:
            stream.pop("stop", None)
            if stream.get("job_bursts"):
                stream |= {"partner": -1, "loopback_bursts": 1}
            for key in JOB:
                stream.pop(key, None)
            if aligned:
                width = spec["ports"][stream["port"]]["width_bytes"]
                unit = max(spec["dram"]["column_bytes"], width)
                stream |= {key: -(-stream[key] // unit) * unit for key in ("bytes", "burst_bytes")}
                stream |= {"base": stream["base"] // unit * unit, "region": 0}
                stream |= {"pattern": "sequential", "stride": 0}
        try:
            model.Simulator(spec)
        except ValueError:
            continue
        yield spec, start


def lone_streams(count=40):
    """Cases with one stream, which the controller serves strictly in the order of age."""
    for spec, start in cases(count):
        stream = spec["streams"][0] | {"partner": -1, "pattern": "sequential", "region": 0}
        spec["streams"] = [stream | {"between_cycles": 0, "pace_cycles": 0}]
        spec["controller"] |= {"pick_window": 1, "prepare_window": 1}
        for table in (spec["controller"], *spec["paths"]):  # no reads have a store of their own
            for key in [key for key in table if key.startswith("high_")]:
                del table[key]
        yield spec, start | {"launch": start["launch"][:1]}


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
