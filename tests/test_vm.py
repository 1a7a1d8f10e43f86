"""`axiometer vm` without a virtual machine: arguments, file system, scripts."""

import argparse
import dataclasses
import gzip
import re
import shutil
import struct
import subprocess

import pytest

import kit
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import (
    devicetree,
    driver_source,
    initramfs,
    kernels,
    machine,
    objections,
    packages,
    trials,
    trials_driver,
    trials_vendor,
)
from axiometer.bringup.vm.devicetree import Node
from axiometer.bringup.vm.guest import ENDED, Guest
from axiometer.cli.commands import vm
from validate import driver


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch, tmp_path):
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(kit.ROOT)


def test_missing_parts_are_named_with_the_command_that_fetches_them(cli):
    said = cli.refused("vm --packets 5")
    assert "tools, guest-arm64, linux-6.12\n" in said
    assert "fetch them with axiometer vm --fetch --kernel 6.12" in said
    assert "linux-6.1, kbuild-6.1\n" in cli.refused("vm --kernel 6.1")


def test_without_the_driver_it_says_where_to_go(monkeypatch, tmp_path):
    monkeypatch.setattr(driver_source.data, "checkout", lambda: None)
    assert driver_source.tree() == kit.ROOT
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AxiometerError, match="not part of the package"):
        driver_source.tree()


def test_a_build_has_the_driver_and_the_register_headers():
    places = {place for _, place in driver_source.files()}
    assert {"drivers/linux/axm_ring.c", "drivers/linux/Kbuild", "regs/generated/dma.h"} <= places
    assert "host/include/axm/block_types.h" in places


def test_packages_are_fetched_into_the_cache(tmp_path):
    folder = packages.linux("6.1")
    command = folder.command()
    assert command[:3] == ["mmdebstrap", "--variant=extract", "--architectures=arm64"]
    assert str(folder.path) in command and folder.path.parent == tmp_path / "cache" / "vm"
    assert [f.name for f in packages.missing("6.1")] == [
        "tools", "guest-arm64", "linux-6.1", "kbuild-6.1",
    ]  # fmt: skip
    for wanted in packages.needed("6.1"):
        wanted.path.mkdir(parents=True)
        (wanted.path / packages.DONE).touch()
    assert packages.missing("6.1") == []


def test_what_is_there_waits_for_nobody(tmp_path):
    """What another program builds for minutes is locked, and nothing else."""
    there, absent = tmp_path / "there", tmp_path / "absent"
    there.mkdir()
    (there / packages.DONE).touch()
    with packages.locked(absent) as wanted:
        assert wanted
        with packages.locked(there) as other, packages.locked(tmp_path / "third") as third:
            assert not other and third
        absent.mkdir()
        (absent / packages.DONE).touch()
    with packages.locked(absent) as again:
        assert not again


def test_another_list_of_packages_is_another_folder():
    folder = packages.root("tools")
    more = dataclasses.replace(folder, packages=(*folder.packages, "perl"))
    assert more.path != folder.path and more.path.name.startswith("tools-")


def test_what_a_kernel_did_not_take_of_its_configuration():
    fragment = "# why\nCONFIG_A=y\nCONFIG_B=n\nCONFIG_C=y\nCONFIG_D=n\n"
    config = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_D=y\n"
    assert kernels.not_taken(fragment, config) == ["CONFIG_C=y", "CONFIG_D=n"]


def test_a_guest_loads_its_modules_and_has_its_files(tmp_path):
    module, library = tmp_path / "x.ko", tmp_path / "lib.so"
    for file in (module, library):
        file.write_bytes(b"x")
    busybox = packages.guest("arm64").path / "usr" / "bin" / "busybox"
    busybox.parent.mkdir(parents=True)
    busybox.write_bytes(b"x")
    guest = Guest("arm64", (module,), {"usr/lib/lib.so": library}, "before\n", "true")
    assert guest.init().index("before\n") < guest.init().index("insmod /x.ko\n")
    whole = gzip.decompress(guest.archive())
    for place in (b"usr/lib/lib.so", b"usr/lib", b"x.ko", b"script", b"bin/sh"):
        assert b"\0" + place in whole or place in whole


