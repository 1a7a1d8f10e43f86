"""Bold and colour: the marked words, and only on a terminal."""

import re

import pytest

import kit
from axiometer.answer.analysis.bottlenecks import NOTHING
from axiometer.base import colours
from axiometer.present import cause_colours, cause_text, emphasis
from axiometer.present.text import Style

COLOUR, NONE = Style(colour=True), Style()
CODE = re.compile(r"\x1b\[[0-9;]*m")


def test_an_answer_on_a_terminal():
    said = kit.on_terminal("expect", "zybo", "HP0", "read", "--repeats", "1")
    assert "\x1b[1m800 MB/s\x1b[0m measured" in said
    assert "Limit: \x1b[1;36mport bandwidth\x1b[0m." in said
    assert "\x1b[2m(simulated)\x1b[0m" in said


@pytest.mark.parametrize(
    ("words", "environment"), [(["--plain"], {}), ([], {"NO_COLOR": "1"}), ([], {"TERM": "dumb"})]
)
def test_colours_can_be_switched_off(words, environment):
    for asked in (["expect", "zybo", "HP9"], ["expect", "zybo", "HP0", "read", "--repeats", "1"]):
        assert not CODE.search(kit.on_terminal(*asked, *words, **environment))


def test_the_first_word_of_an_error_is_red():
    assert kit.on_terminal("expect", "zybo", "HP9").startswith(
        "\x1b[1;31maxiometer:\x1b[0m --ports HP9: "
    )


def test_without_colour_each_text_is_as_it_was():
    text = "STARVED: 5 MB/s (simulated). port bandwidth"
    assert emphasis.answer(text, NONE) == emphasis.warning(text, NONE) == text
    assert emphasis.limit(text, "port bandwidth", NONE) == emphasis.name(text, NONE) == text


def test_a_warning_is_marked_at_its_beginning_only():
    assert emphasis.warning("STARVED: HP0.", COLOUR) == "\x1b[33mSTARVED:\x1b[0m HP0."
    assert emphasis.warning("Never STARVED: HP0.", COLOUR) == "Never STARVED: HP0."


def test_every_cause_has_a_colour_of_the_terminal():
    """The page's hues decide; "none" is grey on the page, and has none."""
    found = {cause: cause_colours.terminal(cause_text.name(cause)) for cause in cause_text.WORDS}
    assert {name for of in found.values() for name in of} <= set(colours.CODES)
    assert all(found.values())
    assert found["dram_saturated"] == ("red",)
    assert found["port"] == found["path"] == ("cyan",)
    assert cause_colours.terminal(cause_text.name(NOTHING)) == ()
