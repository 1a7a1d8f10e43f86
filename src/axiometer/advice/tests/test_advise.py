"""`axiometer advise`: the search finds the best of an exhaustive search, and states the gain."""

import json
from dataclasses import replace
from itertools import product

import pytest

import axiometer as axm
from axiometer.advice import assignments, fabric, scoring, wanted_masters
from axiometer.advice.candidates import Candidate
from axiometer.advice.fabric import Search
from axiometer.answer.verdicts import needs
from axiometer.api import fit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.platform import Platform

READ = wanted_masters.Master("in", "read", None, (64, 128))
OTHER = wanted_masters.Master("also", "read", None, (64, 128))
WRITE = wanted_masters.Master("out", "write", 100.0, (128,))


@pytest.fixture(scope="module")
def zybo():
    return Platform.load("zybo")


def test_two_fast_readers_are_put_on_different_paths(zybo):
    """At 200 MHz two ports of one path want 3200 MB/s; the path carries 2800."""
    best, *_ = Search(zybo, [READ, OTHER], "total", fixed={"pl_mhz": 200}).run()
    paths = {zybo.value(f"port.{port}.path") for port in best.candidate.ports}
    assert len(paths) == 2
    same = Search(zybo, [READ, OTHER], "total", fixed={"pl_mhz": 200})
    assert best.total > 1.05 * same.outcome(Candidate(("HP0", "HP1"), best.candidate.bursts)).total


def test_the_search_finds_the_best_of_all(zybo):
    choices = {"mapping": [None, "bank-row-column"]}
    search = Search(zybo, [READ, WRITE], "minimum", choices, {"pl_mhz": 150})
    found = max(o.score for o in search.run())
    every = [
        search.outcome(Candidate(ports, bursts).having("mapping", mapping), fabric.FINAL_S).score
        for ports in search.assignments
        for bursts in product(READ.bursts, WRITE.bursts)
        for mapping in choices["mapping"]
    ]
    assert found[0] == pytest.approx(max(every)[0], rel=0.01)


def test_a_master_with_a_rate_takes_no_more_than_its_headroom(zybo):
    best, *_ = Search(zybo, [READ, WRITE], "guarantee").run()
    assert best.rates[1] == pytest.approx(100 * scoring.HEADROOM, rel=0.01)
    assert best.rates[0] == pytest.approx(800, rel=0.02)


def test_a_rate_is_no_whole_number_of_clocks(zybo):
    """Bursts of one beat: every 2.13 clocks, of which 2 would make 400 MB/s."""
    search = Search(zybo, [wanted_masters.parse("out=write,rate=300", (8,))], "guarantee")
    (rate,) = search.outcome(Candidate(("HP0",), (8,)), fabric.FINAL_S).rates
    assert rate == pytest.approx(300 * scoring.HEADROOM, rel=0.01)


def of(count):
    """Reads and writes in turn."""
    return [f"m{n}={('read', 'write')[n % 2]}" for n in range(count)]


@pytest.mark.parametrize(
    ("board", "masters", "settings"),
    [
        ("zcu104", of(6), {"qos": "best_effort"}),
        ("zcu102", of(4), {"qos": "best_effort"}),
        ("zcu102", of(3), {"qos": "best_effort", "mapping": "bank-row-column"}),
        ("ultra96", of(3), {"qos.HP1.mode": "best_effort"}),
        ("k26", of(4), {"mapping": "bank-row-column"}),
        ("zybo", of(4), {"mapping": "bank-row-column"}),
        ("ultra96", ["a=read", "b=read", "c=read"], {"qos": "video"}),
    ],
)
def test_a_setting_given_by_hand_never_beats_the_search_without_it(board, masters, settings):
    """Else the search misses what it searches."""
    by_hand, free = (axm.advise(board, masters=masters, set=more) for more in (settings, {}))
    assert free.ranking[0].score[0] >= 0.99 * by_hand.ranking[0].score[0]


def test_short_bursts_answer_soonest():
    ultra = Platform.load("ultra96")
    wanted = [
        wanted_masters.parse(text, assignments.usual_bursts(ultra)) for text in ("a=read", "b=read")
    ]
    best, *_ = Search(ultra, wanted, "latency").run()
    longest = replace(best.candidate, bursts=(4096, 4096))
    assert max(best.latency_ns) < 0.1 * max(
        Search(ultra, wanted, "latency").outcome(longest).latency_ns
    )


