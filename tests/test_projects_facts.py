"""Facts of public exports: how they are extracted, and that they include the facts of the proof."""

import json
import subprocess
import tomllib
import xml.etree.ElementTree as ElementTree

import pytest

import kit
from axiometer.base import chip_files
from axiometer.designs import ps_facts
from project_kit import needs_dtc, needs_tclsh, written
from validate.projects import devicetree, facts, prove, sources, vivado
from validate.projects.extract import __main__ as extract
from validate.projects.extract import components, cores
from validate.projects.extract.table import Place, Table
from validate.projects.vivado import catalogue

CORE = "xilinx.com:ip:proc_sys_reset"
SCRIPT = """
set scripts_vivado_version 2021.1
create_project one one -part xc7z020clg484-1
create_bd_design "one"
set reset [create_bd_cell -type ip -vlnv xilinx.com:ip:proc_sys_reset:5.0 reset]
set_property -dict [list CONFIG.C_EXT_RESET_HIGH {0}] $reset
set ps [create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps]
connect_bd_net [get_bd_pins ps/FCLK_RESET0_N] [get_bd_pins reset/ext_reset_in]
proc never {} { report_clocks -file clocks.rpt }
exec touch harm
"""
TREE = """/dts-v1/; /plugin/;
&fpga_full { firmware-name = "x.bin"; /* a comment; */
    clk { compatible = "xlnx,fclk"; clocks = <&clkc 15>; };
};
"""
_S = 'xmlns:spirit="http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009"'
COMPONENT = f"""<spirit:component {_S}><spirit:busInterfaces><spirit:busInterface>
<spirit:busType spirit:name="aximm"/><spirit:parameters><spirit:parameter>
<spirit:name>DATA_WIDTH</spirit:name><spirit:value spirit:id="x">32</spirit:value>
</spirit:parameter></spirit:parameters></spirit:busInterface></spirit:busInterfaces>
</spirit:component>"""
GENERATED = f"""<spirit:component {_S} xmlns:xilinx="http://www.xilinx.com">
<spirit:busInterfaces>
<spirit:busInterface><spirit:name>clock</spirit:name><spirit:busType spirit:name="clock"/>
<spirit:portMaps><spirit:portMap><spirit:physicalPort><spirit:name>clk</spirit:name>
</spirit:physicalPort></spirit:portMap></spirit:portMaps><spirit:parameters>
<spirit:parameter><spirit:name>ASSOCIATED_RESET</spirit:name><spirit:value>rst</spirit:value>
</spirit:parameter></spirit:parameters></spirit:busInterface>
<spirit:busInterface><spirit:name>reset</spirit:name><spirit:busType spirit:name="reset"/>
<spirit:portMaps><spirit:portMap><spirit:physicalPort><spirit:name>rst</spirit:name>
</spirit:physicalPort></spirit:portMap></spirit:portMaps><spirit:parameters>
<spirit:parameter><spirit:name>POLARITY</spirit:name><spirit:value>ACTIVE_LOW</spirit:value>
</spirit:parameter></spirit:parameters></spirit:busInterface>
</spirit:busInterfaces><spirit:model><spirit:ports>
<spirit:port><spirit:name>clk</spirit:name><spirit:wire><spirit:direction>in</spirit:direction>
</spirit:wire></spirit:port>
<spirit:port><spirit:name>rst</spirit:name><spirit:wire><spirit:direction>out</spirit:direction>
<spirit:vector><spirit:left>1</spirit:left></spirit:vector></spirit:wire>
<spirit:vendorExtensions><xilinx:isEnabled
 xilinx:dependency="((spirit:decode(id('PARAM_VALUE.n')) = 2)
 &amp;&amp; (spirit:decode(id(MODELPARAM_VALUE.M)) != 0))"
>true</xilinx:isEnabled></spirit:vendorExtensions></spirit:port>
</spirit:ports><spirit:modelParameters><spirit:modelParameter>
<spirit:name>M</spirit:name><spirit:value>3</spirit:value></spirit:modelParameter>
</spirit:modelParameters></spirit:model>
<spirit:choices><spirit:choice><spirit:name>c</spirit:name><spirit:enumeration>2</spirit:enumeration>
<spirit:enumeration>10</spirit:enumeration></spirit:choice></spirit:choices>
<spirit:parameters><spirit:parameter><spirit:name>N</spirit:name>
<spirit:value spirit:choiceRef="c">2</spirit:value></spirit:parameter></spirit:parameters>
<spirit:vendorExtensions><xilinx:xilinxVersion>2020.1</xilinx:xilinxVersion>
</spirit:vendorExtensions></spirit:component>"""
XCI = '{"component_reference": "xilinx.com:ip:proc_sys_reset:5.0"}'


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    folder = tmp_path_factory.mktemp("clones")
    clone = folder / "someone+thing"
    files = {"a.tcl": SCRIPT, "pl.dtsi": TREE, "ip/component.xml": COMPONENT,
             "x.gen/ip/r/r.xml": GENERATED, "x.srcs/ip/r/r.xci": XCI}  # fmt: skip
    for name, text in files.items():
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_text(text)
    who = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "-A"], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", clone, *words], check=True)
    yield extract.made(folder)
    assert not (clone / "harm").exists()


