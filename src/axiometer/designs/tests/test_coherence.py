"""Coherent ports: what marks a request as coherent, by chip, port, engine and the design's pins."""

import pytest

import design_kit as kit
from axiometer.designs import load
from axiometer.designs.checks import check

HPC, ACP, ON = "S_AXI_HPC0_FPD", "S_AXI_ACP_FPD", {"PSU__AFI0_COHERENCY": 1}
ENGINES = {
    kit.DMA: ("M_AXI_MM2S", {}),
    "xilinx.com:ip:axi_cdma:4.1": ("M_AXI", {}),
    "xilinx.com:ip:axi_vdma:6.3": ("M_AXI_MM2S", {}),
    "analog.com:user:axi_dmac:1.0": ("m_src_axi", {"CACHE_COHERENT": 0, "FIFO_SIZE": 8}),
}


def hls(cache):
    return kit.module(
        "m", kit.HLS, kit.reads("m_axi_g", "d", 128, MAX_READ_BURST_LENGTH=4),
        parameters={"C_M_AXI_G_CACHE_VALUE": cache},
    )  # fmt: skip


def finding(tmp_path, *modules):
    found = check(load(kit.saved(tmp_path, *modules)))
    return next((f for f in found if f.code == "not-coherent"), None)


@pytest.mark.parametrize(
    ("cache", "level"),
    [(0, "mistake"), (2, "mistake"), (3, "mistake"), (4, None), (11, None), (15, None)],
)
def test_hpc_by_the_upper_bits_of_its_cache(tmp_path, cache, level):
    got = finding(tmp_path, hls(cache), kit.usp((HPC, "d"), parameters=ON))
    assert (got and got.level) == level


@pytest.mark.parametrize("cache", range(16))
def test_acp_takes_three_values_of_cache_and_refuses_the_others(tmp_path, cache):
    got = finding(tmp_path, hls(cache), kit.usp((ACP, "d")))
    assert (got is None) == (cache in (7, 11, 15))
    if got is not None:
        assert got.level == "mistake"
        assert "answers all others with an error" in got.says
        assert got.no_rate == "its requests fail and move no data"


@pytest.mark.parametrize("core", ENGINES)
def test_the_fixed_cache_of_an_engine(tmp_path, core):
    name, given = ENGINES[core]
    block = kit.module("e", core, kit.reads(name, "d", 128), parameters=given)
    got = finding(tmp_path, block, kit.usp((HPC, "d"), parameters=ON))
    assert "AxCACHE = 0b0011: they bypass the caches" in got.says
    assert ("AXI_AXCACHE = 15" if "dmac" in core else "constant at the pins") in got.change


def test_values_that_descriptors_or_parameters_give(tmp_path):
    for core, given in (
        (kit.DMA, {"C_ENABLE_MULTI_CHANNEL": 1}),
        ("analog.com:user:axi_dmac:1.0", {"CACHE_COHERENT": "true"}),
        ("analog.com:user:axi_dmac:1.0", {"AXI_AXCACHE": "0b1111"}),
    ):
        name = ENGINES[core][0]
        block = kit.module("e", core, kit.reads(name, "d", 128), parameters=given)
        assert finding(tmp_path, block, kit.usp((HPC, "d"), parameters=ON)) is None


def test_a_coherent_port_that_is_used_without_its_coherence_is_no_mistake(tmp_path):
    got = finding(tmp_path, hls(3), kit.usp((HPC, "d")))
    assert got.level == "advice"
    assert "set PSU__AFI0_COHERENCY to 1, or maintain the caches" in got.change
    got = finding(tmp_path, hls(15), kit.usp((HPC, "d")))
    assert got.level == "advice"
    assert got.change.startswith("Set PSU__AFI0_COHERENCY to 1, or maintain the caches")


def test_masters_alike_are_one_finding(tmp_path):
    blocks = [
        kit.module(name, "xilinx.com:ip:axi_cdma:4.1", kit.reads("M_AXI", name, 128))
        for name in ("a", "b")
    ]
    ic = kit.interconnect("ic", [("a", 128), ("b", 128)], "h", 128)
    got = finding(tmp_path, *blocks, ic, kit.usp((HPC, "h"), parameters=ON))
    assert got.where == "a.M_AXI, b.M_AXI"
    assert got.says.startswith("a.M_AXI, b.M_AXI: reads at S_AXI_HPC0_FPD have AxCACHE = 0b0011")


