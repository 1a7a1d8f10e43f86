"""A first user's mistakes: names and forms that differ from the guide's."""

import re

import pytest

import kit
from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.cli.commands import console, explain
from axiometer.platform import Platform

# A backend without a model, at a clock at which its rates stay below the DRAM's.
QUICK = ["--repeats", "1", "--jobs", "1", "--quiet", "--set", "pl_mhz=50", "--backend", kit.FAKE]
GUIDE = (kit.ROOT / "docs" / "guide.md").read_text()


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "runs.db"))
    return tmp_path / "runs.db"


def test_the_latest_run_of_the_guide_is_the_one_that_it_looks_at(store):
    """In the guide's order, on a fresh store, with a fake backend whose rates are not read."""
    before, after = GUIDE.split("## Look at it\n")
    for line in re.findall(r"^    axiometer (run .*)$", before, re.M):
        if "--dask" not in line:
            words = line.replace("--backend rtl", "").split("#")[0].split()
            assert main([*words, *QUICK]) == 0
    (shown,) = re.findall(r"^    axiometer explain (\S+) (\S+,\S+)$", after, re.M)
    assert explain.select(console.load_view(shown[0], None), shown[1])


def test_a_board_without_burst_sweeps_has_a_report(store):
    words = ["run", "zybo-hp-bandwidth", "--set", "ports=HP0,HP1", "--set", "width_bits=64"]
    more = ["--set", "transfer_bytes=64KiB", "--repeats", "1", "--jobs", "1", "--quiet"]
    assert main([*words, "--set", "mode=read", *more]) == 0
    assert main(["report", "--board", "zybo"]) == 0
    page = (store.parent / "zybo.html").read_text()
    assert "zybo-hp-bandwidth-0001" in page
    assert "HP1" in page


def test_explain_takes_what_is_the_same_in_all_points(store):
    text = (kit.ROOT / "experiments" / "zybo-hp-bandwidth.toml").read_text()
    text = re.sub(r"^mode = .*\n", "", text, flags=re.M).replace("zybo-hp-bandwidth", "one")
    text = text.replace("[defaults]\n", '[defaults]\nmode = "read"\n')
    (store.parent / "one.toml").write_text(text)
    assert main(["run", "one.toml", *QUICK]) == 0
    view = console.load_view("one", None)
    assert all("mode" not in row.key for row in view.rows)
    for word in ("read", "ps_to_pl"):
        assert len(explain.select(view, word)) == len(view.rows)
        assert 0 < len(explain.select(view, f"HP0+HP1,{word}")) < len(view.rows)
    with pytest.raises(AxiometerError, match="no finished point 'duplex'"):
        explain.select(view, "duplex")


def test_packets_have_the_size_that_is_given(cli):
    said = {}
    for size in ("2KiB", "32KiB"):
        words = ["advise", "--board", "zedboard", "--packets", "--transfer-bytes", size]
        said[size] = cli(*words)
    assert "Packets of 2KiB reach" in said["2KiB"]
    assert "For 32 KiB packets" in said["32KiB"]
    assert "transfer_bytes is 'many'" in cli.refused(*words[:-1], "many")


@pytest.mark.parametrize("board", ["zybo", "ultra96", "zcu102", "de1-soc"])
def test_a_launch_may_take_a_fraction_of_a_microsecond(board):
    changed = Platform.load(board).with_overrides({"program.launch_us": 1.25})
    assert {changed.value(f"program.{name}.launch_us") for name in changed.programs} == {1.25}


def test_without_a_compiler_no_run_is_left(store, monkeypatch, cli):
    from axiometer.runs.cosim import build

    def missing(*_, **__):
        raise AxiometerError("there is no compiler", remedy="install g++", status=1)

    monkeypatch.setattr(build, "executable", missing)
    words = ["run", "zybo-hp-bandwidth", "--backend", "rtl", "--set", "transfer_bytes=64KiB"]
    cli(*words, "--repeats", "1", "--jobs", "1", "--quiet", status=1)
    assert "none yet" in cli("list runs")
