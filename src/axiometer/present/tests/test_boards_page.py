"""docs/boards.md has every board and the model's figures."""

import pytest
from tools import boards_page

from axiometer.published import catalogue


def lines():
    """The row of each board by its name."""
    text = boards_page.PAGE.read_text(encoding="utf-8")
    text = boards_page.marks.section(text, boards_page.COMMAND)
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return {row.split("`")[1]: row for row in rows}


def shipped():
    return {board.name: board for chip in catalogue.chips() for board in chip.boards}


def test_every_board_is_there():
    assert lines().keys() == shipped().keys()


@pytest.mark.parametrize("name", ["de10-nano", "pynq-z2", "secu1", "k24"])
def test_rates_are_those_of_the_model(name):
    assert lines()[name] == boards_page.row(shipped()[name]).rstrip("\n")