def pins(signal, *drivers):
    """A CDMA at HPC0 by an interconnect, whose pins `drivers` drive: (where, driver's core, its
    value)."""
    port = f"saxihpc0_fpd_{signal.lower()}"
    made, at_ic, at_ps = [], [], []
    for where, core, value in drivers:
        made.append(kit.module(f"c_{where}", core, parameters={"CONST_VAL": value}))
        pin = f"M00_AXI_{signal.lower()}" if where == "ic" else port
        (at_ic if where == "ic" else at_ps).append(kit.tied(pin, f"c_{where}", "dout"))
    cdma = kit.module("e", "xilinx.com:ip:axi_cdma:4.1", kit.reads("M_AXI", "d", 128))
    ic = kit.module(
        "ic", kit.INTERCONNECT, kit.bus("S00_AXI", "d", False, 128),
        kit.bus("M00_AXI", "h", True, 128, pins=[(signal, f"M00_AXI_{signal.lower()}")]),
        pins=at_ic,
    )  # fmt: skip
    ps = kit.usp((HPC, "h"), parameters=ON).replace("</PORTS>", f"{''.join(at_ps)}</PORTS>", 1)
    ps = ps.replace("<PORTMAPS>", f'<PORTMAPS><PORTMAP LOGICAL="{signal}" PHYSICAL="{port}"/>')
    return [*made, cdma, ic, ps]


CONSTANT, GPIO = "xilinx.com:ip:xlconstant:1.1", "xilinx.com:ip:axi_gpio:2.0"


@pytest.mark.parametrize(
    ("drivers", "good"),
    [
        ([], False),
        ([("ps", CONSTANT, 15)], True),
        ([("ps", CONSTANT, "0b0010")], False),
        ([("ic", CONSTANT, 15)], True),
        ([("ic", CONSTANT, 15), ("ps", CONSTANT, 3)], False),
        ([("ps", GPIO, 0)], True),  # software sets it: unknown
    ],
)
def test_the_last_block_that_drives_the_pins_counts(tmp_path, drivers, good):
    assert (finding(tmp_path, *pins("ARCACHE", *drivers)) is None) == good


TCL = """create_bd_cell -type ip -vlnv xilinx.com:ip:zynq_ultra_ps_e:3.4 ps
set_property CONFIG.PSU__AFI0_COHERENCY 1 [get_bd_cells ps]
create_bd_cell -type ip -vlnv xilinx.com:ip:axi_cdma:4.1 e
create_bd_cell -type ip -vlnv {core} c
set_property CONFIG.CONST_VAL {value} [get_bd_cells c]
connect_bd_intf_net [get_bd_intf_pins e/M_AXI] [get_bd_intf_pins ps/S_AXI_HPC0_FPD]
connect_bd_net [get_bd_pins c/dout] [get_bd_pins ps/saxihpc0_fpd_arcache] {other}
"""
BOTH = "[get_bd_pins ps/saxihpc0_fpd_awcache]"


@pytest.mark.parametrize(
    ("core", "value", "other", "ways"),
    [
        (CONSTANT, 15, BOTH, None),
        (CONSTANT, 15, "", "writes"),
        (CONSTANT, 1, BOTH, "reads and writes"),
        (GPIO, 15, BOTH, None),
    ],
)
def test_pins_of_a_tcl_have_other_names_than_their_interface(tmp_path, core, value, other, ways):
    path = tmp_path / "d.tcl"
    path.write_text(TCL.format(core=core, value=value, other=other))
    got = next((f for f in check(load(path)) if f.code == "not-coherent"), None)
    assert (got is None) == (ways is None)
    assert got is None or f"e.M_AXI: {ways} at" in got.says


USER = {"PCW_USE_DEFAULT_ACP_USER_VAL": 1}


@pytest.mark.parametrize(
    ("cache", "given", "tied", "good"),
    [
        (15, USER, None, True),
        (3, USER, None, True),  # UG585: AxCACHE[1] alone
        (1, USER, None, False),
        (15, {}, None, False),
        (15, {}, 1, True),
        (15, {}, 30, False),
    ],
)
def test_the_acp_of_a_zynq_7000_by_cache_and_user(tmp_path, cache, given, tied, good):
    ps = kit.zynq(("S_AXI_ACP", "d"), parameters=given)
    user = [] if tied is None else [kit.module("c", CONSTANT, parameters={"CONST_VAL": tied})]
    if user:
        pin = kit.tied("S_AXI_ACP_ARUSER", "c", "dout")
        ps = ps.replace("</PORTS>", f"{pin}</PORTS>", 1).replace(
            "<PORTMAPS>", '<PORTMAPS><PORTMAP LOGICAL="aruser" PHYSICAL="S_AXI_ACP_ARUSER"/>'
        )
    got = finding(tmp_path, hls(cache), *user, ps)
    assert (got is None) == good
    assert good or got.level == "mistake"


def test_a_master_that_may_drive_its_user_is_no_mistake(tmp_path):
    driven = kit.module("m", kit.DMA, kit.reads("M_AXI_MM2S", "d", ARUSER_WIDTH=5))
    assert finding(tmp_path, driven, kit.zynq(("S_AXI_ACP", "d"))) is None
