"""Clocks become the intended fraction, despite noise and many decimals."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from axiometer.answer.analysis import pl_clocks
from axiometer.base import clocks
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform, pl_clock
from axiometer.present import clock_text
from axiometer.runs.backends import load
from axiometer.simulate import transfer
from axiometer.simulate.scenario import Scenario

MODEL = load("model")
BOARDS = {
    name: Platform.load(name) for name in ("zybo", "de1-soc", "zedboard", "zcu102", "ultra96")
}

# kHz steps, thirds, sevenths: clocks that somebody means; and whatever arithmetic gives.
MEANT = st.one_of(
    st.integers(1000, 200_000).map(lambda khz: Fraction(khz, 1000)),
    st.integers(3, 600).map(lambda n: Fraction(n, 3)),
    st.integers(7, 1400).map(lambda n: Fraction(n, 7)),
)
ANY = st.floats(1, 333, allow_nan=False)


@pytest.mark.parametrize(
    ("typed", "rate"),
    [
        (33.333333333333336, Fraction(100, 3)),
        (33.33333, Fraction(100, 3)),
        (133.33333333333334, Fraction(400, 3)),
        (299.9999970000001, Fraction(300)),
        (299.999997, Fraction(300)),  # as the published dataset has it
        (533.333333, Fraction(1600, 3)),
        (1066.6666, Fraction(10666666, 10000)),  # as the platform has it
        (123.457, Fraction(123457, 1000)),
        ("2000/3", Fraction(2000, 3)),
    ],
)
def test_the_rate_that_was_meant(typed, rate):
    assert clocks.meant(typed) == rate
    assert clocks.exact(float(rate)) == rate


@pytest.mark.parametrize("board", Platform.boards())
def test_every_clock_that_the_pll_makes_is_possible_as_any_tool_writes_it(board):
    """Up to the data sheet's, which is a PLL's over a whole number, too; nothing is above it."""
    platform = Platform.load(board)
    least, most = pl_clock.limits(platform)
    plls = {Fraction(pll) for pll in (800, 1000, 1200, 1333, 1500, 1600, 2000)} | {least, most}
    if platform.has("clocks.pl_pll_mhz"):
        plls.add(clocks.meant(platform.number("clocks.pl_pll_mhz")))
    made = [pll / by for pll in plls for by in range(1, 64) if least <= pll / by <= most]
    assert not platform.family.endswith("ultrascale-plus") or Fraction(1000, 3) in made
    (port,) = platform.ports[:1]
    for mhz in made:
        for digits in (3, 6, 15):
            typed = round(float(mhz), digits)
            values = single(platform, {"ports": port, "pl_mhz": typed}).values
            assert values["pl_mhz"] == pytest.approx(typed, rel=1e-6)
    with pytest.raises(AxiometerError, match="give a number from"):
        single(platform, {"ports": port, "pl_mhz": float(most) * (1 + 1e-4)})


@given(MEANT, st.floats(-1e-9, 1e-9))
def test_noise_changes_no_clock(rate, noise):
    assert clocks.meant(float(rate) * (1 + noise)) == rate
    assert clocks.exact(float(rate)) == rate


@given(ANY)
def test_every_clock_is_within_1_ppm_and_stands_for_itself(mhz):
    rate = clocks.meant(mhz)
    assert abs(rate - Fraction(str(mhz))) <= Fraction(str(mhz)) * clocks.TOLERANCE
    assert clocks.exact(clocks.number(rate)) == rate


@given(ANY, st.sampled_from(sorted(BOARDS)))
def test_periods_are_whole_and_small_enough_for_a_run_of_seconds(mhz, board):
    ddr = BOARDS[board].value("clocks.ddr_mhz")
    pl = clocks.number(clocks.meant(mhz))
    periods = clocks.ratio(ddr, pl)
    assert Fraction(periods["ddr"], periods["pl"]) == clocks.exact(pl) / clocks.meant(ddr)
    # The model holds times up to 2^61 units; a free run may take 2^34 clocks (simulate/cost.py)
    # where the clocks are those of a PLL.
    assert max(periods.values()) <= 2**31
    if clocks.exact(pl).denominator <= 3:
        assert max(periods.values()) <= 2**27


def rate(board, port, mhz, **more):
    short = {"duration": "20us"} if "US+" in more.pop("kind", "") else {"transfer_bytes": "4KiB"}
    keys = {"ports": port, "pl_mhz": mhz, **short, **more}
    point = single(BOARDS[board], keys)
    (record,) = MODEL.run_repeats(BOARDS[board], point, 0, 0, 1)
    return record["total_MBps"], point


# Free of the faults that brought this file about: 3.49 MB/s, 0, and 5 648 894 MB/s.
@settings(max_examples=40, deadline=None)
@given(
    MEANT,
    st.sampled_from(
        [
            ("zybo", "HP0", {"mode": "write"}),
            ("zybo", "HP0+HP1", {"mode": "duplex"}),
            ("de1-soc", "F2S", {"mode": "read"}),
            ("zedboard", "HP0", {"mode": "read"}),
            ("ultra96", "HP0+HP3", {"mode": "mixed", "kind": "US+"}),
            ("zcu102", "HP0", {"mode": "write", "kind": "US+"}),
        ]
    ),
)
def test_a_rate_does_not_depend_on_noise_and_stays_below_the_peaks(mhz, where):
    board, port, more = where
    found, point = rate(board, port, float(mhz), **more)
    assert rate(board, port, float(mhz) * (1 + 1e-9), **more)[0] == found
    values, platform = point.values, BOARDS[board]
    directions = 2 if values["mode"] in ("duplex", "mixed") else 1
    ports = len(values["ports"]) * directions * values["width_bits"] / 8 * float(mhz)
    dram = platform.value("clocks.ddr_mhz") * 2 * platform.value("dram.bus_bits") / 8
    assert 0 < found <= min(ports, dram) * (1 + 1e-6)


def test_what_is_not_the_clock_that_was_typed_is_said():
    def said(board, **keys):
        point = single(BOARDS[board], keys)
        return clock_text.note(pl_clocks.of_point(BOARDS[board], point.key, point.values))

    assert said("zybo", ports="HP0", pl_mhz=200) is None
    assert said("zybo", ports="HP0", pl_mhz=142.857) is None
    assert said("de1-soc", ports="F2S", pl_mhz=133.333) is None
    assert said("zybo", ports="HP0", pl_mhz=100 / 3) is None
    assert said("zcu102", ports="HP0") is None
    assert "is 300 MHz" in said("zcu102", ports="HP0", pl_mhz=299.999997)
    assert "100/3" in said("zybo", ports="HP0", pl_mhz=33.33333)
    by_pll = {"ports": "GP1", "mode": "ps_to_pl", "master": "memcpy", "transfer_bytes": 64}
    assert "150 MHz were asked for, 142.8571 are" in said("zedboard", pl_mhz=150, **by_pll)
    assert "the next: 166.6667" in said("zedboard", pl_mhz=150, **by_pll)
    between = said("zybo", ports="HP0", pl_mhz=150)
    assert "simulated as asked for" in between
    assert "142.8571 (over 7) or 166.6667 (over 6)" in between
    assert said("zedboard", pl_mhz=200, **by_pll) is None


def test_a_clock_is_said_as_it_is_even_where_it_is_as_asked_for():
    def line(board, **keys):
        point = single(BOARDS[board], keys)
        return clock_text.line(pl_clocks.of_point(BOARDS[board], point.key, point.values))

    assert line("zybo", ports="HP0") == (
        "PL clock: 100 MHz, as asked for: the PLL of 1000 MHz over 10; "
        "the next: 90.90909 and 111.1111."
    )
    assert line("zcu102", ports="HP0").endswith("over 5; the next: 250.")  # 375 MHz are too many
    assert line("de1-soc", ports="F2S") == "PL clock: 100 MHz, as asked for, made in the fabric."


def test_the_document_of_a_clock_has_what_was_asked_and_what_is_made():
    point = single(BOARDS["zybo"], {"ports": "HP0", "pl_mhz": 150})
    found = clock_text.document(pl_clocks.of_point(BOARDS["zybo"], point.key, point.values))
    assert (found["asked_mhz"], found["simulated_mhz"], found["pll_mhz"]) == (150, 150, 1000)
    assert found["made_mhz"] == found["below_mhz"] == 1000 / 7
    assert found["above_mhz"] == 1000 / 6 and found["made_by_dividing_by"] == 7


@pytest.mark.parametrize(
    ("asked", "made"),
    [
        (142, Fraction(1000, 7)),  # PYNQ's base overlay: PCW_ACT_FPGA1_PERIPHERAL_FREQMHZ
        (142.857, Fraction(1000, 7)),  # which is less than 1000 / 7 by 1 ppm
        (150, Fraction(1000, 7)),  # the published designs for the Zedboard
        (166, Fraction(500, 3)),
        (250, Fraction(250)),
        (240, Fraction(250)),
        (1, Fraction(1)),
    ],
)
def test_the_processors_side_has_the_nearest_clock_that_the_pll_makes(asked, made):
    assert transfer.pl_mhz(BOARDS["zedboard"], asked) == made


def test_no_clock_is_made_that_the_fabric_may_not_have():
    board = Platform.load("zynq7000-650")  # 1050 MHz over 4 is 262.5
    assert transfer.pl_mhz(board, 250) == 210


@given(st.integers(500, 2000), st.sampled_from([(1, 63), (2, 63), (2, 7)]), st.floats(0.3, 300))
def test_next_clocks_are_neighbours(pll, how, asked):
    """Against a search of all dividers."""
    dividers, most = how
    asked = clocks.exact(clocks.number(clocks.meant(asked)))
    one = range(1, most + 1)
    every = {a * b for a in one for b in (one if dividers > 1 else [1])}
    rates = sorted(Fraction(pll, by) for by in every)
    found = pl_clock.makes(Fraction(pll), dividers, most, asked, Fraction(10**6))
    exact = [rate for rate in rates if abs(rate - asked) <= asked * pl_clock.SAME]
    if len(exact) == 1:
        assert found.made.mhz == exact[0]
    middle = found.made.mhz if found.made else asked
    below, above = [r for r in rates if r < middle], [r for r in rates if r > middle]
    assert (found.below and found.below.mhz) == (below[-1] if below else None)
    assert (found.above and found.above.mhz) == (above[0] if above else None)
    if found.made is None and rates:
        assert found.nearest.mhz == min(rates, key=lambda r: (abs(r - asked), r))


def test_a_clock_of_the_processors_side_is_not_lost_to_a_decimal():
    point = single(
        BOARDS["zedboard"],
        {
            "ports": "GP1", "mode": "ps_to_pl", "master": "memcpy",
            "transfer_bytes": 64, "pl_mhz": 33.333333,
        },
    )  # fmt: skip
    assert transfer.pl_mhz(BOARDS["zedboard"], point.values["pl_mhz"]) == Fraction(100, 3)


def test_two_decimals_make_no_clock_more():
    assert clocks.ceil_clocks(4, 533.3333333, 355.5555) == 6
    assert clocks.ceil_clocks(4, 533.4, 355.555556) == 7
    point = single(BOARDS["zedboard"], {"ports": "HP0"})
    assert Scenario.of(BOARDS["zedboard"], point.values).paths[0].column_clocks == 6
