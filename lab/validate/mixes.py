"""Random mixes of masters on one memory: laws on each, and plain and fast model against each other.

Each seed draws a board and up to eight masters of the kinds that it has. Records of a run of 50 to
300 us must keep all laws (bytes in are bytes out, classes of time add up, Little's law); the start
of the same run must be the same to the bit in the plain model, which steps every clock, and in the
fast one.
"""

from __future__ import annotations

import random
from collections import Counter
from multiprocessing import Pool
from typing import Any

from axiometer import _model
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys, master_values, vendor
from axiometer.experiment.keys_processor import CHOICES, IN_FABRIC
from axiometer.experiment.points import Point, single
from axiometer.platform import Platform
from axiometer.records import laws
from axiometer.runs.backends import model
from axiometer.simulate.scenario import Scenario
from validate.compared import Outcome

BOARDS = ("zedboard", "zynq7000-650", "zybo", "de1-soc", "arria5-socdk", "zcu102", "ultra96")
PLAIN_CYCLES = 1500  # of the PL, that are stepped clock by clock

Settings = dict[str, Any]


def drawn(seed: int) -> tuple[Platform, Point]:
    """The board and the point of a seed. Impossible points are drawn again."""
    draw = random.Random(f"mix {seed}")
    while True:
        platform = Platform.load(draw.choice(BOARDS))
        try:
            return platform, single(platform, _settings(draw, platform))
        except AxiometerError:
            continue


def _settings(draw: random.Random, platform: Platform) -> Settings:
    kinds = master_values.described(platform)
    apart = [kind for kind in kinds if not _ports(platform, kind)]
    masters = [_other(draw, kind) for kind in apart if draw.random() < 0.6]
    ports = [port for port in platform.ports if platform.has(f"{platform.way(port)}.path")]
    for port in draw.sample(ports, draw.randint(0 if masters else 1, len(ports))):
        own = [kind for kind in kinds if port in _ports(platform, kind)]
        kind = draw.choice(["engine", *own] if "engine" in own else own)
        if kind in master_keys.JOBS:
            masters.append({**_of_jobs(draw, platform, kind, port), "port": port})
        elif kind == "engine":
            masters.append(_engine(draw, platform, port))
        elif kind in vendor.KINDS and (kind != "axi_dma" or draw.random() < 0.5):
            masters += _vendors(draw, platform, kind, port)
        else:
            masters.append({**_other(draw, kind), "port": port})
    return {
        "masters": masters,
        "duration": f"{draw.randint(50, 300)}us",
        "pl_mhz": draw.choice([100, 100, 50, 142.857142857]),
        "placement": draw.choice(["aligned", "packed", "random"]),
        "skew_us": draw.choice([0, 0.1, 0.7]),
        "repeats": 1,
        "seed": draw.randrange(1000),
    }


def _ports(platform: Platform, kind: str) -> list[str]:
    """Where a master in the fabric can be."""
    if kind in vendor.KINDS:
        return vendor.ports(platform)
    if kind in ("engine", *master_keys.JOBS, *IN_FABRIC):
        return master_values.ports(platform, {"kind": kind, "engine": None})
    return []


def _common(draw: random.Random) -> Settings:
    found: Settings = {}
    pace = draw.random()
    if pace < 0.3:
        found["rate_mbs"] = draw.choice([1, 33, 100, 160, 300])
    elif pace < 0.5:
        found["gap_cycles"] = draw.choice([0, 1, 7, 40, 300])
    if draw.random() < 0.2:
        found["start_us"] = draw.choice([0, 1, 7.5])
    if draw.random() < 0.2:
        found["stop_us"] = draw.choice([8, 12, 45])
    if draw.random() < 0.2:
        found["region"] = draw.choice([4096, 65536, 2**20])
    return found


def _other(draw: random.Random, kind: str) -> Settings:
    found = {"kind": kind, **_common(draw)}
    if kind == "processor":
        found["operation"] = draw.choice(list(master_keys.OPERATIONS))
        if found["operation"] not in master_keys.BUFFERS and draw.random() < 0.7:
            found["memory_type"] = draw.choice(CHOICES["memory_type"][1])
            found["copy_bytes"] = draw.choice([4, 8, 32])
        return found
    return found | {
        "direction": draw.choice(["read", "write"]),
        "pl_mhz": draw.choice([50, 100, 125]),
    }


