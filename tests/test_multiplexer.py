"""Several masters behind one port of the UltraScale+ model: laws of rtl/mux's round robin."""

import json
import math
from dataclasses import replace

import pytest

from axiometer.__main__ import main
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.runs.backends import rtl_tops
from axiometer.simulate import records
from axiometer.simulate import run as simulate
from axiometer.simulate.scenario import Scenario

BOARDS = {name: Platform.load(name) for name in ("zcu102", "ultra96")}
BEAT = 16


def built(board, change=None, **keys):
    values = single(BOARDS[board], {"ports": "HP0", "duration": "900us", **keys}).values
    scenario = Scenario.of(BOARDS[board], values)
    streams = (
        replace(stream, **(change or {}).get((stream.master or 0, stream.direction), {}))
        for stream in scenario.streams
    )
    return replace(scenario, streams=tuple(streams))


def run(board, change=None, late=(), **keys):
    """The record of a run; masters in `late` never begin."""
    scenario = built(board, change, **keys)
    start = scenario.start(0, 0)
    launch = (
        2**40 if (stream.master or 0) in late else at
        for stream, at in zip(scenario.streams, start.launch, strict=True)
    )
    found = simulate.result(scenario, replace(start, launch=tuple(launch)))
    return found, records.record(scenario, 0, found)


@pytest.mark.parametrize("burst", [16, 256, 1024])
@pytest.mark.parametrize("board", BOARDS)
def test_one_master_behind_a_multiplexer_is_as_one_without(board, burst):
    """To the clock, in whichever of its places it stands: the multiplexer has no registers."""
    alone, _ = run(board, burst_bytes=burst)
    for place in (0, 2):
        others = [m for m in range(3) if m != place]
        result, _ = run(board, late=others, masters_per_port=3, burst_bytes=burst)
        mine = [s for s in result["streams"] if s["bytes"]]
        assert len(mine) == 2
        if place == 0:  # the same regions
            assert mine == alone["streams"]
            assert result["counts"] == alone["counts"]
        assert all(s["bytes"] == 0 for s in result["streams"] if s not in mine)


@pytest.mark.parametrize("mode", ["read", "write", "mixed"])
@pytest.mark.parametrize("masters", [2, 3, 4])
def test_masters_alike_get_alike(masters, mode):
    _, record = run("ultra96", masters_per_port=masters, mode=mode, burst_bytes=256)
    rates = record["by_master"]
    assert list(rates) == [f"HP0.{m}" for m in range(masters)]
    for direction in ("read", "write") if mode == "mixed" else (mode,):
        each = [rate[f"{direction}_MBps"] for rate in rates.values()]
        assert max(each) <= min(each) * 1.02
    total = math.fsum(rate["total_MBps"] for rate in rates.values())
    assert total == pytest.approx(record["total_MBps"])
    assert total == pytest.approx(record["by_port"]["HP0"]["total_MBps"])


@pytest.mark.parametrize("direction", ["read", "write"])
def test_turns_are_by_burst(direction):
    """Two masters that always ask, one with bursts four times as long: as many bursts each."""
    change = {(1, direction): {"burst_bytes": 256}}
    result, _ = run("zcu102", change, masters_per_port=2, mode=direction, burst_bytes=64)
    short, long = (s["bursts"] for s in result["streams"])
    assert short == pytest.approx(long, rel=0.02)


def test_several_masters_keep_a_slow_path_busier():
    """Masters with one read each: four of them hide what one alone waits for."""
    one = {(m, "read"): {"outstanding": 1} for m in range(4)}
    alone = run("zcu102", one, mode="read", burst_bytes=64)[1]["total_MBps"]
    four = run("zcu102", one, mode="read", burst_bytes=64, masters_per_port=4)[1]["total_MBps"]
    assert 3 * alone < four < 4.01 * alone


@pytest.mark.parametrize("board", BOARDS)
def test_the_experiment_has_its_points(board, tmp_path, cli):
    store = str(tmp_path / "runs.sqlite")
    words = [f"{board}-multiplexer", "--set", "ports=HP3", "--set", "burst_bytes=512"]
    words += ["--set", "duration=400us", "--store", store, "--jobs", "1", "--json"]
    found = json.loads(cli("run", *words))
    four = next(p for p in found["points"] if p["masters_per_port"] == 4)
    assert set(four["by_master"]) == {f"HP3.{m}" for m in range(4)}
    one = next(p for p in found["points"] if p["masters_per_port"] == 1)
    assert set(one["by_master"]) == {"HP3"}
    assert main(["explain", f"{board}-multiplexer", "--store", store, "--plain"]) == 0
    assert "masters a port" in cli("show", f"{board}-multiplexer", "--store", store, "--plain")


def test_the_rtl_backend_takes_a_design_with_as_many_masters():
    values = built("zcu102", masters_per_port=3, duration="20us").values
    design = rtl_tops.choose(BOARDS["zcu102"], values)
    assert dict(design.parameters)["MASTERS"] == 3
    assert design.ports == 1
