"""`report --board` of a board without runs: rates of its ports, simulated for the page."""

from __future__ import annotations

import re

import pytest

from axiometer.__main__ import main
from axiometer.api import survey
from axiometer.api.expectation import expect
from axiometer.platform import Platform, pl_clock
from axiometer.platform.port_sets import all_at_once, at_memory
from axiometer.published import catalogue

FIRST = [chip.boards[0].name for chip in catalogue.chips()]


@pytest.mark.parametrize("board", Platform.boards())
def test_every_board_has_one(board):
    platform = Platform.load(board)
    parts = {part.title: part.points for part in survey.parts(platform)}
    assert set(parts) == {"Rates of each port", "Bursts of each length", "Clocks of the fabric"}
    alone = {"+".join(point.values["ports"]) for point in parts["Rates of each port"]}
    assert {*at_memory(platform), "+".join(all_at_once(platform))} == alone
    for points in parts.values():
        assert {"read", "write"} <= {point.key["mode"] for point in points}
    bursts = {point.values["burst_beats"] for point in parts["Bursts of each length"]}
    assert {1, 16} <= bursts
    clocks = {point.values["pl_mhz"] for point in parts["Clocks of the fabric"]}
    assert max(clocks) == float(pl_clock.limits(platform)[1])


@pytest.fixture
def short(monkeypatch, tmp_path):
    """Three points of each part, and no store."""
    whole = survey.parts

    def some(platform):
        return [part._replace(points=part.points[::9][:3]) for part in whole(platform)]

    monkeypatch.setattr(survey, "parts", some)
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "none.db"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("board", FIRST)
def test_it_is_written_without_a_store(board, short, capsys):
    assert main(["report", "--board", board]) == 0
    page = (short / f"{board}.html").read_text(encoding="utf-8")
    assert f"<title>{Platform.load(board).title}" in page
    for words in ("Rates of each port", "Bursts of each length", "Clocks of the fabric"):
        assert words in page
    assert "simulated" in page
    assert not (short / "none.db").exists()
    known = survey.experiments(Platform.load(board))
    assert ("axiometer run" in page) == bool(known)
    assert len(page.encode()) < 1_000_000


def test_its_figures_are_those_of_expect(short):
    board = Platform.load("zybo")
    for view in survey.survey(board):
        for row in view.rows:
            keys = {**row.key, "ports": "+".join(row.values["ports"])}
            found = expect(board, **keys)
            assert found.total == row.mean
            assert row.band is not None
            assert view.again(row).startswith("axiometer expect zybo HP0")


def test_a_run_takes_its_place(short, capsys):
    words = ["--set", "ports=HP0", "--set", "width_bits=64", "--set", "mode=read"]
    assert main(["run", "zybo-hp-bandwidth", "--repeats", "1", "--quiet", *words]) == 0
    assert main(["report", "--board", "zybo"]) == 0
    page = (short / "zybo.html").read_text(encoding="utf-8")
    assert "zybo-hp-bandwidth-0001" in page
    assert not re.search("Rates of each port", page)


def test_a_record_that_breaks_a_law_is_not_shown(short, monkeypatch):
    from axiometer.base.errors import AxiometerError
    from axiometer.simulate import side_by_side

    plain = side_by_side.repeats

    def wrong(*args):
        return [{**record, "total_MBps": 1e7} for record in plain(*args)]

    monkeypatch.setattr(side_by_side, "repeats", wrong)
    with pytest.raises(AxiometerError, match="breaks a law"):
        survey.survey(Platform.load("de10-nano"))
