"""Every fuzzer for a few seconds, and that the runner sees a finding.

The long form is `make validate`, or `fuzz/run.py --seconds N`.
"""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))  # noqa: PTH120
import run as fuzz  # noqa: E402

SECONDS = 2
# Another seed each day would find more, and fail where nobody has changed anything.
SEED = 1

TARGET = """
import sys
TITLE = "for the test"
def needs():
    return {needs!r}
def command(folder, seconds, seed):
    return [sys.executable, "-c", {code!r}]
"""


@pytest.mark.parametrize("name", fuzz.names())
def test_no_finding(name, tmp_path):
    outcome = fuzz.run(name, SECONDS, SEED, findings=tmp_path)
    if outcome.state == "lacking":
        pytest.skip(outcome.told)
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
    outcome = fuzz.run("made_up", 1, 1, tmp_path, tmp_path / "findings")
    assert outcome.state == state
    assert outcome.good == (state in ("passed", "lacking"))
    assert fuzz.line(outcome, 1).startswith("made_up: ")
