"""From a platform and a point to what the model is told: a specification and starts."""

from __future__ import annotations

import random
from typing import Any

from axiometer import clocks
from axiometer.backends import usp_spec
from axiometer.errors import AxiometerError

MIB = 2**20
DIRECTIONS = ("read", "write")
TIMING = (
    *("CL", "CWL", "tRCD", "tRP", "tRAS", "tRC", "tRRD", "tFAW", "tCCD"),
    *("tWTR", "tRTP", "tWR", "tRFC", "tREFI", "read_to_write"),
)
# A stream that runs for a time, not for a size, has this much to do: more than it can.
ENDLESS = 2**50


def build(platform: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The model's configuration; times in the clocks of the domain that each key names.

    AxiometerError if figures that go together do not.
    """
    jitter, launch = (platform.value(f"host.launch{key}_us") for key in ("_jitter", ""))
    if jitter > launch:
        raise AxiometerError(
            f"host.launch_jitter_us is {jitter}, more than host.launch_us, {launch}",
            remedy="set both: no launch takes less than no time",
        )
    usp = platform.value("controller.policy") == usp_spec.POLICY
    clocks_of_data = platform.value("dram.burst_length") // 2
    if not usp and platform.value("dram.timing.tCCD") != clocks_of_data:
        raise AxiometerError(
            f"dram.timing.tCCD is {platform.value('dram.timing.tCCD')}, but data of a burst take "
            f"{clocks_of_data} clocks",
            remedy="set dram.timing.tCCD to half of dram.burst_length, as DDR3 has it",
        )
    if usp and clocks_of_data % platform.value("controller.dram_clocks"):
        raise AxiometerError(
            f"controller.dram_clocks is {platform.value('controller.dram_clocks')}, but data of a "
            f"burst take {clocks_of_data} clocks",
            remedy="set it to a divisor of that: the controller's clock is the DRAM's divided",
        )
    if usp:
        return usp_spec.build(platform, values)
    paths = platform.paths
    return {
        "clocks": clocks.ratio(platform.value("clocks.ddr_mhz"), values["pl_mhz"]),
        "dram": _dram(platform, values),
        "controller": _controller(platform),
        "paths": [_path(platform, name) for name in paths],
        "ports": [_port(platform, name, paths, values) for name in values["ports"]],
        "streams": _streams(platform, values),
    }


def _dram(platform: Any, values: dict[str, Any]) -> dict[str, Any]:
    value = platform.value
    return {
        "timing": {key: value(f"dram.timing.{key}") for key in TIMING},
        "banks": value("dram.banks"),
        "row_bytes": value("dram.row_bytes"),
        "column_bytes": value("dram.bus_bits") // 8 * value("dram.burst_length"),
        "burst_clocks": value("dram.burst_length") // 2,
        "bytes": value("dram.size_MiB") * MIB,
        "mapping": values["mapping"],
    }


def _pair(platform: Any, table: str, key: str) -> dict[str, Any]:
    return {f"{key}_{d}": platform.value(f"{table}.{key}_{d}") for d in DIRECTIONS}


def _controller(platform: Any) -> dict[str, Any]:
    spec = {
        "policy": platform.value("controller.policy"),
        **{key: platform.value(f"controller.{key}") for key in ("read_entries", "write_entries")},
    }
    for key in (
        "starve_clocks",
        "run_length",
        "min_non_critical_clocks",
        "batch",
        "pick_window",
        "prepare_window",
    ):
        if platform.has(f"controller.{key}"):
            spec[key] = platform.value(f"controller.{key}")
    return spec


def _path(platform: Any, name: str) -> dict[str, Any]:
    table = f"path.{name}"
    column_bytes = platform.value("dram.bus_bits") // 8 * platform.value("dram.burst_length")
    inflight = {
        f"inflight_{d}": platform.value(f"{table}.inflight_bytes_{d}") // column_bytes
        for d in DIRECTIONS
    }
    return {
        "name": name,
        **inflight,
        **_pair(platform, table, "request_clocks"),
        **_pair(platform, table, "release_clocks"),
        "column_clocks": _column_clocks(platform, table, column_bytes),
        **_pair(platform, table, "ordered"),
    }


def _column_clocks(platform: Any, table: str, column_bytes: int) -> int:
    """DRAM clocks that the data of one column command take on the path; 0 if it is no limit."""
    if not platform.has(f"{table}.width_bits"):
        return 0
    beats = -(-column_bytes * 8 // platform.value(f"{table}.width_bits"))
    return clocks.ceil_clocks(
        beats, platform.value("clocks.ddr_mhz"), platform.value(f"{table}.clock_mhz")
    )


def _port(platform: Any, name: str, paths: list[str], values: dict[str, Any]) -> dict[str, Any]:
    table = f"port.{name}"
    return {
        "name": name,
        "path": paths.index(platform.value(f"{table}.path")),
        "width_bytes": values["width_bits"] // 8,
        "part_bytes": platform.value(f"{table}.part_bytes"),
        "fifo_bytes": platform.value(f"{table}.fifo_bytes"),
        "request_cycles": platform.value(f"{table}.request_cycles"),
        "return_cycles": platform.value(f"{table}.return_cycles"),
        "response_clocks": platform.value(f"{table}.response_clocks"),
        "early_response": platform.value(f"{table}.early_response"),
        "release_whole_burst": platform.value(f"{table}.release_whole_burst"),
    }


def _streams(platform: Any, values: dict[str, Any]) -> list[dict[str, Any]]:
    """The engines, in the order in which the processor starts them: port by port, and in a
    loop-back pair the write half first, so that it is ready when data comes."""
    modes = {"duplex": ("write", "read"), "ps_to_pl": ("read",), "pl_to_ps": ("write",)}
    directions = modes[values["mode"]]
    count = len(values["ports"]) * len(directions)
    burst = values["burst_bytes"]
    size = values["transfer_bytes"] or ENDLESS
    pattern, _, stride = values["pattern"].partition(":")
    region = 0
    if pattern != "sequential" or values["transfer_bytes"] is None:
        memory = platform.value("dram.size_MiB") * MIB // count
        region = 1 << (min(size, memory).bit_length() - 1)
        region = max(region // burst, 1) * burst
    bases = _bases(platform, values, count, region or size)
    ahead = max(1, min(31, platform.value("master.loopback_bytes") // burst))
    streams = []
    for number, port in enumerate(values["ports"]):
        for half, direction in enumerate(directions):
            index = number * len(directions) + half
            outstanding = values.get(f"outstanding_{direction}")
            if outstanding is None:
                outstanding = platform.value(f"master.outstanding_{direction}")
            partner = number * 2 + 1 - half if len(directions) == 2 else -1
            streams.append(
                {
                    "port": number,
                    "name": port,
                    "direction": direction,
                    "base": bases[index],
                    "bytes": size,
                    "region": region,
                    "burst_bytes": burst,
                    "outstanding": outstanding,
                    "gap_cycles": values["gap_cycles"],
                    "pattern": pattern,
                    "stride": int(stride) if stride else 0,
                    "partner": partner,
                    "loopback_bursts": ahead,
                    "loopback_cycles": platform.value("master.loopback_cycles"),
                }
            )
    return streams


def _bases(platform: Any, values: dict[str, Any], count: int, size: int) -> list[int]:
    """Where the buffers begin.

    aligned: each at a multiple of its size rounded up to 1 MiB; packed: one behind the other,
    each at a multiple of a burst; random: as aligned, but each moved by a whole number of rows
    below 64 KiB that is the same in every run.
    """
    if values["placement"] == "packed":
        burst = values["burst_bytes"]
        step = -(-size // burst) * burst
        return [index * step for index in range(count)]
    step = -(-size // MIB) * MIB
    bases = [index * step for index in range(count)]
    if values["placement"] == "random":
        row = platform.value("dram.row_bytes")
        draw = random.Random("placement")
        room = platform.value("dram.size_MiB") * MIB - step * count
        most = max(0, min(64 * 1024, room) // row)
        shift = 0
        for index in range(count):
            shift += draw.randint(0, most // count)
            bases[index] += shift * row
    return bases


def start(
    platform: Any, values: dict[str, Any], spec: dict[str, Any], seed: int, repeat: int
) -> dict[str, Any]:
    """What differs between repeats: launch of each stream (PL cycle), first refresh (DRAM
    clock), and the seed of random addresses. Drawn from (seed, repeat)."""
    draw = random.Random(f"{seed}:{repeat}")
    first_refresh = draw.randrange(platform.value("dram.timing.tREFI"))
    pattern_seed = draw.getrandbits(63)
    usual = platform.value("host.launch_us")
    jitter = platform.value("host.launch_jitter_us")
    at, launch = 0.0, []
    started = None
    for stream in spec["streams"]:
        skew = values["skew_us"]
        # The draw is made in any case, so that a fixed skew changes nothing else.
        drawn = usual + draw.uniform(-jitter, jitter)
        # Engines of one master that are not a pair are started by one access.
        master = (stream["port"], stream.get("master", 0))
        if stream["partner"] >= 0 or master != started:
            at += drawn if skew is None else skew
        started = master
        launch.append(round(at * values["pl_mhz"]))
    end = stop(values)
    if 0 <= end <= min(launch):
        raise AxiometerError(
            f"a run of {values['duration_s'] * 1e6:g} us is over before the processor has started "
            f"the first engine, after {min(launch) / values['pl_mhz']:.3g} us: nothing moves",
            remedy="give a longer duration: 1ms",
        )
    return {
        "launch": launch,
        "first_refresh": first_refresh,
        "stop": end,
        "pattern_seed": pattern_seed,
    }


def stop(values: dict[str, Any]) -> int:
    """The PL cycle at which a run by duration begins no more bursts; -1 if it has none."""
    if values["transfer_bytes"] is not None:
        return -1
    return round(values["duration_s"] * values["pl_mhz"] * 1e6)
