"""Cost of a packet on a host, tested without a virtual machine: chips, refusals, records."""

from __future__ import annotations

import csv
import io

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import host_costs, linux_apps, packet_costs, simulated
from axiometer.bringup.vm.packet_costs import Cost, Way
from axiometer.bringup.vm.simulated import OnChip, Work
from axiometer.platform import Platform
from axiometer.runs.runner import workers

SAID = """axm_window: times are those of the simulated chip
work: clocks=1000 periods=3 read_bytes=64 written_bytes=32 pl_period_ps=10000
objection: axi: none
work: clocks=5 periods=1 read_bytes=0 written_bytes=32 pl_period_ps=8000
"""
ZEDBOARD = Platform.load("zedboard")


def test_ports_in_the_output_of_a_server():
    first, second = simulated.works(SAID)
    assert first == Work(1000, 3, 64, 32, 10000) and first.seconds == pytest.approx(1e-5)
    assert second.seconds == pytest.approx(4e-8)
    assert "10.000 us" in str(first) and "without the processor's time" in str(first)
    assert simulated.works("work: clocks=many\n") == []


def test_a_chip_has_its_first_port_or_the_one_that_is_asked_for():
    assert OnChip.of(ZEDBOARD).port == "HP0"
    chip = OnChip.of(ZEDBOARD, "HP2", 125)
    assert "ports[0].name HP2\n" in chip.lines() and chip.lines().endswith("pl_period_ps 8000\n")
    assert dict(chip.design().parameters)["RINGS"] == 1 and chip.design().axi3


@pytest.mark.parametrize("port", ["ACP", "GP0", "HP9"])
def test_ports_of_no_memory_model_are_refused(port):
    with pytest.raises(AxiometerError, match=f"no port '{port}' in the memory model") as error:
        OnChip.of(ZEDBOARD, port)
    assert "HP0, HP1, HP2, HP3" in (error.value.remedy or "")


def test_a_missing_kernel_is_reported_with_its_command(monkeypatch, tmp_path, cli):
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path))
    assert "axiometer vm --fetch --kernel 6.12-arm" in cli.refused(
        "run zedboard-zero-copy --host linux"
    )


def test_a_program_without_an_answer_is_a_failure(monkeypatch):
    monkeypatch.setattr(packet_costs, "require", lambda host, chip: None)
    chip = OnChip.of(ZEDBOARD)
    rows = ["   64  100  3  3200  0", "done"]
    monkeypatch.setattr(packet_costs, "_image", lambda *_: (rows, SAID))
    (cost,) = packet_costs.costs("bare", "zynq-7000", chip, [64], Way(), print)
    assert (cost.instructions, cost.accesses, cost.work.clocks) == (100.0, 3, 5)
    for wrong in (["failed: timeout"], ["   64  100  3  3200  4", "failed: what came"]):
        monkeypatch.setattr(packet_costs, "_image", lambda *_, wrong=wrong: (wrong, SAID))
        with pytest.raises(AxiometerError, match="the program on bare failed: "):
            packet_costs.costs("bare", "zynq-7000", chip, [64], Way(), print)


def test_a_run_keeps_both_figures_apart_from_its_rates(monkeypatch, tmp_path, cli):
    """In the table, in JSON and in CSV; and the rates are those of the model alone."""
    asked = []

    def of(one, platform, say):
        asked.append(one)
        return Cost(one.bytes, 100, 3, 2888.5, Work(10_000, 200, 1, 1, 10_000))

    monkeypatch.setattr(host_costs, "of", of)
    monkeypatch.setattr(packet_costs, "require", lambda host, chip: None)
    monkeypatch.setattr(workers.multiprocessing, "get_context", None)  # no process of its own
    store = ["--store", str(tmp_path / "runs")]
    run = ["run", "zedboard-zero-copy", "--jobs", "1", "--quiet", *store]
    table = cli(*run, "--host", "bare")
    assert "1.000" in table and "2888" in table and "Neither is part of a rate" in table
    assert {one.port for one in asked} == {"HP0", ""}
    assert {(one.way.coherent, one.way.copies) for one in asked} == {
        (False, False),
        (True, False),
        (False, True),
    }
    rows = list(csv.DictReader(io.StringIO(cli("export zedboard-zero-copy-0001", *store))))
    assert {row["host_instructions"] for row in rows} == {"2888.5"}
    assert {row["host_fabric_memory_s"] for row in rows if row["ports"] == "ACP"} == {""}
    assert {row["host_name"] for row in rows} == {"bare"}
    cli(*run)
    plain = list(csv.DictReader(io.StringIO(cli("export zedboard-zero-copy-0002", *store))))
    assert [row["total_MBps_mean"] for row in plain] == [row["total_MBps_mean"] for row in rows]
    assert "host_name" not in plain[0]


def test_usual_sizes_are_those_of_the_published_tables():
    assert linux_apps.SIZES == (64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768)
    assert max(linux_apps.SIZES) == packet_costs.MOST_BYTES
