"""Boards by name: which are measured, the model's error, and answers for unknown boards."""

import json
import time

import pytest

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.platform import Platform
from axiometer.published import catalogue
from axiometer.published.catalogue import listed
from validate import board_errors, marks, tables

# What people call their boards.
CALLED = [
    *("zc702", "zc706", "microzed", "zedboard", "zybo", "zybo-z7", "antminer-s9", "pynq-z1"),
    *("pynq-z2", "zcu102", "zcu104", "zcu106", "zcu111", "kv260", "kr260", "kd240", "k24", "k26"),
    *("ultra96", "de0-nano-soc", "de1-soc", "de10-nano", "de10-standard", "sockit", "smartlynq"),
    *("arty-z7", "arty-z7-10", "arty-z7-20", "cora-z7", "cora-z7-07s", "cora-z7-10"),
    *("red-pitaya", "stemlab", "ultra96v2", "zuboard", "zub1cg", "pynqzu"),
    *("ZCU104", "KV260", "zybo_z7", "de10nano", "PYNQ-Z2", "Ultra96"),
]


@pytest.mark.parametrize("name", CALLED)
def test_a_board_is_there_under_the_name_that_people_use(name):
    assert Platform.load(name).ports


def test_names_differ_in_more_than_hyphens_and_case():
    pairs = [*data.aliases("boards").items(), *((name, name) for name in data.names("boards"))]
    boards = {data.plain_name(name): board for name, board in pairs}
    assert all(boards[data.plain_name(name)] == board for name, board in pairs)


@pytest.mark.parametrize("name", ["blackboard", "eclypse-z7", "x"])
def test_a_board_that_is_not_here_gets_the_ways_to_have_it_not_another_board(name):
    with pytest.raises(AxiometerError) as caught:
        Platform.load(name)
    remedy = caught.value.remedy
    assert "did you mean" not in remedy
    assert "import board" in remedy and "registers" in remedy
    assert not any(board in remedy for board in ("zybo", "microzed", "zedboard"))


@pytest.mark.parametrize(
    ("slip", "board"), [("zybbo", "zybo"), ("zcu1O4", "zcu104"), ("pynq-z3", "pynq-z2")]
)
def test_a_misspelt_board_is_refused_with_the_right_name(slip, board):
    with pytest.raises(AxiometerError) as caught:
        Platform.load(slip)
    assert "did you mean" in caught.value.remedy and repr(board) in caught.value.remedy


def test_the_heads_of_files_say_what_the_files_do():
    for board in catalogue.boards():
        platform = Platform.load(board.name)
        assert platform.title.removesuffix(" (not measured)") == board.title
        assert platform.family == board.chip
        assert (board.origin == catalogue.MEASURED) == ("(not measured)" not in platform.title)


def test_a_measured_board_has_experiments_with_published_rows():
    measured = {b.name: b for b in catalogue.boards() if b.origin == catalogue.MEASURED}
    sets = [error for error in catalogue.errors() if not error.page.endswith("#other-benches")]
    assert {name for error in sets for name in error.boards} == set(measured)
    assert all(board.experiments for board in measured.values())
    assert "zybo-hp-bandwidth" in measured["zybo"].experiments
    assert not any(b.experiments for b in catalogue.boards() if b.name not in measured)


def test_readme_and_list_boards_have_the_errors_of_the_pages_that_validation_writes():
    page = board_errors.README.read_text(encoding="utf-8")
    assert marks.section(page, marks.of_claim("board_errors")) == board_errors.readme()
    assert board_errors.TABLE.read_text(encoding="utf-8") == board_errors.text()
    listed = kit.flat(kit.command("list", "boards").stdout)
    for error in catalogue.errors():
        mean, most = f"{error.mean:.1f}", f"{error.most:.1f}"
        assert f" {error.rows} {error.fitted} {mean} {most} " in listed, error


def test_every_published_table_counts():
    shown = {name for each in board_errors.sets() for name in each.get("experiments", ())}
    assert shown == set(tables.EXPERIMENTS)


def test_errors_of_a_set_are_computed_and_rows_at_the_rate_of_their_wires_apart():
    page = (
        "Rates.\n\n### Table\n\n`zybo-hp-read-150mhz`, somebody.\n\n"
        "| ports | published | error % |  |\n|---|---|---|---|\n"
        "| HP0 | 1188.0 | -2.00 | fitted |\n| HP0+HP1 | 2375.0 | +4.00 | predicted |\n"
        "| HP0+HP2 | 1000.0 | -6.00 | fitted |\n"
    )
    found = list(board_errors.rows(page, "zybo-hp-read-150mhz"))
    assert [(row.error, row.fitted) for row in found] == [(2, True), (4, False), (6, True)]
    each = {"measured_on": "a board", "boards": ["zybo"], "what": "ports"}
    error = board_errors.of_rows(each, found)
    assert (error.rows, error.fitted, error.mean, error.most) == (3, 2, 4, 6)
    assert (error.at_wires, error.at_wires_mean, error.below_wires_mean) == (1, 2, 5)


def test_the_list_has_every_board_under_its_chip():
    rows = json.loads(kit.command("list", "boards", "--json").stdout)["boards"]
    assert sorted(row["name"] for row in rows) == data.names("boards")
    by_name = {row["name"]: row for row in rows}
    assert by_name["zybo"]["figures"] == "measured"
    assert by_name["zybo"]["chip_errors"][0]["simulated_on"] == ["zybo"]
    assert by_name["zcu104"]["figures"] == "from registers"
    assert by_name["zcu104"]["chip_errors"][0]["simulated_on"] == ["ultra96"]
    assert by_name["pynq-z1"]["figures"] == "from a Vivado export"
    assert by_name["secu1"]["chip_errors"] == []
    text = kit.command("list", "boards").stdout
    assert text.index("(cyclone-v)") < text.index("de10-nano") < text.index("(zynq-7000)")
    assert "Errors of the model in %" in text and "not known" in text
    assert "A board that is not here" in text


def test_the_list_is_made_at_once():
    kit.command("list", "boards")
    start = time.process_time()
    catalogue.chips()
    assert time.process_time() - start < 0.3


def index_as_text(**changed):
    return json.dumps({**listed.made(), **changed})


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (lambda: index_as_text(platforms=["from the index"]), True),
        (lambda: index_as_text(platforms=["from the index"], sha256="0" * 64), False),
        (lambda: index_as_text()[:-100], False),
        (lambda: "[]", False),
        (lambda: None, False),
    ],
    ids=["fits", "of other files", "cut", "no index", "absent"],
)
def test_an_index_counts_as_long_as_it_fits_the_files(monkeypatch, tmp_path, text, counts):
    for cached in (listed._indexed, listed._digest):
        monkeypatch.setattr(listed, cached.__name__, cached.__wrapped__)
    monkeypatch.setattr(listed, "INDEX", tmp_path / "index.json")
    if (content := text()) is not None:
        listed.INDEX.write_text(content, encoding="utf-8")
    assert (listed.platforms() == ["from the index"]) is counts
    if not counts:
        assert [row["name"] for row in listed.platforms()] == data.names("boards")


def test_the_index_of_a_built_package_is_that_of_its_files():
    if data.checkout():
        pytest.skip("a source checkout has no index")
    assert json.loads(listed.INDEX.read_text(encoding="utf-8")) == listed.made()
