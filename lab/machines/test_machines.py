"""Emulated machines without an emulator: packages, guests, scripts, device trees, tables, ends."""

import dataclasses
import subprocess

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.platform import Platform
from machines import (
    TREE,
    __main__,
    driver,
    kernels,
    machine,
    packages,
    programs,
    rings,
    simulated,
    trials,
    vendor,
)
from machines.guest import ENDED, Guest
from machines.simulated import OnChip, Work

ZEDBOARD = Platform.load("zedboard")


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path / "cache"))


def test_packages_are_folders_of_the_cache_by_their_lists(tmp_path, monkeypatch):
    with pytest.raises(
        AxiometerError, match=r"tools, guest-arm64, linux-6\.1, kbuild-6\.1"
    ) as error:
        kernels.find("6.1", print)
    assert "python -m machines fetch --kernel 6.1" in error.value.remedy
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    with pytest.raises(AxiometerError, match="mmdebstrap"):
        kernels.fetch("6.1", print)
    for folder in kernels.needed("6.1"):
        assert folder.command()[0] == "mmdebstrap" and str(folder.path) in folder.command()
        assert folder.path.parent == tmp_path / "cache" / "vm"
        more = dataclasses.replace(folder, packages=(*folder.packages, "perl"))
        assert more.path != folder.path and more.path.name.startswith(folder.name)
        folder.path.mkdir(parents=True)
        (folder.path / packages.DONE).touch()
    assert kernels.missing("6.1") == []


def test_what_is_made_is_made_once_and_what_fails_again(tmp_path):
    there, absent = tmp_path / "there", tmp_path / "absent"
    with packages.locked(there) as wanted:
        assert wanted
        there.mkdir()
    with packages.locked(there) as wanted, packages.locked(absent) as other:
        assert (wanted, other) == (False, True)
        absent.mkdir()
    with pytest.raises(RuntimeError), packages.locked(tmp_path / "bad"):
        (tmp_path / "bad").mkdir()
        raise RuntimeError
    with packages.locked(tmp_path / "bad") as wanted:
        assert wanted and not (tmp_path / "bad").exists()
        (tmp_path / "bad").mkdir()
    made = []
    for _ in range(2):
        folder = packages.made(tmp_path / "built", lambda work: made.append((work / "x").touch()))
    assert len(made) == 1 and (folder / "x").is_file()


def test_what_a_kernel_did_not_take_of_its_configuration():
    fragment = "# why\nCONFIG_A=y\nCONFIG_B=n\nCONFIG_C=y\nCONFIG_D=n\n"
    config = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_D=y\n"
    assert kernels.not_taken(fragment, config) == ["CONFIG_C=y", "CONFIG_D=n"]


def test_a_guest_loads_its_modules_and_has_its_files(tmp_path):
    module, library = tmp_path / "x.ko", tmp_path / "lib.so"
    busybox = packages.guest("arm64").path / "usr" / "bin" / "busybox"
    busybox.parent.mkdir(parents=True)
    for file in (module, library, busybox):
        file.write_bytes(b"x")
    guest = Guest((module,), {"usr/lib/lib.so": library}, "before\n", "exit 7\n")
    assert guest.init().index("before\n") < guest.init().index("insmod /x.ko\n")
    subprocess.run(
        ["cpio", "-idm", "--quiet"], input=guest.archive("arm64"), cwd=tmp_path, check=True
    )
    assert (tmp_path / "usr/lib/lib.so").read_bytes() == b"x" and (
        tmp_path / "bin/busybox"
    ).exists()
    assert subprocess.run([tmp_path / "script"], shell=True, check=False).returncode == 7


@pytest.mark.parametrize("name", [name for name in trials.NAMES if name != "shell"])
def test_scripts_are_shell_and_call_what_is_there(name):
    for trial in trials.named(name, 2, 1, "platform"):
        script = trial.text(2, "platform")
        subprocess.run(["sh", "-n"], input=script, text=True, check=True)
        calls = trial.script.replace('"', "").split("; ") + trial.first.splitlines()
        for call in calls:
            assert call.startswith("rmmod ") or f"\n{call.split()[0]}() {{" in script, call
    assert Guest(script="x").init().endswith("poweroff -f\n")


def test_every_mode_of_the_driver_s_programs_is_tried():
    modes = kit.ROOT / programs.DRIVER / "tests" / "axm_test"
    text = (kit.ROOT / "lab" / "machines" / "trials.sh").read_text()
    every = [*trials.FAULTS.values(), *trials.OF_TREE.values()]
    scripts = " ".join(trial.text(1, "pci") for trial in every)
    names = [
        word.split()[0]
        for file in ("faults", "gone", "waits", "stream", "memory")
        for word in (modes / f"{file}.c").read_text().split("axm_test DEVICE ")[1:]
    ]
    assert len(names) >= 20
    assert [name for name in names if name not in scripts.replace('"', " ").split()] == []
    assert 'MODES="copy vector poll zero two"\n' in text
    for words in (*machine.SIGNALS, "LIES=''"):
        assert words in trials.named("dead", 1, 1, "pci")[0].text(1, "pci")
    assert "LIES=1\n" in trials.named("hostile", 1, 1, "pci")[0].text(1, "pci")


def test_the_table_of_the_driver_s_runs_is_of_words_that_the_command_takes(monkeypatch):
    asked = []
    monkeypatch.setattr(trials, "run", lambda trial, on, say, script: asked.append(on.kernel) or 0)
    monkeypatch.setattr(vendor, "run", lambda *words: asked.append(words[0]) or 0)
    for module, name in ((packages, "fetch"), (kernels, "fetch")):
        monkeypatch.setattr(module, name, lambda *_: None)
    for words in driver.runs(1000, 60).values():
        assert __main__.main(driver.fetching(words)) == 0
        assert words == "check" or __main__.main(words.split()) == 0
    assert {*kernels.names()} == {*asked} & {*kernels.names()}
    assert {*driver.ENGINES} <= {*asked} and __main__.main(["nothing"]) == 2


