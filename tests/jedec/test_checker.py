"""The checker against cases from the standard, and each rule against a violation by one clock."""

import pytest
from checker import TIMING, Violation, check

# JESD79-3, timing figures of the READ and WRITE operations: RL = 5 (CL 5, AL 0), WL = 5. The others
# are those of the speed bin DDR3-800D (5-5-5, tCK 2.5 ns), 2 Gb, 2 KB pages.
JEDEC_800D = {
    "CL": 5, "CWL": 5, "tRCD": 5, "tRP": 5, "tRAS": 15, "tRC": 20, "tRRD": 4, "tFAW": 20,
    "tCCD": 4, "tWTR": 4, "tRTP": 4, "tWR": 6, "tRFC": 64, "tREFI": 3120,
    "burst_length": 8, "banks": 8, "rows": 16384, "columns": 1024,
}  # fmt: skip

# Micron MT41J128M16 -187E (DDR3-1066, 7-7-7), data sheet figures at tCK = 1.875 ns: tRAS 37.5 ns,
# tRC 50.625 ns, tRRD 10 ns, tFAW 50 ns (2 KB pages), tRFC 160 ns (2 Gb), tREFI 7.8 us, tWR 15 ns.
MICRON_1066 = {
    "CL": 7, "CWL": 6, "tRCD": 7, "tRP": 7, "tRAS": 20, "tRC": 27, "tRRD": 6, "tFAW": 27,
    "tCCD": 4, "tWTR": 4, "tRTP": 4, "tWR": 8, "tRFC": 86, "tREFI": 4160,
    "burst_length": 8, "banks": 8, "rows": 16384, "columns": 1024,
}  # fmt: skip


def rules(parameters, trace, **options):
    return {violation.rule for violation in check(parameters, trace, **options)}


def act(clock, bank=0, row=0):
    return (clock, "ACT", bank, row, 0)


def pre(clock, bank=0):
    return (clock, "PRE", bank, 0, 0)


def prea(clock):
    return (clock, "PREA", 0, 0, 0)


def rd(clock, bank=0, row=0, column=0):
    return (clock, "RD", bank, row, column)


def wr(clock, bank=0, row=0, column=0):
    return (clock, "WR", bank, row, column)


def ref(clock):
    return (clock, "REF", 0, 0, 0)


# -- figures of the standard: T0 of a figure is clock 100, the row was opened well before ---------


@pytest.mark.parametrize(
    ("what", "trace"),
    [
        ("consecutive READ (BL8) to READ (BL8): T0, T4", [rd(100), rd(104, column=8)]),
        ("consecutive WRITE (BL8) to WRITE (BL8): T0, T4", [wr(100), wr(104, column=8)]),
        ("READ (BL8) to WRITE (BL8): WRITE at T6", [rd(100), wr(106)]),
        ("WRITE (BL8) to READ (BL8): tWTR from T9, READ at T13", [wr(100), rd(113)]),
        ("WRITE (BL8) to PRECHARGE: tWR from T9, PRE at T15", [wr(100), pre(115)]),
        ("READ to PRECHARGE: tRTP = 4, tRP = 5: PRE at T4, ACT at T9",
         [rd(100), pre(104), act(109, row=1)]),
    ],
)  # fmt: skip
def test_figures_of_the_standard(what, trace):
    assert check(JEDEC_800D, [act(50), *trace]) == [], what
    sooner = [*trace[:-1], (trace[-1][0] - 1, *trace[-1][1:])]
    assert check(JEDEC_800D, [act(50), *sooner]) != [], f"one clock sooner than {what}"


def test_tfaw_figure_of_the_standard():
    """A rolling window: ACT at clock N, then at most three more until N + tFAW."""
    trace = [act(4 * bank, bank) for bank in range(4)] + [act(20, 4), act(24, 5)]
    assert check(JEDEC_800D, trace) == []
    assert rules(JEDEC_800D, [*trace, act(27, 6)]) == {"tFAW", "tRRD"}
    assert rules({**JEDEC_800D, "tRRD": 2}, [*trace, act(27, 6)]) == {"tFAW"}


# -- legal sequences with every gap at its limit --------------------------------------------------


def test_minimal_row_cycle_of_the_micron_part():
    """tRCD + tRTP < tRAS, so tRAS closes the row, and tRAS + tRP is just tRC."""
    trace = [act(0), rd(7), pre(20), act(27, row=1), wr(34, row=1), pre(52), prea(59), ref(66)]
    trace += [act(152)]
    assert check(MICRON_1066, trace) == []


