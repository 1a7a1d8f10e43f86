"""HPC, ACP and ACE ports of the UltraScale+: facts from documents; every view states that they are
not validated."""

import json

import pytest

import kit
from axiometer.advice.fabric import Search
from axiometer.advice.wanted_masters import Master
from axiometer.answer.analysis import collect
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.runs.backends import rtl_tops
from axiometer.simulate.scenario import Scenario

BOARDS = ("zcu102", "ultra96")
COHERENT = ["HPC0", "HPC1", "ACE", "ACP"]
OTHERS = ["HPM0_FPD", "HPM1_FPD", "HPM0_LPD"]  # by which the processor reaches the fabric


def rate(board, ports, **keys):
    return kit.record(board, **{"ports": ports, "duration": "600us", **keys})


@pytest.mark.parametrize("board", [*BOARDS, "de1-soc", "arria5-socdk", "socrates", "secu1"])
def test_ports_that_nobody_measured_are_marked_and_their_figures_are_no_fitted_ones(board):
    platform = Platform.load(board)
    paths = ["s1", "s2"] if board in BOARDS else ["l3"]
    unmeasured = COHERENT + OTHERS if board in BOARDS else ["F2H"]
    assert set(unmeasured) <= set(platform.unvalidated())
    for path, leaf in platform.leaves():
        if path.split(".")[1] in (*unmeasured, *paths):
            assert not leaf.fitted, path


@pytest.mark.parametrize("board", BOARDS)
def test_the_way_through_the_interconnect_costs_latency_and_no_width(board):
    keys = {"mode": "read", "burst_bytes": 64, "outstanding_read": 1}
    direct, coherent = (rate(board, p, **keys)["latency_cycles"]["mean"] for p in ("HP3", "HPC0"))
    assert coherent > direct
    full = {"mode": "write", "burst_bytes": 256}
    wide, also = (rate(board, p, **full)["total_MBps"] for p in ("HP3", "HPC0"))
    assert also == pytest.approx(wide, rel=0.01)


@pytest.mark.parametrize("mode", ["read", "write", "mixed"])
def test_the_acp_has_four_transactions_of_a_line(mode):
    platform = Platform.load("zcu102")
    values = single(platform, {"ports": "ACP", "mode": mode}).values
    assert values["burst_bytes"] == 64
    assert sum(stream.outstanding for stream in Scenario.of(platform, values).streams) == 4
    record = rate("zcu102", "ACP", mode=mode)
    ns = record["latency_cycles"]["mean"] / 300 * 1e3
    # Little: four lines of 64 bytes in flight carry no more than this.
    assert record["total_MBps"] <= 4 * 64 / ns * 1e3 * 1.02


def test_neither_search_nor_advice_nor_rtl_use_them():
    platform = Platform.load("zcu102")
    search = Search(platform, [Master("a", "read", None, (256,))], "total")
    assert {ports[0] for ports in search.assignments} == {"HP0", "HP1", "HP2", "HP3"}
    facts = collect.facts(platform)
    assert set(facts.spread(["HP1", "HP2"])) == {"HP0", "HP1"}
    assert not set(facts.spread(["HPC0", "ACE"]) or []) & (set(COHERENT) - {"HPC0", "ACE"})
    values = single(platform, {"ports": "HP0+HPC0"}).values
    with pytest.raises(AxiometerError, match="HPC0|cannot be stepped"):
        rtl_tops.choose(platform, values)


def test_every_view_says_that_nothing_is_validated(tmp_path, cli):
    store = str(tmp_path / "runs.sqlite")
    mark = "Not validated: no measurement of HPC0, ACP is published"

    run = ["run", "zcu102-read", "--set", "ports=HP0,HPC0,ACP", "--set", "burst_bytes=16,64"]
    run += ["--set", "duration=400us", "--store", store, "--jobs", "1"]
    assert cli.json(*run)["unvalidated"] == ["HPC0", "ACP"]
    of = ["zcu102-read", "--store", store]
    assert mark in cli("show", *of)
    assert cli.json("show", *of)["unvalidated"] == ["HPC0", "ACP"]
    assert mark in cli("explain", *of)
    assert cli.json("explain", *of)["unvalidated"] == ["HPC0", "ACP"]
    rows = cli("export", *of).splitlines()
    assert [line.split(",")[-1] for line in rows] == ["validated"] + ["True"] * 2 + ["False"] * 4
    for words in ([*of[:1]], ["--board", "zcu102"]):
        page = tmp_path / "page.html"
        cli("report", *words, "--store", store, "-o", page)
        assert mark in page.read_text()
    cli("show", *of, "--svg", tmp_path / "x.svg")
    assert "Not validated" in (tmp_path / "x.svg").read_text()
    one = ["--board", "zcu102", "--ports", "ACP", "--set", "duration=400us"]
    assert "Not validated: no measurement of ACP" in cli("expect", *one, "--repeats", "1")
    found = cli.json("expect", *one, "--repeats", "1")
    assert found["unvalidated"] == ["ACP"]
    curve = ["curve", "--board", "zcu102", "--ports", "ACP", "--gaps", "0"]
    assert "Not validated: no measurement of ACP" in cli(*curve, "--plain")
    assert cli.json(*curve)["unvalidated"] == ["ACP"]
    listed = cli.json("list platforms")["platforms"]
    assert {p["name"]: p["not validated"] for p in listed}["ultra96"] == "+".join(COHERENT + OTHERS)


def test_validated_ports_have_no_mark(tmp_path, cli):
    store = str(tmp_path / "runs.sqlite")
    run = ["run", "zcu102-read", "--set", "ports=HP0", "--set", "burst_bytes=64", "--json"]
    assert "unvalidated" not in json.loads(
        cli(*run, "--set", "duration=400us", "--store", store, "--jobs", "1")
    )
    assert "alidated" not in cli("show --store", store)
