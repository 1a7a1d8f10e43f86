"""The page of a project, from the SD card to the first table: each command exists."""

import dataclasses
import re
import subprocess
from fractions import Fraction

import pytest

import kit
from axiometer.base.board_tools import tools
from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects import boot, devicetree, plan, steps
from axiometer.bringup.projects.boot import jtag
from axiometer.bringup.projects.make import make
from axiometer.bringup.projects.vivado import reports
from axiometer.cli.commands import build
from axiometer.experiment import Experiment
from axiometer.platform import Platform
from axiometer.runs.agent.replies import Capabilities
from axiometer.runs.board import design
from axiometer.runs.engines import vendor
from machines import bare

BOARDS = ("zybo", "zcu102", "de1-soc")


@pytest.fixture(scope="module", params=BOARDS)
def project(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("steps") / "project"
    top = steps.usual_top(request.param)
    made = make(request.param, top)
    build.write(made, devicetree.choose(made), f"{request.param} --top {top}", place)
    return made, place


def test_the_first_experiment_runs_on_the_model(project, cli, tmp_path):
    made, place = project
    experiment = Experiment.load(str(place / steps.FIRST))
    assert experiment.platform.name == made.board
    store = str(tmp_path / "store")
    assert "simulated" in cli("run", place / steps.FIRST, "--repeats", "1", "--store", store)


@pytest.mark.parametrize("top", ["vendor-dma", "vendor-sg", "vendor-cdma", "traffic-generator"])
def test_vendors_engines_have_a_first_experiment(top, tmp_path, capsys):
    given = {} if top != "vendor-dma" else {"parameters": {"LENGTH_BITS": 14}}
    made = make("zybo", top, ["HP0", "HP2"], **given)
    text = steps.first(made)
    if top == "traffic-generator":
        assert text is None
        return
    file = tmp_path / steps.FIRST
    file.write_text(text)
    points = Experiment.load(str(file)).points()
    assert len(points) == (1 if top == "vendor-dma" else 3)
    for point in points:
        assert [master["port"] for master in point.values["masters"]] == ["HP0", "HP2"]
        assert all(vendor.numbers(master) for master in vendor.asked(point.values))
        about = Capabilities(
            made.module.parameters["CLOCK_HZ"], 5, 2, made.width // 8,
            made.module.parameters["ENGINE"], (0, 2, 0), (),
        )  # fmt: skip
        platform = Platform.load("zybo")
        found = design.loaded(about, platform, ["HP0", "HP2"])
        assert design.lacks(found, platform, point.values) is None
    page = steps.text(made, devicetree.choose(made), f"zybo --top {top}")
    assert "axiometer measure" in page
    assert "rows.csv" not in page
    assert steps.first(make("zcu102", top)) is None


def test_an_agent_is_built_of_the_project(project):
    """By the page's own command, for this machine."""
    _, place = project
    command = ["make", "-s", "-C", f"{steps.FOLDER}/host/agent", f"BUILD={place}"]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    usage = subprocess.run([place / "axiometer-agent"], capture_output=True, text=True)
    assert "usage" in usage.stderr


@pytest.mark.parametrize("board", plan.boards())
def test_the_agent_without_linux_has_the_board_s_crystal_uart_and_memory(board):
    """With another crystal every time is wrong, at another UART it never answers."""
    made = make(board, steps.usual_top(board))
    words = dict(w.split("=") for w in boot.agent(made).split() if "=" in w)
    tool, platform = tools()[board], Platform.load(board)
    usp = made.chip == "zynq-ultrascale-plus"
    assert words["UART"] == f"AXM_UART{tool.uart}" and tool.uart in (0, 1)
    low = 2048 if usp else 1024  # MiB that the processors of the chip reach below 4 GiB
    assert int(words["MEMORY_MIB"]) == min(platform.value("dram.size_MiB"), low)
    assert words.get("PS_CLK_HZ") == (None if usp else str(tool.crystal_hz))
    assert boot.agent(made) in jtag.xsdb(made) and boot.agent(made) in steps.text(
        made, devicetree.choose(made), board
    )
    # The rate from which the board's figures are decoded, where its file says it.
    origin = platform.leaf("clocks.ddr_mhz").register or ""
    said = re.search(r"reference_mhz = ([\d/]+)|\((\d+) MHz x", origin)
    if said and not usp:
        assert abs(tool.crystal_hz - Fraction(said[1] or said[2]) * 10**6) < 1


def test_what_a_board_s_file_lacks_is_said(monkeypatch):
    lacking = dataclasses.replace(tools()["zybo"], crystal_hz=None)
    monkeypatch.setattr(boot, "tools", lambda: {"zybo": lacking})
    with kit.refuses(match="has no crystal_hz", remedy="add-a-board"):
        boot.agent(make("zybo", "dma"))


@pytest.mark.skipif(bool(bare.missing("zynq-7000")), reason=bare.INSTALL)
def test_the_agent_without_linux_is_built_by_the_page_s_command(project, tmp_path):
    made, place = project
    if made.chip != "zynq-7000":
        return
    words = [*boot.agent(made).split(), "-s", f"BUILD={tmp_path}"]
    done = subprocess.run(words, cwd=place, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    listed = ["nm", tmp_path / "axm-agent.elf"]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    assert f"{512 << 20:08x} A axm_dma_end" in names  # the Zybo's memory


def table(heading: str, *rows: str) -> str:
    """A table of `report_utilization`."""
    rule = "+" + "-" * 40 + "+"
    return "\n".join([rule, heading, rule, *rows, rule, ""])


OLD = table(
    "|          Site Type         | Used | Fixed | Available | Util% |",
    "| Slice LUTs                 | 4321 |     0 |     17600 | 24.55 |",
    "|   LUT as Logic             | 4000 |     0 |     17600 | 22.73 |",
    "| Slice Registers            | 5555 |     0 |     35200 | 15.78 |",
) + table(
    "|     Site Type     | Used | Fixed | Available | Util% |",
    "| Block RAM Tile    |  2.5 |     0 |        60 |  4.17 |",
) + table(
    "|   Site Type    | Used | Fixed | Available | Util% |",
    "| DSPs           |    0 |     0 |        80 |  0.00 |",
)  # fmt: skip
NEW = (
    OLD.replace("| Fixed | Available", "| Fixed | Prohibited | Available")
    .replace("|     0 |     ", "|     0 |          0 |     ")
    .replace("Slice LUTs ", "CLB LUTs*  ")
    .replace("Slice Registers", "CLB Registers  ")
)
SUMMARY = """\
------------------------
| Design Timing Summary
| ---------------------
------------------------

    WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)      THS(ns)  \
THS Failing Endpoints  THS Total Endpoints     WPWS(ns)
    -------      -------  ---------------------  -------------------      -------      -------  \
---------------------  -------------------     --------
      {setup}        0.000                      {failing}                  723        {hold}      \
0.000                      0                  723        2.225
"""


@pytest.mark.parametrize("text", [OLD, NEW], ids=["2019", "newer"])
def test_resources_are_read_of_every_form(text):
    found = {each.resource: (each.used, each.available) for each in reports.utilisation(text)}
    assert found == {
        "LUT": (4321, 17600),
        "flip-flop": (5555, 35200),
        "block RAM": (2.5, 60),
        "DSP": (0, 80),
    }


def test_slack_is_read():
    report = SUMMARY.format(setup="-1.234", hold="0.022", failing=7)
    assert reports.timing(report) == reports.Timing(-1.234, 0.022, 7)


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (reports.utilisation, ""),
        (reports.utilisation, OLD.replace("| DSPs", "| DSP4")),
        (reports.utilisation, OLD.replace("4321", "many")),
        (reports.timing, ""),
        (reports.timing, SUMMARY.format(setup="NA", hold="NA", failing="NA")),
    ],
)
def test_texts_that_are_no_report_are_refused(read, text):
    with pytest.raises(AxiometerError, match="unknown format"):
        read(text, "some.rpt")


def test_show_reads_a_built_project(tmp_path, cli):
    (tmp_path / "plan.json").write_text("{}")
    assert "vivado -mode batch" in cli.refused("show", tmp_path)
    (tmp_path / "reports").mkdir()
    (tmp_path / reports.UTILISATION).write_text(OLD)
    path = tmp_path / reports.TIMING
    path.write_text(SUMMARY.format(setup="2.479", hold="0.022", failing=0))
    said = cli("show", tmp_path)
    assert "24.6%" in said
    assert "timing is met" in said
    path.write_text(SUMMARY.format(setup="-0.1", hold="0.022", failing=3))
    assert "not met, at 3 endpoints" in " ".join(cli("show", tmp_path).split())
    assert cli.json("show", tmp_path)["timing"]["failing"] == 3
