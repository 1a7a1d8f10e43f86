"""Number formats, tables, marks, terminal styles, curves in the terminal."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import present_fake as fake
from axiometer.base import units, wrap
from axiometer.present import curves, grid, labels, tables, text
from axiometer.present.grid import Column
from axiometer.present.text import Style

PLAIN = Style(colour=False, unicode=False)


@pytest.mark.parametrize(
    ("value", "decimals", "signed", "expected"),
    [
        (None, 2, False, "–"),
        (0.125, 2, False, "0.12"),
        (99.995, 2, False, "100.00" if f"{99.995:.2f}" == "100.00" else "99.99"),
        (-0.004, 2, True, "0.00"),
        (0.004, 2, True, "0.00"),
        (-1.5, 1, True, "-1.5"),
        (3, 1, True, "+3.0"),
    ],
)
def test_numbers_are_rounded_once_and_never_signed_zeros(value, decimals, signed, expected):
    assert text.number(value, decimals, signed) == expected


def test_a_small_share_is_not_shown_as_nothing():
    assert text.percent(0.0) == "0 %"
    assert text.percent(0.001) == "< 1 %"
    assert text.percent(0.00001, 1) == "< 0.1 %"
    assert text.percent(0.431) == "43 %"


@pytest.mark.parametrize(
    ("share", "decimals", "expected"),
    [
        (0.0024, None, "+0.2 %"),
        (0.0996, None, "+10 %"),
        (2.79, 0, "+279 %"),
        (-0.5, 1, "-50.0 %"),
        (759.57, 0, "761 times"),
        (1e12, 1, "over 1000 times"),
        (math.inf, None, "over 1000 times"),
    ],
)
def test_a_gain_is_told_in_times_where_a_percentage_says_nothing(share, decimals, expected):
    assert text.gain(share, decimals) == expected


@pytest.mark.parametrize("write", [units.short_rate, text.ns, text.seconds])
def test_no_figure_of_a_text_has_an_exponent(write):
    for tenths in range(-90, 60):
        for figure in (1, 9.994, 9.999):
            said = write(figure * 10 ** (tenths / 10))
            assert "e" not in said and "inf" not in said


def test_sizes_and_times_take_the_unit_that_suits_them():
    assert text.size(1 << 25) == "32 MiB"
    assert text.size(1000) == "1000 B"
    assert text.seconds(4.71e-6) == "4.71 µs"
    assert text.seconds(0.0) == "0 s"
    assert text.listing(["a", "b", "c"]) == "a, b and c"


def test_keys_are_written_for_a_reader():
    key = {"ports": "HP0+HP1", "mode": "ps_to_pl", "width_bits": 64, "transfer_bytes": "4KiB"}
    assert labels.key_label(key) == "HP0+HP1 · PS to PL · 64 bit · 4 KiB"
    assert labels.value_label("transfer_bytes", "nonsense") == "nonsense"
    assert labels.value_label("placement", "aligned") == "aligned"


@given(
    st.lists(
        st.tuples(st.text("abcσ–", max_size=8), st.integers(-9999, 9999)), min_size=1, max_size=6
    )
)
def test_every_line_of_a_table_ends_in_its_column(rows):
    lines = grid.table(
        [Column("name", numeric=False), Column("n")], [[a, str(b)] for a, b in rows], Style()
    )
    assert len({len(line) for line in lines}) == 1


def test_colour_takes_no_room_and_follows_the_environment(monkeypatch):
    style = Style(colour=True)
    painted = style.paint("abc", "yellow")
    assert painted != "abc"
    assert wrap.width(painted) == 3
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Style.of_stdout().colour
    monkeypatch.delenv("NO_COLOR")
    assert Style.of_stdout().colour
    assert not Style.of_stdout(plain=True).colour


def test_rows_below_99_percent_are_marked_and_counted():
    rows = [
        fake.row(0, efficiency=0.999),
        fake.row(1, efficiency=0.95, waits={"path": 1}),
        fake.row(2, repeats=0),
    ]
    view = fake.view(rows, complete=False)
    lines = tables.results(view, Style())
    assert [tables.MARK in line for line in lines[2:5]] == [False, True, False]
    assert any("(1 rows)" in line for line in lines)
    assert "–" in lines[4]
    assert any("2 of 3 points" in line for line in tables.title(view, Style()))


def test_the_title_says_how_the_figures_came_about():
    assert "(simulated)" in tables.title(fake.view(), Style())[0]
    assert "(measured)" in tables.title(fake.view(backend="board"), Style())[0]


def test_the_peak_note_says_of_another_printed_peak():
    row = fake.row(0, ports=["HP0", "HP1", "HP2"], efficiency=0.8, waits={"path": 1})
    published = fake.around(2700, expected=4264)
    view = fake.view([type(row)(**(vars(row) | {"published": published}))])
    assert "4200 MB/s (32 bit × 2 × 525 MHz)" in tables.peak_note(view)
    assert "prints 4264" in tables.peak_note(view)


def test_a_curve_is_drawn_with_published_marks_within_the_width():
    view = fake.view(fake.curve_rows(), title="curve")
    from axiometer.present.layout import layout

    shape = layout(view)
    assert shape.curve
    assert shape.log
    for style in (Style(columns=60), Style(columns=60, unicode=False)):
        lines = curves.of(view.how, shape, shape.panels[0], style)
        assert all(wrap.width(line) <= 70 for line in lines)
        assert any("o published" in line for line in lines)
        assert "4 B" in "\n".join(lines)


@given(
    st.lists(
        st.tuples(st.integers(1, 1 << 40), st.floats(0, 1e5)),
        min_size=1,
        max_size=20,
        unique_by=lambda p: p[0],
    )
)
def test_any_curve_can_be_drawn(points):
    lines = curves.draw(points, points[:1], Style(columns=50))
    assert len(lines) == 16 + 3


def test_a_logarithmic_axis_refuses_zero():
    with pytest.raises(ValueError, match="positive"):
        curves.draw([(0, 1)], [], Style())
    assert curves.draw([], [], Style()) == []
