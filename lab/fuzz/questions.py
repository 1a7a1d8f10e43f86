"""Asks random questions of every board: one or several masters of any kind, port, direction, size,
clock and time, as keys of a point or as tables. Each has an answer, or a refusal with a remedy.

Usage: PYTHONPATH=lab python -m fuzz.questions [--count 20000] [--seed 0] [--only BOARD]

Prints what broke: a traceback, a law, a refusal without a remedy, or more than `MOST_S` seconds of
processor time. Exit status 1 if any did.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

import axiometer as axm
from axiometer.base import data
from axiometer.experiment import kinds
from axiometer.experiment.keys_processor import CHOICES, masters_at
from axiometer.experiment.master_values import described
from axiometer.platform import Platform

MOST_S = 2.0
WRONG = 0.1
"""The share of masters of any kind at any port."""
DIRECTIONS = ("read", "write", "pair", "both", "duplex", "mixed")
SIZES = tuple(2**n for n in range(27))
Question = dict[str, object]


def asked(seed: int, board: str) -> Question:
    """The keys of `axm.expect` for one random question."""
    draw, platform = random.Random(f"{seed}:{board}"), Platform.load(board)
    length = draw.choice([{}, {"transfer_bytes": _size(draw)}, {"duration": f"{_time(draw)}us"}])
    question: Question = dict(length)
    if draw.random() < 0.4:
        question |= {"ports": _ports(draw, platform)}
        if draw.random() < 0.5:
            first = str(question["ports"]).split("+")[0]
            question |= {"ports": first, "master": draw.choice(masters_at(platform, first))}
        question |= _some(draw, {"mode": draw.choice(DIRECTIONS[:2] + DIRECTIONS[3:])})
        question |= _some(draw, {"pl_mhz": _clock(draw)})
        return question | _some(draw, {"burst_beats": draw.choice([1, 4, 16, 256])})
    tables = list(_tables(draw, platform, draw.choice([1, 1, 2, 3, 5])))
    return question | {"masters": tables}


def _tables(draw: random.Random, platform: Platform, count: int) -> Iterator[Question]:
    for number in range(count):
        every = draw.random() < WRONG
        kind = draw.choice([*kinds.TABLES] if every else described(platform))
        keys, ports = kinds.TABLES[kind].keys, kinds.TABLES[kind].ports(platform)
        own: Question = {"name": f"m{number}", "kind": kind}
        could: Question = {
            "port": draw.choice(platform.ports if every or not ports else ports),
            "direction": draw.choice(DIRECTIONS[:4] if every else DIRECTIONS[:2]),
            "operation": draw.choice(["read", "write", "copy", "to_buffer", "from_buffer"]),
            "pl_mhz": _clock(draw),
            "rate_mbs": draw.choice([1, 40, 400, 4000]),
            "start_us": draw.choice([0, 10, 1000]),
            "burst_bytes": draw.choice([16, 64, 128, 256, 1024]),
            "memory_type": draw.choice(CHOICES["memory_type"][1]),
        }
        if "port" in keys:
            own["port"] = could["port"]
        for key, value in could.items():
            own |= _some(draw, {key: value}) if key in keys else {}
        yield own


def _some(draw: random.Random, keys: Question) -> Question:
    return keys if draw.random() < 0.5 else {}


def _size(draw: random.Random) -> int:
    return max(1, draw.choice(SIZES) + draw.choice([0, 0, -1, 1]))


def _time(draw: random.Random) -> float:
    return draw.choice([0.1, 1, 10, 100, 1000])


def _clock(draw: random.Random) -> float:
    return draw.choice([1, 10, 33.3333, 50, 100, 142.857, 150, 187.5, 250, 300, 333.33])


def _ports(draw: random.Random, platform: Platform) -> str:
    several = draw.sample(platform.ports, min(len(platform.ports), draw.choice([1, 1, 2, 3])))
    return "+".join(several)


def tried(job: tuple[int, str]) -> tuple[int, str, str, str]:
    """Seed, board, what came of the question, and more about it where it broke."""
    seed, board = job
    question = asked(seed, board)
    began = time.process_time()
    what, more = "answer", ""
    try:
        answer = axm.expect(board, repeats=2, **question)  # type: ignore[arg-type]
        str(answer.text)
    except axm.AxiometerError as error:
        words = str(error)
        what = "law" if "breaks a law" in words else "refusal" if error.remedy else "no remedy"
        more = words
    except Exception:
        what, more = "traceback", traceback.format_exc()
    spent = time.process_time() - began
    if what in ("answer", "refusal") and spent > MOST_S:
        what, more = "slow", f"{spent:.1f} s"
    return seed, board, what, f"axm.expect({board!r}, repeats=2, **{question})\n{more}"


def main() -> int:
    """Ask, and say what broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    boards = [args.only] if args.only else data.names("boards")
    jobs = [(args.seed + n, boards[n % len(boards)]) for n in range(args.count)]
    seen: Counter[str] = Counter()
    with ProcessPoolExecutor(args.jobs) as pool:
        for seed, board, what, more in pool.map(tried, jobs, chunksize=16):
            seen[what] += 1
            if what not in ("answer", "refusal"):
                print(f"--- {what}: seed {seed}, {board}\n{more}", flush=True)
    print(", ".join(f"{what} {count}" for what, count in seen.most_common()))
    return int(bool({*seen} - {"answer", "refusal"}))


if __name__ == "__main__":
    raise SystemExit(main())
