import pytest
from flow import cocotb_run, fault, tools

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


def play(values, sources=SOURCES, testcase=None):
    env = {key: str(values.get(key, 1)) for key in ("BLOCKS", "PORTS", "READS", "WRITES")}
    env["WORDS"] = ",".join(map(str, WORDS))
    cocotb_run.run("axm_shell", sources, "cocotb_shell", values, testcase=testcase, env=env)


@pytest.mark.parametrize("values", CASES)
def test_shell(values):
    play(values)


@pytest.mark.parametrize(
    ("good", "bad", "testcase"),
    [
        ("awvalid[2+:OWN]", "awvalid[1+:OWN]", "own_blocks_have_their_windows"),
        ("TABLE[32*(i-2)+:32]", "TABLE[31:0]", "software_finds_all_blocks"),
        ("localparam bit [31:0] P = BOTH ? k / 2 : k", "localparam bit [31:0] P = 0",
         "the_sniffer_sees_each_port_in_its_slot"),
    ],
)  # fmt: skip
def test_a_fault_is_noticed(good, bad, testcase, tmp_path):
    with cocotb_run.fault_noticed():
        play(CASES[0], fault.put(SOURCES, SOURCES[-1].stem, good, bad, tmp_path), testcase)
