"""Vendors' engines as masters of a design: facts of the export take precedence; others come from
`experiment/vendor_engines.toml` and are reported. Reference designs are skipped where absent."""

import lzma

import pytest

import design_kit as kit
from axiometer.designs import core_facts, load
from axiometer.experiment import vendor

AMD = "xilinx.com:ip:{}:1.0".format
# Core and interface, and what its parameters, or those of the interface, say.
TOLD = {
    "axi_dma": (AMD("axi_dma"), "M_AXI_S2MM", {"C_S2MM_BURST_SIZE": 32, "C_INCLUDE_SG": 0}, {}),
    "axi_cdma": (AMD("axi_cdma"), "M_AXI", {"C_M_AXI_MAX_BURST_LEN": 32}, {}),
    "axi_vdma": (AMD("axi_vdma"), "M_AXI_S2MM", {"C_S2MM_MAX_BURST_LENGTH": 32}, {}),
    "hls_m_axi": (kit.HLS, "m", {}, {"MAX_WRITE_BURST_LENGTH": 32, "NUM_WRITE_OUTSTANDING": 128}),
}


def saved(path, core, name, parameters=(), **given):
    port = kit.bus(name, "x", True, 64, PROTOCOL="AXI4", **given)
    block = kit.module("m", core, port, parameters=parameters)
    return kit.saved(path, block, kit.zynq(("S_AXI_HP0", "x")))


def expected(cli, path, *words):
    return cli.json("expect", path, "--board", "zybo", *words)


@pytest.mark.parametrize("kind", TOLD)
def test_what_the_export_tells_counts_and_the_rest_is_the_engine_s(tmp_path, kind):
    core, name, parameters, got = TOLD[kind]
    (usual,) = load(saved(tmp_path, core, name)).masters
    write, own = usual.write, vendor.figure(kind, "descriptors", usual=False)
    figures = ("burst_beats", "outstanding_write", "gap_write")
    for figure, is_so in zip(
        figures, (write.burst_beats, write.outstanding, write.gap_cycles), strict=True
    ):
        assert is_so == vendor.figure(kind, figure, own)
        why = f": {is_so} ({vendor.why(kind, figure, own)})"
        assert any(why in words for words in usual.assumed) == (is_so != 0)
    (set_,) = load(saved(tmp_path, core, name, parameters, **got)).masters
    assert (set_.write.burst_beats, set_.write.gap_cycles) == (32, 0)
    assert set_.write.outstanding == got.get("NUM_WRITE_OUTSTANDING", write.outstanding)


def test_every_engine_is_a_core_and_its_figures_stand_in_one_place():
    engines = [core for core in core_facts.all_cores() if core.engine]
    assert {core.engine for core in engines} == set(vendor.KINDS)
    for facts in (of for core in engines for of in core.masters.values()):
        notes = [facts.get(way, {}).get("outstanding") for way in ("read", "write")]
        assert all(spec is None or isinstance(spec, str) for spec in notes)


def test_a_cdma_writes_what_it_reads(tmp_path, cli):
    path = saved(tmp_path, *TOLD["axi_cdma"][:2])
    found = expected(cli, path, "--set", "m.read.outstanding=1")
    assert found["read_MBps"]["mean"] < 700  # of 800 that the port carries
    read, write = (found[f"{way}_MBps"]["mean"] for way in ("read", "write"))
    assert read == pytest.approx(write, rel=0.01)


def test_more_outstanding_than_the_model_keeps_is_answered(tmp_path, cli):
    assert expected(cli, saved(tmp_path, kit.HLS, "m", NUM_READ_OUTSTANDING=128))


@pytest.mark.parametrize(("burst", "beats", "outstanding"), [(1, 16, 64), (0, 1, 1024)])
def test_an_msgdma_reads_while_its_fifo_has_room(tmp_path, burst, beats, outstanding):
    packed = kit.reference("vieira-intel-h2f-128bit.qsys.xz").read_bytes()
    text = lzma.decompress(packed).decode()
    was = 'name="BURST_ENABLE" value="1"'
    assert was in text
    path = tmp_path / "d.qsys"
    path.write_text(text.replace(was, was.replace("1", str(burst))))
    (master,) = load(path).masters
    assert (master.read.burst_beats, master.read.outstanding) == (beats, outstanding)
