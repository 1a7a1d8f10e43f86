"""Systems of Platform Designer, written here: what is beside a .qsys, clocks, exported ports."""

import pytest

import design_kit
from axiometer.api.design_answers import answer
from axiometer.base.errors import AxiometerError
from axiometer.designs import changes, hw_tcl, load
from axiometer.designs.checks import check
from axiometer.designs.platform import platform_of
from axiometer.designs.qsys_parts import Described
from axiometer.present import design_limit

HPS = '<parameter name="F2SDRAM_Width" value="128"/><parameter name="F2SDRAM_Type" value="{}"/>'
BOTH = "Avalon-MM Bidirectional"
PORT = "hps.f2h_sdram0_data"


def module(name, kind, enabled="1", **parameters):
    inner = "".join(f'<parameter name="{k}" value="{v}"/>' for k, v in parameters.items())
    return (
        f'<module name="{name}" kind="{kind}" enabled="{enabled}" version="18.1">{inner}</module>'
    )


def bus(start, end):
    return f'<connection kind="avalon" start="{start}" end="{end}"/>'


def clock(start, end):
    return f'<connection kind="clock" start="{start}" end="{end}"/>'


def export(name, internal, kind):
    return f'<interface name="{name}" internal="{internal}" type="{kind}" dir="end"/>'


def system(*parts):
    return f'<?xml version="1.0"?><system name="x">{"".join(parts)}</system>'


def soc(*parts, of=BOTH):
    """A system with an HPS whose port has a clock of 100 MHz."""
    hps = f'<module name="hps" kind="altera_hps" version="18.1">{HPS.format(of)}</module>'
    source = module("clk", "clock_source", clockFrequency=100_000_000)
    return system(hps, source, clock("clk.clk", "hps.f2h_sdram0_clock"), *parts)


def read(tmp_path, text, **beside):
    (tmp_path / "soc.qsys").write_text(text)
    for name, content in beside.items():
        path = tmp_path / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return load(tmp_path / "soc.qsys")


def facts(design):
    """Directions, bits, beats and MHz of each master."""
    return {
        m.name: (
            "+".join(m.directions),
            m.width_bits,
            *{c.burst_beats for c in m.channels.values()},
            clock.mhz if (clock := design.clock(m.clock)) else None,
        )
        for m in design.masters
    }


OWN = (module("w", "writer", SIZE=16), bus("w.m", PORT), clock("clk.clk", "w.c"))
TCL = """
add_parameter SIZE INTEGER 8
add_parameter Pixels INTEGER 4
add_interface m avalon start
set_interface_property m associatedClock c
add_interface_port m m_data writedata Output pixels*size
add_interface_port m m_write write Output 1
"""


def test_a_component_says_its_figures_beside_the_system(tmp_path):
    assert facts(read(tmp_path, soc(*OWN)))["w.m"][:2] == ("read+write", 32)
    single = read(tmp_path, soc(*OWN), ip__writer_hw_dot_tcl=TCL)
    assert facts(single) == {"w.m": ("write", 64, 1, 100)}
    assert not any(of.startswith("width") for of in single.masters[0].assumed)


@pytest.mark.parametrize(
    ("width", "bits"),
    [
        ("128", 128),
        ("W", 32),
        ("w / 8", 4),
        ("((W - 1)) - (0) + 1", 32),
        ("[get_parameter_value W]", 32),
        ("[expr $W * 2]", 64),
        ("{[expr {2 * [get_parameter_value W]}]}", 0),  # not plain
        ("$other", 0),
        ("-1", 0),
        ("W ** 9", 0),
        ("(" * 400, 0),
        ("9999999", 0),
    ],
)
def test_widths_of_a_component(width, bits):
    shown = width if width.startswith(("[", "{")) else f'"{width}"'
    text = (
        f"add_parameter W INTEGER 8\nadd_interface m avalon start\n"
        f"add_interface_port m d writedata Output {shown}\n"
    )
    (found,) = hw_tcl.read(text.encode(), {"W": "32"}).values()
    assert found == Described("avalon", True, roles={"writedata": bits})


