"""The Verilog-2005 netlist of a top does what its RTL does: the same tests pass on it."""

from flow import cocotb_run, netlist, readers, tools

TOP = "axm_slave_top"
ENV = {"FULL": "1", "EXTRA_READ": "0", "EXTRA_WRITE": "0"}


def test_netlist():
    file = tools.ROOT / "build" / "netlist" / f"{TOP}.v"
    netlist.write(TOP, readers.DESIGNS[TOP][0], file, {"FULL": 1})
    text = file.read_text()
    assert text.count("endmodule") == 1 and "(*" not in text.replace("@(*)", "")
    assert not [word for word in ("logic", "always_ff", "always_comb") if f"{word} " in text]
    cocotb_run.run(TOP, [file], "cocotb_slave_top", {}, env=ENV)
