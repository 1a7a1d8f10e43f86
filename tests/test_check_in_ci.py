"""`axiometer check` of several files, and in a job of GitHub Actions."""

import re

import pytest

import design_kit as kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.present import github

HOSTILE = "x::error file=a,b::%0A|<b>`*["


@pytest.fixture
def bad(tmp_path):
    """A DMA behind a general port: a mistake. No platform models the port."""
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d"))
    return kit.saved(tmp_path, block, kit.zynq(("S_AXI_GP0", "d", 32)), name="bad.hwh")


@pytest.fixture
def narrow(tmp_path):
    """32 bits at a port of 64: advice."""
    block = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d", 32))
    asked = {"PCW_FPGA1_PERIPHERAL_FREQMHZ": "142.857132"}
    return kit.saved(
        tmp_path, block, kit.zynq(("S_AXI_HP0", "d"), parameters=asked), name="narrow.hwh"
    )


@pytest.fixture
def job(tmp_path, monkeypatch):
    """The files that a job names, with what was in them before."""
    summary, output = tmp_path / "summary.md", tmp_path / "output"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    return summary, output


def commands(out):
    """What the runner does with the printed text: it stops at `stop-commands`, goes on at the
    token, and finds commands behind spaces."""
    found, token = [], None
    for line in out.splitlines():
        text = line.lstrip()
        if token is not None:
            token = None if text == f"::{token}::" else token
        elif text.startswith("::stop-commands::"):
            token = text.removeprefix("::stop-commands::")
        elif text.startswith("::"):
            found.append(line)
    assert token is None
    return found


def test_several_files_end_with_the_worst(bad, narrow, tmp_path, capsys):
    assert main(["check", "--no-costs", str(narrow)]) == 0
    assert main(["check", "--no-costs", str(narrow), str(bad)]) == 1
    out = capsys.readouterr().out
    assert "(narrow.hwh): 0 mistakes" in out and "(bad.hwh): 1 mistake," in out
    assert main(["check", "--no-costs", str(tmp_path / "no.xsa"), str(bad)]) == 2
    told = capsys.readouterr()
    assert "there is no file" in told.err and "(bad.hwh): 1 mistake," in told.out


def test_the_findings_that_fail(bad, narrow):
    assert main(["check", "--no-costs", "--fail-on", "advice", str(narrow)]) == 1
    assert main(["check", "--no-costs", "--fail-on", "never", str(bad)]) == 0


def test_a_job_gets_summary_annotations_and_outputs(narrow, job, capsys):
    summary, output = job
    assert main(["check", "--github", "--board", "zybo", "--need", "900MB/s", str(narrow)]) == 1
    found = commands(capsys.readouterr().out)
    assert [re.match(r"::(\w+) file=.*narrow.hwh,title=([\w-]+)::", c).groups() for c in found] == [
        ("warning", "narrow-master"),
        ("error", "need"),
    ]
    assert "9 %25" not in found[0] and " %25 short" in found[1]
    text = summary.read_text()
    assert text.startswith("before\n### bd ") and "NO: all together too slow." in text
    total = re.search(r"\| all at once \|  \|  \| (\d+) \|", text)[1]
    outputs = dict(line.split("=", 1) for line in output.read_text().splitlines())
    assert outputs == {
        "mistakes": "0",
        "advice": "1",
        "total-mbps": outputs["total-mbps"],
        "passed": "false",
    }
    assert float(outputs["total-mbps"]) == pytest.approx(float(total), abs=1) and int(total) < 900


def test_a_file_that_cannot_be_checked_is_annotated(job, capsys):
    assert main(["check", "--github", "no.xsa"]) == 2
    (found,) = commands(capsys.readouterr().out)
    assert found.startswith("::error file=no.xsa,title=not checked::there is no file no.xsa%0A")
    assert "passed=false" in job[1].read_text()


def test_without_a_board_there_are_findings_and_no_rates(bad, job):
    assert main(["check", "--github", str(bad)]) == 1
    assert "MB/s" not in job[0].read_text() and "total-mbps=\n" in job[1].read_text()


def test_names_of_a_stranger_are_no_commands(tmp_path, job, capsys):
    block = kit.module(
        "d", kit.DMA, kit.reads("M_AXI_MM2S", "d", 32), clock="ps_FCLK_CLK0"
    ).replace('FULLNAME="/d"', 'FULLNAME="/::error::m|&lt;b>"')
    path = kit.saved(tmp_path, block, kit.zynq(("S_AXI_HP0", "d")))
    path.write_text(path.read_text().replace('NAME="bd"', 'NAME="::warning::bd"'))
    assert main(["check", "--github", "--board", "zybo", "-v", str(path)]) == 0  # advice
    out = capsys.readouterr().out
    assert any(line.startswith("::warning::bd") for line in out.splitlines())  # printed, not read
    assert all(" file=" in command for command in commands(out))
    rows = [line for line in job[0].read_text().splitlines() if "narrow-master" in line]
    assert len(rows) == 1 and rows[0].replace("\\|", "").count("|") == 6 and "<b>" not in rows[0]


@pytest.mark.parametrize("level", [github.ERROR, github.WARNING])
def test_an_annotation_is_one_command_with_its_own_properties(level):
    text = github.annotation(level, HOSTILE, HOSTILE, f"{HOSTILE}\n::x::")
    properties, separator, rest = text.removeprefix(f"::{level} ").partition("::")
    assert separator and properties.count(",") == 1 and "\n" not in text
    assert [part.partition("=")[0] for part in properties.split(",")] == ["file", "title"]
    assert rest.replace("%0A", "\n").replace("%25", "%") == f"{HOSTILE}\n::x::"


def test_the_summary_shows_text_as_it_is():
    assert github.cell("a|b<c>\n`d`") == "a\\|b&lt;c&gt;\\\\x0a\\`d\\`"


def test_an_error_has_its_remedy():
    told = github.of_error("f.xsa", AxiometerError("no", remedy="do this"))
    assert told == "::error file=f.xsa,title=not checked::no%0A  do this"


def test_other_words_for_need(capsys):
    assert main(["expect", "zybo", "HP0", "--min", "900MB/s"]) == 2
    assert "did you mean --need 900MB/s?" in capsys.readouterr().err
