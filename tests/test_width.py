"""Every command that prints fits 80 columns without a given width, uses a wider terminal, and
breaks no word or figure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kit
from axiometer.__main__ import main
from axiometer.base import wrap
from axiometer.present.grid import Column, table
from axiometer.present.text import Style

SOURCE = Path(__file__).resolve().parent.parent
DESIGN = next((SOURCE / "tests").rglob("*.hwh"), None)
RUNS = (
    ["zybo-hp-bandwidth", "--repeats", "1"],
    ["zybo-hp-bandwidth", "--repeats", "2", "--set", "mode=duplex"],
    ["zedboard-masters", "--repeats", "1"],
    ["ultra96-convolution", "--repeats", "1"],
    ["zedboard-zero-copy", "--repeats", "1"],
    ["zybo-hp-bandwidth", "--repeats", "1", "--set", "ports=HP0,HP0+HP1"]
    + ["--set", "transfer_bytes=64KiB"],  # few points, to be explained
    ["zcu102-mixed", "--repeats", "1", "--set", "ports=HP0+HP1+HP2+HP3", "--set", "duration=20us"],
)
ASKED = (
    ["list"],
    ["list", "boards"],
    ["list", "experiments"],
    ["runs"],
    *(["show", run[0]] for run in RUNS),
    *(["show", run[0], "--plain"] for run in RUNS[:1]),
    ["compare", "zybo-hp-bandwidth-0001"],
    ["compare", "ultra96-convolution"],
    ["compare", "zedboard-zero-copy"],
    ["compare", "zybo-hp-bandwidth-0002", "zybo-hp-bandwidth-0001"],
    ["runs", "diff", "zybo-hp-bandwidth-0001", "zybo-hp-bandwidth-0002"],
    ["explain", "zybo-hp-bandwidth-0003"],
    ["explain", "zybo-hp-bandwidth-0001", "HP0+HP1,duplex,64"],
    ["explain", "zedboard-masters"],
    ["explain", "ultra96-convolution"],
    ["expect", "--board", "zybo", "--ports", "HP0+HP1", "--repeats", "2"],
    ["expect", "--board", "zcu102", "--ports", "HP0+HP1+HP3", "--mode", "mixed"],
    ["expect", "--board", "zedboard", "--ports", "GP1", "--mode", "ps_to_pl"]
    + ["--transfer-bytes", "2KiB", "--set", "master=memcpy", "--set", "os=linux"],
    ["curve", "--board", "zcu102", "--ports", "HP0", "--ratio", "2:1", "--gaps", "0,64,512"]
    + ["--duration", "50us"],
    ["advise", "--board", "zybo", "--master", "a=read,burst=64", "--master", "b=write,burst=64"]
    + ["--set", "duration=50us"],
    ["advise", "--board", "zedboard", "--transfer-bytes", "2KiB", "--set", "os=linux"],
    ["advise", "--board", "zedboard", "--packets"],
    ["selftest", "zybo", "--points", "4"],
    ["build", "zybo", "--top", "dma", "--ports", "HP0+HP2", "-o", "project"],
)
SURELY_WIDER = (
    ["list", "boards"],
    ["list", "experiments"],
    ["compare", "zybo-hp-bandwidth-0001"],
    ["show", "zedboard-masters"],
    ["explain", "zybo-hp-bandwidth-0003"],
    ["expect", "--board", "zybo", "--ports", "HP0+HP1", "--repeats", "2"],
)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """Runs to show, with what making them prints at 80 and at 120 columns."""
    path = tmp_path_factory.mktemp("width") / "runs.db"
    patch = pytest.MonkeyPatch()
    patch.setenv("AXIOMETER_STORE", str(path))
    patch.chdir(path.parent)
    printed = {}
    for run in RUNS:
        for columns in ("80", "120") if run is RUNS[-1] else ("80",):
            patch.setenv("COLUMNS", columns)
            printed[run[0], columns] = _printed(["run", *run, "--quiet", "--jobs", "1"])
    patch.undo()
    return path, printed


def _printed(argv: list[str]) -> list[str]:
    import contextlib
    import io

    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert main(argv) == 0, argv
    return out.getvalue().splitlines()


def _too_wide(lines: list[str], room: int) -> list[str]:
    """Lines over the room; a path or an address alone on a line may be."""
    return [
        line for line in lines if len(line) > room and not ("/" in line and len(line.split()) == 1)
    ]


def _figures(lines: list[str]) -> str:
    """All figures with a point, whatever the lines; what all rows say is said once or often."""
    return " ".join(sorted(set(re.findall(r"[0-9]+\.[0-9]+", " ".join(lines)))))


@pytest.mark.parametrize("argv", ASKED, ids=lambda a: " ".join(a)[:40])
def test_fits_80_columns_and_uses_120(store, monkeypatch, argv):
    monkeypatch.setenv("AXIOMETER_STORE", str(store[0]))
    monkeypatch.chdir(store[0].parent)
    monkeypatch.delenv("COLUMNS", raising=False)
    if argv[0] == "build":
        _printed(argv)  # the second writes over it
        argv = [*argv[:-1], "project-2"]
        assert not _too_wide(_printed(argv), 80)
        return
    usual = _printed(argv)
    assert not _too_wide(usual, 80)
    monkeypatch.setenv("COLUMNS", "80")
    assert [x for x in _printed(argv) if "wall" not in x] == [x for x in usual if "wall" not in x]
    monkeypatch.setenv("COLUMNS", "120")
    wide = _printed(argv)
    assert not _too_wide(wide, 120)
    if len(wide) < len(usual) or argv in SURELY_WIDER:
        assert max(map(len, wide)) > 80, "there was more to say on a line"
    assert _figures(wide) == _figures(usual), "no figure is lost or broken"


def test_output_of_run(store):
    for (_, columns), lines in store[1].items():
        assert not _too_wide(lines, int(columns))


@given(
    rows=st.lists(
        st.tuples(
            st.text("abc /+", max_size=90), st.floats(-1e9, 1e9), st.sampled_from(["x", "y z"])
        ),
        min_size=1,
        max_size=6,
    ),
    columns=st.integers(40, 130),
    count=st.integers(1, 9),
)
@example(rows=[("", -100000004.0, "x"), (" aaaa", 0.0, "x")], columns=74, count=5)
def test_no_table_loses_or_breaks_a_figure(rows, columns, count):
    """Any number of columns of figures, text of any length: each figure is there whole, each word
    too, and no line is too wide but one that is a single word's."""
    heads = [Column("what it is", False), *(Column(f"rate {i}") for i in range(count))]
    heads.append(Column("kind", False))
    cells = [
        [text, *(f"{value + i:.2f}" for i in range(count)), kind] for text, value, kind in rows
    ]
    lines = table(heads, cells, Style(columns=columns))
    said = " ".join(lines).split()
    for text, *figures, _kind in cells:
        assert all(any(figure == w.rstrip(";") for w in said) for figure in figures)
        assert all(any(word == w.rstrip(";") for w in said) for word in text.split())
    longest = max((len(w) for row in cells for cell in row for w in cell.split()), default=0)
    assert all(len(line) <= max(columns, longest + 12) for line in lines)
    if longest < 20:
        assert all(len(line) <= columns for line in lines)


