"""Time stacks add up, bars lose no cell, and the bottleneck follows from the time classes."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

import present_fake as fake
from axiometer.answer.analysis import bottlenecks, time_classes
from axiometer.answer.analysis.time_classes import DRAM_CLASSES, stacks
from axiometer.answer.analysis.time_shares import Evidence
from axiometer.answer.relax.table import RELAXATIONS
from axiometer.answer.verdicts import remedy
from axiometer.answer.verdicts.explained import explain
from axiometer.answer.verdicts.verdict import verdict
from axiometer.base.errors import AxiometerError
from axiometer.present import (
    advice_text,
    bottleneck_text,
    cause_text,
    processor_text,
    time_stacks,
)
from axiometer.present.bottleneck_text import advice, sentence
from axiometer.present.explanation import document, label
from axiometer.present.text import Style
from axiometer.present.time_stacks import apportion


def said(row):
    return explain(fake.view([row]), row, label(row)).verdict


def test_stacks_are_means_that_add_up_to_the_elapsed_time():
    row = fake.shared_path()
    found = stacks(row.records, "x")
    for stack in [found.dram, *found.streams]:
        assert sum(stack.seconds.values()) == pytest.approx(stack.elapsed_s, rel=1e-9)
    assert len(found.streams) == 4


@pytest.mark.parametrize("where", ["dram", "stream"])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda c: c.update({next(iter(c)): c[next(iter(c))] + 1e-4}), "add up to"),
        (lambda c: c.pop(next(iter(c))), "missing"),
        (lambda c: c.update(other=0.0), "unknown: other"),
        (lambda c: c.update({next(iter(c)): -1.0}), "is -1 s"),
        (lambda c: c.update({next(iter(c)): float("nan")}), "is nan s"),
    ],
)
def test_time_that_does_not_add_up_is_an_error(where, damage, message):
    records = copy.deepcopy(fake.shared_path().records)
    target = records[1]["dram"] if where == "dram" else records[1]["streams"][0]
    damage(target["classes_s"])
    with pytest.raises(AxiometerError, match=message) as caught:
        stacks(records, "the point")
    assert "the point, repeat 1" in caught.value.message
    assert caught.value.status == 1


def test_no_record_is_no_time():
    with pytest.raises(AxiometerError, match="no finished repeat"):
        stacks([], "the point")


@given(st.lists(st.floats(0, 1e6), max_size=12), st.integers(0, 200))
def test_no_cell_of_a_bar_is_lost(shares, cells):
    counts = apportion(shares, cells)
    assert all(n >= 0 for n in counts)
    assert sum(counts) == (cells if sum(shares) > 0 else 0)


def test_the_terminal_picture_keeps_to_its_width():
    found = stacks(fake.shared_path().records, "x")
    for columns in (60, 100):
        lines = time_stacks.terminal(found, Style(columns=columns))
        bars = [line for line in lines if "DDDD" in line or "RRRR" in line]
        assert len(bars) == 5
        assert len({len(line) for line in bars}) == 1
        assert all(len(line) <= columns for line in bars)


def test_a_full_port_is_named_with_its_rate():
    v = said(fake.row(mode="ps_to_pl", efficiency=0.999))
    assert v.cause == "port"
    assert sentence(v).startswith("The bandwidth of port HP0 limits (64 bit at 100 MHz, 800 MB/s")
    assert "HP2, which is free" in advice(v)
    narrow = said(fake.row(mode="ps_to_pl", width_bits=32, efficiency=0.999))
    assert narrow.change == {"width_bits": 64}


def test_a_shared_path_is_said_with_its_limit_and_another_pair_of_ports():
    row = fake.shared_path()
    e = Evidence(stacks(row.records, "x"), row.values, fake.FACTS)
    assert cause_text.sentence(e, "path") == (
        "The path from HP0 and HP1 to the controller limits (512 bytes in flight a direction): "
        "30 % of the time their data channels are idle."
    )
    assert remedy.of_classes(e, "path").change == {"ports": ["HP0", "HP2"]}


@pytest.mark.parametrize(
    ("kwargs", "cause", "words"),
    [
        ({"dram_loss": {"activate_precharge": 1}, "waits": {"controller": 1}}, "rows", "4 KiB"),
        (
            {"dram_loss": {"read_to_write": 1, "write_to_read": 1}, "waits": {"controller": 1}},
            "turnaround",
            "turning it around",
        ),
        ({"dram_loss": {"refresh": 1}, "waits": {"controller": 1}}, "refresh", "refresh limits"),
        ({"waits": {"master": 1}}, "master", "too few outstanding bursts"),
        ({"waits": {"partner": 1}}, "partner", "wait for one another"),
        ({"launch": 0.4}, "launch", "use transfers of at least"),
        ({"launch": 0.9}, "launch", "more than moving"),
    ],
)
def test_each_cause_follows_from_its_time_classes(kwargs, cause, words):
    v = said(fake.row(ports=["HP0", "HP2"], efficiency=0.4, **kwargs))
    assert v.cause == cause
    assert words.lower() in f"{sentence(v)} {advice(v)}".lower()


def test_the_path_is_named_where_more_is_wanted_than_it_keeps_in_flight():
    idle = {"dram_loss": {"idle_path": 1}, "waits": {"master": 1}, "efficiency": 0.3}
    assert said(fake.row(ports=["HP0", "HP1"], **idle)).cause == "path"
    assert said(fake.row(ports=["HP0", "HP1"], burst_bytes=64, **idle)).cause == "master"
    assert said(fake.row(ports=["HP0", "HP2"], **idle)).cause == "master"


def test_the_gap_is_named_where_it_takes_most_and_is_sure_where_nothing_waits():
    # 16 beats and a gap of 24: 40 % of the time is data, 60 % the gap.
    row = fake.row(ports=["HP0"], mode="ps_to_pl", efficiency=0.4, waits={"master": 1})
    row.values["gap_cycles"] = 24
    v = said(row)
    assert (v.cause, v.sure) == ("asked", True)
    assert "HP0 leaves 24 cycles between bursts" in sentence(v)
    assert v.score == pytest.approx(0.6, abs=0.01)
    row.values["gap_cycles"] = 1
    assert said(row).cause == "master"
    assert bottleneck_text.said(said(row)).startswith("Likely: ")


def test_a_port_that_finishes_early_is_said():
    row = fake.row(ports=["HP0", "HP2"], mode="ps_to_pl", efficiency=0.6, waits={"latency": 1})
    for record in row.records:
        early = record["streams"][1]["classes_s"]
        early["done"], early["latency"] = early["latency"], 0.0
        late = record["streams"][0]["classes_s"]
        late["data"], late["latency"] = late["data"] + late["latency"] * 0.9, late["latency"] * 0.1
    e = Evidence(stacks(row.records, "x"), row.values, fake.FACTS)
    # HP0 is nearly full all the time: to be wider would help more than to share out by rate.
    found = bottlenecks.estimates(e)
    assert found["port"] > found["uneven"] == pytest.approx(0.25, abs=0.01)
    words = cause_text.sentence(e, "uneven")
    assert "HP2 is done after 60 % of the time" in words
    assert "until HP0 is done too" in words


def test_a_nearly_full_dram_is_named():
    v = said(
        fake.row(
            ports=["HP0", "HP1", "HP2"],
            efficiency=0.82,
            dram_loss={"refresh": 1},
            waits={"controller": 1},
        )
    )
    assert v.cause == "dram_saturated"
    assert "of its 4200 MB/s" in sentence(v)


def test_the_launch_advice_brings_the_launch_below_one_percent():
    row = fake.row(transfer_bytes=4096, launch=4.7 / (4.7 + 5.12))
    v = said(row)
    assert v.cause == "launch"
    size = v.change["transfer_bytes"]
    launch_s = row.records[0]["elapsed_s"] * 4.7 / (4.7 + 5.12)
    assert launch_s / (launch_s + size / 800e6) < 0.0101
    assert launch_s / (launch_s + size / 4 / 800e6) > 0.01


@given(
    st.dictionaries(
        st.sampled_from(["master", "partner", "path", "controller", "latency", "done"]),
        st.floats(0.01, 1),
        min_size=1,
    ),
    st.dictionaries(st.sampled_from(DRAM_CLASSES), st.floats(0.01, 1), min_size=1),
    st.floats(0.01, 0.85),
    st.floats(0, 0.9),
)
def test_every_point_gets_one_plain_sentence(waits, loss, efficiency, launch):
    row = fake.row(
        ports=["HP0", "HP2"],
        efficiency=efficiency,
        waits=waits,
        dram_loss=loss,
        launch=launch,
        repeats=1,
    )
    v = verdict(Evidence(stacks(row.records, "x"), row.values, fake.FACTS))
    assert sentence(v).endswith(".")
    assert advice(v).endswith(".")
    assert 0 <= v.score <= 1


def test_the_json_holds_shares_that_add_up():
    row = fake.shared_path()
    view = fake.view([row])
    (point,) = document(view, [explain(view, row, label(row))])["points"]
    assert sum(point["dram"]["shares"].values()) == pytest.approx(1)
    assert all(sum(s["shares"].values()) == pytest.approx(1) for s in point["streams"])
    assert point["bottleneck"] == said(row).cause
    assert point["sure"] is False


def test_every_cause_and_every_class_of_time_has_its_words():
    row = fake.shared_path()
    e = Evidence(stacks(row.records, "x"), row.values, fake.FACTS)
    assert set(bottlenecks.estimates(e)) <= {r.cause for r in RELAXATIONS} == set(cause_text.WORDS)
    names = [cause_text.name(cause) for cause in (*cause_text.WORDS, *cause_text._MORE)]
    assert len(set(names)) == len(names)
    assert set(advice_text.WORDS) == set(remedy.Kind)
    assert all(remedy.of_classes(e, cause) for cause in bottlenecks.estimates(e))
    assert set(remedy._BY_CLASS) == set(time_classes.PROCESSOR_CLASSES)
    assert set(processor_text._SENTENCES) == set(time_classes.PROCESSOR_CLASSES)
    for classes in (
        time_classes.DRAM_CLASSES,
        time_classes.STREAM_CLASSES,
        time_classes.PROCESSOR_CLASSES,
    ):
        looks = time_stacks.shown(classes)
        assert [c.key for c in looks] == list(classes)
        assert len({c.letter for c in looks}) == len(classes)
