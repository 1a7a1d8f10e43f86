"""Vivado's reports, written here in its format: the figures read, and refused reports."""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.bringup.projects.vivado import reports


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
