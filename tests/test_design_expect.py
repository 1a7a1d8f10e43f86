"""`axiometer expect DESIGN`, on designs written here."""

import json

import pytest

import design_kit as kit
from axiometer.__main__ import main
from axiometer.designs import load
from axiometer.designs.loads import left_out, loads, ports, short_names
from axiometer.designs.simulation import simulate
from axiometer.platform import Platform
from test_design_platform import MEMORY


def dma(name, read, write, width=64):
    return kit.module(
        name,
        kit.DMA,
        kit.reads("M_AXI_MM2S", read, width),
        kit.writes("M_AXI_S2MM", write, width),
        parameters={"C_MM2S_BURST_SIZE": 16, "C_S2MM_BURST_SIZE": 16},
    )


@pytest.fixture
def mixed(tmp_path):
    """A wide DMA at HP0; two narrow ones share HP2, and one of them reads slower than it could."""
    shared = kit.interconnect("ic", [("e", 32), ("f", 32)], "hp2")
    reader = kit.module("r", kit.DMA, kit.reads("M_AXI_MM2S", "e", 32))
    writer = kit.module("w", kit.DMA, kit.writes("M_AXI_S2MM", "f", 32))
    general = kit.module("g", kit.DMA, kit.reads("M_AXI_MM2S", "gp", 32))
    system = kit.zynq(
        ("S_AXI_HP0", "d"), ("S_AXI_HP2", "hp2"), ("S_AXI_GP0", "gp", 32), parameters=MEMORY
    )
    wide = kit.interconnect("wide", [("a", 64), ("b", 64)], "d")
    return kit.saved(tmp_path, dma("dma", "a", "b"), reader, writer, general, shared, wide, system)


def asked(capsys, *arguments):
    assert main(["expect", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_table_has_80_columns_and_one_first_sentence(mixed, capsys):
    assert main(["expect", str(mixed), "--plain"]) == 0
    shown = capsys.readouterr().out
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.startswith("All 4 masters at once get about ")
    for words in ("dma read", "HP0: its 2 masters", "all at once", "What it would take"):
        assert words in shown
    assert "g.M_AXI_MM2S is behind S_AXI_GP0, which experiments do not have" in shown


def test_the_document_adds_up(mixed, capsys):
    told = asked(capsys, mixed)
    assert told["platform"] == "zybo"
    assert [m["name"] for m in told["masters"]] == ["dma read", "dma write", "r", "w"]
    assert [p["name"] for p in told["ports"]] == ["HP0", "HP2"]
    together = told["together"]
    assert together["total_MBps"] == pytest.approx(sum(x["MBps"] for x in together["loads"]))
    assert together["total_MBps"] == pytest.approx(together["read_MBps"] + together["write_MBps"])
    for part in (*told["masters"], *told["ports"], together):
        assert part["latency_ns"] > 0 and part["advice"] and part["bottleneck"]
        for own in part["loads"]:
            assert 0 < own["MBps"] <= own["width_bits"] / 8 * own["pl_mhz"] * 1.001


def test_narrow_links_keep_their_rate_beside_wide_ones(mixed, capsys):
    told = asked(capsys, mixed)
    assert not told["together"]["a_point"]
    rates = {load["called"]: load["MBps"] for load in told["together"]["loads"]}
    assert rates["r"] == pytest.approx(400, rel=0.02)
    assert rates["dma read"] > 700


def test_set_changes_a_master_a_port_a_clock_and_the_platform(mixed, capsys):
    def rate(*settings):
        words = [word for setting in settings for word in ("--set", setting)]
        return {
            m["name"]: m["total_MBps"]
            for m in asked(capsys, mixed, "--repeats", "1", *words)["masters"]
        }

    before = rate()
    assert rate("r.width_bits=64")["r"] == pytest.approx(2 * before["r"], rel=0.01)
    assert rate("FCLK_CLK0.mhz=50")["r"] == pytest.approx(before["r"] / 2, rel=0.01)
    assert rate("dma.width_bits=32")["dma write"] == pytest.approx(400, rel=0.01)
    assert rate("dma.read.outstanding=1")["dma read"] < 0.7 * before["dma read"]
    assert rate("dma.read.outstanding=1")["dma write"] == before["dma write"]
    assert rate("dram.timing.CL=60")["dma read"] < before["dma read"]
    moved = asked(capsys, mixed, "--set", "r.port=HP3")
    assert {m["name"]: m["loads"][0]["port"] for m in moved["masters"]}["r"] == "HP3"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--set", "dma.burst_beats=0"], "burst_beats is 0"),
        (["--set", "dma.colour=1"], "there is no 'colour' to set"),
        (["--set", "dma.port=HP9"], "port is 'HP9'"),
        (["--set", "w.read.outstanding=4"], "w.M_AXI_S2MM does not read"),
        (["--set", "FCLK_CLK0.mhz=0"], "a clock of 0"),
        (["--set", "nothing.at.all=1"], "no figure"),
        (["--set", "burst_beats=4"], "a design has no key 'burst_beats'"),
        (["--mode", "duplex"], "--mode is what the design says itself"),
        (["--ports", "HP1"], "no master of bd moves data through port 'HP1'"),
        (["--repeats", "0"], "--repeats is '0'"),
        (["--backend", "rtl"], "a design is asked on the model"),
        (["--platform", "nowhere"], "no platform is called"),
    ],
)
def test_what_cannot_be_asked_is_told(mixed, capsys, arguments, words):
    assert main(["expect", str(mixed), *arguments]) == 2
    told = capsys.readouterr()
    assert words in told.err and not told.out


def test_neither_design_nor_platform_is_told(capsys):
    assert main(["expect", "--ports", "HP0"]) == 2
    assert "nothing is named to ask about" in capsys.readouterr().err


def test_ports_choose_the_masters(mixed, capsys):
    told = asked(capsys, mixed, "--ports", "HP2", "--repeats", "2")
    assert [m["name"] for m in told["masters"]] == ["r", "w"]
    assert told["together"]["repeats"] == 2


def test_loads_are_what_the_ports_see(mixed):
    design = load(mixed)
    found = {(x.master, x.direction): x for x in loads(design)}
    assert found["r.M_AXI_MM2S", "read"].width_bits == 32
    assert found["dma.M_AXI_S2MM", "write"].burst_bytes == 128
    assert {name: len(own) for name, own in ports(design).items()} == {"HP0": 2, "HP2": 2}
    assert len(left_out(design)) == 1


def test_loads_that_keys_can_say_are_a_point(mixed):
    design = load(mixed)
    alone = [x for x in loads(design) if x.master == "r.M_AXI_MM2S"]
    assert simulate(Platform.load("zybo"), design, alone, 1).exact


def test_masters_have_short_names_of_their_own():
    design = load(kit.reference("pynqcv-zcu104-xv2remapstereobm.hwh.xz"))
    masters = [m for m in design.masters if m.role == "data"]
    names = short_names(masters, 16)
    assert len(set(names.values())) == len(masters)
    assert names["dm_2.M_AXI_MM2S"] == "dm_2"


def test_masters_that_share_a_port_have_turns(tmp_path):
    way = kit.interconnect("ic", [("a", 64), ("b", 64)], "h")
    blocks = [kit.module(n, kit.DMA, kit.reads("M_AXI_MM2S", net)) for n, net in ("xa", "yb")]
    system = kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY)
    design = load(kit.saved(tmp_path, *blocks, way, system))
    outcome = simulate(Platform.load("zybo"), design, loads(design), 2)
    one, other = (share.MBps for share in outcome.shares)
    assert one == pytest.approx(other, rel=0.05)
    assert 700 < one + other <= 801