@pytest.mark.parametrize("fact", [
    ("core", CORE), ("setting", CORE, "C_EXT_RESET_HIGH", "0"), ("pin", CORE, "ext_reset_in"),
    ("pin", CORE, "rst"), ("pin", "xilinx.com:ip:processing_system7", "FCLK_RESET0_N"),
    ("command", "create_project", "-part"), ("command", "report_clocks", "-file"),
    ("element", "component/busInterfaces/busInterface/busType@name"),
    ("order", "component/busInterfaces/busInterface", "busType", "parameters"),
    ("parameter", "aximm", "DATA_WIDTH"), ("target", "fpga_full", "firmware-name"),
    ("node", "xlnx,fclk", "clocks"),
])  # fmt: skip
def test_a_fact_is_taken_with_its_place(table, fact):
    (place, *_) = sorted(table.seen[fact])
    assert place.repository == "someone/thing" and len(place.commit) == 40


def test_what_is_not_there_is_not_taken(table):
    """No comment, no harm, no command that is none of Vivado's."""
    assert {key[0] for key in table.seen} <= {
        "core", "setting", "pin", "command", "element", "order", "parameter", "target",
        "node"}  # fmt: skip
    assert not any("comment" in part or "exec" in part for key in table.seen for part in key)


def test_what_all_of_enough_components_have_is_taken():
    """A child or attribute that one of them leaves out is not; nor what too few show."""
    root = ElementTree.fromstring(COMPONENT)
    whole = components.of(root)
    root.find(".//{*}value").attrib.clear()
    without = components.of(root)
    for packaged, has in (
        ([whole] * components.ENOUGH, {"@id"}),
        ([whole] * (components.ENOUGH - 1), set()),
        ([whole] * components.ENOUGH + [without], set()),
    ):
        table = Table()
        places = (Place("", f"a/{number}", "x", "0" * 40) for number in range(len(packaged)))
        components.take(list(zip(places, packaged, strict=True)), table)
        always = {key[1:] for key in table.seen if key[0] == "always"}
        assert {name for path, name in always if path.endswith("/parameter/value")} == has


def test_a_core_is_read_with_its_conditions(table):
    known = table.cores[CORE]
    assert known["settings"]["N"] == {"choices": ["2", "10"], "default": "2"}
    assert known["models"] == {"M": "3"}
    assert known["pins"]["rst"] == {
        "is": "reset", "out": True, "width": 2, "low": True, "of": "clk", "any_clock": False,
        "if": "(($N == 2) && ($M != 0))"}  # fmt: skip
    assert {place.version for place in table.seen["pin", CORE, "rst"]} == {"2020.1"}


def test_the_table_is_read_back_and_names_few_places(tmp_path, monkeypatch):
    table = Table()
    for n in range(9):
        table.add(Place(f"20{n}0.1", f"a/{n}", "x.tcl", "0" * 40), "core", "a:b:c")
    read = json.loads(table.text())
    ((*key, count, at),) = read["seen"]
    assert (key, count) == (["core", "a:b:c"], 9) and len(at) == 3
    assert read["places"][at[0]][3] == "2080.1"  # the newest first


def test_no_core_is_read_of_a_file_that_does_not_say_it():
    other = type("E", (), {"beside": b'"component_reference": "a:b:c:1.0"'})()
    assert cores.core_of(other) == "a:b:c"
    assert cores.core_of(type("E", (), {"beside": b""})()) == ""


