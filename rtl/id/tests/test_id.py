import pytest
from flow import area, cocotb_run, tools

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


def test_lint():
    assert tools.lint("axm_id", SOURCES) == ""
    assert tools.lint("axm_id", SOURCES, {"BLOCKS": 64, "TABLE": table(range(64))}) == ""


def test_bad_parameters_fail():
    assert "BLOCKS_must_be" in tools.fault("axm_id", SOURCES, {"BLOCKS": 65})
    assert "DATA_W_must_be" in tools.fault("axm_id", SOURCES, {"DATA_W": 4096})
    assert "TOP_PORTS_and_VARIANT" in tools.fault("axm_id", SOURCES, {"TOP": 256})


def test_area():
    assert area.deviations("id") == []
