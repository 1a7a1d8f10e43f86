import pickle

import pytest

import kit
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.platform import MAX_FITTED, Platform

TINY = Platform(kit.PLATFORM, "tiny.toml")


def test_leaves_come_in_the_order_of_the_file_with_their_lines():
    leaves = TINY.leaves()
    assert leaves[0][0] == "clocks.ddr_mhz"
    assert leaves[-1][0] == "port.P2.widths"
    lines = [leaf.line for _, leaf in leaves]
    assert lines == sorted(lines)
    text = kit.PLATFORM.splitlines()
    assert all(text[leaf.line - 1].startswith(path.split(".")[-1]) for path, leaf in leaves)


def test_a_leaf_tells_its_origin():
    leaf = TINY.leaf("path.left.inflight_read")
    assert (leaf.value, leaf.unit, leaf.source, leaf.guess) == (4, "bursts", None, None)
    assert leaf.fitted == ("tiny.csv: mode=duplex, ports=P0+P1",)
    assert [path for path, _ in TINY.fitted()] == ["path.left.inflight_read"]
    assert TINY.leaf("controller.starve_clocks").guess == "a power of two"


def test_ports_paths_and_aliases():
    assert TINY.ports == ["P0", "P1", "P2"]
    assert TINY.paths == ["left", "right"]
    assert TINY.port_aliases()["AXI_P0"] == "P0"


def test_a_missing_figure_is_an_error_unless_a_default_is_given():
    assert TINY.value("port.P0.fifo_bytes", None) is None
    with pytest.raises(AxiometerError, match="did you mean 'controller.starve_clocks'"):
        TINY.leaf("controler.starve_clocks")
    with pytest.raises(AxiometerError, match="did you mean 'dram.banks'"):
        TINY.leaf("controller.banks")


def test_overrides_leave_the_original_alone():
    other = TINY.with_overrides({"controller.starve_clocks": 32.0, "path.left.inflight_read": 8})
    assert other.value("controller.starve_clocks") == 32
    assert type(other.value("controller.starve_clocks")) is int
    assert other.leaf("controller.starve_clocks").overridden
    assert TINY.value("controller.starve_clocks") == 64
    assert other.overrides == {"controller.starve_clocks": 32.0, "path.left.inflight_read": 8}
    assert other.sha256 == TINY.sha256


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        ("controller.starve_clocks", 0, "give at least 1"),
        ("controller.starve_clocks", 1025, "give at most 1024"),
        ("controller.starve_clocks", 1.5, "give a whole number"),
        ("controller.starve_clocks", float("nan"), "give a whole number"),
        ("clocks.pl_mhz", float("inf"), "give a number"),
        ("controller.starve_clocks", True, "give a whole number"),
        ("controller.policy", 3, "give a word"),
        ("mapping.default", "row", "allowed values|did you mean"),
        ("nothing.at.all", 1, "no figure"),
    ],
)
def test_overrides_that_cannot_be(path, value, message):
    with pytest.raises(AxiometerError, match=message):
        TINY.with_overrides({path: value})


def test_a_platform_survives_pickling():
    other = pickle.loads(pickle.dumps(TINY.with_overrides({"controller.starve_clocks": 2})))
    assert other.value("controller.starve_clocks") == 2
    assert other.leaves()[3] == TINY.leaves()[3]


@pytest.mark.parametrize("name", data.names("platforms"))
def test_shipped_platforms(name):
    platform = Platform.load(name)
    assert platform.name == name
    memory = [p for p, _ in platform.fitted() if p.split(".")[0] not in ("processor", "fabric")]
    assert len(memory) <= MAX_FITTED


