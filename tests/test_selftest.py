"""`axiometer selftest`: all platforms pass; each relation is tripped by a model that breaks it."""

import random

import pytest

from axiometer.answer import selftest
from axiometer.answer.selftest import advice, loads, relations
from axiometer.base import data
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.runs.backends import model
from axiometer.simulate import run


@pytest.mark.parametrize("name", data.names("platforms"))
def test_platforms_keep_the_laws(name):
    found = selftest.run(Platform.load(name), 24, seed=1)
    assert found.broken == []
    assert sum(found.points.values()) == 24
    assert sum(found.checked.values()) >= 6


def test_the_same_seed_draws_the_same_points():
    platform = Platform.load("zybo")
    one, two, other = (selftest.run(platform, 8, seed).document() for seed in (3, 3, 4))
    assert one == two and one != other


def subject(**more):
    """A read at one port of the Zybo that has run."""
    keys = {"ports": "HP0", "mode": "read", "transfer_bytes": "16KiB", "repeats": 1, "seed": 0}
    platform = Platform.load("zybo")
    point = points.single(platform, {**keys, "width_bits": 32, "burst_bytes": 64, **more})
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    return relations.Subject(platform, "alone", point, record, random.Random(1))


def beside():
    """Three ports of a ZCU102 that have run, to which a neighbour may come."""
    keys = {"ports": "HP1+HP2+HP3", "mode": "write", "pl_mhz": 300, "burst_bytes": 256}
    platform = Platform.load("zcu102")
    point = points.single(platform, {**keys, "duration": "400us", "repeats": 1, "seed": 0})
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    return relations.Subject(platform, "streams", point, record, random.Random(1))


def free():
    """Writes at two ports of the ZCU102 that have run."""
    platform = Platform.load("zcu102")
    point = points.single(platform, {"ports": "HP0+HP3", "mode": "write", "duration": "20us"})
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    # The first draw says whether this point is one of `loads.ONE_OF`.
    return relations.Subject(platform, "streams", point, record, random.Random(1))


def test_healthy_relations_hold():
    small = subject(transfer_bytes=4096)
    for name, relation in (relations.RELATIONS | loads.RELATIONS).items():
        streams = free() if relation is loads.settled else beside()
        seen = relation(small) or relation(streams)
        assert seen is not None and seen.holds, name


@pytest.mark.parametrize("of", ["total", "HP3"])
def test_a_neighbour_that_takes_all_of_a_port_is_noticed(of, monkeypatch):
    streams, usual = beside(), model.run_repeats

    def starves(*asked):
        (record,) = usual(*asked)
        if of == "total":
            return [record | {"total_MBps": record["total_MBps"] * 0.7}]
        nothing = dict.fromkeys(record["by_port"][of], 0.0)
        return [record | {"by_port": record["by_port"] | {of: nothing}}]

    monkeypatch.setattr(model, "run_repeats", starves)
    seen = loads.neighbour(streams)
    assert not seen.holds and "background" in seen.command


SLOWER = [
    (relations.wider, "width_bits"),
    (relations.faster, "pl_mhz"),
    (relations.more_outstanding, "outstanding_read"),
    (relations.longer, "transfer_bytes"),
]


@pytest.mark.parametrize(("relation", "key"), SLOWER)
def test_a_model_that_gets_slower_is_noticed(relation, key, monkeypatch):
    of = subject()
    usual = model.run_repeats

    def slow(platform, point, *rest):
        records = usual(platform, point, *rest)
        if point.values[key] != of.point.values[key]:
            for record in records:
                record["total_MBps"] *= 0.4
        return records

    monkeypatch.setattr(model, "run_repeats", slow)
    seen = relation(of)
    assert not seen.holds
    assert "not slower" in seen.sentence and "axiometer expect zybo " in seen.command