def test_streaming_reads_then_writes_then_reads():
    trace = [act(6 * bank, bank) for bank in range(4)] + [act(27, 4)]
    trace += [rd(28 + 4 * i, bank=i % 4, column=8 * i) for i in range(8)]
    last_read = trace[-1][0]
    first_write = last_read + 7 + 4 + 2 - 6
    trace += [wr(first_write + 4 * i, bank=i % 5, column=8 * i) for i in range(8)]
    last_write = trace[-1][0]
    trace += [rd(last_write + 6 + 4 + 4 + 4 * i, bank=i % 5, column=8 * i) for i in range(8)]
    assert check(MICRON_1066, trace) == []


# -- each rule, violated by one clock -------------------------------------------------------------

# (rule, other rules that the same violation must break, parameters that differ, trace by gap,
# least gap). In each trace the gap in question is the only one at its limit.
ONE_CLOCK = [
    ("tRCD", set(), {}, lambda g: [act(0), rd(g)], 7),
    ("tRCD", set(), {}, lambda g: [act(0), wr(g)], 7),
    ("tRAS", set(), {}, lambda g: [act(0), pre(g)], 20),
    ("tRAS", set(), {}, lambda g: [act(0), prea(g)], 20),
    ("tRP", set(), {}, lambda g: [act(0), pre(30), act(30 + g)], 7),
    ("tRP", set(), {}, lambda g: [act(0), prea(30), act(30 + g)], 7),
    ("tRP", set(), {}, lambda g: [act(0), pre(30), ref(30 + g)], 7),
    ("tRP", set(), {}, lambda g: [act(0), pre(30), pre(40), act(40 + g)], 7),
    ("tRC", set(), {"tRC": 30}, lambda g: [act(0), pre(20), act(g)], 30),
    ("tRC", set(), {"tRC": 30}, lambda g: [act(0), pre(20), ref(g)], 30),
    ("tRRD", set(), {}, lambda g: [act(0), act(g, 1)], 6),
    ("tFAW", set(), {}, lambda g: [act(0), act(6, 1), act(12, 2), act(18, 3), act(g, 4)], 27),
    ("tCCD", {"data_bus"}, {}, lambda g: [act(0), rd(20), rd(20 + g)], 4),
    ("tCCD", {"data_bus"}, {}, lambda g: [act(0), wr(20), wr(20 + g)], 4),
    ("tCCD", set(), {"tCCD": 5}, lambda g: [act(0), rd(20), rd(20 + g)], 5),
    ("data_bus", set(), {"tCCD": 2}, lambda g: [act(0), rd(20), rd(20 + g)], 4),
    ("tWTR", set(), {}, lambda g: [act(0), wr(20), rd(20 + g)], 14),
    ("tWTR", set(), {}, lambda g: [act(0), act(6, 1), wr(20), rd(20 + g, 1)], 14),
    ("read_to_write", set(), {}, lambda g: [act(0), rd(20), wr(20 + g)], 7),
    ("read_to_write", set(), {"read_to_write": 9}, lambda g: [act(0), rd(20), wr(20 + g)], 9),
    ("tRTP", set(), {}, lambda g: [act(0), rd(20), pre(20 + g)], 4),
    ("tWR", set(), {}, lambda g: [act(0), wr(7), pre(7 + g)], 18),
    ("tWR", set(), {}, lambda g: [act(0), wr(7), prea(7 + g)], 18),
    ("tRFC", set(), {}, lambda g: [ref(0), act(g)], 86),
    ("tRFC", set(), {}, lambda g: [ref(0), ref(g)], 86),
    ("tRFC", set(), {}, lambda g: [ref(0), prea(g)], 86),
    ("command_bus", set(), {}, lambda g: [act(0), act(40, 1), rd(60), pre(60 + g, 1)], 1),
]


@pytest.mark.parametrize(("rule", "others", "differ", "trace", "least"), ONE_CLOCK)
def test_each_rule_to_the_clock(rule, others, differ, trace, least):
    parameters = {**MICRON_1066, **differ}
    assert check(parameters, trace(least)) == []
    broken = check(parameters, trace(least - 1))
    assert {violation.rule for violation in broken} == {rule} | others
    culprit = trace(least - 1)[-1]
    assert {violation.clock for violation in broken} == {culprit[0]}


