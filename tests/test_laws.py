"""Laws that hold for every run of the model, on configurations of seeds.

Each law is a function that asserts it on a result, so that a damaged result can be shown to break
it: a law that no result can break says nothing.
"""

from copy import deepcopy

import pytest

import fuzz_model
from axiometer import _model as model
from fuzz_model import DIRECTIONS
from law_cases import cases, lone_streams, one_reader


def run(spec, start, **options):
    return model.Simulator(spec).run(start, **options)


def breaks(check, *arguments):
    """Whether the law notices the damage."""
    with pytest.raises(AssertionError):
        check(*arguments)


def damaged(result, *place, by=1):
    """The result with one figure changed."""
    copy = deepcopy(result)
    table = copy
    for key in place[:-1]:
        table = table[key]
    table[place[-1]] += by
    return copy


@pytest.fixture(scope="module")
def healthy():
    """A run to damage, in which several streams read and write."""
    seeds = map(fuzz_model.case, range(200))
    case = next(c for c in seeds if len(c.spec["streams"]) > 2 and c.starts[0]["stop"] < 0)
    return case.spec, run(case.spec, case.starts[0])


# -- Little's law: in flight on average = rate x latency ------------------------------------------


def check_little(spec, start, result):
    """The sum over time of the bursts in flight is the sum of their latencies, to the cycle.

    Neither side may use the other's figures. A run that is stopped at a cycle issues as many
    bursts as the whole run has issued by then. A transfer of n bursts ends when burst n of the
    whole is done: nothing that comes later moves it, as the stream is alone and served in order.
    """
    [stream], [figures] = spec["streams"], result["streams"]
    done = []
    for n in range(1, figures["bursts"] + 1):
        size = min(stream["bytes"], n * stream["burst_bytes"])
        shorter = spec | {"streams": [stream | {"bytes": size}]}
        done.append(run(shorter, start)["streams"][0]["end"] - 1)
    simulator, in_flight = model.Simulator(spec), 0
    for cycle in range(figures["launch"], figures["end"]):
        issued = simulator.run(start | {"stop": cycle})["streams"][0]["bursts"]
        in_flight += issued - sum(d < cycle for d in done)
    assert in_flight == figures["latency_sum"]


def test_little():
    looked = 0
    for spec, start in lone_streams():
        [stream] = spec["streams"]
        stream["bytes"] = min(stream["bytes"], 12 * stream["burst_bytes"])
        result = run(spec, start)
        if result["streams"][0]["end"] < 3000:
            looked += 1
            check_little(spec, start, result)
    assert looked > 20


def test_little_notices_a_lost_cycle():
    spec, start = one_reader()
    result = run(spec, start)
    check_little(spec, start, result)
    breaks(check_little, spec, start, damaged(result, "streams", 0, "latency_sum"))


def check_outstanding(spec, result):
    """No more bursts are in flight than are allowed; each is, from its begin until it is done."""
    for stream, figures in zip(spec["streams"], result["streams"], strict=True):
        busy = figures["latency_sum"] + figures["bursts"]
        assert busy <= stream["outstanding"] * (figures["end"] - figures["launch"])


def test_one_outstanding_fills_the_time():
    """With one burst outstanding and nothing else to wait for, the next follows at once."""
    for spec, start in cases():
        for stream in spec["streams"]:
            stream |= dict.fromkeys(("gap_cycles", "pace_cycles", "between_cycles"), 0)
            stream |= {"outstanding": 1, "partner": -1}
        for figures in run(spec, start)["streams"]:
            assert figures["latency_sum"] + figures["bursts"] == figures["end"] - figures["launch"]


def test_outstanding_notices_too_long_latencies():
    spec, start = one_reader()
    result = run(spec, start)
    check_outstanding(spec, result)
    time = result["streams"][0]["end"] - result["streams"][0]["launch"]
    breaks(check_outstanding, spec, damaged(result, "streams", 0, "latency_sum", by=4 * time))


# -- what goes in comes out -----------------------------------------------------------------------


