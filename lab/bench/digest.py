"""Writes digests of the records of many points. Files from before and after a change show whether
results are identical, and which points changed.

Usage: python lab/bench/digest.py --write FILE [--drawn N] [--rtl]
       python lab/bench/digest.py --against FILE [--only TEXT] [--rtl]

Points: those of all shipped experiments, with short transfers, and N random points of each
platform, of every kind that the self-test has (default 100). `--rtl`: also a few on the RTL.
Exit status 1 if a point changed, was added or removed.
"""

import argparse
import dataclasses
import hashlib
import json
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from axiometer.answer.selftest import draw
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, points
from axiometer.experiment.points import Point
from axiometer.platform import Platform
from axiometer.runs import backends

Job = tuple[str, Platform, dict | Point, str]
"""Name, platform, keys of a point or the point itself, backend."""

BYTES = 65536
TIME, TIME_S = "100us", 100e-6
RTL = {
    "zybo-hp-bandwidth": 2,
    "zybo-stream-size": 2,
    "zynq-interfaces": 2,
    "zynq-masters": 2,
    "de1-soc-f2s-bandwidth": 2,
    "ultra96-mixed": 1,
    "ultra96-convolution": 1,
}
"""Points of an experiment that also run on the RTL."""


def shipped() -> list[Job]:
    """Every point of every shipped experiment, made short."""
    found = []
    for file in sorted(data.directory("experiments").glob("*.toml")):
        experiment = Experiment.load(str(file))
        for point in experiment.points():
            if point.values.get("masters"):  # keys of one point cannot state them
                values = {**point.values, "duration_s": TIME_S, "repeats": 1}
                short = dataclasses.replace(point, values=values)
                found.append((f"{file.stem} {point.index}", experiment.platform, short, "model"))
                continue
            keys = {k: v for k, v in point.values.items() if v is not None}
            keys.pop("burst_beats", None)
            keys.pop("until_settled", None)
            keys |= {"repeats": 1, "ports": "+".join(keys["ports"])}
            if keys.pop("duration_s", None) is not None:
                keys["duration"] = TIME
            elif keys.get("transfer_bytes"):
                keys["transfer_bytes"] = min(keys["transfer_bytes"], BYTES)
            name = f"{file.stem} {point.index}"
            found.append((name, experiment.platform, keys, "model"))
            if point.index < RTL.get(file.stem, 0):
                found.append((f"{name} rtl", experiment.platform, keys, "rtl"))
    return found


def drawn(count: int) -> list[Job]:
    """`count` random points of each platform."""
    found = []
    for name in data.names("platforms"):
        platform = Platform.load(name)
        taken = number = 0
        while taken < count:
            rng = random.Random(f"digest:{platform.name}:{number}")
            number += 1
            try:
                _, point = draw.point(platform, rng)
            except AxiometerError:
                continue
            found.append((f"{platform.name} drawn {number}", platform, point.key, "model"))
            taken += 1
    return found


def figure(job: Job) -> tuple[str, list]:
    """Name of the point, and [hash of its records, MB/s]; the message where it is refused."""
    name, platform, keys, backend = job
    try:
        point = keys if isinstance(keys, Point) else points.single(platform, keys)
        records = backends.load(backend).run_repeats(platform, point, 0, 0, 1)
    except AxiometerError as error:
        return name, ["refused", error.message]
    text = json.dumps(records, sort_keys=True)
    return name, [hashlib.sha256(text.encode()).hexdigest()[:16], records[0]["total_MBps"]]


def main() -> int:
    """Write the file, or compare with one."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--drawn", type=int, default=100, metavar="N")
    parser.add_argument("--only", default="", help="points with this in their names")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--rtl", action="store_true")
    args = parser.parse_args()
    if not (args.write or args.against):
        parser.error("give --write FILE or --against FILE")
    jobs = [j for j in (*shipped(), *drawn(args.drawn)) if args.only in j[0]]
    jobs = [j for j in jobs if args.rtl or j[3] == "model"]
    with ProcessPoolExecutor(args.jobs) as pool:
        now = dict(pool.map(figure, jobs, chunksize=8))
    print(f"{len(now)} points")
    if args.write:
        args.write.write_text(json.dumps(now, indent=0) + "\n")
        return 0
    before = json.loads(args.against.read_text())
    before = {k: v for k, v in before.items() if args.only in k}
    if not args.rtl:
        before = {k: v for k, v in before.items() if not k.endswith(" rtl")}
    moved = [k for k in {**before, **now} if before.get(k) != now.get(k)]
    for name in moved:
        print(f"{name}: {before.get(name)} -> {now.get(name)}")
    print(f"{len(moved)} moved")
    return 1 if moved else 0


if __name__ == "__main__":
    raise SystemExit(main())
