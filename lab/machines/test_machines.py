"""Emulated machines without an emulator: that the tables name what is there, and that what checks a
run finds its fault."""

import csv
import dataclasses
import re
import subprocess

import pytest

import kit
from axiometer.base.errors import AxiometerError
from machines import TREE, __main__, bare, driver, kernels, machine, programs, rings, trials, vendor
from machines.guest import ENDED, Guest
from machines.simulated import Work

ENGINES = [*trials.listed()["engines"], "axi-dma-sg,data=32,realign=0"]


@pytest.mark.parametrize("name", [name for name in trials.names() if name != "shell"])
def test_scripts_are_shell_and_call_what_is_there(name):
    for trial in trials.named(name, 2, 1, "platform"):
        script = trial.text(2, "platform")
        subprocess.run(["sh", "-n"], input=script, text=True, check=True)
        calls = trial.script.replace('"', "").split("; ") + trial.first.splitlines()
        for call in calls:
            assert call.startswith("rmmod ") or f"\n{call.split()[0]}() {{" in script, call


def test_every_chip_is_among_the_hosts():
    named = {name.partition(", ")[2] for name in trials.listed()["hosts"]}
    assert {*bare.chips()} <= named


def test_every_mode_of_the_driver_s_programs_is_tried():
    modes = kit.ROOT / programs.DRIVER / "tests" / "axm_test"
    scripts = " ".join(trial.text(1, "pci") for trial in trials.named("all", bus="platform"))
    names = [
        word.split()[0]
        for file in ("faults", "gone", "waits", "stream", "memory")
        for word in (modes / f"{file}.c").read_text().split("axm_test DEVICE ")[1:]
    ]
    assert len(names) >= 20
    assert [name for name in names if not re.search(rf"\b{name}\b", scripts)] == []


def test_the_table_of_runs_is_of_words_that_the_command_takes(monkeypatch):
    asked = []
    monkeypatch.setattr(trials, "run", lambda trial, on, *more: asked.append(on.kernel) or 0)
    monkeypatch.setattr(vendor, "run", lambda *words: asked.append(words[0]) or 0)
    for words in driver.runs(1000, 60).values():
        assert words == ["check"] or __main__.main(words) == 0
    assert {*asked} == {*kernels.names(), *ENGINES}


@pytest.mark.parametrize("coherent", [True, False])
@pytest.mark.parametrize(
    "nodes",
    [machine.OWN, programs.UIO_NODE]
    + [trial.nodes for name in ("clocks", "line") for trial in trials.named(name)]
    + [vendor.nodes(vendor.find(name)) for name in ENGINES],
)
def test_a_node_is_added_to_the_device_tree(tmp_path, nodes, coherent):
    """Where the design is not coherent, it does not inherit from QEMU's root that it is."""
    tree = tmp_path / "tree"
    before = "/dts-v1/; / { dma-coherent; #address-cells = <2>; #size-cells = <2>; old { }; };"
    make = ["dtc", "-q", "-O", "dtb", "-o", str(tree)]
    subprocess.run(make, input=before, text=True, check=True)
    bus = "platform" if coherent else "platform-noncoherent"
    machine._add_nodes(tree, machine.Settings(None, bus, 1.0, nodes=nodes))
    read = subprocess.run(["dtc", "-q", "-O", "dts", str(tree)], capture_output=True, text=True)
    assert "old {" in read.stdout and f"@{machine.WINDOW:x} {{" in read.stdout
    assert read.stdout.count("dma-coherent;") == 2 * coherent


def test_what_the_server_says_of_a_fault_is_an_error():
    said = "axm_vfio: x\nobjection: tail-halted: S2MM: a; b [PG021 c]\nobjections: tail-halted: 9\n"
    machine.objections(said, frozenset({"tail-halted"}))
    with pytest.raises(AxiometerError, match="tail-halted: S2MM: a; b .PG021 c"):
        machine.objections(said, frozenset({"frame-order"}))
    one = "bursts: port=0 cache=15 prot=2 count=9\nbursts: port=1 cache=3 prot=0 count=9\n"
    machine.one_setting(one)
    with pytest.raises(AxiometerError, match="port 1 had cache=3 prot=0 and cache=15 prot=2"):
        machine.one_setting(one + "bursts: port=1 cache=15 prot=2 count=1\n")
    rules = (TREE / "lab/engines/rules.hpp").read_text(encoding="utf-8")
    for name in ENGINES:
        assert all(f'"{rule}"' in rules for rule in vendor.find(name)["allowed"])


def test_sizes_of_packets_are_those_of_the_published_tables():
    """Of a run on hosts, and of the program where none are given."""
    table = (TREE / "reference" / "rsoc-zero-copy.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in table if not line.startswith("#"))
    program = (TREE / "host" / "apps" / "packet_times.c").read_text()
    (given,) = re.findall(r"#define AXM_SIZES (.*)", program)
    published = {int(row["transfer_bytes"]) for row in rows}
    assert set(rings.SIZES) == {int(size) for size in given.split(",")} == published


def test_the_costs_of_packets_are_read_and_their_laws_are_checked():
    said = """work: clocks=1000 periods=3 read_bytes=64 written_bytes=32 pl_period_ps=10000
work: clocks=5 periods=1 read_bytes=0 written_bytes=32 pl_period_ps=8000
"""
    (cost,) = rings.read("bare", ["   64  100  3  3200  0", "done"], said, [64])
    assert (cost.instructions, cost.accesses, cost.work.seconds) == (100.0, 3, pytest.approx(4e-8))
    with pytest.raises(AxiometerError, match="the program on bare failed: "):
        rings.read("bare", ["   64  100  3  3200  4", "failed: what came"], said, [64])
    row = type("Row", (), {})()
    row.values = {"ports": ["HP0"], "cache_control": "explicit", "io": "zero_copy", "pl_mhz": 100,
                  "width_bits": 64}  # fmt: skip
    row.mean = 100.0  # MB/s
    good = rings.Cost(800, 1, 3, 900.0, Work(200, 1, 0, 0, 10_000))
    assert list(rings.broken("bare", [row], [(good, True)])) == []
    for clocks, law in ((99, "fewer than the packet has beats"), (900, "faster than fabric")):
        wrong = dataclasses.replace(good, work=Work(clocks, 1, 0, 0, 10_000))
        (found,) = rings.broken("bare", [row], [(wrong, True)])
        assert law in found
    other = type("Row", (), {"values": row.values | {"cache_control": "none"}, "mean": None})()
    more = dataclasses.replace(good, instructions=2000.0)
    assert "without maintenance" in next(
        rings.broken("bare", [row, other], [(good, True), (more, True)])
    )


def test_a_guest_that_did_not_say_how_it_ended_has_failed():
    server = subprocess.Popen(["true"])
    ran = lambda text: machine._scripted(["printf", text], 60.0, server, str)  # noqa: E731
    assert ran(f"a\\n{ENDED} 0\\r\\nb\\n") == 0 and ran(f"{ENDED} 3\\r\\n") == 3
    with pytest.raises(AxiometerError, match="ended without the script's status"):
        ran("axm_test: good\\n")
    assert Guest(script="x").init().endswith("poweroff -f\n")