def sopcinfo(kind="avalon_master", size=16, rate=75_000_000):
    def given(name, value):
        return f'<parameter name="{name}"><type>t</type><value>{value}</value></parameter>'

    ports = "".join(
        f"<port><name>p</name><width>{bits}</width><role>{role}</role></port>"
        for role, bits in (("readdata", 64), ("read", 1), ("readdatavalid", 1), ("burstcount", 5))
    )
    made = f'<interface name="clk" kind="clock_source">{given("clockRate", rate)}</interface>'
    own = f'<interface name="m" kind="{kind}">{given("associatedClock", "c")}{ports}</interface>'
    return (
        '<?xml version="1.0"?><EnsembleReport name="soc" kind="soc">'
        f'<module name="clk" kind="clock_source" path="clk">{made}</module>'
        f'<module name="w" kind="writer" path="w">{given("SIZE", size)}{own}</module>'
        '<module name="hps" kind="altera_hps" path="hps">'
        f"{given('F2SDRAM_Width', 128)}{given('F2SDRAM_Type', BOTH)}</module>"
        '<module name="hps_bridges" kind="hps_bridge_avalon" path="hps.bridges"/>'
        + bus("w.m", "hps_bridges.f2h_sdram0_data")
        + clock("clk.clk", "w.c")
        + clock("clk.clk", "hps_bridges.f2h_sdram0_clock")
        + "</EnsembleReport>"
    )


def test_the_sopcinfo_has_figures_where_it_is_not_older(tmp_path):
    right = {"w.m": ("read", 64, 16, 75)}
    assert facts(read(tmp_path, soc(*OWN), soc_dot_sopcinfo=sopcinfo())) == right
    old = facts(read(tmp_path, soc(*OWN), soc_dot_sopcinfo=sopcinfo(size=8)))
    assert old["w.m"][:2] == ("read+write", 32)
    alone = tmp_path / "alone.sopcinfo"
    alone.write_text(sopcinfo())
    design = load(alone)
    assert facts(design) == right
    assert [(p.name, p.width_bits) for p in design.ports] == [("f2h_sdram0", 128)]


def test_a_port_that_the_tool_made_is_surer_than_a_parameter(tmp_path):
    dma = module("w", "altera_msgdma", SIZE=16, DATA_WIDTH=128)
    text = soc(dma, bus("w.mm_read", PORT), clock("clk.clk", "w.c"))
    report = sopcinfo().replace('"writer"', '"altera_msgdma"').replace('"m"', '"mm_read"')
    assert read(tmp_path, text, soc_dot_sopcinfo=report).masters[0].width_bits == 64


def test_a_system_within_a_system(tmp_path):
    part = system(
        module("ck", "clock_source", clockFrequency=1_000_000),
        module("dma", "altera_msgdma", DATA_WIDTH=64, MAX_BURST_COUNT=8, BURST_ENABLE=1),
        clock("ck.clk", "dma.clock"),
        export("out", "dma.mm_read", "avalon").replace('"end"', '"start"'),
        export("c", "ck.clk_in", "clock"),
    )
    top = soc(module("a", "part"), bus("a.out", PORT), clock("clk.clk", "a.c"))
    design = read(tmp_path, top, ip__part_dot_qsys=part)
    assert facts(design) == {"a/dma.mm_read": ("read", 64, 8, 100)}
    assert design.masters[0].clock == design.ports[0].clock == "clk.clk"
    # The directory has two systems, of which one is a part of the other.
    (tmp_path / "part.qsys").write_text(part)
    assert facts(load(tmp_path)) == facts(design)
    itself = soc(module("s", "soc"))
    assert read(tmp_path, itself).masters == ()


