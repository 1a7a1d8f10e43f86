"""`axiometer expect DESIGN`, on designs written here."""

import dataclasses

import pytest

import design_kit as kit
from axiometer.designs import load, masters
from axiometer.designs.changes import changed, moved
from axiometer.designs.plan import planned
from axiometer.experiment.keys_shared import MAX_MASTERS
from axiometer.platform import Platform
from axiometer.simulate.scenario import Scenario
from test_design_platform import MEMORY


def mean(part, way="total"):
    """A part's mean rate, MB/s."""
    return part[f"{way}_MBps"]["mean"]


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


def test_the_answer_is_short_and_names_whom_the_others_slow_down(mixed, cli):
    half = ["--set", "dram.bus_bits=16"]
    shown = cli("expect", mixed, *half)
    assert len(shown.splitlines()) <= 12
    assert "g.M_AXI_MM2S is behind S_AXI_GP0" in " ".join(shown.split())
    told = cli.json("expect", mixed, *half)
    together = {load["called"]: load["MBps"] for load in told["loads"]}
    lost = {m["name"]: 1 - together[m["name"]] / mean(m) for m in told["masters"]}
    assert f"\n{max(lost, key=lost.get)} loses most to the others: " in shown
    assert "loses most" not in cli("expect", mixed, "--ports", "HP0")


def test_the_document_adds_up(mixed, cli):
    told = cli.json("expect", mixed)
    assert told["board"] == "zybo"
    assert [m["name"] for m in told["masters"]] == ["dma read", "dma write", "r", "w"]
    assert [p["name"] for p in told["ports"]] == ["HP0", "HP2"]
    assert mean(told) == pytest.approx(sum(x["MBps"] for x in told["loads"]))
    assert mean(told) == pytest.approx(mean(told, "read") + mean(told, "write"))
    for part in (*told["masters"], *told["ports"], told):
        assert part["advice"] and part["bottleneck"]
        assert 0 < part["latency"]["mean_ns"] <= 1.01 * part["latency"]["p99_ns"]
        for own in part["loads"]:
            assert own["latency_ns"] <= 1.01 * own["p99_ns"]
            assert 0 < own["MBps"] <= own["width_bits"] / 8 * own["pl_mhz"] * 1.001


def test_narrow_links_keep_their_rate_beside_wide_ones(mixed, cli):
    told = cli.json("expect", mixed)
    rates = {load["called"]: load["MBps"] for load in told["loads"]}
    assert rates["r"] == pytest.approx(400, rel=0.02)
    assert rates["dma read"] > 700


def test_set_changes_a_master_a_port_a_clock_and_the_platform(mixed, cli):
    def rate(*settings):
        words = [word for setting in settings for word in ("--set", setting)]
        return {
            m["name"]: mean(m)
            for m in cli.json("expect", mixed, "--repeats", "1", *words)["masters"]
        }

    before = rate()
    assert rate("r.width_bits=64")["r"] == pytest.approx(2 * before["r"], rel=0.01)
    assert rate("FCLK_CLK0.mhz=50")["r"] == pytest.approx(before["r"] / 2, rel=0.01)
    assert rate("dma.width_bits=32")["dma write"] == pytest.approx(400, rel=0.01)
    assert rate("dma.read.outstanding=1")["dma read"] < 0.7 * before["dma read"]
    assert rate("dma.read.outstanding=1")["dma write"] == before["dma write"]
    assert rate("dram.timing.CL=60")["dma read"] < before["dma read"]
    moved = cli.json("expect", mixed, "--set", "r.port=HP3")
    assert {m["name"]: m["loads"][0]["port"] for m in moved["masters"]}["r"] == "HP3"


def test_ports_choose_the_masters(mixed, cli):
    told = cli.json("expect", mixed, "--ports", "HP2", "--repeats", "2")
    assert [m["name"] for m in told["masters"]] == ["r", "w"]
    assert told["total_MBps"]["n"] == 2


def test_loads_are_what_the_ports_see(mixed):
    design = load(mixed)
    found = {(x.master, x.direction): x for x in planned(design).loads}
    assert found["r.M_AXI_MM2S", "read"].width_bits == 32
    assert found["dma.M_AXI_S2MM", "write"].burst_bytes == 128
    assert {at: len(own.masters) for at, own in planned(design).ports.items()} == {
        "HP0": 2,
        "HP2": 2,
    }
    assert len(planned(design).left_out) == 1