def test_facts_are_of_many_projects_and_versions():
    repositories, versions = facts.extent()
    assert repositories >= 30
    assert len({version[:4] for version in versions}) >= 5


@pytest.mark.parametrize("chip", ["zynq-7000", "zynq-ultrascale-plus"])
def test_addresses_of_the_chips_are_those_of_public_exports(chip):
    """Two lists, made apart: documents, and what Vivado wrote."""
    system, project = ps_facts.system(chip), chip_files.read(chip, "project")
    known = facts.core(system.cores[0])
    ports = ("HP0", "HP1", "HP2", "HP3", *project["coherent"]["ports"])
    for port in (p for p in system.ports.values() if p["name"] in ports):
        names = {"n": port["number"], "m": port.get("segment", "").removeprefix("SAXIGP"),
                 "name": port["name"]}  # fmt: skip
        for part in project["memory"]:
            assert known["segments"][part["segment"].format(**names)] == part["base"]
    for interface, master in system.masters.items():
        windows = [[low, high - low + 1] for low, high in master["addresses"]]
        assert known["windows"][interface] == windows


def test_the_proof_says_of_no_command_or_property_what_no_export_has():
    folder = kit.ROOT / "lab" / "validate" / "projects" / "vivado"
    commands = tomllib.loads((folder / "commands.toml").read_text())
    for name, spec in commands.items():
        assert facts.seen("command", name), name
        for option in (*spec.get("options", []), *spec.get("required", [])):
            assert facts.seen("command", name, f"-{option}"), (name, option)
    properties = tomllib.loads((folder / "properties.toml").read_text())
    for kind, named in properties.items():
        for name in named:
            assert facts.seen("property", kind, name), (kind, name)


def test_a_condition_that_is_not_read_is_refused():
    (kind, *_) = catalogue.kinds().values()
    cell = catalogue.Cell("x", kind, 1)
    assert catalogue._holds("(($PCW_USE_S_AXI_HP0 == 0) || ($PCW_USE_S_AXI_HP1 != 0))", cell)
    with pytest.raises(ValueError, match="not read"):
        catalogue._holds("f($PCW_USE_S_AXI_HP0)", cell)


@needs_dtc
@needs_tclsh
@pytest.mark.parametrize("board", sources.BOARDS)
def test_the_page_of_sources_has_every_construct_of_a_project(board, tmp_path, monkeypatch):
    monkeypatch.setattr(facts, "used", set())
    assert prove(board, "--top dma --ports HP0+HP2 --memory reserved", tmp_path).found == []
    assert len(facts.used) > 200
    text = sources.PAGE.read_text(encoding="utf-8")
    assert [key for key in sorted(facts.used) if sources.row(key) not in text] == []


@needs_tclsh
@pytest.mark.parametrize("fact", [
    ("core", "xilinx.com:ip:smartconnect"), ("command", "validate_bd_design"),
    ("command", "launch_runs", "-to_step"), ("property", "run", "progress"),
    ("pin", CORE, "slowest_sync_clk"), ("segment", "xilinx.com:ip:processing_system7",
                                        "S_AXI_HP0/HP0_DDR_LOWOCM"),
    ("rule", "xilinx.com:bd_rule:processing_system7", "make_external"),
    ("element", "component/model/ports/port/wire/direction"),
    ("parameter", "clock", "ASSOCIATED_BUSIF"),
])  # fmt: skip
def test_what_no_export_shows_is_found(fact, monkeypatch):
    real = facts.seen
    monkeypatch.setattr(facts, "seen", lambda *key: key != fact and real(*key))
    assert vivado.run(*written("zybo", "dma", "HP0+HP2"))[1]


@needs_dtc
@needs_tclsh
def test_what_no_device_tree_shows_is_found(tmp_path, monkeypatch):
    proof = prove("zybo", "--top dma --ports HP0+HP2", tmp_path)
    assert proof.found == []
    for fact in (("target", "fpga_full", "firmware-name"), ("node", "generic-uio", "interrupts")):
        real = facts.seen
        monkeypatch.setattr(
            facts, "seen", lambda *key, fact=fact, real=real: key != fact and real(*key)
        )
        (found,) = devicetree.check(proof.recorded, proof.plan, tmp_path)
        assert fact[2] in found
        monkeypatch.undo()
