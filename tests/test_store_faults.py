"""A failing system call on the store: no reported point is lost. All places:
`validate/store_faults.py`."""

import random

import pytest

from faults import check

PLACES = 24


@pytest.fixture(scope="module")
def faults(tmp_path_factory):
    lacking = check.needs()
    if lacking:
        pytest.skip(lacking)
    found = check.Faults(tmp_path_factory.mktemp("faults"))
    yield found
    found.close()


def test_a_failing_call_loses_nothing(faults, capsys):
    every = list(check.places(faults.calls))
    chosen = random.Random(3).sample(every, min(PLACES, len(every)))
    problems = [p for place in chosen if (p := faults.problem(*place))]
    assert not problems, "\n".join(problems)


def test_the_shim_makes_calls_fail(faults):
    """Otherwise the test above would tell nothing."""
    assert faults.calls > 100
    answer = [faults.ask(number, check.errno.EIO) for number in range(1, faults.calls, 40)]
    assert all(one["failed"] for one in answer)
    assert any(one["status"] for one in answer)


def test_a_store_that_loses_a_point_is_caught(faults, monkeypatch):
    """A run that says that a point is kept which is not."""
    ask = faults.ask
    monkeypatch.setattr(
        faults, "ask", lambda *place: (answer := ask(*place)) | {"kept": [*answer["kept"], 99]}
    )
    problem = faults.problem(faults.calls + 1, check.errno.EIO)
    assert "99], but there are" in problem