def test_a_master_without_a_clock_is_left_out_with_a_reason(mixed):
    plan = planned(dataclasses.replace(load(mixed), clocks=()))
    assert not plan.loads and not plan.asked.masters
    assert any("r.M_AXI_MM2S and its port are at a clock" in w for w in plan.left_out)
    assert len(plan.left_out) == len(plan.masters)


def test_masters_have_short_names_of_their_own():
    design = load(kit.reference("pynqcv-zcu104-xv2remapstereobm.hwh.xz"))
    masters = [m for m in design.masters if m.role == "data"]
    names = planned(design).names(16)
    assert len(set(names.values())) == len(masters)
    assert names["dm_2.M_AXI_MM2S"] == "dm_2"


def test_masters_that_share_a_port_have_turns(tmp_path):
    way = kit.interconnect("ic", [("a", 64), ("b", 64)], "h")
    blocks = [kit.module(n, kit.DMA, kit.reads("M_AXI_MM2S", net)) for n, net in ("xa", "yb")]
    system = kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY)
    design = load(kit.saved(tmp_path, *blocks, way, system))
    outcome = kit.outcome_of("zybo", planned(design), repeats=2)
    one, other = (share.MBps for share in outcome.shares)
    assert one == pytest.approx(other, rel=0.05)
    assert 700 < one + other <= 801


def told(cli, path, *settings):
    """The loads of all masters together in `expect`, by their names."""
    words = [word for setting in settings for word in ("--set", setting)]
    loads = cli.json("expect", path, *words)["loads"]
    return {load["called"]: load for load in loads}


@pytest.fixture
def writers(tmp_path):
    """A writer at HP0 and one at HP2."""
    blocks = [kit.module(n, kit.DMA, kit.writes("M_AXI_S2MM", net)) for n, net in ("fa", "sb")]
    system = kit.zynq(("S_AXI_HP0", "a"), ("S_AXI_HP2", "b"), parameters=MEMORY)
    return kit.saved(tmp_path, *blocks, system)


def test_masters_at_ports_of_two_clocks_get_what_each_link_carries(writers, cli):
    found = told(cli, writers, "HP0.clock_mhz=150", "f.clock_mhz=150")
    assert (found["f"]["pl_mhz"], found["s"]["pl_mhz"]) == (150, 100)
    assert found["f"]["asks_MBps"] is None and found["s"]["asks_MBps"] is None
    assert found["f"]["MBps"] == pytest.approx(1200, rel=0.01)
    assert found["s"]["MBps"] == pytest.approx(800, rel=0.01)


def test_the_same_question_to_the_board_is_shown(writers, cli):
    both = ["--set", "f.clock_mhz=50", "--set", "s.burst_beats=8"]
    shown = " ".join(cli("expect", writers, "--plain", "-v", *both).split())
    # The port of f has 100 MHz, its master a slower clock; the usual bursts have 128 bytes.
    asked = shown.partition("The same of the board: ")[2]
    own = "--master f=write,port=HP0,rate=400.0 --master s=write,port=HP2,burst=64"
    assert asked == f"axiometer expect zybo {own}"


def test_turns_give_each_what_the_others_leave(tmp_path):
    way = kit.interconnect("ic", [("a", 64), ("b", 64), ("c", 32)], "h")
    blocks = [kit.module(n, kit.DMA, kit.reads("M_AXI_MM2S", m)) for n, m in ("xa", "yb")]
    blocks.append(kit.module("z", kit.DMA, kit.reads("M_AXI_MM2S", "c", 32)))
    system = kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY)
    design = changed(load(kit.saved(tmp_path, *blocks, way, system)), "z.clock_mhz", 25)
    rows = told_to(Platform.load("zybo"), design)
    assert {name: row.get("rate_mbs") for name, row in rows.rows.items()} == {
        **{"x": None, "y": None},
        "z": 100,
    }
    of_point = {m["name"]: m["turns"]["read"] for m in rows.point().values["masters"]}
    assert of_point == {"x": 350, "y": 350, "z": 100}


