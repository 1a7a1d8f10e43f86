"""Costs of findings: the simulated rate with and without a mistake, against laws and computed
cases."""

import re

import pytest
from test_design_checks import (
    ACP_USER,
    AREA,
    CASES,
    INIT,
    NARROW,
    WIDENS,
    WIDTH,
    dma,
    hls,
    on,
)

import design_kit as kit
from axiometer.advice.costs import Costs
from axiometer.designs import changes, load
from axiometer.designs.checks import check
from axiometer.platform import Platform

BOARDS = {"zynq-7000": "zybo", "zynq-ultrascale-plus": "ultra96"}


def costs_of(tmp_path, *modules, init=None):
    """The design, and its findings by code with their costs."""
    members = {"bd.hwh": kit.hwh(*modules)} | ({"ps7_init.tcl": init} if init else {})
    design = load(kit.export(tmp_path / "x.xsa", members))
    costs = Costs(design, Platform.load(BOARDS[design.chip]))
    return design, {f.code: costs.of(f) for f in check(design)}


def cost(tmp_path, code, *modules, init=None):
    return costs_of(tmp_path, *modules, init=init)[1][code]


@pytest.mark.parametrize("code", CASES)
def test_every_finding_states_its_cost_or_why_it_has_none(tmp_path, code):
    found = cost(tmp_path, code, *CASES[code][0])
    assert found.says.endswith(".")
    assert "unknown" not in found.says


def test_a_dma_behind_a_general_port_is_bound_by_its_width(tmp_path):
    found = cost(tmp_path, "dma-at-general-port", dma(), on("S_AXI_GP0", width=32))
    assert "at most 400 MB/s each way by its width" in found.says  # 4 bytes x 100 MHz
    assert 400 < found.mended_MBps <= 800  # 8 bytes x 100 MHz at S_AXI_HP0
    assert "At S_AXI_HP0, dma.M_AXI_MM2S gets" in found.says


def test_one_outstanding_costs_the_time_of_the_memory(tmp_path):
    found = cost(tmp_path, "one-outstanding", hls(outstanding=1), on())
    assert found.now_MBps < 0.75 * found.mended_MBps
    share = round((1 - found.now_MBps / found.mended_MBps) * 100)
    assert found.says.startswith(f"Costs {share} %:")
    # The remedy is 4 outstanding bursts: a master that has 4 has no such finding.
    _, four = costs_of(tmp_path, hls(outstanding=4, beats=4), on())
    assert "one-outstanding" not in four


def test_an_interconnect_for_least_area_costs_as_one_outstanding(tmp_path):
    area = cost(tmp_path, "one-at-a-time", dma(), AREA, on(net="h"))
    assert area.now_MBps < 0.75 * area.mended_MBps
    alone = cost(tmp_path, "one-outstanding", hls(outstanding=1), on())
    assert area.now_MBps == pytest.approx(alone.now_MBps, rel=0.01)


@pytest.mark.parametrize("bits", [14, 16])
def test_a_short_length_costs_what_software_takes(tmp_path, bits):
    found = cost(tmp_path, "short-length", dma(C_SG_LENGTH_WIDTH=bits), on())
    lasts = (2**bits - 1) / found.mended_MBps
    said = re.search(
        r"(\d+) bytes takes (\d+) us at (\d+) MB/s .* 10 us .* costs (\d+) %", found.says
    )
    assert [int(n) for n in said.groups()] == [
        2**bits - 1,
        round(lasts),
        round(found.mended_MBps),
        round(10 / (10 + lasts) * 100),
    ]


def test_a_length_of_any_core_is_one(tmp_path):
    facts = {"DMA_DATA_WIDTH_SRC": 64, "DMA_DATA_WIDTH_DEST": 64, "DMA_LENGTH_WIDTH": 12}
    port = kit.writes("m_dest_axi", "d", 64)
    block = kit.module("adc", "analog.com:user:axi_dmac:1.0", port, parameters=facts)
    assert "4095 bytes takes" in cost(tmp_path, "short-length", block, on()).says


def test_a_port_that_registers_set_to_32_bits_carries_half(tmp_path):
    init = INIT.format(d=0x10) + WIDTH
    found = cost(tmp_path, "width-of-registers", dma(), on(), init=init)
    assert found.now_MBps <= 400 < found.mended_MBps
    narrow = cost(tmp_path, "narrow-port", dma(), on(width=32, **NARROW))
    assert narrow.now_MBps == pytest.approx(found.now_MBps, rel=0.01)
    assert narrow.mended_MBps == pytest.approx(found.mended_MBps, rel=0.01)


def test_axcache_that_forbids_merging_costs_beats_of_the_port(tmp_path):
    """A beat of 32 bits takes a clock of the port, as one of 64 bits does."""
    found = cost(tmp_path, "no-upsizing", hls(width=32, cache=0), WIDENS, on(net="h"))
    narrow, wide = (found.now_MBps / (size * 100) * 100 for size in (4, 8))
    assert 50 < narrow <= 100
    assert f"take {narrow:.0f} % of S_AXI_HP0, merged {wide:.0f} %" in found.says


def test_what_is_not_coherent_is_wrong_and_not_slow(tmp_path):
    found = cost(
        tmp_path, "not-coherent", hls(cache=0, ARUSER_WIDTH=1), on("S_AXI_ACP", **ACP_USER)
    )
    assert found.says == "It has no cost as a rate: data are wrong at any rate."
    assert (found.now_MBps, found.mended_MBps) == (None, None)


def test_a_clock_that_the_pll_cannot_make_costs_its_share(tmp_path):
    slow = dma().replace("ps_FCLK_CLK0", "ps_FCLK_CLK1")
    port = on().replace("bd_ps_0_FCLK_CLK0", "bd_ps_0_FCLK_CLK1")
    found = cost(tmp_path, "clock-not-as-asked", slow, port)
    # 150 MHz asked, 142.857 made: at most 5 %.
    assert 1 < found.mended_MBps / found.now_MBps < 1.06


def test_a_port_that_is_shared_costs_nothing_where_the_memory_is_the_limit(tmp_path):
    found = cost(tmp_path, "crowded-port", *CASES["crowded-port"][0])
    assert found.mended_MBps >= found.now_MBps * 0.99


def test_settings_that_mend_are_those_of_the_design(tmp_path):
    """What a finding says to set can be set: the finding is gone, or its settings hold."""
    for code, (modules, _, _) in CASES.items():
        members = {"bd.hwh": kit.hwh(*modules)}
        design = load(kit.export(tmp_path / "x.xsa", members))
        for finding in check(design):
            mended = design
            for key, value in (*finding.mend, *finding.as_is):
                mended = changes.changed(mended, key, value)
            if finding.mend and code != "short-bursts":
                assert mended != design, finding


def test_a_block_that_lets_one_through(tmp_path):
    design = load(kit.saved(tmp_path, dma(), AREA, on(net="h")))
    freed = changes.changed(design, "ic.one_at_a_time", False)
    assert [h.outstanding for h in freed.masters[0].routes[0].hops] == [None]
    again = changes.changed(freed, "ic.one_at_a_time", True)
    assert [h.outstanding for h in again.masters[0].routes[0].hops] == [1]
    with pytest.raises(Exception, match="give true or false"):
        changes.changed(design, "ic.one_at_a_time", 4)
