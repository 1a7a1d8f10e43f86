"""Device trees of projects: compiled, compared with the block design, planted mistakes found."""

import dataclasses
import functools
import re
import shutil
import struct
import subprocess

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import devicetree, plan
from project_kit import needs_dtc, needs_tclsh, written
from validate.projects import devicetree as check
from validate.projects import vivado as proof
from validate.projects.devicetree import blob

UIO = ("dma", "HP0+HP2", {}, "uio", "cma")
AXM = ("dma", "HP1", {"parameters": (("RINGS", 1),)}, "axm", None)
SG = ("vendor-sg", "HP0+HP2", {}, "mainline", None)
CDMA = ("vendor-cdma", "HP0", {}, "mainline", None)
KEPT = ("traffic", "HP0+HP3", {}, "uio", "reserved")
RAM = ("slave", "", {"parameters": (("FULL", 1),)}, "uio", None)


@functools.cache
def proven(board, top, ports, **options):
    made, place = written(board, top, ports, **options)
    recorded, found = proof.run(made, place)
    assert found == []
    return made, recorded


def described(tmp_path, board, design):
    """(plan, what the proof recorded, the directory with the device tree)."""
    top, ports, options, driver, memory = design
    made, recorded = proven(board, top, ports, **options)
    devicetree.write(made, devicetree.choose(made, driver, memory), tmp_path)
    return made, recorded


