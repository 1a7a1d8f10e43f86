"""Answers about the processor's side agree with their points."""

import statistics

import pytest

from axiometer.advice import processor as advise
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.runs.backends import model

ZED = Platform.load("zedboard")
CACHED = {"memory_type": "cached", "pl_mhz": 200}


def test_a_rate_is_that_of_the_runs_that_anyone_makes():
    """Seed 0, from the first repeat on: what `run` and `expect` show."""
    settings = {"ports": "GP1", "mode": "ps_to_pl", "master": "memcpy", "transfer_bytes": 4096}
    records = model.run_repeats(ZED, single(ZED, settings), 0, 0, advise.REPEATS)
    mean = statistics.fmean(r["total_MBps"] for r in records)
    assert advise.rate(ZED, settings) == mean
    assert len({r["total_MBps"] for r in records}) > 1  # repeats differ


@pytest.mark.parametrize("board", ["zedboard", "zcu102", "de1-soc"])
@pytest.mark.parametrize("master", advise.MASTERS)
def test_a_rate_of_a_long_transfer_is_that_of_the_whole(board, master):
    platform = Platform.load(board)
    port = "H2F" if board == "de1-soc" else "GP0" if board == "zedboard" else "HPM0_FPD"
    keys = {"ports": port, "mode": "ps_to_pl", "master": master, "transfer_bytes": 4 * advise.LONG}
    whole = model.run_repeats(platform, single(platform, keys), 0, 0, 1)[0]["total_MBps"]
    assert advise.rate(platform, keys) == pytest.approx(whole, rel=0.002)


def test_the_fastest_master_depends_on_the_size():
    small = advise.masters(ZED, 64, "ps_to_pl", **CACHED)
    large = advise.masters(ZED, 2**20, "ps_to_pl", **CACHED)
    assert small[0].name == "memcpy"
    assert large[0].name == "ps_dma"
    assert [c.rate for c in large] == sorted((c.rate for c in large), reverse=True)
    assert large[0].rate == advise.rate(ZED, large[0].settings)


@pytest.mark.parametrize("mode", ["ps_to_pl", "pl_to_ps"])
def test_the_crossover_is_where_the_fastest_changes(mode):
    at = advise.crossover(ZED, mode, **CACHED)
    assert at is not None
    both = ("memcpy", "ps_dma")
    assert advise.masters(ZED, at, mode, both, **CACHED)[0].name == "ps_dma"
    assert advise.masters(ZED, at - 64, mode, both, **CACHED)[0].name == "memcpy"


def test_a_loop_of_single_words_never_beats_the_dma_late():
    at = advise.crossover(ZED, "ps_to_pl", os="linux")
    assert at is not None
    assert at < 1024


def test_a_setting_of_one_master_leaves_the_others_as_they_are():
    """Also where they are asked for alone, and one of none is refused."""
    usual, wide = (
        {c.name: c.rate for c in advise.masters(ZED, 4096, "ps_to_pl", **of)}
        for of in ({}, {"copy_bytes": 16})
    )
    assert usual["memcpy"] != wide["memcpy"]
    assert (usual["loop"], usual["ps_dma"]) == (wide["loop"], wide["ps_dma"])
    assert advise.crossover(ZED, "ps_to_pl", copy_bytes=16)
    with pytest.raises(AxiometerError, match="ring_depth has no effect"):
        advise.masters(ZED, 4096, "ps_to_pl", ("ps_dma",), ring_depth=4)


def test_cache_control_costs_by_the_byte():
    cost = advise.cache_control_ns(ZED)
    line = ZED.value("processor.cache.maintenance_clocks") * 1.5  # ns
    assert line / 32 < cost < 2 * line / 32
    dearer = ZED.with_overrides({"processor.cache.maintenance_clocks": 52})
    assert advise.cache_control_ns(dearer) > 1.5 * cost


def test_a_deeper_ring_needs_smaller_buffers():
    found = advise.ring_sizes(ZED, cache_control="none")
    assert [r.depth for r in found] == list(advise.DEPTHS)
    limit = advise.ring_limit(ZED, cache_control="none")
    sizes = []
    for ring in found:
        assert ring.rate >= 0.9 * limit
        sizes.append(ring.buffer)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


def test_no_buffer_reaches_more_than_all():
    (ring,) = advise.ring_sizes(ZED, 1.5, [1])
    assert ring.buffer is None


def test_the_coherent_port_wins_where_lines_cost():
    first, second = advise.coherency(ZED, 16384)
    assert first.name == "coherent port"
    assert first.rate > 2 * second.rate
    free = ZED.with_overrides({"processor.cache.maintenance_clocks": 0})
    equal = advise.coherency(free, 16384)
    assert equal[0].rate == pytest.approx(equal[1].rate, rel=0.01)


def test_answers_in_words():
    lines = advise.words(ZED, 4096, "ps_to_pl", **CACHED)
    assert lines[0].startswith("For 4KiB")
    assert "the DMA is faster" in lines[1]
    lines = advise.ring_words(ZED)
    assert len(lines) == 1 + len(advise.DEPTHS) + 2
    assert "ns a byte" in lines[-2]


def test_a_chip_that_is_not_measured_answers():
    assert advise.ring_limit(Platform.load("de1-soc")) > 0
    known = advise.masters(Platform.load("de1-soc"), 64, "ps_to_pl")
    assert {choice.name for choice in known} == {"memcpy", "loop", "ps_dma"}