def test_what_is_the_same_goes_to_the_head():
    columns = [Column("port", False), Column("about", False), Column("MB/s")]
    rows = [
        ["HP0", "the same long words " * 5, "1.00"],
        ["HP1", "the same long words " * 5, "2.00"],
    ]
    lines = table(columns, rows, Style(columns=60))
    assert sum("about" in line for line in lines) == 1
    assert [line.split() for line in lines[-2:]] == [["HP0", "1.00"], ["HP1", "2.00"]]


def test_units_stay_with_their_numbers_and_colours_end_at_the_line():
    text = "It moves 1234.5 MB/s at 100 MHz of 12 % and " * 4
    for room in range(20, 90):
        for line in wrap.lines([text], room):
            assert not re.match(r" *(MB/s|MHz|%)", line)
    painted = Style(colour=True).paint("some words that are painted and go on", "dim")
    lines = wrap.lines([painted], 16)
    assert len(lines) > 2 and all(line.endswith("\x1b[0m") for line in lines)
    assert (
        "".join(re.sub(r"\x1b\[\d*m", "", x) + " " for x in lines).split()
        == re.sub(r"\x1b\[\d*m", "", painted).split()
    )


def test_a_broken_command_can_be_copied():
    said = "  axiometer expect --board zybo --set burst_beats=4 --set pl_mhz=100 --ports HP0"
    lines = wrap.lines([said], 40)
    assert len(lines) > 2 and all(line.endswith(" \\") and len(line) <= 40 for line in lines[:-1])
    assert " ".join(line.rstrip("\\") for line in lines).split() == said.split()


def test_a_terminal_gets_its_own_width():
    """On a real terminal of 100 columns lines are longer than 80, and none is longer than 100."""
    lines = kit.on_terminal("list", "experiments", columns=100, TERM="dumb").splitlines()
    assert 80 < max(map(len, lines)) <= 100


def test_errors_fit_a_terminal_and_are_whole_elsewhere(cli):
    words = ["expect", "--board", "zybo", "--ports", "HP0,HP1"]
    lines = kit.on_terminal(*words, columns=60, TERM="dumb").splitlines()
    assert len(lines) > 2
    assert max(map(len, lines)) <= 60
    printed = cli.refused(*words)
    assert max(map(len, printed.splitlines())) > 60
    assert printed.split() == " ".join(line.removesuffix("\\") for line in lines).split()
