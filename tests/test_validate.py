"""Programs of `lab/validate/` on rows that are made up here."""

import importlib
import inspect

import pytest

from validate import __main__ as validate
from validate import marks, part_load
from validate.others import Asked, far_off, table

ROWS = [
    {
        "scenario": "two",
        "port": port,
        "direction": direction,
        "asked_MBps": "200",
        "MBps": "200",
        "latency_mean": "40",
        "latency_min": "30",
        "latency_max": "50",
    }
    for port, direction in (("HP0", "read"), ("HP0", "write"))
]


def test_generators_get_their_requested_rates(monkeypatch):
    monkeypatch.setattr(part_load, "REPEATS", 1)
    found = list(part_load.rows(ROWS, 2**26))
    assert [(row.port, row.direction) for row in found] == [("HP0", "read"), ("HP0", "write")]
    for row in found:
        assert row.simulated["rate"] == pytest.approx(200, rel=0.01)
        assert row.measured == {"rate": 200, "mean": 40, "min": 30, "max": 50}
    printed = "\n".join(part_load.lines(found))
    assert "HP0 write" in printed
    assert "Mean absolute error: rates" in printed


def asked(name, source, ratio, assumes="", chosen_on=False):
    return Asked(name, source, "zybo", 100.0, 100.0 * ratio, chosen_on, assumes)


FOUND = [
    *(asked(f"many-{i}", "resbi", 2.0, "the slave") for i in range(8)),
    asked("few", "llnl", 0.9, chosen_on=True),
    asked("other", "llnl", 1.3),
]


def test_errors_of_benches_are_means_in_percent_of_all_their_rows():
    *_, many, few, every = ([cell.strip() for cell in line.split("|")] for line in table(FOUND))
    assert many[3:7] == ["8", "0", "100.0 %", "100.0 %"] and many[7].endswith(" % of 16")
    assert few[3:8] == ["2", "1", "20.0 %", "30.0 %", "not kept"]
    assert every[1:6] == ["all", "zybo", "10", "1", "84.0 %"]


def test_far_rows_are_counted_and_those_that_nothing_explains_are_named():
    lines = list(far_off([*FOUND, asked("mute", "llnl", 0.5)]))
    assert "above 40 %: 9 rows, 1 of them without a sentence" in lines
    assert any(line.endswith(": the slave") and line.startswith("many-0, ") for line in lines)
    assert lines[-1].startswith("mute: no cause is given")
    assert not any(line.startswith("mute") for line in far_off(FOUND))


def outcome(**more):
    return validate.Outcome("3 of 3", **more)


@pytest.fixture
def runner(monkeypatch, tmp_path):
    """A table of one claim, with a page: what it comes to, and the arguments, to the status."""
    page = tmp_path / "page.md"
    page.write_text(f"a\n{marks.begin(marks.of_claim('one'))}\nold\n{marks.END}\n")
    claim = {"claim": "it is so", "run": "nothing", "rooms": ["model"], "page": "page.md"}
    for name, value in (("ROOT", tmp_path), ("LAST", tmp_path / "last.toml")):
        monkeypatch.setattr(validate, name, value)
    monkeypatch.setattr(validate, "claims", lambda: {"one": claim})

    def run(of, *words):
        monkeypatch.setattr(validate, "judged", lambda *_: of)
        return validate.main(list(words))

    run.page = page
    return run


def test_a_claim_is_kept_with_its_commit_and_its_page_compared_or_written(runner, capsys):
    given = {"sections": {"": "new"}}
    assert runner(outcome(**given)) == 1  # the page has another section
    assert runner(outcome(**given), "--write") == 0
    assert "\nnew\n" in runner.page.read_text()
    assert runner(outcome(**given)) == 0
    kept = validate.last()["one"]
    assert (kept["passed"], kept["figure"]) == (True, "3 of 3") and kept["date"]
    assert runner(outcome(passed=False, **given)) == 1
    assert validate.last()["one"]["passed"] is False
    assert runner(outcome(**given), "one", "--set", "points=3") == 0
    assert validate.last()["one"]["passed"] is False  # a shorter look is not kept
    assert runner(None) == 0
    runner(None, "--list")
    assert "NOT PASSED: 3 of 3" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["two"], ["--set", "points=3"]])
def test_a_claim_that_is_not_there_is_refused(runner, words):
    with pytest.raises(SystemExit):
        runner(outcome(), *words)


def test_every_claim_can_be_run_and_has_its_section():
    for name, claim in validate.claims().items():
        assert claim["rooms"] and ("run" in claim) != ("command" in claim), name
        if "run" not in claim:
            continue
        module, _, function = claim["run"].partition(":")
        run = getattr(importlib.import_module(f"validate.{module}"), function or "run")
        taken = inspect.signature(run).parameters.keys() - {"jobs"}
        assert taken == claim.get("options", {}).keys(), name
        if "page" in claim:
            text = (validate.ROOT / claim["page"]).read_text(encoding="utf-8")
            assert f"begin: {marks.of_claim(name)}" in text, name