def test_every_timing_parameter_is_tested():
    latencies = {"CL", "CWL", "burst_length", "banks"}
    assert set(TIMING) - latencies - {case[0] for case in ONE_CLOCK} == {"tREFI"}


# -- states, addresses, order ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "trace"),
    [
        ("bank_open", [act(0), act(50, row=1)]),
        ("bank_closed", [rd(0)]),
        ("bank_closed", [wr(0)]),
        ("bank_closed", [act(0), pre(30), rd(60)]),
        ("bank_closed", [act(0), prea(30), wr(60)]),
        ("wrong_row", [act(0, row=3), rd(30, row=4)]),
        ("wrong_row", [act(0, row=3), wr(30, row=4)]),
        ("refresh_open", [act(0), ref(60)]),
        ("range", [act(0, bank=8)]),
        ("range", [act(0, bank=-1)]),
        ("range", [act(0, row=16384)]),
        ("range", [act(0), rd(30, column=1024)]),
        ("order", [act(100), act(50, 1)]),
        ("unknown", [(0, "ZQCS", 0, 0, 0)]),
    ],
)
def test_states_and_addresses(rule, trace):
    assert rule in rules(MICRON_1066, trace)


def test_precharge_of_a_closed_bank_is_allowed():
    assert check(MICRON_1066, [pre(0), prea(1), act(0 + 1 + 7)]) == []


def test_missing_parameter_is_named():
    with pytest.raises(ValueError, match="tFAW"):
        check({key: value for key, value in MICRON_1066.items() if key != "tFAW"}, [])


def test_a_violation_states_the_right_value():
    [violation] = check(MICRON_1066, [act(0, 2), rd(5, 2)])
    assert violation == Violation(
        "tRCD", 5, "RD of bank 2 comes 5 clocks after its ACT at 0; 7 are needed"
    )


# -- refresh --------------------------------------------------------------------------------------

T = MICRON_1066["tREFI"]


def test_regular_refresh():
    assert check(MICRON_1066, [ref(i * T) for i in range(1, 50)], end=50 * T) == []


def test_eight_refreshes_may_be_postponed_and_are_then_made_up():
    """JESD79-3, figure "Postponing Refresh Commands": 9 tREFI pass, then 9 REF follow."""
    late = [ref(10 * T + 86 * i) for i in range(9)]
    assert check(MICRON_1066, [ref(T), *late, ref(11 * T)], end=12 * T) == []
    one_clock_late = [ref(clock + 1) for clock, *_ in late]
    assert rules(MICRON_1066, [ref(T), *one_clock_late], end=11 * T) == {"tREFI"}


def test_no_refresh_at_all():
    assert check(MICRON_1066, [], end=9 * T - 1) == []
    assert rules(MICRON_1066, [], end=9 * T + 1) == {"tREFI"}


def test_postponed_refreshes_must_be_made_up():
    """Each gap is allowed, but the average is not."""
    assert rules(MICRON_1066, [ref(2 * i * T) for i in range(1, 12)]) == {"tREFI"}


def test_a_slightly_slow_refresh_is_caught_in_the_long_run():
    slow = T + T // 100
    assert check(MICRON_1066, [ref(i * slow) for i in range(1, 800)]) == []
    assert rules(MICRON_1066, [ref(i * slow) for i in range(1, 1000)]) == {"tREFI"}


def test_at_most_sixteen_refreshes_within_two_intervals():
    assert check(MICRON_1066, [ref(100 * i) for i in range(1, 17)]) == []
    assert rules(MICRON_1066, [ref(100 * i) for i in range(1, 18)]) == {"tREFI"}


# -- a law ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at", range(12))
@pytest.mark.parametrize("idle", [1, 5, 100])
def test_idle_clocks_never_break_a_minimum(at, idle):
    """Minimum distances survive when everything after a point comes later."""
    trace = [act(0), act(6, 1), rd(7), rd(13, 1), wr(20), rd(34), pre(38, 1)]
    trace += [pre(39), act(46, row=5), act(52, 1), wr(59, 1), prea(77), ref(84)]
    assert check(MICRON_1066, trace) == []
    later = trace[:at] + [(clock + idle, *rest) for clock, *rest in trace[at:]]
    assert check(MICRON_1066, later) == []
