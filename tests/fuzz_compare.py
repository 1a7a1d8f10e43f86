"""Comparing the forms of the model on a case, and shrinking a case on which they disagree.

The model exists three times: stepped clock by clock (`plain`, the executable specification), from
event to event (the fast model), and the latter skipping what recurs. All three must give the same
commands, times and books. Of Zynq UltraScale+ nothing is skipped: both ways run the fast model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from axiometer import _model as model
from fuzz_model import Case, Spec
from shrink import shrunk

# -- comparing ------------------------------------------------------------------------------------

# Bytes that hold from five to some dozens of segments: these have to be joined, or dropped.
SMALL_MEMORIES = (4_000, 16_000, 60_000)


def disagreement(drawn: Case) -> str | None:
    """What differs between the three models, or nothing."""
    return compare(drawn)[0]


def compare(drawn: Case) -> tuple[str | None, int]:
    """What differs between the three models, and how many refresh intervals were skipped."""
    simulator, skipping = model.Simulator(drawn.spec), model.Simulator(drawn.spec)
    skipped = 0
    beats = drawn.spec["controller"]["policy"] != "usp-ddrc"
    for number, start in enumerate(drawn.starts):
        expected = _outcome(lambda s=start: simulator.plain(s, beats=beats))
        if isinstance(expected, str):
            return f"start {number}: the plain model says: {expected}", skipped
        runs = {
            "with beats": lambda s=start: simulator.trace(s, beats=beats),
            "fast": lambda s=start: simulator.trace(s, skip=False),
            "skipping": lambda s=start: skipping.trace(s),
            "verifying": lambda s=start: skipping.trace(s, verify=True),
            "skipping without a trace": lambda s=start: (skipping.run(s), None),
        }
        for name, run in runs.items():
            got = _outcome(run)
            if isinstance(got, str):
                return f"start {number}: {name} says: {got}", skipped
            if name != "with beats":  # of which the others know nothing
                for stream in expected[0]["streams"]:
                    stream.pop("beats", None)
            if found := difference(expected, got):
                return f"start {number}: plain and {name}: {found}", skipped
            skipped += got[0]["skipped_intervals"]
    return None, skipped


def compare_forgetful(drawn: Case, longer: int = 12) -> tuple[str | None, int]:
    """What skipping with too small a memory changes, where segments are joined or dropped, and
    how many intervals it skips. Streams are `longer` times as long as the case's: too long for
    the plain model, so that it is compared with the fast one."""
    spec = deepcopy(drawn.spec)
    for stream in spec["streams"]:
        if stream["pattern"] != "sequential" or stream["region"]:
            return None, 0  # never skipped
        stream["bytes"] *= longer
    try:
        simulator = model.Simulator(spec)
    except ValueError:
        return None, 0  # no room for it in the DRAM
    skipped = 0
    for size in SMALL_MEMORIES:
        forgetful, tracing = model.Simulator(spec), model.Simulator(spec)
        for number, start in enumerate([*drawn.starts, *drawn.starts]):
            expected = simulator.trace(start, skip=False)
            runs = {
                "skipping": lambda s=start, f=forgetful, m=size: (f.run(s, memory_bytes=m), None),
                "verifying": lambda s=start, f=forgetful, m=size: (
                    f.run(s, verify=True, memory_bytes=m),
                    None,
                ),
                "tracing": lambda s=start, t=tracing, m=10 * size: t.trace(s, memory_bytes=m),
            }
            for name, run in runs.items():
                got = _outcome(run)
                if isinstance(got, str):
                    return f"start {number}: {name} with {size} bytes says: {got}", skipped
                if found := difference(expected, got):
                    return f"start {number}: {name} with {size} bytes: {found}", skipped
                skipped += got[0]["skipped_intervals"]
    return None, skipped


def _outcome(run: Callable[[], Any]) -> Any:
    try:
        return run()
    except RuntimeError as error:
        return str(error)


def difference(expected: tuple, got: tuple) -> str | None:
    """The first command that differs, or else the first figure."""
    if got[1] is not None:
        for number, (a, b) in enumerate(zip(expected[1], got[1], strict=False)):
            if a != b:
                before = expected[1][max(0, number - 4) : number]
                return f"command {number}: {a}, {b}; before: {before}"
        if len(expected[1]) != len(got[1]):
            shorter, longer = sorted((expected[1], got[1]), key=len)
            return f"{len(expected[1])}, {len(got[1])} commands; more: {longer[len(shorter) :][:3]}"
    return _first_difference("result", expected[0], got[0])


def _first_difference(where: str, a: Any, b: Any) -> str | None:
    if isinstance(a, dict):
        for key in a:
            if key != "skipped_intervals" and (
                found := _first_difference(f"{where}.{key}", a[key], b[key])
            ):
                return found
        return None
    if isinstance(a, list) and len(a) == len(b):
        found = (
            _first_difference(f"{where}[{i}]", *ab) for i, ab in enumerate(zip(a, b, strict=True))
        )
        return next((f for f in found if f), None)
    return None if a == b else f"{where}: {a}, {b}"


# -- shrinking ------------------------------------------------------------------------------------


def shrink(drawn: Case, fails: Callable[[Case], bool]) -> Case:
    """A smaller case that still fails: fewer streams and starts, fewer bytes, plainer settings."""

    def still(spec: Spec, starts: list[Spec]) -> bool:
        return bool(starts) and fails(Case(spec, starts))

    return Case(*shrunk([drawn.spec, drawn.starts], lambda d: still(*d), _without_a_stream))


def _without_a_stream(document: list[Any]) -> Iterator[list[Any]]:
    for index in range(len(document[0]["streams"])):
        smaller = deepcopy(document)
        drop(*smaller, index)
        yield smaller


def drop(spec: Spec, starts: list[Spec], index: int) -> None:
    """Takes out a stream; its partner goes on alone."""
    del spec["streams"][index]
    for start in starts:
        del start["launch"][index]
    for stream in spec["streams"]:
        if stream["partner"] == index:
            stream["partner"] = -1
            stream.pop("job_bursts", None)
        elif stream["partner"] > index:
            stream["partner"] -= 1


def report(seed: int, drawn: Case, found: str) -> str:
    """A disagreement, and the smallest case that shows one."""
    small = shrink(drawn, lambda c: disagreement(c) is not None)
    return f"seed {seed}: {found}\nshrunk: {disagreement(small)}\n{small!r}"