def test_the_time_is_part_of_what_ran():
    """The model's input of a Zynq-7000 does not contain it."""
    search = Search(Platform.load("zybo"), [READ], "total")
    short, long = (search.outcome(Candidate(("HP0",), (64,)), s) for s in (1e-4, 1e-3))
    assert search.tried == 2 and short.rates != long.rates


def test_every_board_has_advice_in_words_and_as_json():
    """Two readers make the longest bursts of some boards wait longer than is simulated; ports of
    some others differ in their longest bursts."""
    for board in data.names("boards"):
        platform = Platform.load(board)
        wanted = ["a=read", "b=read"][: len(assignments.usual_ports(platform))]
        found = axm.advise(platform, masters=wanted)
        assert json.dumps([found.to_dict(), found.rows()], allow_nan=False) and found.text


def test_a_burst_that_takes_longer_than_the_run_has_no_latency(monkeypatch):
    """64 bursts of 4096 B, 2 ms at full length: none is whole in 25 us."""
    monkeypatch.setattr(fabric, "FINAL_S", 0.00005)
    found = axm.advise("k26", masters=["a=read,burst=4096", "b=read,burst=4096"])
    assert "no whole burst" in found.text
    assert '"latency_ns": null' in json.dumps(found.to_dict(), allow_nan=False)


def test_a_burst_that_no_port_accepts_is_refused():
    arria = Platform.load("arria5-socdk")  # F2S takes 512 B, F2H 256 B
    both = [wanted_masters.parse(f"{name}=read", (256, 512)) for name in "ab"]
    assert {o.candidate.bursts for o in Search(arria, both, "total").run()} == {(256, 256)}
    with pytest.raises(AxiometerError, match="master a: a burst of 2048 bytes"):
        Search(arria, [replace(both[0], bursts=(512, 2048))], "total").run()


def test_every_choice_of_the_winner_is_weighed():
    ultra = Platform.load("ultra96")
    search = Search(ultra, [READ, WRITE], "latency", assignments.usual_choices(ultra))
    best, *_ = search.run()
    reasons = search.reasons(best)
    assert len(reasons) >= (best.candidate != search.plain())
    assert all(without.candidate != best.candidate for _, without in reasons)


@pytest.mark.parametrize("board", ["zybo", "zcu102", "ultra96"])
def test_nothing_that_is_weighed_against_the_first_is_better(board):
    """Also where a choice changes nothing: then the first does without it."""
    of = Platform.load(board)
    wanted = [READ, wanted_masters.Master("out", "write", 500.0, (64, 128))]
    search = Search(of, wanted, "guarantee", assignments.usual_choices(of))
    best, *others = search.run()
    assert all(without.score < best.score for _, without in search.reasons(best))
    assert all(other.score <= best.score for other in others)


def test_ports_that_give_the_same_are_one_candidate(zybo):
    """The HP ports of the Zynq-7000 are equal but for the path that they share."""
    search = Search(zybo, [READ], "total")
    assert len(ranking := search.run()) == 1
    assert [p for (p,) in search.same[ranking[0].candidate.ports]] == ["HP1", "HP2", "HP3"]
    two = Search(zybo, [READ, OTHER], "total", fixed={"pl_mhz": 200}).run()
    for n, outcome in enumerate(two):
        assert not any(outcome.alike(other) for other in two[:n])


def test_a_candidate_is_simulated_once(zybo):
    search = Search(zybo, [READ], "total")
    assert search.tried == 0
    for bursts in ((64,), (64,), (128,)):
        search.outcome(Candidate(("HP0",), bursts))
    assert search.tried == 2


def test_equal_masters_are_not_tried_twice(zybo):
    assert len(Search(zybo, [READ, OTHER], "total").assignments) == 6
    assert len(Search(zybo, [READ, WRITE], "total").assignments) == 16


def test_more_masters_than_ports_are_refused(zybo):
    five = [wanted_masters.Master(f"m{i}", "read", None, (64,)) for i in range(5)]
    with pytest.raises(AxiometerError, match="join masters in the fabric"):
        Search(zybo, five, "total").run()