def _of_jobs(draw: random.Random, platform: Platform, kind: str, port: str) -> Settings:
    """An accelerator, or a ring, whose processor's costs are cycles of any number."""
    if kind == "ring":
        return _at_any_port(draw) | {
            "kind": kind,
            "packet_bytes": draw.choice([64, 128, 1024, 4096]),
            "depth": draw.choice([1, 2, 3, 8]),
        }
    width = draw.choice(platform.value(f"port.{port}.widths"))
    burst = draw.choice([1, 4, 16]) * width // 8
    return _at_any_port(draw) | {
        "kind": kind,
        "width_bits": width,
        "burst_bytes": burst,
        "bytes_in": draw.randint(1, 8) * burst,
        "bytes_out": draw.randint(1, 8) * burst,
        "compute_cycles": draw.choice([0, 1, 30, 300]),
        "buffers": draw.choice([1, 2, 3, 8]),
        "outstanding": draw.choice([1, 4, 16]),
    }


def _vendors(draw: random.Random, platform: Platform, kind: str, port: str) -> list[Settings]:
    """A vendor's engine, alone or beside another one at its port."""
    link = {
        "port": port,
        "width_bits": draw.choice(platform.value(f"port.{port}.widths")),
        "pl_mhz": draw.choice([50, 100, 125]),
    }
    found = []
    for own in [kind, *draw.sample(vendor.KINDS, draw.randint(0, 1))]:
        takes = master_keys.KINDS[own]
        more = {
            **_common(draw),
            "burst_bytes": draw.choice([4, 16, 64]) * link["width_bits"] // 8,
            "descriptor_bytes": draw.choice([4096, 65536]),
            "scatter_gather": draw.random() < 0.5,
            "frame": draw.choice(["480p60", "1080p60", "2160p60"]),
            "max_read_burst_length": draw.choice([4, 16, 64]),
            "num_write_outstanding": draw.choice([1, 16]),
            "latency": draw.choice([0, 64]),
        }
        given = {key: value for key, value in more.items() if key in takes and draw.random() < 0.7}
        found.append(
            {"kind": own, "direction": draw.choice(vendor.directions(own)), **link, **given}
        )
    return found


def _at_any_port(draw: random.Random) -> Settings:
    return {"pl_mhz": draw.choice([50, 100, 125]), **_common(draw)}


def _engine(draw: random.Random, platform: Platform, port: str) -> Settings:
    width = draw.choice(platform.value(f"port.{port}.widths"))
    most = platform.value(f"port.{port}.burst_beats_max", 16)
    return {
        "kind": "engine",
        "port": port,
        "direction": draw.choice(master_keys.DIRECTIONS),
        "width_bits": width,
        "burst_bytes": draw.choice([1, 2, 4, 8, 16, draw.randint(1, most)]) * width // 8,
        "pl_mhz": draw.choice([25, 75, 100, 150, 200]),
        "outstanding": draw.choice([1, 2, 4, 16]),
        "pattern": draw.choice(["sequential", "sequential", "random", "stride:4096"]),
        **_common(draw),
    }


def tried(seed: int) -> tuple[str | None, list[str]]:
    """What is wrong with the seed, and the kinds of its masters."""
    platform, point = drawn(seed)
    kinds = [master["kind"] for master in point.values["masters"]]
    (record,) = model.run_repeats(platform, point, point.values["seed"], 0, 1)
    broken = laws.broken(platform, point, record)
    if broken:
        return f"seed {seed}: {broken[0]}\n  {laws.command(platform, point)}", kinds
    if not agree(platform, point):
        return f"seed {seed}: plain and fast differ\n  {laws.command(platform, point)}", kinds
    return None, kinds


def agree(platform: Platform, point: Point) -> bool:
    """Whether plain and fast model give the same result and commands for the run's beginning."""
    scenario = Scenario.of(platform, point.values)
    start = scenario.start(point.values["seed"], 0).document()
    start["stop"] = min(start["stop"], PLAIN_CYCLES)
    document = scenario.document()
    if "measure" in document:  # the plain model judges no rate
        document["measure"] |= {"settle": 0, "block": 0}
    simulator = _model.Simulator(document, scenario.source_documents())
    expected, found = simulator.plain(start), simulator.trace(start, skip=False)
    for outcome in (expected[0], found[0]):
        del outcome["skipped_intervals"]
    return expected == found


def run(jobs: int, first: int, count: int) -> Outcome:
    """Seeds from `first` on."""
    met: Counter[str] = Counter()
    failed = 0
    with Pool(jobs) as pool:
        for wrong, kinds in pool.imap_unordered(tried, range(first, first + count), chunksize=8):
            met.update(kinds)
            failed += wrong is not None
            if wrong:
                print(wrong, flush=True)
    kinds = ", ".join(f"{number} {kind}" for kind, number in met.most_common())
    figure = f"{count} mixes ({kinds}): {failed} break a law or differ in the plain model"
    return Outcome(figure, not failed)