MISTAKES = {
    "registers elsewhere": ("zybo", UIO, "axm", ("<0x43c00000 ", "<0x43c10000 "), "reg is"),
    "half the registers": ("zybo", UIO, "axm", (" 0x10000>", " 0x8000>"), "reg is"),
    "registers in one cell": ("zcu102", UIO, "axm", ("0x0 0xa0000000 0x0 0x", "0xa0000000 0x"),
                              "reg|cells"),
    "a RAM that is left out": ("zybo", RAM, "axm", (", <0x80000000 0x8000>", ""), "reg is"),
    "name of another address": ("zybo", UIO, "axm", ("@43c00000", "@43c10000"),
                                "unit address|not named by its address"),
    "interrupt by its number in the GIC": ("zybo", UIO, "axm", ("<0 29 4>", "<0 61 4>"),
                                           "interrupts is"),
    "interrupt of the other chip": ("zcu102", UIO, "axm", ("<0 89 4>", "<0 29 4>"), "interrupts"),
    "interrupt of an edge": ("zybo", UIO, "axm", ("<0 29 4>", "<0 29 1>"), "active high"),
    "private interrupt": ("zybo", UIO, "axm", ("<0 29 4>", "<1 29 4>"), "interrupts is"),
    "interrupt of another controller": ("zybo", UIO, "axm", ("&intc", "&gic"), "interrupt-parent"),
    "no interrupt": ("zybo", UIO, "axm", ("\t\tinterrupts = <0 29 4>;\n", ""), "interrupts is"),
    "coherent at ports that are not": ("zybo", UIO, "axm", ("<0 29 4>;", "<0 29 4>; dma-coherent;"),
                                       "is dma-coherent; its ports: S_AXI_HP0, S_AXI_HP2"),
    "coherent buffer at ports that are not": (
        "zcu102", UIO, "axm", ("size = <0x1000000>;", "size = <0x1000000>; dma-coherent;"),
        "axm-buffer is dma-coherent"),
    "a flag with a value": ("zybo", UIO, "axm", ("<0 29 4>;", "<0 29 4>; dma-coherent = <0>;"),
                            "dma-coherent has a value"),
    "another clock": ("zybo", UIO, "bitstream", ("\tclocks = <&clkc 15>", "\tclocks = <&clkc 16>"),
                      "clocks is clkc"),
    "clock of another rate": ("zybo", UIO, "bitstream", ("<100000000>", "<50000000>"), "rate is"),
    "no clock": ("zybo", UIO, "bitstream", ("xlnx,fclk", "fixed-clock"),
                 "switch the fabric's clock on"),
    "another bitstream": ("zybo", UIO, "bitstream", ("system.bit.bin", "top.bit.bin"),
                          "firmware-name"),
    "another region": ("zybo", UIO, "bitstream", ("&fpga_full", "&fpga_region0"), "target is"),
    "another bus": ("zybo", UIO, "axm", ("&amba", "&fpga_full"), "target is fpga_full, not amba"),
    "device before the widths": ("zybo", UIO, "bitstream", ("xlnx,fclk", "generic-uio"),
                                 "before the ports have their widths"),
    "bitstream twice": ("zybo", UIO, "axm", (
        "#size-cells = <1>;", '#size-cells = <1>; firmware-name = "system.bit.bin";'),
                        "programs the fabric again"),
    "widths of one port only": ("zybo", UIO, "bitstream", ("f800a000", "f800b000"), "for widths"),
    "port of the other width": ("zybo", UIO, "bitstream", ("afi-width = <0>", "afi-width = <1>"),
                                "for widths write"),
    "no widths": ("zybo", UIO, "bitstream", ("zynq-afi-fpga", "zynq-afi"), "write nothing"),
    "width of the registers' port left out": ("zcu102", UIO, "bitstream", (", <14 0x0>", ""),
                                              "config-afi is"),
    "registers' port of 128 bits": ("zcu102", UIO, "bitstream", ("<14 0x0>", "<14 0x200>"),
                                    "config-afi is"),
    "widths for nobody": ("zcu102", UIO, "bitstream", ("xlnx,afi-fpga", "xlnx,afi"), "config-afi"),
    "no reset": ("zcu102", UIO, "bitstream", ("resets = <&zynqmp_reset 116>;", ""),
                 "resets is None"),
    "another reset": ("zcu102", UIO, "bitstream", ("zynqmp_reset 116", "zynqmp_reset 117"),
                      "resets is zynqmp_reset"),
    "cells of the other chip": ("zcu102", UIO, "axm", ("#address-cells = <2>",
                                                       "#address-cells = <1>"), "address-cells"),
    "driver of rings without rings": ("zybo", UIO, "axm", ("generic-uio", "axiometer,dma-1"),
                                      "has none"),
    "driver without its clock": ("zybo", AXM, "axm", ("clocks = <&clkc 15>;", ""),
                                 "clocks is not the fabric's"),
    "driver with another clock": ("zcu102", AXM, "axm", ("zynqmp_clk 71", "zynqmp_clk 72"),
                                  "clocks is not the fabric's"),
    "driver that is not there": ("zybo", AXM, "axm", ("dma-1", "dma-2"), "0 devices"),
    "no buffer": ("zybo", UIO, "axm", ("ikwzm,u-dma-buf", "ikwzm,udmabuf"), "0 buffers, not 1"),
    "buffer of another name": ("zybo", UIO, "axm", ("udmabuf0", "udmabuf1"), "looks for udmabuf0"),
    "memory kept for nobody": ("zybo", KEPT, "axm", ("memory-region = <&axm_memory>;", ""),
                               "kept and not used"),
    "memory that nothing keeps": ("zybo", UIO, "axm", (
        "size = <0x1000000>;", "size = <0x1000000>; memory-region = <&axm_memory>;"),
        "nothing keeps"),
    "less kept than is used": ("zybo", KEPT, "memory", ("size = <0x1000000>", "size = <0x800000>"),
                               "are kept"),
    "kept where the ports do not reach": (
        "zybo", KEPT, "memory", ("<0x0 0x20000000>", "<0x0 0x40000000>"), "not all reached"),
    "kept anywhere": ("zcu102", KEPT, "memory", ("alloc-ranges", "alloc-range"), "not all reached"),
    "kept from everyone": ("zybo", KEPT, "memory", ("reusable", "no-map"), "no shared pool"),
    "an engine without a node": (
        "zybo", SG, "axm", ("43c20000 {\n\t\tcompatible = \"xlnx,axi-dma-1.00.a\"",
                            "43c20000 {\n\t\tcompatible = \"xlnx,axi-mcdma\""),
        "1 nodes for the kernel's own driver, 2 engines"),
    "engine of another kind": ("zybo", CDMA, "axm", ("axi-cdma-1.00.a", "axi-dma-1.00.a"),
                               "the kind of engine0"),
    "engine of the other's registers": ("zcu102", SG, "axm", ("<0x0 0xa0010000", "<0x0 0xa0020000"),
                                        "no node has the registers and the kind of engine0"),
    "engine named by another address": ("zybo", CDMA, "axm", ("@43c10000", "@43c20000"),
                                        "unit address|not named by its address"),
    "engine with no number for clients": (
        "zybo", CDMA, "axm", ("#dma-cells = <1>", "#dma-cells = <0>"), "#dma-cells is"),
    "engine without what its binding asks for": (
        "zybo", CDMA, "axm", ("\t\txlnx,addrwidth = <32>;\n", ""), "asks for xlnx,addrwidth"),
    "engine with what no binding has": (
        "zybo", CDMA, "axm", ("#dma-cells = <1>;", "#dma-cells = <1>; xlnx,include-sg;"),
        "neither the binding nor a public tree gives xlnx,axi-cdma-1.00.a a xlnx,include-sg"),
    "engine whose clocks are in another order": (
        "zybo", SG, "axm", ('"s_axi_lite_aclk", "m_axi_mm2s_aclk"',
                            '"m_axi_mm2s_aclk", "s_axi_lite_aclk"'), "clock-names are"),
    "engine at another clock": ("zcu102", SG, "axm", ("<&zynqmp_clk 71>;", "<&zynqmp_clk 72>;"),
                                "clocks are .*72"),
    "engine of fewer address bits": ("zcu102", SG, "axm", ("addrwidth = <64>", "addrwidth = <32>"),
                                     "the engine has 40"),
    "engine of shorter transfers": (
        "zybo", SG, "axm", ("length-width = <26>", "length-width = <23>"),
        "the engine has 26 bits of length"),
    "engine at another interrupt controller": ("zybo", CDMA, "axm", ("&intc", "&gic"),
                                               "interrupt-parent is gic"),
    "engine that only sends": ("zybo", SG, "axm", ("axi-dma-s2mm-channel", "axi-dma-mm2s-channel"),
                               "channels are"),
    "channel at another interrupt": ("zybo", SG, "axm", ("<0 29 4>", "<0 30 4>"), "interrupts is"),
    "channel of another width": ("zybo", CDMA, "axm", ("datawidth = <64>", "datawidth = <32>"),
                                 "data bits, not 64"),
    "channel that does not realign": ("zybo", CDMA, "axm", ("xlnx,include-dre;", ""),
                                      "xlnx,include-dre is wrong, C_INCLUDE_DRE is 1"),
    "engine that is coherent at a port that is not": (
        "zybo", CDMA, "axm", ("#dma-cells = <1>;", "#dma-cells = <1>; dma-coherent;"),
        "is dma-coherent; its ports: S_AXI_HP0"),
    "engine before the widths": (
        "zybo", CDMA, "bitstream", ("xlnx,fclk", "xlnx,axi-cdma-1.00.a"),
        "before the ports have their widths"),
    "no device tree": ("zybo", UIO, "axm", ("/dts-v1/;", "/dts-v0/;"), "syntax error"),
}  # fmt: skip


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_found(name, tmp_path):
    board, design, file, (old, new), wanted = MISTAKES[name]
    made, recorded = described(tmp_path, board, design)
    path = tmp_path / "linux" / f"{file}.dtso"
    text = path.read_text()
    assert old in text, f"{file} has no {old!r} to be spoilt"
    path.write_text(text.replace(old, new))
    found = check.check(recorded, made, tmp_path)
    assert any(re.search(wanted, finding) for finding in found), found


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize(("board", "port"), [("zybo", "S_AXI_ACP"), ("zcu102", "S_AXI_HPC0_FPD")])
def test_what_is_at_a_coherent_port_is_coherent(board, port, tmp_path):
    """No project has such a port yet: the plan and the block design are changed to one that has."""
    made, recorded = described(tmp_path, board, ("dma", "HP0", {}, "uio", "cma"))
    (link,) = made.links
    moved = dataclasses.replace(recorded, buses=[
        (a.replace(link.interface, port), b.replace(link.interface, port), line)
        for a, b, line in recorded.buses])  # fmt: skip
    found = check.check(moved, made, tmp_path)
    assert len(found) == 2 and all("is not dma-coherent" in finding for finding in found)
    there = dataclasses.replace(made, links=(dataclasses.replace(link, interface=port),))
    devicetree.write(there, devicetree.choose(there), tmp_path)
    assert check.check(moved, there, tmp_path) == []
    assert len(check.check(recorded, made, tmp_path)) == 2


