import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("id")
DESIGN = {"CLOCK_HZ": 142_857_142, "VERSION": "24'h010203", "TOP": 1, "PORTS": 4, "DATA_W": 128,
          "VARIANT": 2}  # fmt: skip


def table(words):
    """The parameter TABLE: word 0 in the lowest bits."""
    return f"{32 * len(words)}'h" + "".join(f"{word:08x}" for word in reversed(words))


@pytest.mark.parametrize("words", [[0x00FF0001], [0x00FF0001, 0x00000002, 0x01020304, 0xFFFFFFFF]])
def test_id(words):
    values = {"BLOCKS": len(words), "TABLE": table(words), **DESIGN}
    cocotb_run.run("axm_id", SOURCES, "cocotb_id", values)