def told_to(platform, design):
    return masters.of(platform, planned(design))


def test_a_multiplexer_of_the_model_needs_no_turns(tmp_path):
    way = kit.interconnect("ic", [("a", 128), ("b", 128)], "h", 128)
    blocks = [kit.module(n, kit.DMA, kit.reads("M_AXI_MM2S", m, 128)) for n, m in ("xa", "yb")]
    design = load(kit.saved(tmp_path, *blocks, way, kit.usp(("S_AXI_HP0_FPD", "h"))))
    (own, other) = told_to(Platform.load("zcu102"), design).point().values["masters"]
    assert own["rate_mbs"] is other["rate_mbs"] is own["turns"] is other["turns"] is None


def test_halves_with_two_clocks_are_distinguished(mixed):
    design = load(mixed)
    names = ["dma.M_AXI_MM2S", "dma.M_AXI_S2MM"]
    partner = dict(zip(names, reversed(names), strict=True))
    joined = [dataclasses.replace(m, partner=partner.get(m.name)) for m in design.masters]
    design = dataclasses.replace(design, masters=tuple(joined))
    platform = Platform.load("zybo")
    assert told_to(platform, design).apart == ()
    design = moved(design, names[0], "HP3")
    assert told_to(platform, design).apart == ()
    for key in ("HP3.clock_mhz", "dma.M_AXI_MM2S.clock_mhz"):
        design = changed(design, key, 50)
    assert {load.master for load in told_to(platform, design).apart} == set(names)


def test_names_of_any_kind_are_names_of_masters(mixed):
    design = load(mixed)
    odd = {"dma": "µ/x y", "r": "0", "w": "x-y"}
    masters = tuple(
        dataclasses.replace(m, name=f"{odd.get(m.name.split('.')[0], 'g')}.{m.interface}")
        for m in design.masters
    )
    design = dataclasses.replace(design, masters=masters)
    outcome = kit.outcome_of("zybo", planned(design), repeats=1)
    names = [share.master["name"] for share in outcome.shares]
    assert len(set(names)) == len(names) == 4


def test_more_masters_than_a_multiplexer_takes_have_turns_at_what_one_engine_gets(tmp_path, cli):
    names = [f"d{n}" for n in range(MAX_MASTERS + 2)]
    beats = {name: 8 if name == "d0" else 16 for name in names}
    blocks = [
        kit.module(
            name,
            kit.DMA,
            kit.reads("M_AXI_MM2S", name, 128),
            parameters={"C_MM2S_BURST_SIZE": beats[name]},
        )
        for name in names
    ]
    way = kit.interconnect("ic", [(name, 128) for name in names], "h", 128)
    path = kit.saved(tmp_path, *blocks, way, kit.usp(("S_AXI_HP0_FPD", "h")))
    found = cli.json("expect", path, "--board", "zcu102")
    rates = {load["called"]: load["MBps"] for load in found["loads"]}
    assert sum(rates.values()) == pytest.approx(1600, rel=0.01)
    assert [rates[name] / rates["d0"] for name in names[1:]] == pytest.approx([2] * len(names[1:]))
    assert any("simulated as one engine" in note for note in found["notes"])


def test_links_that_no_port_is_as_narrow_as_keep_their_rate(tmp_path, cli):
    narrow = kit.module("n", kit.DMA, kit.reads("M_AXI_MM2S", "a", 16))
    way = kit.interconnect("ic", [("a", 16)], "h")
    path = kit.saved(tmp_path, narrow, way, kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY))
    found = told(cli, path)["n"]
    assert (found["width_bits"], found["asks_MBps"]) == (16, 200)
    assert found["MBps"] == pytest.approx(200, rel=0.01)


def test_what_limits_a_narrow_link_is_that_it_asks_for_no_more(mixed, cli):
    found = {m["name"]: m for m in cli.json("expect", mixed)["masters"]}
    assert found["r"]["bottleneck"] == "asked"
    assert "widen what carries no more (C_M_AXI_MM2S_DATA_WIDTH)" in found["r"]["advice"]
    assert found["dma read"]["bottleneck"] == "port"


