"""Mistakes in designs: each is found, and not found after its correction."""

import pytest

import design_kit as kit
from axiometer.designs import load
from axiometer.designs.checks import CHECKS, check
from axiometer.designs.clock_rates import neighbours
from axiometer.designs.model import Clock


def dma(instance="dma", net="d", width=64, **more):
    facts = {"C_MM2S_BURST_SIZE": 16, "C_M_AXI_MM2S_DATA_WIDTH": width, "C_SG_LENGTH_WIDTH": 26}
    return kit.module(
        instance, kit.DMA, kit.reads("M_AXI_MM2S", net, width), parameters=facts | more
    )


def hls(net="d", width=64, cache=3, outstanding=16, beats=16, **more):
    given = {"NUM_READ_OUTSTANDING": outstanding, "MAX_READ_BURST_LENGTH": beats}
    facts = {"C_M_AXI_GMEM_CACHE_VALUE": cache, "C_M_AXI_GMEM_DATA_WIDTH": width}
    return kit.module(
        "scale", kit.HLS, kit.reads("m_axi_gmem", net, width, **given, **more), parameters=facts
    )


def found(tmp_path, *modules, init=None):
    text = kit.hwh(*modules)
    members = {"bd.hwh": text} | ({"ps7_init.tcl": init} if init else {})
    return {f.code: f for f in check(load(kit.export(tmp_path / "x.xsa", members)))}


def on(port="S_AXI_HP0", net="d", width=64, **parameters):
    return kit.zynq((port, net, width), parameters=parameters)


