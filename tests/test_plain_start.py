"""Starts of transfers: a board has the figures of a program that was measured on it, or a plain
start, which its answers say."""

from __future__ import annotations

import pytest

from axiometer import expect
from axiometer.base import data
from axiometer.platform import Platform

SAME_BLOCK = {"ultra96": "zcu102"}
"""One published design, measured on both."""


def host(platform):
    return {name: leaf for name, leaf in platform.leaves() if name.startswith("host.")}


@pytest.mark.parametrize("name", data.names("platforms"))
def test_no_board_has_another_s_program(name):
    own = {name, SAME_BLOCK.get(name)}
    for figure, leaf in host(Platform.load(name)).items():
        of_chip = leaf.file.endswith("/structure.toml")
        assert of_chip or leaf.file.split("/")[-1].removesuffix(".toml") in own, figure
        if of_chip:
            assert "plain start" in leaf.guess
        assert figure != "host.sleep_us" or name == "de1-soc"


def said(board, **keys):
    return expect(board, ports="F2S", mode="read", transfer_bytes="4KiB", **keys).text


def test_the_answer_says_that_its_start_is_a_plain_one():
    assert "a plain start is taken" in " ".join(said("de10-nano").split())
    assert "plain start" not in said("de1-soc")
    own = said("de10-nano", set={"host.launch_us": 3, "host.completion_us": 1})
    assert "plain start" not in own
    assert "plain start" not in expect("pynq-z1", ports="HP0", duration="100us").text


def test_a_short_transfer_does_not_sleep_with_another_board_s_program():
    """The DE1-SoC's Linux program sleeps between two looks; nobody has said that yours does."""
    keys = {"ports": "F2S", "mode": "read", "transfer_bytes": "4KiB", "width_bits": 64}
    assert expect("de10-nano", **keys).total > 8 * expect("de1-soc", **keys).total
