"""Chips and boards: what each may say, and what the two laid together are."""

import json
import re
from functools import cache
from itertools import combinations

import pytest

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.base.toml_source import TomlSource
from axiometer.platform import Platform
from axiometer.platform.figures import read_figures
from axiometer.platform.patterns import concrete, matches, read_entries

BOARDS = data.names("boards")
CHIPS = data.names("chips")


def source(kind, name):
    return TomlSource.read(data.find_toml(kind, name))


@cache
def stated(kind, name):
    """The figures that a shipped file itself states."""
    return read_figures(source(kind, name), kind.removesuffix("s"), None)


def laid(tmp_path, board=kit.BOARD, chip=kit.CHIP):
    (tmp_path / "tiny-chip.toml").write_text(chip)
    (tmp_path / "tiny-board.toml").write_text(board)
    return Platform.load(str(tmp_path / "tiny-board.toml"))


@pytest.mark.parametrize("kind", ["boards", "chips"])
def test_shipped_files_are_called_by_their_names(kind):
    for name in data.names(kind):
        assert source(kind, name).data["name"] == name


@pytest.mark.parametrize("name", BOARDS)
def test_no_board_repeats_a_figure_of_its_chip(name):
    chip = stated("chips", source("boards", name).data["chip"])
    same = [
        path
        for path, leaf in stated("boards", name).items()
        if path in chip
        and (leaf.value, leaf.same_as) == (chip[path].value, chip[path].same_as)
        # What rows say stays what it is when what the chip assumes of other boards changes.
        and not (chip[path].origin == "guess" and leaf.origin != "guess")
    ]
    assert not same, f"the chip has them: {same}"


def test_no_assumption_stands_in_two_boards():
    for one, other in combinations(BOARDS, 2):
        mine, theirs = stated("boards", one), stated("boards", other)
        for path, leaf in mine.items():
            if path in theirs and leaf.origin in ("guess", "selected"):
                pair = (leaf.value, leaf.words), (theirs[path].value, theirs[path].words)
                assert pair[0] != pair[1], f"{path} of {one} and {other}: say [[like]]"


@pytest.mark.parametrize("name", CHIPS)
def test_what_a_chip_gives_though_boards_set_it_is_no_board_s_matter(name):
    """A default is a register's reset value, or belongs to the design and its software."""
    left = [p for e in read_entries(source("chips", name), "set_by_boards") for p in e.figures]
    for path, leaf in stated("chips", name).items():
        if any(matches(pattern, path) for pattern in left):
            usual = path.split(".")[0] == "master"
            usual = usual or path.startswith("processor.software.")
            assert usual or path == "clocks.pl_mhz" or leaf.source.startswith("reset value"), path


@pytest.mark.parametrize("name", BOARDS)
def test_each_figure_knows_the_line_where_its_value_is_written(name):
    for path, leaf in Platform.load(name).leaves():
        with open(leaf.file, encoding="utf-8") as file:  # noqa: PTH123
            line = file.read().splitlines()[leaf.line - 1]
        assert line.startswith(f"{path.rsplit('.', 1)[-1]} = "), path


@cache
def listed():
    return json.loads(kit.command("list", "platforms", "--json").stdout)["platforms"]


@pytest.mark.parametrize("name", BOARDS)
def test_origins_are_counted(name):
    platform = Platform.load(name)
    counted = platform.origins()
    assert sum(counted.values()) == len(platform.leaves())
    assert counted["fitted"] == len(platform.fitted())
    (row,) = [row for row in listed() if row["name"] == name]
    assert (row["fitted"], row["selected"]) == (counted["fitted"], counted["selected"])


def test_a_board_lies_over_its_chip(tmp_path):
    platform = laid(tmp_path)
    assert platform.family == "tiny-chip"
    assert platform.ports == ["P0", "P1"]
    assert [platform.value(f"port.{p}.path") for p in platform.ports] == ["left", "right"]
    assert platform.value("path.right.clock_mhz") == 300
    assert platform.leaf("path.left.inflight_read").fitted == (
        "tiny.csv: mode=duplex, ports=P0+P1",
    )
    assert platform.leaf("path.right.inflight_read").guess == "as path.left: where it is fitted"
    assert platform.leaf("controller.starve_clocks").selected == platform.fitted()[0][1].fitted
    assert platform.leaf("clocks.ddr_mhz").register == "PLL[6:0] = 21"
    assert platform.leaf("port.P1.widths").source == "made up"
    assert not platform.has("processor.apb.register_clocks")  # without its clocks, of no use
    tables = [path.split(".")[0] for path, _ in platform.leaves()]
    assert tables == sorted(
        tables, key=["clocks", "dram", "mapping", "controller", "path", "port"].index
    )


def test_a_board_s_figure_keeps_its_chip_s_unit_and_range(tmp_path):
    faster = kit.BOARD.replace("[dram]", 'pl_mhz = { value = 200, guess = "x" }\n\n[dram]')
    leaf = laid(tmp_path, faster).leaf("clocks.pl_mhz")
    assert (leaf.value, leaf.min, leaf.max, leaf.unit) == (200, 1, 250, "MHz")
    with pytest.raises(AxiometerError, match="give at most 250") as caught:
        laid(tmp_path, faster.replace("200", "300"))
    assert (caught.value.file, caught.value.line) == (str(tmp_path / "tiny-board.toml"), 8)


