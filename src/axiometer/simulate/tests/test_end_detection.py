"""When the processor sees that the engines are done."""

from __future__ import annotations

import random

import pytest

from axiometer.simulate.end_detection import detected
from axiometer.simulate.program import Program

US = 1e-6
SLEEPING = {"first_look": 2.0, "sleep": 60.0}


def seen(figures, end_us, started_us=5.0, seed=1):
    program = Program(**({"launch": 1.0, "jitter": 0.0, "end": 0.0} | figures))
    draw = None if seed is None else random.Random(seed)
    return end_us + detected(program, started_us * US, end_us * US, draw) / US


def test_without_sleeping_the_end_is_seen_a_fixed_time_after_it():
    assert seen({"end": 3}, 40) == pytest.approx(43)


@pytest.mark.parametrize(
    ("end", "look"),
    [(5.1, 7), (6.9, 7), (7.1, 67), (66.9, 67), (67.1, 127), (60_000.0, 60_007)],
)
def test_sleeping_it_is_seen_at_the_next_look(end, look):
    assert seen(SLEEPING, end) == pytest.approx(look)


def test_looks_drift_apart_by_their_jitter_and_never_see_the_future():
    loose = SLEEPING | {"sleep_jitter": 20}
    late = [seen(loose, 3000, seed=n) - 3000 for n in range(200)]
    assert min(late) >= 0
    assert max(late) <= 80
    # After fifty sleeps a look may be anywhere: half a sleep late in the mean.
    assert sum(late) / len(late) == pytest.approx(30, abs=5)


def test_no_look_is_later_than_the_latest():
    loose = SLEEPING | {"sleep_jitter": 20, "end": 1}
    late = [seen(loose, end, seed=n) - end for n in range(200) for end in (5.0, 7.5, 3000)]
    most = Program(launch=1, jitter=0, **loose).latest
    assert max(late) <= most
    assert max(late) > 0.9 * most


def test_a_run_by_duration_is_ended_by_the_program():
    assert seen(SLEEPING, 40, seed=None) == pytest.approx(40)