def test_fetching_without_mmdebstrap(monkeypatch, cli):
    monkeypatch.setattr(packages.shutil, "which", lambda name: None)
    assert "apt-get install mmdebstrap" in cli.refused("vm --fetch")


@pytest.mark.skipif(shutil.which("cpio") is None, reason="cpio is not there to unpack it")
def test_archive_is_what_cpio_unpacks(tmp_path):
    entries = [
        initramfs.directory("bin"),
        initramfs.program("bin/a", b"#!/bin/sh\nexit 7\n"),
        initramfs.link("bin/b", "a"),
    ]
    subprocess.run(
        ["cpio", "-idm", "--quiet"], input=gzip.decompress(initramfs.archive(entries)),
        cwd=tmp_path, check=True,
    )  # fmt: skip
    assert subprocess.run([tmp_path / "bin" / "b"], check=False).returncode == 7


def test_archive_by_its_format():
    whole = gzip.decompress(initramfs.archive([initramfs.program("x", b"abcde")]))
    assert whole[:6] == b"070701" and len(whole) % 4 == 0
    assert int(whole[14:22], 16) == 0o100755
    assert int(whole[54:62], 16) == 5 and int(whole[94:102], 16) == 2
    assert whole[110:112] == b"x\0" and whole[112:117] == b"abcde"
    assert b"TRAILER!!!\0" in whole[120:]
    assert initramfs.archive([]) == initramfs.archive([])


@pytest.mark.parametrize(
    "script",
    [trials.packets(10, 1), trials.packets(10, 4), trials.rough(2, 1), Guest("arm64").init(),
     Guest("arm64", before=machine.HIDE, script="true").init(),
     trials.rough(1, 1, "platform"), trials.hostile(2, 1),
     trials.dead(2, 1), trials.suspend(2, 1), trials.fuzz(5, 1, 2), trials.fuzz(5, 1, 1, lies=True),
     trials.minute(2, 1), trials_driver.counts()[0].script,
     *(trial.script for trial in trials_driver.faults("platform").values())],
)  # fmt: skip
def test_scripts_are_shell(script):
    subprocess.run(["sh", "-n"], input=script, text=True, check=True)


def test_every_mode_of_faults_is_tried():
    modes = driver_source.tree() / driver_source.DRIVER / "tests" / "axm_test"
    files = [modes / f"{name}.c" for name in ("faults", "gone", "waits", "stream", "memory")]
    names = [n for f in files for n in re.findall(r"axm_test DEVICE (\w+)", f.read_text())]
    scripts = "".join(str(trial.script) for trial in trials_driver.faults("platform").values())
    assert len(names) >= 20
    assert [name for name in names if f" {name} " not in scripts] == []


@pytest.mark.parametrize("run", driver.runs(1000, 60), ids=lambda run: run.name)
def test_the_command_takes_what_validate_driver_runs(run):
    parser = argparse.ArgumentParser()
    vm.add_arguments(parser)
    for words in (run.words, run.fetch()):
        parser.parse_args(list(words))
    kernel = parser.parse_args(run.fetch()).kernel
    assert kernel is None or kernel in packages.kernels()


def test_every_mode_is_tried_on_every_channel():
    script = trials.packets(10, 4)
    for port in range(4):
        for mode in trials.MODES:
            assert f"axm_test /dev/axm0c{port} {mode} 10 " in script


def test_the_words_by_which_a_script_has_its_device_killed():
    for words in machine.SIGNALS:
        assert f'echo "{words}"\n' in trials.dead(1, 1)


def test_a_guest_that_did_not_say_how_it_ended_has_failed():
    assert machine.ended(["a\n", f"{ENDED} 0\r\n", "b\n"]) == 0
    assert machine.ended([f"{ENDED} 3\r\n"]) == 3
    assert machine.ended(["axm_test: good\n"]) is None


def tree(nodes: bytes, strings: bytes = b"") -> bytes:
    """A device tree without reservations."""
    whole = 40 + 16 + len(nodes) + len(strings)
    header = (0xD00DFEED, whole, 56, 56 + len(nodes), 40, 17, 16, 0, len(strings), len(nodes))
    return struct.pack(">10I", *header) + bytes(16) + nodes + strings


