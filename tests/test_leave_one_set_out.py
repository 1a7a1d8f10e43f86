"""The search that refits figures without a set: it starts elsewhere and uses only its rows."""

import pytest

from validate import leave_one_set_out as leave

FIGURES = [
    leave.Figure("a", 4.0, (2.0, 3.0, 4.0, 5.0)),
    leave.Figure("zcu102:b", 2.0, (1.0, 2.0, 3.0)),
    leave.Figure("c", 1.0, (0.0, 1.0, 2.0)),
]


class Known(leave.Runs):
    """Sets whose errors are known: file -> the figure that matters, and its best value."""

    def __init__(self, best):
        self.best, self.asked = best, set()

    def scores(self, seen, tried):
        self.asked.update(seen)
        return [
            sum(abs(values[self.best[file][0]] - self.best[file][1]) for file in seen)
            for values in tried
        ]


def test_a_search_starts_elsewhere_and_finds_the_best_of_what_it_sees():
    runs = Known({"one": ("a", 4.0), "two": ("zcu102:b", 2.0)})
    found = leave.search(FIGURES, ["one", "two"], runs)
    assert (found["a"], found["zcu102:b"]) == (4.0, 2.0)
    assert found["c"] != 1.0  # no set tells it: it stays where the search began
    without = leave.search(FIGURES, ["two"], Known(runs.best))
    assert without["a"] != 4.0


def test_every_number_chosen_with_rows_in_sight_is_found_again():
    figures = {figure.name: figure for figure in leave.figures()}
    assert {"controller.read_clocks", "port.HP0.inflight_parts"} <= set(figures)
    assert not any(":host." in name for name in figures)
    for figure in figures.values():
        assert figure.shipped in figure.candidates
        assert len(figure.candidates) >= 3


def test_figures_that_follow_others_are_set_with_them():
    changed = leave.platform_with("zcu102", (("path.s3.request_clocks_read", 50),))
    assert changed.value("path.s5.request_clocks_read") == 50
    assert leave.of_board("ultra96", {"zcu102:x": 1, "ultra96:y": 2, "z": 3}) == (
        ("ultra96:y", 2),
        ("z", 3),
    )


def test_without_the_sets_it_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(leave, "DATA", tmp_path)
    monkeypatch.setattr("sys.argv", ["leave_one_set_out"])
    assert leave.main() == 0
    assert "skipped" in capsys.readouterr().out


def test_starved_ports_do_not_decide_alone():
    class Row:
        error = 10.0

        def rate_errors(self):
            return [2000.0, 0.0]

    assert leave.score([Row()]) == pytest.approx((10 + 50) / 2)