BASE = """/dts-v1/;
/ {{
	#address-cells = <{cells}>;
	#size-cells = <{cells}>;
	{region}: fpga-full {{ #address-cells = <{cells}>; #size-cells = <{cells}>; ranges; }};
	{bus}: axi {{ #address-cells = <{cells}>; #size-cells = <{cells}>; ranges; }};
	zynqmp_reset: reset-controller {{ #reset-cells = <1>; }};
	{gic}: interrupt-controller {{ interrupt-controller; #interrupt-cells = <3>; }};
	{clock}: clock-controller {{ #clock-cells = <1>; }};
}};
"""


def applied(tmp_path, made):
    """A tree with the labels of the chip, to which the overlays are applied in their order."""
    tree = made.system["tree"]
    base = tmp_path / "base.dts"
    base.write_text(
        BASE.format(
            cells=tree["cells"],
            region=tree["region"],
            bus=tree["bus"],
            gic=tree["interrupt_controller"],
            clock=tree["clock_controller"],
        )
    )
    now = tmp_path / "base.dtb"
    subprocess.run(["dtc", "-q", "-@", "-O", "dtb", "-o", now, base], check=True)
    for name in ("memory", "bitstream", "axm"):
        source = tmp_path / "linux" / f"{name}.dtso"
        if source.exists():
            compiled = tmp_path / f"{name}.dtbo"
            subprocess.run(["dtc", "-q", "-@", "-O", "dtb", "-o", compiled, source], check=True)
            subprocess.run(["fdtoverlay", "-i", now, "-o", tmp_path / f"with-{name}.dtb", compiled],
                           check=True)  # fmt: skip
            now = tmp_path / f"with-{name}.dtb"
    return now


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("board", ["zybo", "zcu102"])
def test_overlays_apply_and_the_buffer_finds_its_memory(board, tmp_path):
    """By libfdt, which U-Boot has too: labels are found, the buffer has the pool's memory."""
    made, _ = described(tmp_path, board, KEPT)
    root = blob.read(applied(tmp_path, made).read_bytes())
    assert root.nodes["fpga-full"].texts("firmware-name") == ["system.bit.bin"]
    bus = root.nodes["axi"]
    pool = root.nodes["reserved-memory"].nodes["axm-memory"]
    assert bus.nodes["axm-buffer"].words("memory-region") == pool.words("phandle")
    (device,) = [node for name, node in bus.nodes.items() if name.startswith("axiometer@")]
    assert device.words("interrupt-parent") == root.nodes["interrupt-controller"].words("phandle")