def test_a_node_is_added_to_a_device_tree():
    root = devicetree.cells(1, 0)
    before = tree(root + devicetree.cells(2, 9), b"old\0")
    after = devicetree.with_nodes(
        before,
        [Node("d@1", {"reg": devicetree.cells(1, 2), "flag": b""}, [Node("c", {"old": b"a"})])],
    )
    node = devicetree.cells(1) + b"d@1\0" + devicetree.cells(3, 8, 4, 1, 2, 3, 0, 8)
    child = devicetree.cells(1) + b"c\0\0\0" + devicetree.cells(3, 1, 13) + b"a\0\0\0"
    ends = devicetree.cells(2, 2, 2, 9)
    assert after == tree(root + node + child + ends, b"old\0reg\0flag\0old\0")
    for bad in (b"", before[:50], b"\0" + before[1:], tree(root)):
        with pytest.raises(ValueError):
            devicetree.with_nodes(bad, [])


def test_a_property_of_the_root_is_taken_away_and_no_other():
    """Without it a device that is to be maintained would inherit that it need not be."""
    flag, number = devicetree.cells(3, 0, 0), devicetree.cells(3, 4, 4, 7)
    child = devicetree.cells(1) + b"c\0\0\0" + flag + devicetree.cells(2)
    ends, strings = devicetree.cells(2, 9), b"dma\0num\0"
    before = tree(devicetree.cells(1, 0) + number + flag + child + ends, strings)
    nothing = devicetree.cells(4, 4, 4)
    without = tree(devicetree.cells(1, 0) + number + nothing + child + ends, strings)
    assert devicetree.root_without(before, "dma") == without
    assert devicetree.root_without(without, "dma") == without
    assert devicetree.root_without(before, "dm") == before
    with pytest.raises(ValueError):
        devicetree.root_without(b"", "dma")


@pytest.mark.parametrize("name", [*trials_vendor.ENGINES, "axi-dma-sg,data=32,realign=0"])
def test_the_device_tree_has_what_mainline_s_driver_of_an_engine_looks_for(name):
    engine = trials_vendor.find(name)
    clock, node, *client = trials_vendor.nodes(engine)(True)
    assert node.properties["compatible"] == devicetree.text(engine.compatible)
    for channel in node.children:
        narrow = "data=32" in name
        assert channel.properties["xlnx,datawidth"] == devicetree.cells(32 if narrow else 64)
        assert ("xlnx,include-dre" in channel.properties) is not narrow
    assert "dma-coherent" in node.properties
    assert "dma-coherent" not in trials_vendor.nodes(engine)(False)[1].properties
    names = node.properties.get("clock-names", b"").count(b"\0")
    assert len(node.properties.get("clocks", b"")) == 4 * names
    assert clock.properties["phandle"] == devicetree.cells(trials_vendor.CLOCK)
    assert len(client) == (len(node.children) == 2)  # who sends and receives
    before = tree(devicetree.cells(1, 0, 2, 9))
    assert devicetree.text(engine.compatible) in devicetree.with_nodes(before, [clock, node])


def test_bursts_of_a_port_have_one_setting():
    one = "bursts: port=0 cache=15 prot=2 count=9\nbursts: port=1 cache=3 prot=0 count=9\n"
    objections.one_setting(one)
    with pytest.raises(AxiometerError, match="port 1 had cache=3 prot=0 and cache=15 prot=2"):
        objections.one_setting(one + "bursts: port=1 cache=15 prot=2 count=1\n")


def test_an_objection_is_an_error_unless_it_is_allowed():
    said = "axm_vfio: x\nobjection: tail-halted: S2MM: a; b [PG021 c]\nobjections: tail-halted: 9\n"
    objections.check("axm_vfio: hello\n")
    objections.check(said, {"tail-halted"})
    with pytest.raises(AxiometerError, match="tail-halted: S2MM: a; b .PG021 c"):
        objections.check(said, {"frame-order"})
    rules = (kit.ROOT / "lab/engines/rules.hpp").read_text(encoding="utf-8")
    for engine in trials_vendor.ENGINES.values():
        assert all(f'"{rule}"' in rules for rule in engine.allowed)