def test_optional_figures_bring_what_needs_them(tmp_path):
    with_clocks = kit.BOARD + '[processor.clocks]\ncpu = { value = "650", guess = "x" }\n'
    assert laid(tmp_path, with_clocks).value("processor.apb.register_clocks") == 3


def test_all_figures_that_a_board_lacks_are_listed_at_once(tmp_path):
    with pytest.raises(AxiometerError, match="ddr_mhz and 10 more figures are missing") as caught:
        laid(tmp_path, kit.BOARD[: kit.BOARD.index("[clocks]")])
    assert "dram.banks, " in caught.value.remedy and "path.right.clock_mhz" in caught.value.remedy


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('chip = "tiny-chip.toml"', "", "name", 'add chip = "..." for a board'),
        ("[dram]", '[port.P0]\naxi = { value = 4, guess = "x" }\n[dram]', "axi",
         "not a figure that boards"),
        ("[dram]", '[port.P0]\npath = { value = "right", guess = "x" }\n[dram]', "path",
         "figure of the chip tiny-chip .*tiny-chip.toml:37"),
        ('banks = { value = 8, source = "made up" }\n', "", "[dram]", "dram.banks is missing"),
        ('[path.left]\nclock_mhz = { value = 300, guess = "made up" }\n', "", "name",
         "path.left.clock_mhz is missing"),
        ('selected = "pairs"', 'selected = "pears"', "starve", "no set of rows is called 'pears'"),
        (', why = "with 32 they are missed"', "", "starve", "has no reason for its selection"),
        ('"tiny-chip.toml"', '"tiny-chp.toml"', "chip", "there is no chip file"),
        ('"tiny-chip.toml"', '"zynq-700"', "chip", "did you mean 'zynq-7000'"),
        ('same_as = "path.left.clock_mhz"', 'same_as = "path.left.clock"', "clock_mhz = { same",
         "not a figure with a"),
        ('same_as = "path.left.clock_mhz"', 'value = 3, same_as = "a"', "clock_mhz = { value = 3,",
         "both value and same"),
        ("[path.right]", '[path.right]\nlike = "path.lfet"', "like", "did you mean 'path.left'"),
        ("[clocks]", '[[like]]\nboard = "zybo"\nfigures = ["processor"]\n[clocks]', "[[like]]",
         "has no why"),
        ("[clocks]", '[[like]]\nboard = "zybo"\nfigures = ["hots"]\nwhy = "x"\n[clocks]',
         "[[like]]", "itself has no figure 'hots'"),
        ("[clocks]", '[[like]]\nboard = "zcu102"\nfigures = ["program"]\nwhy = "x"\n[clocks]',
         "name", "program.free-running.launch_us is not a figure"),
        ("[clocks]", "[rows]\npairs = ['a.csv']\n[clocks]", "pairs", "the chip already has rows"),
        ("[clocks]", "[rows]\nmine = []\n[clocks]", "mine", "not a list of selectors"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_board_is_told_with_its_line(tmp_path, old, new, at, message):
    assert old in kit.BOARD
    text = kit.BOARD.replace(old, new, 1)
    with pytest.raises(AxiometerError) as caught:
        laid(tmp_path, text)
    assert re.search(message, f"{caught.value.message}: {caught.value.remedy}")
    assert caught.value.file == str(tmp_path / "tiny-board.toml")
    assert text.splitlines()[caught.value.line - 1].startswith(at)
    assert caught.value.remedy and caught.value.status == 2


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('why = "PLLs"', "", "[[set_by_boards]]", "set_by_boards has no why"),
        ("optional = true", "optional = 1", "optional", "give true or false"),
        ("needed_by", "needed", "needed", "did you mean 'needed_by'"),
        ('["path.*.clock_mhz"]', "[3]", "[[set_by_boards]]", "are not patterns"),
        ('["path.*.clock_mhz"]', '"x"', "figures", "give a list"),
        ('path = { value = "left"', 'path = { value = "lfet"', "path", "on path 'lfet'"),
    ],
)
def test_what_is_wrong_with_a_chip_is_told_with_its_line(tmp_path, old, new, at, message):
    assert old in kit.CHIP
    text = kit.CHIP.replace(old, new, 1)
    with pytest.raises(AxiometerError) as caught:
        laid(tmp_path, chip=text)
    assert message in f"{caught.value.message}: {caught.value.remedy}"
    assert caught.value.file == str(tmp_path / "tiny-chip.toml")
    assert text.splitlines()[caught.value.line - 1].startswith(at)


def test_a_pattern_names_figures_and_whole_tables():
    assert matches("dram", "dram.timing.CL") and matches("path.*.clock_mhz", "path.s3.clock_mhz")
    assert matches("port.HP?.x", "port.HP0.x") and not matches("port.HP?.x", "port.HPC0.x")
    assert not matches("dram.timing.CL", "dram.timing.CLX") and not matches("*.b", "a.c.b")
    assert not matches("a." + "*a" * 40, "a." + "a" * 30 + "b")  # at once
    paths = ["path.s3.clock_mhz", "path.s4.buffers", "port.HP0.axi"]
    assert concrete("path.*.clock_mhz", paths) == ["path.s3.clock_mhz", "path.s4.clock_mhz"]
    assert concrete("clocks.ddr_mhz", paths) == ["clocks.ddr_mhz"]