S = ', source = "x" }'


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ('name = "tiny"', "", 1, "name is missing"),
        ("[clocks]", "[clokcs]", 5, "did you mean 'clocks'"),
        ("ddr_mhz = { value = 525" + ', source = "made up" }', "ddr_mhz = 525", 6, "bare value"),
        ("{ value = 525" + ', source = "made up" }', "{ value = 525 }", 6, "no origin"),
        ('source = "made up" }\npl', 'source = "" }\npl', 6, "empty"),
        ('source = "made up" }\npl', 'source = "a", guess = "b" }\npl', 6, "source and guess"),
        ("value = 525", "value = 0", 6, "give at least 50 MHz"),
        ("value = 525", "valeu = 525", 6, "has no value"),
        ("value = 525", "value = 525, mni = 3", 6, "did you mean 'min'"),
        ("value = 525", 'value = 525, min = "a"', 6, "give a number"),
        ("value = 525", "value = { a = 1 }", 6, "give a number, text"),
        ("value = 100,", "value = 300,", 7, "give at most 250"),
        (" min = 1, max = 250,", "", 7, "no range"),
        ("banks =", "bansk =", 9, "dram.banks is missing"),
        ("row-bank-column", "row-column", 18, "did you mean"),
        ('fitted = ["tiny.csv: mode=duplex, ports=P0+P1"]', "fitted = []", 25, "name its rows"),
        ('value = "left", source = "made up" }\nwidths', 'value = "lfet", source = "x" }\nwidths',
         31, "did you mean 'left'"),
        ("[port.P2]\n", '[port."P.2"]\n', 39, "has a dot"),
        ("widths = { value = [64, 128]", "widths = { value = [48]", 41, "power of two"),
        ("widths = { value = [64, 128]", "widhts = { value = [64, 128]", 39, "has no widths"),
        ("[dram]", "[dram", 9, "not valid TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_platform_is_told_with_its_line(old, new, line, message):
    assert old in kit.PLATFORM
    with pytest.raises(AxiometerError, match=message) as caught:
        Platform(kit.PLATFORM.replace(old, new, 1), "tiny.toml")
    assert str(caught.value).startswith(f"tiny.toml:{line}: ")
    assert caught.value.remedy
    assert caught.value.status == 2


def test_more_than_six_fitted_figures_are_too_many():
    text = kit.PLATFORM.replace('source = "made up"', 'fitted = "t.csv"', MAX_FITTED + 1)
    with pytest.raises(AxiometerError, match=f"7 figures are fitted.*at most {MAX_FITTED}|at most"):
        Platform(text, "tiny.toml")


def test_a_figure_may_be_a_multiple_of_another_one():
    zedboard = Platform.load("zedboard")
    reached = zedboard.with_overrides({"memory.target": "ocm"})
    assert reached.value("clocks.ddr_mhz") == pytest.approx(4 * 2000 / 3)
    slow = reached.with_overrides({"processor.clocks.cpu": "100"})
    assert slow.value("clocks.ddr_mhz") == 400
    assert slow.value("path.ocm.clock_mhz") == 400
    own = slow.with_overrides({"path.ocm.clock_mhz": 150})
    assert own.with_overrides({"processor.clocks.cpu": "200"}).value(
        "path.ocm.clock_mhz"
    ) == 150  # fmt: skip
    coherent = Platform.load("de10-nano").with_overrides({"memory.target": "acp"})
    assert coherent.value("path.acp.clock_mhz") == 1024  # "32/25" of 800 MHz


@pytest.mark.parametrize(
    ("times", "said"),
    [(each, "the times of") for each in ("0", "true", "1.5", '"2"', '"1/0"', '"-1/2"')],
)
def test_times_is_a_whole_number_or_a_ratio(tmp_path, times, said):
    figure = f'same_as = "clocks.ddr_mhz", times = {times}, guess = "x"'
    text = kit.PLATFORM + f"\n[path.left2]\nclock_mhz = {{ {figure} }}\n"
    with pytest.raises(AxiometerError, match=said):
        Platform(text, tmp_path / "p.toml")
    bare = kit.PLATFORM + '\n[path.left2]\nclock_mhz = { value = 100, times = 2, guess = "x" }\n'
    with pytest.raises(AxiometerError, match="times and no same_as"):
        Platform(bare, tmp_path / "p.toml")