def test_a_rate_that_is_too_small_is_refused_with_the_smallest_valid_rate(zybo):
    slow = wanted_masters.parse("in=read,rate=0.001", (128,))
    with pytest.raises(AxiometerError, match="master in: rate is 0.001") as raised:
        Search(zybo, [slow], "guarantee").run()
    assert raised.value.remedy.startswith("give at least 0.0")


def test_masters_share_a_port_through_a_multiplexer():
    """Five readers on four ports: two share one, and every way to join two is tried."""
    ultra = Platform.load("ultra96")
    readers = [wanted_masters.Master(f"in{i}", "read", None, (256,)) for i in range(5)]
    search = Search(ultra, readers, "total")
    ways = search.assignments
    assert {len(way) - len(set(way)) for way in ways} >= {1, 2}
    assert ways[0] == ("HP0", "HP0", "HP1", "HP2", "HP3")
    assert len(set(ways)) == len(ways)
    outcome = search.outcome(Candidate(ways[0], (256,) * 5))
    assert outcome.rates[0] == pytest.approx(outcome.rates[1], rel=0.02)  # in turns, burst by burst
    alone = Search(ultra, readers[:4], "total")
    four = alone.outcome(Candidate(("HP0", "HP1", "HP2", "HP3"), (256,) * 4))
    assert outcome.rates[0] + outcome.rates[1] == pytest.approx(four.rates[0], rel=0.05)


def test_many_masters_join_no_more_than_they_must():
    ultra = Platform.load("ultra96")
    many = [wanted_masters.Master(f"m{i}", "read", 10.0 + i, (64,)) for i in range(9)]
    ways = Search(ultra, many, "total").assignments
    assert len(ways) == 300  # of thousands
    assert all(len(way) - len(set(way)) == 5 for way in ways)
    with pytest.raises(AxiometerError, match="17 masters do not fit the 4 ports"):
        Search(ultra, [*many, *many[:8]], "total").plain()


def test_a_race_of_many_candidates_finds_as_good_with_fewer_long_runs(monkeypatch):
    ultra = Platform.load("ultra96")
    wanted = [READ, WRITE, wanted_masters.Master("more", "read", None, (64, 256, 1024))]
    raced = Search(ultra, wanted, "minimum")
    best = max(o.score for o in raced.run())
    monkeypatch.setattr(fabric, "RACE", ())
    monkeypatch.setattr(fabric, "STEP", ())
    every = Search(ultra, wanted, "minimum")
    assert best[0] >= 0.99 * max(o.score for o in every.run())[0]

    def long(search):
        return sum(duration == fabric.SEARCH_S for _, duration in search.scoring.known)

    assert long(raced) < 0.7 * long(every)


def test_candidates_that_the_model_does_not_tell_apart_run_once():
    ultra = Platform.load("ultra96")
    search = Search(ultra, [READ], "total")
    one = Candidate(("HP0",), (64,))
    unused = one.having("qos.HP3.mode", "video")
    first, second = search.scoring.outcomes([one, unused], fabric.SCREEN_S)
    assert search.tried == 1
    assert first.rates == second.rates and second.candidate == unused


def test_named_ports_are_the_ones_that_are_used():
    found = axm.advise("zybo", masters=["a=read", "b=write"], ports="HP1+HP3")
    assert {port for of in found.ranking for port in of.candidate.ports} <= {"HP1", "HP3"}
    with pytest.raises(AxiometerError, match="HP9"):
        axm.advise("zybo", masters=["a=read"], ports="HP9")


@pytest.mark.parametrize("factor", [0.6, 1.5])
@pytest.mark.parametrize("board", data.names("boards"))
def test_what_advise_guarantees_fits(board, factor):
    """`--need` and the search judge the same rate at the same port alike."""
    port = assignments.usual_ports(Platform.load(board))[0]
    full = axm.expect(board, ports=port, mode="read", repeats=2)
    rate = round(full.total * factor, 1)
    (met,) = fit.of_point(full.answer, needs.parse(f"{port}={rate}"))
    asked = {"masters": [f"in=read,rate={rate}"], "objective": "guarantee", "ports": port}
    best = axm.advise(board, **asked, set={"pl_mhz": full.point.values["pl_mhz"]}).ranking[0]
    assert met.is_met == (best.rates[0] >= 0.99 * rate) == (factor < 1)