@needs_dtc
@needs_tclsh
@pytest.mark.skipif(shutil.which("dt-validate") is None, reason="dt-schema is not installed")
@pytest.mark.parametrize("spoilt", [False, True])
@pytest.mark.parametrize("board", ["zybo", "zcu102"])
def test_our_drivers_node_is_what_its_binding_says(board, spoilt, tmp_path):
    made, _ = described(tmp_path, board, AXM)
    path = tmp_path / "linux" / "axm.dtso"
    if spoilt:
        path.write_text(re.sub(r"\t\tinterrupts = .*\n", "", path.read_text()))
    bindings = kit.ROOT / "drivers" / "linux" / "bindings"
    done = subprocess.run(["dt-validate", "-s", bindings, applied(tmp_path, made)],
                          capture_output=True, text=True, check=False)  # fmt: skip
    printed = [line for line in (done.stdout + done.stderr).splitlines() if "axiometer,dma" in line]
    assert bool(printed) == spoilt, printed


@needs_dtc
def test_what_dtc_compiles_is_read(tmp_path):
    source = tmp_path / "a.dts"
    source.write_text('/dts-v1/; / { b = <1 0xffffffff>; c = "x", "yz"; d { e; f = [01 02]; }; };')
    root, notes = blob.compiled(source)
    assert notes == []
    assert root.words("b") == [1, 0xFFFFFFFF] and root.texts("c") == ["x", "yz"]
    assert root.nodes["d"].properties == {"e": b"", "f": b"\x01\x02"}
    with pytest.raises(ValueError, match="whole cells"):
        root.nodes["d"].words("f")


