"""Blocks between a master and its port: the table, the key, and the cost."""

from __future__ import annotations

import pytest

from axiometer.base.errors import AxiometerError, BadValueError
from axiometer.experiment import between
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario

CHANNELS = ("ar", "r", "aw", "w", "b")


@pytest.mark.parametrize("name", between.table())
def test_each_block_has_every_channel_and_says_where_its_figures_are_from(name):
    block = between.table()[name]
    figures = [key for key in (*CHANNELS, "here", "there", "apart", "splits_beats") if key in block]
    assert figures[:5] == list(CHANNELS) or figures == ["here", "there"]
    for key in figures:
        assert len({"source", "guess", "fitted"} & set(block[key])) == 1, key
        assert block[key]["value"] >= 0


def test_the_clocks_of_several_blocks_add_up():
    # PG059: crossbar 2 and 1, register slice 1 and 1.
    assert between.cycles("axi_crossbar+register_slice", "read", 100) == 5
    # The later of address and data (3), and the response (2).
    assert between.cycles("axi_crossbar+register_slice", "write", 100) == 5
    assert between.cycles("axi_crossbar+20", "read", 100) == 23
    assert between.cycles(None, "read", 100) == 0


def test_a_crossing_takes_clocks_of_both_sides():
    # PG327: one of the side that writes, and six of the side that reads, in each channel.
    assert between.cycles("clock_crossing", "read", 100) == 14
    assert between.cycles("clock_crossing@50", "read", 100) == 2 * 1 + 6 + 1 + 6 * 2
    assert between.cycles("clock_crossing@200", "write", 100) == round(0.5 + 6 + 1 + 3)


def test_in_words():
    assert between.words("smartconnect") == "a SmartConnect"
    text = between.words("upsizer+axi_interconnect+12")
    assert text == "an upsizer, an AXI Interconnect and 12 clocks of interconnect"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("smartconect", "smartconnect"),
        ("smartconnect@100", "leave @ out"),
        ("clock_crossing@fast", "clock_crossing@150"),
        ("99999", "at most"),
        (3.5, "join by +"),
        ("+".join(["register_slice"] * 17), "at most 16"),
    ],
)
def test_mistakes_are_reported_with_a_remedy(raw, message):
    with pytest.raises(BadValueError) as error:
        between.parse(raw)
    assert message in f"{error.value.message} {error.value.remedy}"


def test_it_may_be_a_list_a_number_or_none():
    assert between.parse(["upsizer", "smartconnect"]) == "upsizer+smartconnect"
    assert between.parse(12) == "12"
    assert between.parse("none") is None


def scenario(board, **keys):
    platform = Platform.load(board)
    return Scenario.of(platform, single(platform, keys).values)


@pytest.mark.parametrize("board", ["zybo", "de1-soc", "zcu102"])
def test_masters_of_every_chip_have_it(board):
    platform = Platform.load(board)
    port = platform.ports[0]
    for keys in (
        {"ports": port, "mode": "read", "through": "smartconnect"},
        {
            "masters": [
                {"kind": "engine", "port": port, "direction": "read", "through": "smartconnect"}
            ]
        },
    ):
        (stream,) = scenario(board, **keys).streams
        known = platform.word("master.through", None)
        more = between.cycles("smartconnect", "read", 100) - between.cycles(known, "read", 100)
        assert stream.between_cycles == more > 0


def test_what_a_port_s_figures_have_is_not_counted_twice():
    assert scenario("zybo", ports="HP0", mode="read", through="axi_crossbar").streams == (
        scenario("zybo", ports="HP0", mode="read").streams
    )


def test_a_pair_has_it_between_its_halves_too():
    with_it = scenario("de1-soc", ports="F2S", mode="duplex", through="axi_crossbar").streams
    without = scenario("de1-soc", ports="F2S", mode="duplex").streams
    assert with_it[0].loopback_cycles == without[0].loopback_cycles + 2


def test_a_crossbar_takes_an_address_each_three_clocks():
    short = scenario("zcu102", ports="HP0", mode="read", burst_bytes=16, through="axi_crossbar")
    longer = scenario("zcu102", ports="HP0", mode="read", burst_bytes=48, through="axi_crossbar")
    assert (short.streams[0].turn, longer.streams[0].turn) == (3, None)


def test_the_processor_has_none():
    with pytest.raises(AxiometerError, match="through names blocks before a port"):
        single(Platform.load("zedboard"), {"ports": "GP0", "through": "smartconnect"})