def test_bursts_are_those_of_the_port_where_a_link_is_narrower(tmp_path, cli):
    narrow = kit.module(
        "n", kit.DMA, kit.reads("M_AXI_MM2S", "a", 32), parameters={"C_MM2S_BURST_SIZE": 64}
    )
    way = kit.interconnect("ic", [("a", 32)], "h")
    path = kit.saved(tmp_path, narrow, way, kit.zynq(("S_AXI_HP0", "h"), parameters=MEMORY))
    found = told(cli, path)["n"]
    # 64 beats of 32 bits are packed into 64, and cut into the 16 beats that AXI3 allows.
    assert (found["burst_bytes"], found["asks_MBps"]) == (128, 400)


def test_more_streams_than_a_point_has_share_the_engines_of_crowded_ports(tmp_path, cli):
    """Nine masters a port, and both halves of a DMA at HP0, which is the fullest."""
    each = {f"d{n}": f"HP{n % 4}" for n in range(36)}
    blocks = [kit.module(name, kit.DMA, kit.reads("M_AXI_MM2S", name)) for name in each]
    blocks.append(dma("both", "r", "w"))
    nets = {hp: [(name, 64) for name in each if each[name] == hp] for hp in each.values()}
    nets["HP0"] += [("r", 64), ("w", 64)]
    ways = [kit.interconnect(hp, own, f"to{hp}") for hp, own in nets.items()]
    system = kit.zynq(*((f"S_AXI_{hp}", f"to{hp}") for hp in nets), parameters=MEMORY)
    path = kit.saved(tmp_path, *blocks, *ways, system)
    found = cli.json("expect", path, "--repeats", "1")
    rates = {load["called"]: load["MBps"] for load in found["loads"]}
    assert len(rates) == 38 and min(rates.values()) > 0
    at_hp0 = [rates[name] for name in each if each[name] == "HP0"] + [rates["both read"]]
    assert at_hp0 == pytest.approx([sum(at_hp0) / 10] * 10)
    (note,) = [note for note in found["notes"] if "simulated as one engine" in note]
    assert note.startswith("10 masters read through HP0, more than the model has")


@pytest.mark.parametrize("other", ["HP0", "HP3"])
def test_halves_of_a_pair_stay_one_where_other_masters_share_an_engine(other, tmp_path):
    """The pair's streams are those of its own engines, wherever these stand among the others."""
    each = [(f"d{n}", "HP0" if n < 32 else "HP1") for n in range(33)]
    blocks = [kit.module(name, kit.DMA, kit.reads("M_AXI_MM2S", name)) for name, _ in each]
    crowd = [(name, 64) for name, hp in each if hp == "HP0"]
    ways = [kit.interconnect("ic", crowd + [("r", 64)] * (other == "HP0"), "to0")]
    nets = {"HP0": "to0", "HP1": "d32", "HP2": "w"} | ({} if other == "HP0" else {other: "r"})
    system = kit.zynq(*((f"S_AXI_{hp}", net) for hp, net in nets.items()), parameters=MEMORY)
    design = load(kit.saved(tmp_path, *blocks, dma("both", "r", "w"), *ways, system))
    names = ["both.M_AXI_MM2S", "both.M_AXI_S2MM"]
    partner = dict(zip(names, reversed(names), strict=True))
    joined = [dataclasses.replace(m, partner=partner.get(m.name)) for m in design.masters]
    design = dataclasses.replace(design, masters=tuple(joined))
    platform = Platform.load("zybo")
    own = told_to(platform, design)
    streams = Scenario.of(platform, own.point().values).streams
    paired = {s.name: (s.direction, streams[s.partner].owner) for s in streams if s.partner >= 0}
    both = {other: ("read", "both-write"), "HP2": ("write", "both-read")}
    assert paired == ({} if other == "HP0" else both)
    assert {load.master for load in own.apart} == (set(names) if other == "HP0" else set())


def test_a_master_requests_no_more_than_its_settings(writers, cli):
    told = cli.json("expect", writers, "--set", "f.rate_mbs=200")
    (alone,) = [m for m in told["masters"] if m["name"] == "f"]
    assert mean(alone) == pytest.approx(200, rel=0.01)
    at_once = {load["called"]: load["MBps"] for load in told["loads"]}
    assert at_once["f"] == pytest.approx(200, rel=0.01)
    assert at_once["s"] > 700
