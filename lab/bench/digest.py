"""Digests of results, to show that a change of the model changes none of them.

`python lab/bench/digest.py FILE` runs a fixed set of points on the installed Axiometer and writes a
line a point: the SHA-256 of its results, and what it is. `--compare A B` shows the points of two
such files that differ. Two repeats a point: the second finds what the first remembers.

Points: those of the experiments (where there are many, some of each), points drawn from all boards,
and specifications that no board has (those of the differential tests).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import fuzz_model  # noqa: E402
import fuzz_usp  # noqa: E402
from axiometer import _model  # noqa: E402
from axiometer.base import data  # noqa: E402
from axiometer.base.errors import AxiometerError  # noqa: E402
from axiometer.experiment import Experiment  # noqa: E402
from axiometer.experiment.keys_processor import AT_MEMORY  # noqa: E402
from axiometer.simulate import machine  # noqa: E402
from axiometer.simulate.scenario import Scenario  # noqa: E402
from axiometer.simulate.transfer import Transfer  # noqa: E402

OF_EXPERIMENT = 30  # points of each at most
DRAWN = 1000
OF_CASES = 300  # of each machine
SECONDS = {"zynq-ddrc": "200us", "in-order-batch": "200us", "usp-ddrc": "100us"}
REPEATS = 2

Task = tuple[str, int]


def tasks() -> Iterator[Task]:
    """Every point, as a name and a number from which a worker makes it."""
    for name in sorted(data.names("experiments")):
        count = len(Experiment.load(name).points())
        some = random.Random(name).sample(range(count), min(count, OF_EXPERIMENT))
        yield from ((name, number) for number in sorted(some))
    yield from (("drawn", number) for number in range(DRAWN))
    yield from (("event case", number) for number in range(OF_CASES))
    yield from (("clocked case", number) for number in range(OF_CASES))


def line(task: Task) -> str:
    """The line of a point."""
    name, number = task
    if name.endswith("case"):
        case = (fuzz_usp if name == "clocked case" else fuzz_model).case(number)
        simulator = _model.Simulator(case.spec)
        found = [simulator.run(start) for start in case.starts]
        what = ""
    elif name == "drawn":
        found, what = _drawn(number)
    else:
        experiment = Experiment.load(name)
        found, key = _of_point(experiment, number)
        what = json.dumps(key, default=str)
    for result in found:
        result.pop("skipped_intervals", None)  # how it was found, not what
    whole = json.dumps(found, sort_keys=True, default=str)
    return f"{hashlib.sha256(whole.encode()).hexdigest()} {name} {number} {what}".rstrip()


def _of_point(experiment: Experiment, number: int) -> tuple[list[dict], object]:
    point = experiment.points()[number]
    platform, values = experiment.platform, point.values
    if values["master"] not in AT_MEMORY:
        transfer = Transfer.of(platform, values)
        runs = (transfer.start(0, repeat).document() for repeat in range(REPEATS))
        return [dict(_model.run_processor(run)) for run in runs], point.key
    scenario = Scenario.of(platform, values)
    simulator = _model.Simulator(scenario.document(), scenario.source_documents())
    starts = [scenario.start(0, repeat).document() for repeat in range(REPEATS)]
    found = [simulator.run(start) for start in starts]
    if machine.of(platform).remembers and not scenario.sources and experiment.name == "drawn":
        found.append(simulator.run(starts[0], beats=True))
    return found, point.key


def _drawn(number: int) -> tuple[list[dict], str]:
    """A point of any board; what the board refuses is drawn again."""
    draw = random.Random(f"digest:{number}")
    boards = sorted(data.names("boards"))
    while True:
        board = draw.choice(boards)
        head = f'name = "drawn"\ntitle = "drawn"\nplatform = "{board}"\n'
        try:
            platform = Experiment(head, "drawn.toml").platform
            text = head + "[defaults]\n" + "\n".join(_keys(draw, platform))
            found, _ = _of_point(Experiment(text, "drawn.toml", (), platform), 0)
        except AxiometerError:
            continue
        return found, " ".join(text.splitlines()[2:])


def _keys(draw: random.Random, platform) -> Iterator[str]:
    ports = draw.sample(platform.ports, draw.randint(1, min(4, len(platform.ports))))
    yield f'ports = "{"+".join(sorted(ports))}"'
    yield f'mode = "{draw.choice(["duplex", "mixed", "ps_to_pl", "pl_to_ps"])}"'
    yield f"width_bits = {draw.choice([32, 64, 128])}"
    yield f"pl_mhz = {draw.choice([50, 100, 125, 150, 200, 250, 300])}"
    if draw.random() < 0.7:
        yield f"burst_bytes = {draw.choice([16, 64, 96, 128, 256, 640, 1024, 2048, 4096])}"
    if draw.random() < 0.5:
        yield f"transfer_bytes = {draw.choice([4, 100, 4096, 65536, 10**6, 2**20])}"
    else:
        policy = platform.word("controller.policy")
        yield f'duration = "{SECONDS[policy]}"'
    if draw.random() < 0.4:
        patterns = ["random", "stride:512", "stride:4096", "stride:16384"]
        yield f'pattern = "{draw.choice(patterns)}"'
    for key, some in (
        ("outstanding_read", [1, 2, 8]),
        ("outstanding_write", [1, 3, 8]),
        ("gap_cycles", [1, 7, 40]),
        ("placement", ['"packed"', '"random"']),
    ):
        if draw.random() < 0.25:
            yield f"{key} = {draw.choice(some)}"
    if draw.random() < 0.3:
        engines = ["axi_dma", "axi_cdma", "axi_vdma", "axi_datamover"]
        yield f'master = "{draw.choice(engines)}"'


def compare(before: Path, after: Path) -> int:
    """Print the points that differ, or are in one file only; their number."""
    a, b = (_read(path) for path in (before, after))
    wrong = sorted(point for point in a.keys() | b.keys() if a.get(point) != b.get(point))
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{len(wrong)} of {len(a.keys() | b.keys())} points differ")
    return len(wrong)


def _read(path: Path) -> dict[str, str]:
    lines = (row.split(" ", 1) for row in path.read_text().splitlines())
    return {point: digest for digest, point in lines}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", type=Path, nargs="?", help="where the lines go")
    parser.add_argument("--compare", type=Path, nargs=2, metavar=("A", "B"))
    parser.add_argument("--every", type=int, default=1, help="of so many points one, to be quick")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    if args.compare:
        return 1 if compare(*args.compare) else 0
    if args.file is None:
        parser.error("name a file, or --compare two")
    wanted = list(islice(tasks(), 0, None, args.every))
    with ProcessPoolExecutor(args.jobs) as pool:
        lines = list(pool.map(line, wanted, chunksize=8))
    args.file.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} points: {args.file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
