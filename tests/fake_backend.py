"""A backend without a model: quick records that look random and depend on their inputs only.

Used as `--backend module:fake_backend`. It fails on request: at the repeat that
AXIOMETER_FAKE_DIE names it kills its own process, at AXIOMETER_FAKE_RAISE it raises, and at
AXIOMETER_FAKE_WAIT it waits until somebody writes to the pipe AXIOMETER_FAKE_PIPE.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
from pathlib import Path


def run_repeats(platform, point, seed, first, count):
    records = []
    for repeat in range(first, first + count):
        if os.environ.get("AXIOMETER_FAKE_DIE") == f"{point.index}/{repeat}":
            os.kill(os.getpid(), signal.SIGKILL)
        if os.environ.get("AXIOMETER_FAKE_RAISE") == f"{point.index}/{repeat}":
            raise ZeroDivisionError("as asked")
        if os.environ.get("AXIOMETER_FAKE_WAIT") == f"{point.index}/{repeat}":
            Path(os.environ["AXIOMETER_FAKE_PIPE"]).read_bytes()
        records.append(_record(platform, point, seed, repeat))
    return records


def _record(platform, point, seed, repeat):
    values = {k: v for k, v in point.values.items() if k not in ("repeats", "seed")}
    inputs = [platform.sha256, platform.overrides, values, seed, repeat]
    noise = hashlib.sha256(json.dumps(inputs, sort_keys=True).encode()).digest()
    reads = values["mode"] != "pl_to_ps"
    writes = values["mode"] != "ps_to_pl"
    peak = values["width_bits"] / 8 * values["pl_mhz"]
    rate = 0.8 * peak * (1 - noise[0] / 25600)  # below the peak of the DRAM for all ports
    by_port = {
        port: {
            "read_MBps": rate * reads,
            "write_MBps": rate * writes,
            "total_MBps": rate * (reads + writes),
        }
        for port in values["ports"]
    }
    total = sum(port["total_MBps"] for port in by_port.values())
    streams = len(by_port) * (reads + writes)
    size = values["transfer_bytes"] or round(values["duration_s"] * rate * 1e6)
    hist = {str(20 + noise[1] % 8): 90, str(40 + noise[2] % 8): 10}
    return {
        "repeat": repeat,
        "elapsed_s": size * streams / total / 1e6,
        "bytes": size * streams,
        "total_MBps": total,
        "read_MBps": sum(port["read_MBps"] for port in by_port.values()),
        "write_MBps": sum(port["write_MBps"] for port in by_port.values()),
        "by_port": by_port,
        "latency_cycles": {
            "mean": 22.0, "min": 20, "max": 47, "p50": 22, "p99": 42, "n": 100, "hist": hist,
        },
    }  # fmt: skip
