"""Icarus Verilog, Debian's Yosys, slang and Verilator read every file of the RTL."""

import pytest
from flow import readers, subset, tools

CASES = [(reader, top) for top in readers.DESIGNS for reader in readers.READERS]


def read(reader, top, sources, values):
    try:
        return readers.READERS[reader](top, sources, values)
    except readers.MissingError as missing:
        pytest.skip(str(missing))


def test_the_designs_hold_every_file():
    held = {path for sources, _ in readers.DESIGNS.values() for path in sources}
    assert [path.name for path in subset.files() if path not in held] == []


@pytest.mark.parametrize(("reader", "top"), CASES)
def test_is_read(reader, top):
    sources, values = readers.DESIGNS[top]
    assert read(reader, top, sources, values) == ""


@pytest.mark.parametrize("reader", readers.READERS)
def test_a_damaged_file_is_refused(reader, tmp_path):
    good = (tools.RTL / "lib" / "axm_skid.sv").read_text()
    build = tools.ROOT / "build" / "readers"  # Yosys as WebAssembly sees only what is below here
    build.mkdir(parents=True, exist_ok=True)
    damaged = build / "axm_skid.sv"
    damaged.write_text(good.replace("endmodule", ""))
    assert damaged.read_text() != good
    assert read(reader, "axm_skid", [damaged], {}) != ""
