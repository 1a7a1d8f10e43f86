"""Board files written from registers: equal to the tool's output, with the right names.

The register tables of U-Boot are not distributed with Axiometer: without them, only the board files
themselves are checked.
"""

import importlib.util
from collections import Counter

import pytest

import kit
from axiometer.base import data
from axiometer.platform import Platform
from kit import reference

SPEC = importlib.util.spec_from_file_location("boards_tool", kit.ROOT / "tools" / "boards.py")
tool = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(tool)
TABLE = tool.names()
BOARDS = TABLE["board"]
MEASURED = {"zybo", "zedboard", "zynq7000-650", "zcu102", "ultra96", "de1-soc"}


def test_no_measured_board_is_written_by_the_tool():
    assert set(BOARDS) < set(data.names("boards"))
    assert not MEASURED & set(BOARDS)


def test_names_and_aliases_are_of_one_board_each():
    names = Counter(
        [*data.names("boards"), *(a for b in BOARDS.values() for a in b.get("aliases", ()))]
    )
    assert [name for name, count in names.items() if count > 1] == []


@pytest.mark.parametrize(
    ("alias", "board"),
    [
        ("arty-z7", "arty-z7-20"),
        ("kv260", "k26"),
        ("kr260", "k26"),
        ("kd240", "k24"),
        ("atlas-soc", "de0-nano-soc"),
    ],
)
def test_a_board_goes_by_its_other_names(alias, board):
    assert Platform.load(alias).name == board


def test_aliases_stand_among_what_was_meant():
    with kit.refuses(remedy="kv260"):
        Platform.load("kv26")


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_from_registers_says_so(name):
    platform = Platform.load(name)
    assert platform.title.endswith("(not measured)")
    figures = [leaf for _, leaf in platform.leaves() if leaf.file == platform.file]
    assert all(leaf.register for leaf in figures) and len(figures) > 20
    assert platform.origins()["fitted"] <= len(Platform.load(_chip_of(platform)).fitted())
    text = data.find_toml("boards", name).read_text()
    about = BOARDS[name]
    assert about["registers"] in text and about.get("commit", tool.COMMIT) in text
    assert about.get("repository", "U-Boot") in text
    assert "psu_mask_write" not in text and "EMIT_MASKWRITE" not in text


def _chip_of(platform):
    """A board of the same chip that is measured; the Arria V's are as the Cyclone V's."""
    return {"zynq-7000": "zybo", "zynq-ultrascale-plus": "zcu102"}.get(platform.family, "de1-soc")


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_s_file_is_what_the_tool_writes(name):
    about = BOARDS[name]
    found = tool.decoded(about, None if "repository" in about else reference("registers"))
    wanted = tool.text(name, about, found)
    assert data.find_toml("boards", name).read_text(encoding="utf-8") == wanted


@pytest.mark.parametrize(
    "name", [n for n, about in BOARDS.items() if "uart" in about.get("tool", {})]
)
def test_a_board_s_uart_has_pins(name):
    """By the pins' multiplexers: L3_SEL of MIO_PIN_xx is 7 (UG585) or 6 (UG1087). Of each four pins
    the first two are UART1's."""
    about = BOARDS[name]
    usp = about["chip"] == "zynq-ultrascale-plus"
    first, last, value = (0xFF180000, 0xFF180138, 6) if usp else (0xF8000700, 0xF80007D8, 7)
    words = {}
    for write in tool.writes(about, None if "repository" in about else reference("registers")):
        if write.address is not None and first <= write.address < last:
            kept = words.get(write.address, 0) & ~write.mask
            words[write.address] = kept | write.value & write.mask
    pins = [(at - first) // 4 for at, word in words.items() if word >> 5 & 7 == value]
    uarts = {int(pin % 4 < 2) for pin in pins if usp or words[first + 4 * pin] & 0x1E == 0}
    assert about["tool"]["uart"]["value"] in uarts
