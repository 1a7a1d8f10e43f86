"""When a result is taken that was kept, and when it is made anew; builds nothing."""

import pytest
from flow import cocotb_run, kept


@pytest.fixture
def play(tmp_path, monkeypatch):
    """Runs a design; `play.fails` says whether its tests fail, `play.runs` how often they ran."""
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path / "cache"))
    for variable in ("AXIOMETER_COVERAGE", "AXIOMETER_KEPT"):
        monkeypatch.delenv(variable, raising=False)
    design, test, bench = (tmp_path / name for name in ("a.sv", "cocotb_a.py", "bench_a.py"))
    design.write_text("module a;")
    test.write_text("import bench_a")
    bench.write_text("")

    def failure(*asked):
        play.runs += 1
        return "a test failed" if play.fails else ""

    def play(**changed):
        asked = {"values": {"N": 1}, "testcase": "one", "env": {"N": "1"}, **changed}
        cocotb_run.run("a", [design], "cocotb_a", folder=tmp_path, **asked)

    monkeypatch.setattr(cocotb_run, "_failure", failure)
    play.runs, play.fails, play.files = 0, False, [design, test, bench]
    play()
    return play


def test_what_passed_does_not_run_again_and_what_failed_does(play):
    play()
    assert play.runs == 1
    play.fails = True
    for _ in range(2):
        with pytest.raises(AssertionError, match="a test failed"):
            play(testcase="two")
    assert play.runs == 3


@pytest.mark.parametrize("number", range(3))
def test_a_changed_file_runs_again(play, number):
    """Of the design, the test or what the test imports."""
    play.files[number].write_text(play.files[number].read_text() + " # changed")
    play()
    assert play.runs == 2


@pytest.mark.parametrize(
    "changed", [{"values": {"N": 2}}, {"testcase": "two"}, {"env": {"N": "2"}}, {"env": None}]
)
def test_another_setting_runs_again(play, changed):
    play(**changed)
    assert play.runs == 2


def test_another_tool_or_header_or_a_damaged_file_runs_again(play, monkeypatch):
    for path in kept.home().iterdir():
        path.write_text('["modu')
    play()
    monkeypatch.setattr(kept, "_tools", lambda: ("another version",))
    play()
    monkeypatch.setattr(kept, "_included", lambda: (("axm.svh", "another"),))
    play()
    assert play.runs == 4


@pytest.mark.parametrize("variable", [("AXIOMETER_KEPT", "0"), ("AXIOMETER_COVERAGE", "1")])
def test_a_variable_turns_it_off(play, monkeypatch, variable):
    monkeypatch.setenv(*variable)
    play()
    assert play.runs == 2
