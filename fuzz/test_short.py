"""Every fuzzer for a number of inputs, and that the runner sees a finding.

The long form is `make validate`, or `fuzz/run.py --seconds N`.
"""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))  # noqa: PTH120
import log  # noqa: E402
from budget import Budget  # noqa: E402

import run as fuzz  # noqa: E402

# By number, not by time: the same inputs on every machine.
INPUTS = {"commands": 20, "figures": 40, "store_rows": 60}
USUAL_INPUTS = 400
# Another seed each day would find more, and fail without a change.
SEED = 1

TARGET = """
import sys
TITLE = "for the test"
def needs():
    return {needs!r}
def command(folder, budget, seed):
    return [sys.executable, "-c", {code!r}]
"""


@pytest.mark.parametrize("name", fuzz.names())
def test_no_finding(name, tmp_path):
    outcome = fuzz.run(name, Budget(inputs=INPUTS.get(name, USUAL_INPUTS)), SEED, findings=tmp_path)
    if outcome.state == "lacking":
        pytest.skip(outcome.output)
    assert outcome.state == "passed", fuzz.line(outcome, SEED, tmp_path)


@pytest.mark.parametrize(
    ("code", "needs", "state"),
    [
        ("print('inputs: 7')", None, "passed"),
        ("print('inputs: 7'); raise SystemExit(1)", None, "found"),
        ("import os; print('inputs: 7', flush=True); os.abort()", None, "found"),
        ("print('inputs: 0')", None, "broken"),
        ("print('all is well')", None, "broken"),
        ("raise SystemExit(1)", "a tool is missing: install it", "lacking"),
    ],
)
def test_the_runner_sees_what_a_target_says(code, needs, state, tmp_path):
    (tmp_path / "made_up.py").write_text(TARGET.format(code=code, needs=needs))
    assert fuzz.names(tmp_path) == ["made_up"]
    outcome = fuzz.run("made_up", Budget(seconds=1), 1, tmp_path, tmp_path / "findings")
    assert outcome.state == state
    assert outcome.good == (state in ("passed", "lacking"))
    assert fuzz.line(outcome, 1).startswith("made_up: ")


def test_a_budget_is_a_time_or_a_number():
    assert str(Budget.of("60s")) == "60s"
    assert Budget.of("60s").libfuzzer == "-max_total_time=60"
    assert Budget.of("500n").libfuzzer == "-runs=500"
    assert [Budget.of("2n").left(count) for count in (0, 1, 2)] == [True, True, False]
    past = Budget(seconds=1, begun=-1e9)
    assert (past.left(0), past.left(1)) == (True, False)
    for wrong in ("60", "0s", "s", "1.5s", "-3n"):
        with pytest.raises(ValueError, match="a budget is"):
            Budget.of(wrong)


def test_runs_are_added_up(tmp_path):
    path = tmp_path / "runs.csv"
    for state, inputs in (("passed", 7), ("found", 3)):
        log.add(path, fuzz.Outcome("made_up", state, 9999.0, inputs, "", 1800.0), SEED)
    assert log.sums(path) == {"made_up": {"hours": 1.0, "inputs": 10, "findings": 1}}
