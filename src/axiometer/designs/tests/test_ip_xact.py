"""Cores that say what they are in a component.xml beside the design."""

import os

import pytest

from axiometer.designs import load
from axiometer.designs.checks import check

NAMES = ("AWADDR", "WDATA", "ARADDR", "RDATA")
TCL = """set origin_dir "."
{repositories}
create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps
create_bd_cell -type ip -vlnv me.org:user:mover:1.2 m
{settings}
connect_bd_intf_net [get_bd_intf_pins m/data] [get_bd_intf_pins ps/S_AXI_HP0]
"""


def component(*signals, left="63", dependency="", name="mover", extra=""):
    maps = "".join(
        f"<s:portMap><s:logicalPort><s:name>{signal}</s:name></s:logicalPort><s:physicalPort>"
        f"<s:name>data_{signal.lower()}</s:name></s:physicalPort></s:portMap>"
        for signal in signals
    )
    ports = "".join(
        f"<s:port><s:name>data_{signal.lower()}</s:name><s:wire><s:vector>"
        f'<s:left s:dependency="{dependency}">{left}</s:left><s:right>0</s:right>'
        "</s:vector></s:wire></s:port>"
        for signal in signals
    )
    return (
        '<s:component xmlns:s="http://www.spiritconsortium.org/XMLSchema/SPIRIT/1685-2009">'
        f"<s:vendor>me.org</s:vendor> <s:library>user</s:library><s:name>{name}</s:name>"
        "<s:version>1.2</s:version><s:busInterfaces><s:busInterface><s:name>data</s:name>"
        '<s:busType s:vendor="xilinx.com" s:library="interface" s:name="aximm"/><s:master/>'
        f"<s:portMaps>{maps}</s:portMaps><s:parameters>{extra}</s:parameters></s:busInterface>"
        f"</s:busInterfaces><s:model><s:ports>{ports}</s:ports><s:modelParameters>"
        "<s:modelParameter><s:name>C_WIDTH</s:name><s:value>32</s:value></s:modelParameter>"
        "</s:modelParameters></s:model></s:component>"
    )


DEPENDS = "(spirit:decode(id(&apos;MODELPARAM_VALUE.C_WIDTH&apos;)) - 1)"
BURST = "<s:parameter><s:name>MAX_BURST_LENGTH</s:name><s:value>64</s:value></s:parameter>"


def master(tmp_path, text, place="ip/mover_1_2", repositories="", settings=""):
    folder = tmp_path / "project" / place
    folder.mkdir(parents=True)
    (folder / "component.xml").write_text(text)
    path = tmp_path / "project" / "bd.tcl"
    path.write_text(TCL.format(repositories=repositories, settings=settings))
    (found,) = load(path).masters
    return found


@pytest.mark.parametrize(
    ("text", "settings", "right"),
    [
        (component(*NAMES), "", (64, "read+write")),
        (component("AWADDR", "WDATA"), "", (64, "write")),
        (component("ARADDR", "RDATA", left="127"), "", (128, "read")),
        (component(*NAMES, left="31", dependency=DEPENDS), "", (32, "read+write")),
        (
            component(*NAMES, left="31", dependency=DEPENDS),
            "set_property CONFIG.C_WIDTH {256} [get_bd_cells m]",
            (256, "read+write"),
        ),
    ],
)
def test_widths_and_directions(tmp_path, text, settings, right):
    found = master(tmp_path, text, settings=settings)
    assert (found.width_bits, "+".join(found.directions)) == right
    assert not any("only in the core itself" in words for words in found.assumed)


def test_parameters_of_the_interface(tmp_path):
    assert master(tmp_path, component(*NAMES, extra=BURST)).read.burst_beats == 16
    other = component(*NAMES, extra=BURST.replace("64", "8"))
    assert master(tmp_path / "b", other).read.burst_beats == 8


def test_what_is_no_plain_file_is_passed_over(tmp_path):
    project = tmp_path / "project"
    for name in "abc":
        (project / "ip" / name).mkdir(parents=True)
    (project / "ip/a/component.xml").symlink_to("nowhere")
    (project / "ip/b/component.xml").symlink_to("component.xml")
    os.mkfifo(project / "ip/c/component.xml")
    assert master(tmp_path, component(*NAMES)).width_bits == 64


STREAM = """create_bd_cell -type ip -vlnv xilinx.com:ip:processing_system7:5.5 ps
create_bd_cell -type ip -vlnv xilinx.com:ip:axi_dma:7.1 e
create_bd_cell -type ip -vlnv me.org:user:mover:1.2 m
connect_bd_intf_net [get_bd_intf_pins m/data] [get_bd_intf_pins e/S_AXIS_S2MM]
connect_bd_intf_net [get_bd_intf_pins e/M_AXI_S2MM] [get_bd_intf_pins ps/S_AXI_HP0]
"""


@pytest.mark.parametrize(("signals", "lacks"), [(("TDATA",), True), (("TDATA", "TLAST"), False)])
def test_a_stream_without_tlast(tmp_path, signals, lacks):
    text = component(*signals, left="31").replace('"aximm"', '"axis"')
    (tmp_path / "component.xml").write_text(text)
    (tmp_path / "bd.tcl").write_text(STREAM)
    codes = {finding.code for finding in check(load(tmp_path / "bd.tcl"))}
    assert ("no-tlast" in codes) == lacks


AWAY = "../ip_repo/mover"


REPOSITORIES = [
    "set_property ip_repo_paths [list $origin_dir/../ip_repo] [current_project]",
    "set_property ip_repo_paths {../ip_repo} [current_fileset]",
    'set_property -name ip_repo_paths -value "../ip_repo" -objects [current_project]',
    "set obj [get_filesets sources_1]\n"
    'set_property "ip_repo_paths" "[file normalize "$origin_dir/../ip_repo"]" $obj',
]


@pytest.mark.parametrize("repositories", REPOSITORIES)
def test_repositories_that_the_script_names(tmp_path, repositories):
    assert master(tmp_path, component(*NAMES), AWAY, repositories).width_bits == 64


def test_repositories_that_are_not_searched(tmp_path):
    text, place = component(*NAMES), AWAY
    assert master(tmp_path / "b", text, place).width_bits != 64  # not named: not searched
    absolute = f"set_property ip_repo_paths {tmp_path}/c/ip_repo [current_project]"
    assert master(tmp_path / "c", text, place, absolute).width_bits != 64


@pytest.mark.parametrize(
    "text",
    [
        component(*NAMES, name="another"),
        component("TLAST"),  # not a signal of a bus
        component(*NAMES)[:-40],
        component(*NAMES, left="9999999999"),
        component(*NAMES, left="-1"),
        "not XML",
        "",
    ],
)
def test_a_file_that_does_not_help_leaves_the_figures_open(tmp_path, text):
    assert any("width" in words for words in master(tmp_path, text).assumed)