@pytest.mark.parametrize("data", [b"", b"x" * 64, struct.pack(">7I", 0xD00DFEED, 0, 28, 0, 0, 0, 0)
                                  + struct.pack(">I", 7)])  # fmt: skip
def test_files_that_are_no_device_tree_are_refused(data):
    with pytest.raises(ValueError, match="no compiled|token 7"):
        blob.read(data)


@pytest.mark.parametrize(
    ("top", "ports", "choice", "words"),
    [
        ("dma", "HP0", ("axm", None, None), "rings"),
        ("traffic", "HP0", ("axm", None, None), "rings"),
        ("dma", "HP0", ("spi", None, None), "--driver is 'spi'"),
        ("dma", "HP0", ("uio", "dram", None), "--memory is 'dram'"),
        ("dma", "HP0", ("uio", None, 0), "--memory-mib is 0"),
        ("dma", "HP0", ("uio", None, 257), "--memory-mib is 257"),
        ("slave", "", ("uio", "cma", None), "no masters"),
        ("dma", "HP0", ("mainline", None, None), "AMD's AXI DMA and AXI CDMA"),
        ("traffic-generator", "HP0", ("mainline", None, None), "this design has neither"),
        ("vendor-sg", "HP0", ("mainline", "cma", None), "allocates its own memory"),
    ],
)
def test_impossible_settings_are_refused(top, ports, choice, words):
    made = plan.make("zybo", top, [ports] if ports else [])
    with kit.refuses(match=words):
        devicetree.choose(made, *choice)


def test_the_usual_driver_is_the_one_that_drives_the_design():
    assert devicetree.choose(plan.make("zybo", "dma", parameters={"RINGS": 1})).driver == "axm"
    usual = devicetree.choose(plan.make("zybo", "dma"))
    assert usual == devicetree.Choice("uio", "cma", devicetree.USUAL_MIB)


def test_the_command_writes_the_device_tree(tmp_path):
    place = tmp_path / "project"
    asked = ["build", "zybo", "--top", "dma", "--memory", "reserved", "--memory-mib", "8"]
    assert main([*asked, "-o", str(place)]) == 0
    assert {path.name for path in (place / "linux").iterdir()} == {
        "bitstream.dtso", "axm.dtso", "memory.dtso", "system.bif", "linux.json"}  # fmt: skip


def test_without_dtc_the_remedy_is_printed(tmp_path, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(AxiometerError, match="not installed"):
        blob.compiled(tmp_path / "axm.dtso")
