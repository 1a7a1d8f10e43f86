"""The Verilog-2005 netlist of a top does what its RTL does: beside it, in every clock."""

import re
import subprocess

import pytest
from flow import cocotb_run, netlist, readers, tools

BUILD = tools.ROOT / "build" / "netlist"
SLAVE_ENV = {"FULL": "1", "EXTRA_READ": "0", "EXTRA_WRITE": "0"}


def written(top, values):
    file = BUILD / f"{top}.v"
    netlist.write(top, readers.DESIGNS[top][0], file, values)
    return file


def beside(top, file, values, folder):
    """Files of a design named like `top`, of the netlist and the RTL with a comparison of both.

    The netlist's outputs are the design's, and differ from the RTL's in no clock.
    """
    text = file.read_text()
    ports = re.findall(r"^  (input|output) (\[\d+:0\] |)(\w+);", text, re.M)
    outputs = [(width, name) for way, width, name in ports if way == "output"]
    assert len(outputs) > 3
    declared = ",\n".join(f"  {way} logic {width}{name}" for way, width, name in ports)
    compared = "\n".join(
        f"  logic {width}rtl_{name};\n  always_ff @(posedge {ports[0][2]})"
        f' assert (rtl_{name} == {name}) else $error("{name} differs");'
        for width, name in outputs
    )
    names = [name for _, name in outputs]
    rtl = ", ".join(f".{name}({'rtl_' * (name in names)}{name})" for _, _, name in ports)
    flat = ", ".join(f".{name}" for _, _, name in ports)
    chosen = ", ".join(f".{name}({value})" for name, value in values.items())
    folder.mkdir(parents=True, exist_ok=True)
    pair, renamed, moved = (folder / name for name in ("pair.sv", "rtl.sv", "flat.v"))
    pair.write_text(
        f"module {top} (\n{declared}\n);\n  {top}_flat u_flat ({flat});\n"
        f"  {top}_rtl #({chosen}) u_rtl ({rtl});\n{compared}\nendmodule\n"
    )
    moved.write_text(re.sub(rf"\bmodule {top}\b", f"module {top}_flat", text))
    own = next(path for path in readers.DESIGNS[top][0] if path.stem == top)
    renamed.write_text(re.sub(rf"\bmodule {top}\b", f"module {top}_rtl", own.read_text()))
    return [*(p for p in readers.DESIGNS[top][0] if p != own), renamed, moved, pair]


def test_the_netlist_of_a_top_acts_as_its_rtl(tmp_path):
    values = {"FULL": 1}
    file = written("axm_slave_top", values)
    sources = beside("axm_slave_top", file, values, tmp_path)
    cocotb_run.run("axm_slave_top", sources, "cocotb_slave_top", {}, env=SLAVE_ENV)


def test_a_netlist_that_differs_is_noticed(tmp_path, monkeypatch):
    """Also in what the tests of the RTL do not look at: read data of a clock without any."""
    folder = tools.RTL / "ram" / "tests"
    monkeypatch.syspath_prepend(folder)
    top = "axm_ram_lite"
    file = written(top, {})
    good = file.read_text()
    free = "if (!s_axil_rvalid || s_axil_rready) s_axil_rdata <="
    damaged = good.replace("if (read) s_axil_rdata <=", free)
    assert damaged != good
    cocotb_run.run(top, beside(top, file, {}, tmp_path / "good"), "cocotb_ram_lite", folder=folder)
    file.write_text(damaged)
    cocotb_run.run(top, [file], "cocotb_ram_lite", folder=folder)
    sources = beside(top, file, {}, tmp_path / "damaged")
    with pytest.raises(AssertionError):
        cocotb_run.run(top, sources, "cocotb_ram_lite", folder=folder)


@pytest.mark.parametrize("top", readers.DESIGNS)
def test_it_is_verilog_2005(top):
    file = written(top, readers.DESIGNS[top][1])
    text = file.read_text()
    assert text.count("endmodule") == 1 and "(*" not in text.replace("@(*)", "")
    words = ("logic", "always_ff", "always_comb", "parallel_case", "full_case")
    assert not [word for word in words if re.search(rf"\b{word}\b", text)]
    if readers.shutil.which("iverilog") is None:
        pytest.skip("Icarus Verilog is missing: apt-get install iverilog")
    done = subprocess.run(
        ["iverilog", "-g2005", "-Wall", "-t", "null", "-s", top, str(file)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_cell_without_an_operator_is_refused(tmp_path, monkeypatch):
    """A version of Yosys may bring new cells; such a file no tool could read."""
    run = readers.run_yosys

    def without_mapping(script):
        return run(script.replace("bwmuxmap; ", ""))

    monkeypatch.setattr(readers, "run_yosys", without_mapping)
    top = "axm_dma"
    with pytest.raises(RuntimeError, match=r"left \\\$bwmux"):
        netlist.write(top, readers.DESIGNS[top][0], BUILD / "left.v", {"COPY": 1, "RINGS": 1})
