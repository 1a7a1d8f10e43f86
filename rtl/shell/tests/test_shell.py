import pytest
from flow import cocotb_run, tools

SOURCES = tools.sources("shell")
# Type, port and instance of two blocks of its own.
WORDS = (0x0100_0002, 0x0203_0004)
TABLE = f"64'h{WORDS[1]:08x}{WORDS[0]:08x}"
DESIGN = {"TOP": 2, "VARIANT": 3, "DATA_W": 128, "CLOCK_HZ": 142_857_142}
CASES = [
    {"BLOCKS": 5, "TABLE": TABLE, "PORTS": 2, **DESIGN},
    {"BLOCKS": 5, "TABLE": TABLE, "PORTS": 4, "WRITES": 0, **DESIGN},
    {"BLOCKS": 5, "TABLE": TABLE, "PORTS": 3, "READS": 0, "ADDR_W": 40, "LITE_W": 18, **DESIGN},
    {"BLOCKS": 3, "PORTS": 1, **DESIGN},
]


def play(values):
    env = {key: str(values.get(key, 1)) for key in ("BLOCKS", "PORTS", "READS", "WRITES")}
    env["WORDS"] = ",".join(map(str, WORDS))
    cocotb_run.run("axm_shell", SOURCES, "cocotb_shell", values, env=env)


@pytest.mark.parametrize("values", CASES)
def test_shell(values):
    play(values)
