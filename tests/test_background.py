"""Traffic of the chip's own masters beside the ports of the UltraScale+."""

import json

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.runs.backends import rtl_tops

BOARDS = ("zcu102", "ultra96")


def record(board, ports, background=None, **keys):
    given = {"ports": ports, "mode": "mixed", "burst_bytes": 256, "duration": "900us", **keys}
    if background:
        given["background"] = background
    return kit.record(board, **given)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize(
    ("name", "ways"), [("DisplayPort", ("read",)), ("FPD_DMA", ("read", "write"))]
)
def test_a_neighbour_moves_what_it_is_given_and_is_in_no_total(board, name, ways):
    r = record(board, "HP1", f"{name}=300", mode="read", gap_cycles=100)
    (rates,) = r["background"].values()
    for way in ("read", "write"):
        expected = 300 if way in ways else 0
        assert rates[f"{way}_MBps"] == pytest.approx(expected, rel=0.03)
    assert list(r["by_port"]) == ["HP1"]
    assert {s["port"] for s in r["streams"]} == {"HP1"}
    assert r["total_MBps"] == pytest.approx(r["by_port"]["HP1"]["total_MBps"])
    assert sum(r["dram"]["classes_s"].values()) == pytest.approx(r["elapsed_s"], rel=1e-6)


@pytest.mark.parametrize("board", BOARDS)
def test_without_traffic_nothing_changes(board):
    alone = record(board, "HP0+HP3")
    none = record(board, "HP0+HP3", "none")
    assert none == alone
    assert "background" not in alone


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("mode", ["read", "write"])
@pytest.mark.parametrize("name", ["DisplayPort", "FPD_DMA"])
def test_a_small_neighbour_starves_no_master(board, mode, name):
    """1 MB/s of a master that shares a port's way, of whatever AXI QoS value, holds back nobody
    who moves data without it."""
    rate = f"{mode}_MBps"
    for ports in ("HP1+HP3", "HP1+HP2+HP3", "HP0+HP1+HP2+HP3"):
        alone = record(board, ports, mode=mode, pl_mhz=300, duration="400us")["by_port"]
        beside = record(board, ports, f"{name}=1", mode=mode, pl_mhz=300, duration="400us")
        for port, rates in beside["by_port"].items():
            assert rates[rate] > 0.5 * alone[port][rate], (ports, port)


def test_a_class_that_a_ports_type_makes_is_no_priority_over_masters_of_its_own_qos_value():
    """All AXI QoS values of the ZCU102 are 0: a coherent port has its turn among video ports."""
    r = record("zcu102", "HP1+HP2+HP3+HPC0", mode="write", pl_mhz=200, burst_bytes=64)
    assert min(rates["write_MBps"] for rates in r["by_port"].values()) > 1000


def test_it_takes_the_ports_rate_where_the_memory_is_full():
    """Ports that fill the DRAM lose about what the neighbour gets, or more."""
    ports = "HP0+HP1+HP3"
    alone = record("ultra96", ports, mode="read")["total_MBps"]
    beside = record("ultra96", ports, "FPD_DMA=400", mode="read")
    assert beside["total_MBps"] < alone - 0.5 * beside["background"]["FPD_DMA"]["read_MBps"]


def test_it_is_shown_and_marked_as_not_validated(tmp_path, cli):
    store = str(tmp_path / "runs.sqlite")
    run = ["run", "zcu102-neighbours", "--set", "ports=HP0", "--set", "burst_bytes=256", "--json"]
    found = json.loads(cli(*run, "--set", "duration=400us", "--store", store, "--jobs", "1"))
    assert found["unvalidated"] == ["DisplayPort", "FPD_DMA"]
    assert found["points"][1]["background"]["DisplayPort"]["read_MBps"]["mean"] > 200
    assert "Not validated: no measurement of DisplayPort, FPD_DMA" in cli(
        "show zcu102-neighbours --store", store
    )
    assert main(["explain", "zcu102-neighbours", "--store", store]) == 0
    rows = cli("export zcu102-neighbours --store", store).splitlines()[-5:]
    assert [row.split(",")[-1] for row in rows] == ["True", *["False"] * 4]


def test_the_rtl_backend_says_that_it_cannot():
    platform = Platform.load("zcu102")
    values = single(platform, {"ports": "HP0", "background": "DisplayPort=5"}).values
    with pytest.raises(AxiometerError, match="only the model has it"):
        rtl_tops.choose(platform, values)
