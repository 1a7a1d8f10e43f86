"""Outcomes that are cached while a question is answered: same inputs, same outcome."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest

from axiometer import _model
from axiometer.experiment import points
from axiometer.platform import Platform
from axiometer.platform.port_sets import at_memory
from axiometer.simulate import run
from axiometer.simulate.remembered import key_of, remembering
from axiometer.simulate.scenario import Scenario

BOARDS = {"zcu102": {"duration": "20us"}, "zybo": {"transfer_bytes": "4KiB"}}


def _scenario(board, **keys):
    platform = Platform.load(board)
    return Scenario.of(platform, points.single(platform, {**BOARDS[board], **keys}).values)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", ["read", "write"])
def test_ports_with_one_key_have_one_outcome(board, mode):
    alike = defaultdict(list)
    for port in at_memory(Platform.load(board)):
        scenario = _scenario(board, ports=port, mode=mode, burst_beats=4)
        start = scenario.start(1, 0)
        alike[key_of(scenario, start)].append(json.dumps(run.result(scenario, start)))
    assert all(len(set(outcomes)) == 1 for outcomes in alike.values())
    if board == "zcu102":  # HP0 to HP3: nothing but a name tells some of them apart
        assert len(alike) < sum(map(len, alike.values()))


@pytest.mark.parametrize("mode", ["read", "write", "mixed"])
@pytest.mark.parametrize("ports", ["HP1", "HP1+HP3", "HP1+HP2"])
def test_the_switch_of_a_path_with_one_port_has_no_effect(ports, mode):
    """Other figures of the switch than those that the document has there."""
    scenario = _scenario("zcu102", ports=ports, mode=mode, burst_beats=4)
    document, start = scenario.document(), scenario.start(1, 0).document()
    others = [
        {**path, "buffers": not path["buffers"], "part_clocks": 12} for path in document["paths"]
    ]
    other = _model.Simulator({**document, "paths": others}, []).run(start)
    alone = len(document["paths"]) == len(document["ports"])
    assert alone == (ports != "HP1+HP2")
    assert (other == run.result(scenario, scenario.start(1, 0))) == alone


@pytest.mark.parametrize(
    "change",
    [
        {"burst_beats": 16},
        {"mode": "write"},
        {"pl_mhz": 100},
        {"ports": "HP0+HP1"},
        {"duration": "21us"},
        {"outstanding_read": 2},
        {"mapping": "bank-row-column"},
    ],
)
def test_another_question_has_another_key(change):
    one = {"ports": "HP0", "mode": "read", "burst_beats": 8}
    scenarios = [_scenario("zcu102", **{**one, **new}) for new in ({}, change)]
    keys = {key_of(scenario, scenario.start(1, 0)) for scenario in scenarios}
    assert len(keys) == 2
    assert key_of(scenarios[0], scenarios[0].start(1, 1)) not in keys


def test_an_outcome_is_simulated_once_and_only_within_the_context(monkeypatch):
    scenarios = [_scenario("zcu102", ports=port, mode="read") for port in ("HP1", "HP2")]
    simulated = []
    plain = run._run
    monkeypatch.setattr(run, "_run", lambda *args: simulated.append(args[0]) or plain(*args))
    with remembering({}):
        records = [run.repeat(scenario, 1, 0) for scenario in scenarios]
    assert simulated == scenarios[:1]
    assert [list(record["by_port"]) for record in records] == [["HP1"], ["HP2"]]
    assert run.repeat(scenarios[1], 1, 0) == records[1]
    assert len(simulated) == 2