@pytest.mark.parametrize("coherent", [True, False])
@pytest.mark.parametrize(
    "nodes",
    [machine.OWN, programs.UIO_NODE, trials.GATED, trials.WITHOUT_LINE]
    + [vendor.find(name).nodes() for name in driver.ENGINES],
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
    said = read.stdout
    assert "old {" in said and f"@{machine.WINDOW:x} {{" in said
    assert said.count("dma-coherent;") == 2 * coherent
    with pytest.raises(AxiometerError, match="dtc refuses"):
        machine._add_nodes(tree, machine.Settings(None, bus, 1.0, nodes="wrong"))


def test_the_device_tree_has_the_parameters_of_an_engine():
    narrow, wide = (vendor.find(f"axi-dma-sg{of}").nodes() for of in (",data=32,realign=0", ""))
    assert narrow.count("xlnx,datawidth = <32>;") == wide.count("xlnx,datawidth = <64>;") == 2
    assert ("include-dre" in wide, "include-dre" in narrow) == (True, False)
    with pytest.raises(AxiometerError, match="no model of an engine 'pl330'"):
        vendor.find("pl330")


def test_objections_are_errors_unless_they_are_allowed():
    said = "axm_vfio: x\nobjection: tail-halted: S2MM: a; b [PG021 c]\nobjections: tail-halted: 9\n"
    machine.objections("axm_vfio: hello\n")
    machine.objections(said, frozenset({"tail-halted"}))
    with pytest.raises(AxiometerError, match="tail-halted: S2MM: a; b .PG021 c"):
        machine.objections(said, frozenset({"frame-order"}))
    one = "bursts: port=0 cache=15 prot=2 count=9\nbursts: port=1 cache=3 prot=0 count=9\n"
    machine.one_setting(one)
    with pytest.raises(AxiometerError, match="port 1 had cache=3 prot=0 and cache=15 prot=2"):
        machine.one_setting(one + "bursts: port=1 cache=15 prot=2 count=1\n")


def test_a_chip_behind_the_design_has_a_port_of_the_memory_s_model():
    assert OnChip.of(ZEDBOARD).port == "HP0"
    chip = OnChip.of(ZEDBOARD, "HP2", 125)
    assert "ports[0].name HP2\n" in chip.lines() and chip.lines().endswith("pl_period_ps 8000\n")
    assert dict(chip.design().parameters)["RINGS"] == 1 and chip.design().axi3
    for port in ("ACP", "GP0", "HP9"):
        with pytest.raises(AxiometerError, match=f"no port '{port}' in the memory model"):
            OnChip.of(ZEDBOARD, port)


def test_the_costs_of_packets_are_read_from_program_and_fabric():
    said = """axm_window: times are those of the simulated chip
work: clocks=1000 periods=3 read_bytes=64 written_bytes=32 pl_period_ps=10000
objection: axi: none
work: clocks=5 periods=1 read_bytes=0 written_bytes=32 pl_period_ps=8000
"""
    first, second = simulated.works(said)
    assert first == Work(1000, 3, 64, 32, 10000) and second.seconds == pytest.approx(4e-8)
    (cost,) = rings.read("bare", ["   64  100  3  3200  0", "done"], said, [64])
    assert (cost.instructions, cost.accesses, cost.work.clocks) == (100.0, 3, 5)
    for wrong in (["failed: timeout"], ["   64  100  3  3200  4", "failed: what came"]):
        with pytest.raises(AxiometerError, match="the program on bare failed: "):
            rings.read("bare", wrong, said, [64])


def test_laws_between_the_figures_of_a_host_are_checked():
    row = type("Row", (), {})()
    row.values = {"ports": ["HP0"], "cache_control": "explicit", "io": "zero_copy", "pl_mhz": 100,
                  "width_bits": 64}  # fmt: skip
    row.mean = 100.0  # MB/s
    good = rings.Cost(800, 1, 3, 900.0, Work(200, 1, 0, 0, 10_000))
    assert list(rings.broken("bare", [row], [(good, True)])) == []
    for clocks, law in ((99, "fewer than the packet has beats"), (900, "faster than fabric")):
        wrong = dataclasses.replace(good, work=Work(clocks, 1, 0, 0, 10_000))
        (said,) = rings.broken("bare", [row], [(wrong, True)])
        assert law in said
    other = type("Row", (), {"values": row.values | {"cache_control": "none"}, "mean": None})()
    more = dataclasses.replace(good, instructions=2000.0)
    assert "without maintenance" in next(
        rings.broken("bare", [row, other], [(good, True), (more, True)])
    )


def test_a_guest_that_did_not_say_how_it_ended_has_failed(tmp_path):
    server = subprocess.Popen(["true"])
    ran = lambda text: machine._scripted(["printf", text], 60.0, server, str)  # noqa: E731
    assert ran(f"a\\n{ENDED} 0\\r\\nb\\n") == 0 and ran(f"{ENDED} 3\\r\\n") == 3
    with pytest.raises(AxiometerError, match="ended without the script's status"):
        ran("axm_test: good\\n")


def test_rules_that_a_driver_may_break_are_rules_of_the_models():
    rules = (TREE / "lab/engines/rules.hpp").read_text(encoding="utf-8")
    for engine in vendor.ENGINES.values():
        assert all(f'"{rule}"' in rules for rule in engine.allowed)