NARROW = {"PCW_S_AXI_HP0_DATA_WIDTH": 32}
ACP_USER = {"PCW_USE_DEFAULT_ACP_USER_VAL": 1}
AREA = kit.interconnect("ic", [("d", 64)], "h", STRATEGY=1)
SPEED = kit.interconnect("ic", [("d", 64)], "h", STRATEGY=2)
WIDENS = kit.interconnect("ic", [("d", 32)], "h")
# code: modules with the mistake, its message, modules without it
CASES = {
    "undriven-port": (
        [dma(), on(net="nothing", PCW_USE_S_AXI_HP0=1)],
        ("HP0 is used, and nothing in this file drives it", "its masters to a design file"),
        [dma(), on()],
    ),
    "dma-at-general-port": (
        [dma(), on("S_AXI_GP0", width=32)],
        ("S_AXI_GP0, which is 32 bits wide", "Connect it to S_AXI_HP0."),
        [dma(), on()],
    ),
    "narrow-port": (
        [dma(), on(width=32, **NARROW)],
        ("carries 50 %", "Set PCW_S_AXI_HP0_DATA_WIDTH to 64."),
        [dma(), on()],
    ),
    "narrow-master": (
        [hls(width=32), on()],
        ("400 MB/s", "(C_M_AXI_GMEM_DATA_WIDTH)"),
        [hls(width=32), on(width=32, **NARROW)],
    ),
    "one-outstanding": (
        [hls(outstanding=1), on()],
        ("one read outstanding", "(NUM_READ_OUTSTANDING)"),
        [hls(outstanding=2), on()],
    ),
    "one-at-a-time": (
        [dma(), AREA, on(net="h")],
        ("ic, between dma.M_AXI_MM2S and its port", "strategy"),
        [dma(), SPEED, on(net="h")],
    ),
    "short-length": (
        [dma(C_SG_LENGTH_WIDTH=14), on()],
        ("at most 16383 bytes", "Set C_SG_LENGTH_WIDTH to 23"),
        [dma(C_SG_LENGTH_WIDTH=23), on()],
    ),
    "short-bursts": (
        [hls(beats=4), on()],
        ("bursts of 32 bytes", "(MAX_READ_BURST_LENGTH)"),
        [hls(beats=8), on()],
    ),
    "no-upsizing": (
        [hls(width=32, cache=0), WIDENS, on(net="h")],
        ("ARCACHE = 0b0000, not modifiable", "C_M_AXI_GMEM_CACHE_VALUE = 3"),
        [hls(width=32, cache=3), WIDENS, on(net="h")],
    ),
    "burst-not-taken": (
        [hls(width=128), kit.usp(("S_AXI_ACP_FPD", "d"))],
        ("in bursts of 256 bytes; S_AXI_ACP_FPD accepts 16 or 64", "aligned bursts of 64 bytes"),
        [hls(width=128, beats=4), kit.usp(("S_AXI_ACP_FPD", "d"))],
    ),
    "not-coherent": (
        [hls(cache=0, ARUSER_WIDTH=1), on("S_AXI_ACP", **ACP_USER)],
        ("bypass the caches", "Drive AxCACHE = 0b1111"),
        [hls(cache=15), on("S_AXI_ACP", **ACP_USER)],
    ),
    "crowded-port": (
        [
            dma("a", "d"),
            dma("b", "e"),
            kit.interconnect("ic", [("d", 64), ("e", 64)], "h"),
            on(net="h"),
        ],
        ("a.M_AXI_MM2S, b.M_AXI_MM2S share the read channel", "Move b.M_AXI_MM2S to S_AXI_HP2."),
        [dma("a", "d"), dma("b", "e"), kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP2", "e"))],
    ),
    "shared-path": (
        [dma("a", "d"), dma("b", "e"), kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP1", "e"))],
        ("S_AXI_HP0 and S_AXI_HP1 share one path", "behind S_AXI_HP1 to S_AXI_HP2."),
        [dma("a", "d"), dma("b", "e"), kit.zynq(("S_AXI_HP0", "d"), ("S_AXI_HP3", "e"))],
    ),
    "clock-not-as-asked": (
        [dma(), on()],  # FCLK_CLK1: 150 MHz asked of a PLL of 1000 MHz
        ("runs at 142.857 MHz", "142.857 or 166.667 MHz"),
        [dma(), on(PCW_FPGA1_PERIPHERAL_FREQMHZ="142.857132")],
    ),
}


@pytest.mark.parametrize("code", CASES)
def test_each_mistake_is_reported_and_its_correction_is_not(tmp_path, code):
    wrong, words, right = CASES[code]
    finding = found(tmp_path, *wrong)[code]
    assert words[0] in finding.says
    assert words[1] in finding.change
    assert code not in found(tmp_path, *right)


INIT = """mask_write 0XF8000108 0x0007F000 0x0001E000
mask_write 0XF8000170 0x03F03F30 0x00200500
mask_write 0XF8000180 0x03F03F30 0x00{d:02X}0700
"""
WIDTH = "mask_write 0XF8008000 0x1 0x1\nmask_write 0XF8008014 0x1 0x1\n"


def test_registers_that_set_another_width(tmp_path):
    one = found(tmp_path, dma(), on(), init=INIT.format(d=0x10) + WIDTH)["width-of-registers"]
    assert "has 64 bits in the design, but ps7_init.tcl sets its registers to 32" in one.says
    assert one.level == "mistake"
    # The other way: 32 bits in the design, and nothing that sets them.
    other = found(tmp_path, dma(width=32), on(width=32, **NARROW), init=INIT.format(d=0x10))
    assert "has 32 bits" in other["width-of-registers"].says
    good = found(tmp_path, dma(width=32), on(width=32, **NARROW), init=INIT.format(d=0x10) + WIDTH)
    assert "width-of-registers" not in good


def test_registers_that_make_another_clock(tmp_path):
    one = found(tmp_path, dma(), on(), init=INIT.format(d=0x20))["clock-not-as-written"]
    assert "FCLK_CLK1 is 71.4286 MHz by registers" in one.says
    assert "clock-not-as-written" not in found(tmp_path, dma(), on(), init=INIT.format(d=0x10))


def test_a_clock_that_nothing_uses_is_no_mistake(tmp_path):
    """Neither a rate that its PLL lacks, nor one that the initialisation sets otherwise."""
    user = kit.module("user", "me.org:user:logic:1.0", clock="ps_FCLK_CLK1")
    for more, level in (([], "advice"), ([user], "mistake")):
        of = found(tmp_path, dma(), on(), *more, init=INIT.format(d=0x20))
        for code in ("clock-not-as-asked", "clock-not-as-written"):
            assert of[code].level == level
            assert ("Nothing in the design uses it." in of[code].says) is not bool(more)


def test_the_shared_path_of_ultrascale(tmp_path):
    def at(*numbers):
        engines = [dma(f"d{n}", f"n{n}", 128) for n in numbers]
        ports = kit.usp(*((f"S_AXI_HP{n}_FPD", f"n{n}") for n in numbers))
        return found(tmp_path, *engines, ports)

    got = at(1, 2)["shared-path"]
    assert "S_AXI_HP1_FPD and S_AXI_HP2_FPD share one path" in got.says
    assert "S_AXI_HP0_FPD, S_AXI_HP3_FPD are free" in got.says
    for numbers in ((0, 1), (0, 1, 3), (2, 3), (0, 1, 2, 3)):
        assert "shared-path" not in at(*numbers)


def test_descriptors_are_no_data(tmp_path):
    sides = kit.reads("M_AXI_MM2S", "d"), kit.bus("M_AXI_SG", "s", True, 32, MAX_BURST_LENGTH=1)
    chained = kit.module("dma", kit.DMA, *sides, parameters={"C_SG_LENGTH_WIDTH": 14})
    way = kit.interconnect("ic", [("d", 64), ("s", 32)], "h")
    got = found(tmp_path, chained, way, on(net="h"))
    assert got["short-length"].level == "advice"
    assert not {"crowded-port", "narrow-master", "short-bursts"} & set(got)


@pytest.mark.parametrize(("cache", "merged"), [(0, True), (1, True), (2, False), (15, False)])
def test_only_modifiable_bursts_are_merged(tmp_path, cache, merged):
    codes = found(tmp_path, hls(width=32, cache=cache), WIDENS, on(net="h"))
    assert ("no-upsizing" in codes) == merged


def test_a_short_length_of_a_core_that_is_not_known(tmp_path):
    from axiometer.designs import design_file

    text = design_file.dumps(load(kit.saved(tmp_path, dma(C_SG_LENGTH_WIDTH=14), on())))
    (tmp_path / "d.toml").write_text(text.replace("xilinx.com:ip:axi_dma", "mine"))
    (finding,) = [f for f in check(load(tmp_path / "d.toml")) if f.code == "short-length"]
    assert finding.change == "Set the length register's width to 23 or more."


def test_neighbours_of_a_clock():
    clock = Clock("c", 125, 142, "", None, 1000, 2, 63)
    assert neighbours(clock) == (125, pytest.approx(1000 / 7))
    one = Clock("c", 0, 7.3, "", None, 1000, 1, 63)  # 1000 / 137 has no divider of 6 bits
    assert neighbours(one) is None
    two = Clock("c", 0, 7.3, "", None, 1000, 2, 63)  # 137 is prime: 136 and 138 are not
    assert neighbours(two) == (pytest.approx(1000 / 138), pytest.approx(1000 / 136))


@pytest.mark.parametrize(
    ("name", "codes"),
    [
        ("pynq-z1-base.hwh.xz", ["clock-not-as-asked", "crowded-port"]),
        ("pynq-z2-base.hwh.xz", ["clock-not-as-asked", "crowded-port"]),
        ("pynq-zcu104-base.hwh.xz", []),
        ("pynqcv-pynq-z1-xv2filter2dremap.hwh.xz", ["clock-not-as-asked"]),
        ("pynqcv-ultra96-xv2filter2ddilate.hwh.xz", []),
        ("pynqcv-zcu104-xv2remapstereobm.hwh.xz", ["dma-at-general-port"]),
        ("ultra96-memory-test.hdf", []),
        ("vieira-duplex-32bit.hdf", []),
        ("vieira-duplex-64bit.hdf", []),
        ("vieira-max-performance.hdf", []),
        ("vieira-intel-duplex-64bit.qsys.xz", ["port-needs"]),
    ],
)
def test_published_designs_have_no_mistake_but_advice(name, codes):
    findings = check(load(kit.reference(name)))
    assert sorted(f.code for f in findings) == codes
    assert {f.level for f in findings} <= {"advice"}


def test_every_check_has_a_case():
    # Those of HLS cores: test_hls.py; of engines and ports that threads ask of: test_known.py; of
    # bridges of Platform Designer: test_design_qsys.py.
    got = set(CASES) | {"width-of-registers", "clock-not-as-written", "missed-burst", "not-widened"}
    got |= {"engines of known.toml", "port-needs", "few-reads"}
    assert len(got) == len(CHECKS)