def check_bytes(spec, result, exactly=False):
    column_bytes = spec["dram"]["column_bytes"]
    for direction in DIRECTIONS:
        wanted = sum(s["bytes"] for s in spec["streams"] if s["direction"] == direction)
        moved = result["counts"][direction + "s"] * column_bytes
        assert moved == wanted if exactly else moved >= wanted
    for stream, figures in zip(spec["streams"], result["streams"], strict=True):
        assert figures["bytes"] == stream["bytes"]
        assert figures["bursts"] == -(-stream["bytes"] // stream["burst_bytes"])
        assert sum(count for _, count in figures["latency"]) == figures["bursts"]


def test_bytes_time_and_bursts_of_every_run():
    for spec, start in cases():
        result = run(spec, start)
        check_bytes(spec, result)
        check_outstanding(spec, result)
        check_books(spec, result)


def test_aligned_bytes_are_moved_once():
    for spec, start in cases(aligned=True):
        check_bytes(spec, run(spec, start), exactly=True)


def test_bytes_notice_a_lost_command():
    spec, start = one_reader()
    result = run(spec, start)
    check_bytes(spec, result, exactly=True)
    breaks(check_bytes, spec, damaged(result, "counts", "reads", by=-1))
    breaks(check_bytes, spec, damaged(result, "counts", "reads"), True)
    breaks(check_bytes, spec, damaged(result, "streams", 0, "bursts", by=-1))


# -- the books ------------------------------------------------------------------------------------


def check_books(spec, result):
    """Each clock and each cycle is in exactly one class."""
    assert sum(result["classes"].values()) == result["clocks"]
    assert min(result["classes"].values()) >= 0
    for direction in DIRECTIONS:  # writes may still be under way at the end
        data = result["counts"][direction + "s"] * spec["dram"]["timing"]["tCCD"]
        assert result["classes"][direction + "_data"] <= data
    for stream, figures in zip(spec["streams"], result["streams"], strict=True):
        classes = figures["classes"]
        pl = spec["clocks"]["pl"]
        period = spec["ports"][stream["port"]].get("period") or pl
        cycles = result["cycles"] * pl // period
        assert sum(classes.values()) == cycles
        assert min(classes.values()) >= 0
        assert classes["launch"] == figures["launch"]
        assert classes["done"] == cycles - figures["end"]
        width = spec["ports"][stream["port"]]["width_bytes"]
        assert classes["data"] >= -(-figures["bytes"] // width)


def test_books_notice_a_clock_in_two_classes(healthy):
    spec, result = healthy
    check_books(spec, result)
    for name in result["classes"]:
        breaks(check_books, spec, damaged(result, "classes", name))
    for name in result["streams"][0]["classes"]:
        breaks(check_books, spec, damaged(result, "streams", 0, "classes", name))


# -- the same again -------------------------------------------------------------------------------


def test_the_same_start_gives_the_same_result():
    """Also on a simulator that has run another start, and where what recurs is skipped."""
    for spec, start in cases():
        for stream in spec["streams"]:
            stream["bytes"] *= 4
        simulator = model.Simulator(spec)
        first = simulator.run(start, skip=False)
        simulator.run(start | {"first_refresh": start["first_refresh"] // 2})
        for again in (simulator.run(start), simulator.run(start, verify=True)):
            assert again | {"skipped_intervals": 0} == first


# -- faster clocks --------------------------------------------------------------------------------


def check_not_later(slow_spec, slow, fast_spec, fast):
    for a, b in zip(slow["streams"], fast["streams"], strict=True):
        assert b["end"] * fast_spec["clocks"]["pl"] <= a["end"] * slow_spec["clocks"]["pl"]


@pytest.mark.parametrize("times", [2, 3, 5])
def test_a_faster_clock_is_not_slower(times):
    """A PL clock that has all the edges of a slower one, and more, ends no stream later.

    As a law this holds for a stream that is alone in one row between two refreshes: then every
    time is a maximum of sums of earlier ones. Elsewhere, as in any scheduler, a request that
    comes earlier may meet a refresh, or a busy command bus, which a later one misses.
    """
    for spec, start in lone_streams():
        [stream] = spec["streams"]
        row = spec["dram"]["row_bytes"]
        stream |= {"base": 0, "bytes": min(stream["bytes"], row)}
        spec["clocks"] = {key: period * times for key, period in spec["clocks"].items()}
        fast = deepcopy(spec)
        fast["clocks"]["pl"] //= times
        start |= {"launch": [0], "first_refresh": 10**8}
        check_not_later(spec, run(spec, start), fast, run(fast, start))


def test_a_clock_that_slows_a_stream_is_noticed():
    spec, start = one_reader()
    fast = spec | {"clocks": {"ddr": 4, "pl": 10}}
    slow = run(spec, start)
    check_not_later(spec, slow, fast, run(fast, start))
    breaks(
        check_not_later, spec, slow, fast, damaged(slow, "streams", 0, "end", by=2 * slow["cycles"])
    )