def test_a_system_without_its_part_says_what_is_missing(tmp_path):
    with pytest.raises(AxiometerError) as caught:
        read(tmp_path, system(module("a", "part"), module("p", "altera_avalon_pio")))
    assert caught.value.remedy.endswith("not beside or below: part.qsys")


BRIDGE = {"DATA_WIDTH": 128, "MAX_BURST_SIZE": 8}


@pytest.mark.parametrize(
    ("kind", "parameters", "names", "burst_bytes", "reads"),
    [
        ("altera_avalon_mm_bridge", {**BRIDGE, "MAX_PENDING_RESPONSES": 3}, "s0 m0", 128, 3),
        (
            "altera_avalon_mm_bridge",
            {"DATA_WIDTH": 128, "MAX_BURST_SIZE": 1, "MAX_PENDING_RESPONSES": 4},
            "s0 m0",
            16,
            4,
        ),
        (
            "altera_avalon_mm_clock_crossing_bridge",
            {**BRIDGE, "RESPONSE_FIFO_DEPTH": 32},
            "s0 m0",
            128,
            4,
        ),
        (
            "altera_address_span_extender",
            {"DATA_WIDTH": 128, "BURSTCOUNT_WIDTH": 3, "MAX_PENDING_READS": 1},
            "windowed_slave expanded_master",
            64,
            1,
        ),
    ],
)
def test_a_bridge_holds_reads_and_cuts_bursts(
    tmp_path, kind, parameters, names, burst_bytes, reads
):
    into, out = names.split()
    dma = module("dma", "altera_msgdma", DATA_WIDTH=128, MAX_BURST_COUNT=16, BURST_ENABLE=1)
    text = soc(
        module("br", kind, **parameters),
        dma,
        bus("dma.mm_read", f"br.{into}"),
        bus("dma.mm_write", f"br.{into}"),
        bus(f"br.{out}", PORT),
    )
    design = read(tmp_path, text)
    (hop,) = design.masters[0].routes[0].hops
    assert (hop.burst_bytes, hop.reads) == (burst_bytes, reads)
    found = {f.code: f for f in check(design) if f.code in ("few-reads", "short-bursts")}
    assert [found[code].level for code in found if code == "few-reads"] == (
        [] if reads > 3 else ["mistake" if reads == 1 else "advice"]
    )
    for finding in found.values():
        mended = changes.changed(design, *finding.mend[0])
        assert finding.code not in {f.code for f in check(mended) if f.where == "br"}
    undriven = read(tmp_path, soc(module("br", kind, **parameters), bus(f"br.{out}", PORT)))
    assert undriven.masters == ()


SOURCES = {
    "a bridge": (module("b", "altera_clock_bridge"), "b.out_clk", [("clk.clk", "b.in_clk")], 100),
    "a bridge with a rate": (
        module("b", "altera_clock_bridge", EXPLICIT_CLOCK_RATE=25_000_000),
        "b.out_clk",
        [],
        25,
    ),
    "a bridge without": (module("b", "altera_clock_bridge"), "b.out_clk", [], 0),
    "a PLL": (module("b", "altera_pll", gui_output_clock_frequency1=33.3), "b.outclk1", [], 33.3),
    "a PLL by hand": (
        module("b", "altera_pll", gui_output_clock_frequency1=33.3, gui_en_adv_params="true"),
        "b.outclk1",
        [],
        0,
    ),
    "ALTPLL": (
        module("b", "altpll", INCLK0_INPUT_FREQUENCY=20_000, CLK0_MULTIPLY_BY=3, CLK0_DIVIDE_BY=2),
        "b.c0",
        [],
        75,
    ),
    "a user clock": (
        module("b", "altera_hps", "0") + module("c", "altera_clock_bridge"),
        "hps.h2f_user0_clock",
        [],
        80,
    ),
    "an unknown block": (module("b", "my_pll"), "b.c", [], 0),
}