@pytest.mark.parametrize("relation", [loads.above_a_rate, loads.at_a_rate])
def test_a_rate_that_costs_a_tenth_is_noticed(relation, monkeypatch):
    """As one did that was rounded to whole clocks."""
    usual = model.run_repeats

    def rounded(platform, point, *rest):
        records = usual(platform, point, *rest)
        for master in point.values.get("masters") or ():
            for record in records if master["rate_mbs"] else ():
                record["streams"][0]["bytes"] *= 0.9
        return records

    monkeypatch.setattr(model, "run_repeats", rounded)
    seen = relation(subject(transfer_bytes="64KiB"))
    assert not seen.holds and seen.missed == pytest.approx(0.1, abs=0.02)
    assert "--master a=read,port=HP0,rate=" in seen.command


def test_a_rate_that_has_settled_and_changes_is_noticed(monkeypatch):
    usual = model.run_repeats

    def early(platform, point, *rest):
        records = usual(platform, point, *rest)
        if point.values["until_settled"]:
            records[0]["total_MBps"] *= 1 + 1.1 * loads.MOST_OFF
        return records

    of = free()
    monkeypatch.setattr(model, "run_repeats", early)
    seen = loads.settled(of)
    assert not seen.holds and "duration=" in seen.command and "settled:" not in seen.command


def test_a_starved_master_that_is_not_named_is_noticed(monkeypatch):
    platform = Platform.load("zcu102")
    keys = {"ports": "HP0+HP1+HP3", "mode": "mixed", "pl_mhz": 300, "repeats": 1}
    keys |= {"duration": "100us"}
    point = points.single(platform, keys | {"burst_bytes": 256, "seed": 0})
    record = model.run_repeats(platform, point, 0, 0, 1)[0]
    of = relations.Subject(platform, "streams", point, record, random.Random(1))
    assert advice.named(of).holds
    monkeypatch.setattr(advice.starved, "of", lambda *_: ())
    seen = advice.named(of)
    assert not seen.holds and "('HP1', 'write')" in seen.sentence


def test_ports_that_differ_are_noticed(monkeypatch):
    of = subject()
    of.record["total_MBps"] += 1e-9
    assert not relations.symmetric(of).holds


def test_a_run_that_differs_the_second_time_is_noticed():
    of = subject()
    of.record["latency_cycles"]["max"] += 1
    assert not relations.repeatable(of).holds


class Wrong:
    """A simulator that answers otherwise when it skips, or as the specification."""

    def __init__(self, usual, skips=0, specified=0):
        self.usual, self.skips, self.specified = usual, skips, specified

    def run(self, start, skip=True):
        result = self.usual.run(start, skip=skip)
        return result | {"clocks": result["clocks"] + self.skips * skip}

    def trace(self, start, skip=True):
        return self.usual.trace(start, skip=skip)

    def plain(self, start):
        result, commands = self.usual.plain(start)
        return result, commands[: len(commands) - self.specified]


@pytest.mark.parametrize(("relation", "wrong"), [
    (relations.skipping, {"skips": 1}), (relations.plain, {"specified": 1}),
])  # fmt: skip
def test_simulators_that_differ_are_noticed(relation, wrong, monkeypatch):
    of = subject(transfer_bytes=4096)
    usual = run.simulator
    monkeypatch.setattr(run, "simulator", lambda scenario: Wrong(usual(scenario), **wrong))
    assert not relation(of).holds


def test_a_broken_law_and_a_crash_are_reported_with_the_command_that_repeats_them(monkeypatch, cli):
    usual = model.run_repeats

    def wrong(platform, point, *rest):
        if point.values["mode"] == "pl_to_ps":
            raise OverflowError("too large")
        return [r | {"total_MBps": 1e9} for r in usual(platform, point, *rest)]

    monkeypatch.setattr(model, "run_repeats", wrong)
    out, _ = cli.both("selftest de1-soc --points 12", status=1)
    assert "rate is bytes over time" in out and "OverflowError" in out
    assert "axiometer expect de1-soc " in out
    document = cli.json("selftest de1-soc --points 6", status=1)
    assert document["broken"] == len(document["platforms"][0]["broken"]) > 0


def test_a_file_of_ones_own_and_bad_numbers(tmp_path, cli):
    own = tmp_path / "own.toml"
    own.write_text((data.directory("platforms") / "zybo.toml").read_text())
    assert "All laws hold." in cli("selftest", own, "--points", "5")
    assert "--points is" in cli.refused("selftest --points", "9" * 400)