@pytest.mark.parametrize("name", SOURCES)
def test_clocks(tmp_path, name):
    """A clock of unknown rate is no other clock."""
    made, pin, more, mhz = SOURCES[name]
    text = soc(made, module("dma", "altera_msgdma", DATA_WIDTH=64), bus("dma.mm_read", PORT))
    text = text.replace("</system>", clock(pin, "dma.clock") + "".join(clock(*c) for c in more))
    text = text.replace(BOTH, f'{BOTH}"/><parameter name="S2FCLK_USER0CLK_FREQ" value="80.0')
    design = read(tmp_path, text + "</system>")
    assert design.masters[0].clock == pin if name != "a bridge" else "clk.clk"
    found = design.clock(design.masters[0].clock)
    assert (found.mhz if found else 0) == pytest.approx(mhz)


@pytest.mark.parametrize(
    ("of", "directions"),
    [(BOTH, "read+write"), ("Avalon-MM Write-Only", "write"), ("Avalon-MM Read-Only", "read")],
)
def test_a_port_that_leaves_the_system_is_a_master(tmp_path, of, directions):
    design = read(tmp_path, soc(export("mem", PORT, "avalon"), of=of))
    assert {name: of[:2] for name, of in facts(design).items()} == {"mem.mem": (directions, 128)}
    assert design.masters[0].clock == "clk.clk"
    own = read(tmp_path, soc(*OWN, of=of))
    assert facts(own)["w.m"][0] == directions


def test_a_disabled_module_is_none(tmp_path):
    off = module("j", "altera_jtag_avalon_master", "0")
    assert read(tmp_path, soc(off, bus("j.master", PORT))).masters == ()


@pytest.mark.parametrize(("mode", "bits"), [(0, None), (1, 64)])
def test_a_stream_is_as_wide_as_its_engine(tmp_path, mode, bits):
    text = soc(
        module("a", "altera_msgdma", DATA_WIDTH=64, MODE=mode),
        module("b", "altera_msgdma", DATA_WIDTH=64, MODE=mode),
        module("fifo", "altera_avalon_sc_fifo"),
        bus("a.mm_read", PORT),
        bus("b.mm_write", PORT),
        *(
            '<connection kind="avalon_streaming" start="{}" end="{}"/>'.format(*ends)
            for ends in (("a.st_source", "fifo.in"), ("fifo.out", "b.st_sink"))
        ),
    )
    reader, writer = read(tmp_path, text).masters
    assert (reader.stream_bits, reader.partner) == (bits, "b.mm_write")
    assert (writer.stream_bits, writer.partner) == (bits, "a.mm_read")


def test_a_component_with_the_same_addresses_on_both_sides_is_a_way(tmp_path):
    sides = "".join(
        f"add_interface {side} axi {end}\nadd_interface_port {side} {side}a awaddr Output 32\n"
        f"add_interface_port {side} {side}d wdata Output W\n"
        for side, end in (("m", "start"), ("s", "end"))
    )
    text = soc(
        module("way", "merger", W=128),
        module("dma", "altera_msgdma", DATA_WIDTH=64),
        bus("dma.mm_write", "way.s"),
        bus("way.m", PORT),
    )
    design = read(tmp_path, text, merger_hw_dot_tcl=sides)
    (master,) = design.masters
    (hop,) = master.routes[0].hops
    assert (master.name, hop.instance) == ("dma.mm_write", "way")
    assert not any("unknown" in effect for effect in hop.effects)


def test_the_answer_names_the_bridge_that_limits():
    path = design_kit.reference("small/r7b_dma_bridge_burst1.qsys")
    design = load(path)
    found = answer(design, platform_of(design, path), repeats=1)
    sentence = "br, which passes bursts of 8 bytes at most and 4 reads at a time."
    assert design_limit.sentence(design, found.together).endswith(sentence)
    assert "MAX_BURST_SIZE and MAX_PENDING_RESPONSES" in design_limit.advice(design, found.together)
