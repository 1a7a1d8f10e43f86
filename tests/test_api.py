"""The Python package: its page's examples, speed, types, and agreement with the commands."""

import doctest
import importlib.util
import inspect
import json
import re
import subprocess
import sys
import types
import typing

import pytest

import axiometer as axm
import design_kit
import kit
from axiometer.base.errors import AxiometerError
from axiometer.experiment.keys import KEYS
from axiometer.runs.backends import processor
from axiometer.simulate import run

SMALL = {"ports": "HP0", "transfer_bytes": "64KiB", "repeats": 2}


ON_CLOCK_1 = design_kit.module("user", "me.org:user:logic:1.0", clock="ps_FCLK_CLK1")


def test_the_page_is_as_it_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    block = design_kit.module("dma", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "d"))
    design_kit.saved(tmp_path, block, ON_CLOCK_1, design_kit.zynq(("S_AXI_HP0", "d")))
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    text = (kit.ROOT / "docs" / "python.md").read_text(encoding="utf-8").replace("```", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, "docs/python.md", None, 0)
    runner = doctest.DocTestRunner(optionflags=flags)
    notes: list[str] = []
    runner.run(test, out=notes.append)
    assert len(test.examples) > 25
    assert not runner.failures, "".join(notes)


def test_one_point_imports_no_pictures_tables_or_stores_of_others():
    """Importing is most of the time of a short question."""
    code = (
        "import sys\nimport axiometer as axm\n"
        "assert not [m for m in sys.modules if m.startswith('axiometer.')]\n"
        "axm.expect('zybo', ports='HP0', transfer_bytes='64KiB', repeats=1).total\n"
        "print(*sys.modules)"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, env=kit.environment(), capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert not loaded & {"altair", "jinja2", "numpy", "pandas", "polars", "vl_convert"}


def test_command_and_function_give_the_same_answer(cli):
    words = ["expect", "--board", "zybo", "--ports", "HP0", "--transfer-bytes", "64KiB"]
    found = axm.expect("zybo", **SMALL)
    assert cli.json(*words, "--repeats", "2") == json.loads(
        json.dumps(found.to_dict(), allow_nan=False)
    )
    assert cli(*words, "--repeats", "2", "-v") == found.text + "\n"


@pytest.mark.parametrize(
    ("board", "keys"),
    [
        ("zybo", {"ports": "HP0+HP1"}),
        ("zybo", {"ports": "HP0", "transfer_bytes": 512}),
        ("zcu102", {"ports": "HP0", "through": "smartconnect"}),
        ("zedboard", {"ports": "GP0", "mode": "read", "transfer_bytes": 512}),
        ("zedboard", {"ports": "HP0", "master": "ring", "os": "linux"}),
    ],
)
def test_trials_that_fail_are_left_out_of_the_answer(board, keys, monkeypatch):
    """Whatever else than the point itself an answer simulates."""

    def fails(*_):
        raise AxiometerError("cannot be simulated")

    found = axm.expect(board, **keys)
    text, without = found.text, axm.expect(board, **keys)
    monkeypatch.setattr(run, "_run", fails)
    monkeypatch.setattr(processor, "run_repeats", fails)
    assert without.total == found.total
    assert without.text != text and without.to_dict()


def test_a_change_that_breaks_a_law_is_not_tried():
    slow = axm.expect("zedboard", ports="GP0", mode="read", pl_mhz=10, transfer_bytes=512)
    assert slow.answer.verdict.change and slow.answer.best is None
    assert "memcpy is fastest" in slow.text and "ps_dma" not in slow.text.split("For 512B")[1]


def test_a_curve_is_the_one_that_the_command_prints(cli, monkeypatch):
    words = ["curve", "--board", "zybo", "--ports", "HP0", "--gaps", "0,64", "--ratio", "2:1"]
    found = axm.curve("zybo", ports="HP0", gaps=(0, 64), ratio="2:1")
    assert cli.json(*words) == json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert cli(*words) == found.text + "\n"
    rows = found.rows()
    assert [row["gap_cycles"] for row in rows] == [0, 64]
    assert rows[0]["total_MBps"] == pytest.approx(rows[0]["read_MBps"] + rows[0]["write_MBps"])
    assert rows[0]["read_mean_ns"] > rows[1]["read_mean_ns"]
    monkeypatch.setitem(sys.modules, "vl_convert", None)  # as in a browser, which draws itself
    assert found.plot().to_dict()["title"]["text"].endswith("simulated")
    assert axm.expect("zybo", ports="HP0").plot().to_dict()


@pytest.fixture
def design(tmp_path):
    """A reader with short bursts, and a clock that is not as asked, which is a mistake."""
    facts = {"C_MM2S_BURST_SIZE": 4, "C_M_AXI_MM2S_DATA_WIDTH": 64}
    read = design_kit.reads("M_AXI_MM2S", "d")
    block = design_kit.module("dma", design_kit.DMA, read, parameters=facts)
    return design_kit.saved(tmp_path, block, ON_CLOCK_1, design_kit.zynq(("S_AXI_HP0", "d")))


def test_a_check_is_the_one_that_the_command_makes(design, cli):
    words = ["check", design, "--board", "zedboard", "--need", "dma.read=5000"]
    found = axm.check(design, need={"dma.read": 5000}, platform="zedboard")
    assert cli.json(*words, status=1) == json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert cli(*words, "-v", status=1) == found.text + "\n"
    assert not found.passed
    assert [of.code for of in found.mistakes] == ["clock-not-as-asked"]
    (short,) = [row for row in found.rows() if row["code"] == "short-bursts"]
    assert short["now_MBps"] < short["mended_MBps"]
    assert re.match(r"<Check bd: 1 mistake, 1 advice; NO: dma .*\(simulated\)>", repr(found))
    loaded = axm.Design.load(design, platform="zedboard")
    assert axm.check(loaded, need="dma.read=5000").to_dict() == found.to_dict()
    alone = axm.check(design)
    assert alone.to_dict()["costs"].startswith("No costs: the design's board is unknown")
    assert axm.check(design, costs=False, need=None).rows()[0]["now_MBps"] is None
    for wrong in ({"need": "fast"}, {"need": 100}, {"platform": "zyboo"}):
        with pytest.raises(axm.AxiometerError):
            axm.check(design, **wrong)
    with pytest.raises(axm.AxiometerError, match="the design has a platform"):
        axm.check(loaded, platform="zybo")


FIXED = {"width_bits": 64, "ports": "HP0", "burst_bytes": 128, "mapping": "row-bank-column"}
OUTSTANDING = {"outstanding_read": 8, "outstanding_write": 8}


@pytest.mark.parametrize(
    ("subject", "keys", "words"),
    [
        (
            "zybo",
            {
                "masters": [
                    {"name": "in", "direction": "read", "rate_mbs": 500, "burst_bytes": "64"},
                    "out=write,rate=300,burst=64+128",
                ],
                "pl_mhz": [100, 150],
            },
            ["--master", "in=read,rate=500,burst=64", "--master", "out=write,rate=300,burst=64+128"]
            + ["--set", "pl_mhz=100,150"],
        ),
        ("zedboard", {"transfer_bytes": 2048, "os": "linux"},
         ["--transfer-bytes", "2KiB", "--set", "os=linux"]),
        (
            axm.Experiment.load("zybo-hp-bandwidth"),
            {**FIXED, **OUTSTANDING},
            [w for k, v in {**FIXED, **OUTSTANDING}.items() for w in ("--set", f"{k}={v}")],
        ),
    ],
    ids=["fabric", "processor", "steps"],
)  # fmt: skip
def test_advice_is_that_of_the_command(subject, keys, words, cli):
    where = ["--from", subject.name] if isinstance(subject, axm.Experiment) else [subject]
    found = axm.advise(subject, **keys)
    assert cli.json("advise", *where, *words) == json.loads(
        json.dumps(found.to_dict(), allow_nan=False)
    )
    assert isinstance(found, axm.Advice) and "(simulated)" in repr(found)
    assert found.rows() and found.text
    if subject == "zybo":
        assert cli("advise", *where, *words) == found.text + "\n"
        first, second, *_ = found.rows()
        assert (first["master"], second["master"], first["place"]) == ("in", "out", 1)
        answer = found.to_dict()
        assert answer["simulated"] and answer["objective"] == "guarantee"
        assert all(of["margin"] >= 0 for of in answer["ranking"][0]["masters"].values())
    if subject == "zedboard":
        assert "from the memory to the PL by GP0 at 100 MHz under Linux, ps_dma is" in found.text


def test_advice_on_a_design(design, cli):
    loaded = axm.Design.load(design, platform="zedboard")
    found = axm.advise(loaded)
    assert cli.json("advise", design, "--board", "zedboard") == json.loads(
        json.dumps(found.to_dict(), allow_nan=False)
    )
    start, *steps = found.rows()
    assert steps[-1]["total_MBps"] > start["total_MBps"]
    assert axm.advise(design, platform="zedboard").rows() == found.rows()
    assert repr(found).startswith("<Advice: bd: ")
    with pytest.raises(axm.AxiometerError, match="for a design's file"):
        axm.advise(loaded, pl_mhz=100)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({}, "nothing to advise on"),
        ({"masters": [{"name": "a", "direction": "read", "burst_bytes": [0.5]}]}, "burst is"),
        ({"masters": ["a=read"], "pl_mhz": []}, "pl_mhz has no value"),
        ({"masters": ["a=read"], "porst": "HP0"}, "unknown key 'porst'"),
        ({"masters": ["a=read"], "platform": "zybo"}, "for a design's file"),
    ],
)
def test_advice_on_nothing_that_there_is(keys, message):
    with pytest.raises(axm.AxiometerError, match=message) as caught:
        axm.advise("zybo", **keys)
    assert caught.value.remedy


def test_a_figure_laid_over_a_curve_moves_it():
    slow, usual = (
        axm.curve("zybo", ports="HP0", gaps=[0], set=figures).rows()[0]["total_MBps"]
        for figures in ({"clocks.pl_mhz": 50}, {})
    )
    assert slow == pytest.approx(usual / 2, rel=0.01)


def test_a_run_is_the_one_that_the_command_makes(tmp_path, cli):
    mine, its = tmp_path / "mine.db", tmp_path / "its.db"
    settings = {"ports": ["HP0", "HP1"], "width_bits": 64, "mode": "read", "repeats": 2}
    made = axm.run("zybo-hp-bandwidth", set=settings, store=mine)
    words = ["run", "zybo-hp-bandwidth", "--set", "ports=HP0,HP1", "--set", "width_bits=64"]
    more = ["--set", "mode=read", "--repeats", "2", "--jobs", "1", "--quiet", "--json"]
    printed, answer = json.loads(cli(*words, *more, "--store", its)), made.to_dict()
    assert printed["points"] == json.loads(json.dumps(answer["points"]))
    assert [row["ports"] for row in made.rows()] == ["HP0", "HP1"]
    again = axm.Experiment.load("zybo-hp-bandwidth")
    assert axm.run(again, set=settings, store=mine).rows() == made.rows()
    assert made.complete
    assert len(made.repeats()) == 4


def test_totals_add_up_and_lie_where_they_say():
    found = axm.expect("zybo", ports="HP0+HP1", transfer_bytes="256KiB", repeats=3)
    assert found.total == pytest.approx(found.read + found.write)
    low, high = found.range
    assert low <= found.total <= high
    whole, *ports = found.rows()
    assert sum(row["total_MBps"] for row in ports) == pytest.approx(whole["total_MBps"])
    assert whole["band_low_MBps"] < whole["band_high_MBps"]


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_frames_of_other_packages_or_what_to_install(name, monkeypatch):
    found = axm.expect("zybo", **SMALL)
    convert = getattr(found, f"to_{name}")
    if importlib.util.find_spec(name):
        assert list(convert()["port"]) == ["all", "HP0"]
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(axm.AxiometerError, match=f"{name} is not installed\n  pip install {name}"):
        convert()


def test_a_notebook_shows_a_table_in_which_nothing_is_markup(tmp_path):
    shown = axm.expect("zybo", **SMALL)._repr_html_()
    assert shown.count("<tr>") == 3
    assert "<th>total_MBps</th>" in shown
    text = (kit.ROOT / "experiments" / "zybo-hp-bandwidth.toml").read_text()
    title = next(line for line in text.splitlines() if line.startswith("title"))
    (tmp_path / "x.toml").write_text(text.replace(title, 'title = "<b>&"'))
    made = axm.run(
        tmp_path / "x.toml",
        set={"ports": "HP0", "mode": "read", "width_bits": 64, "repeats": 1},
        store=tmp_path / "runs.db",
    )
    assert "&lt;b&gt;&amp;" in made._repr_html_()
    assert "<b>" not in made._repr_html_()


def test_mistakes_are_reported_and_leave_no_store(tmp_path):
    store = tmp_path / "runs.db"
    for question in (
        lambda: axm.expect("zyboo", ports="HP0"),
        lambda: axm.expect("zybo", porst="HP0"),
        lambda: axm.expect("zybo", ports="HP0", set={"controller.starve": 3}),
        lambda: axm.expect("zybo", ports="HP0", masters=3),
        lambda: axm.run("zybo-hp-bandwidth", set={"mode": "raed"}, store=store),
        lambda: axm.curve("zybo", ports="HP0", ratio=[]),
        lambda: axm.curve("zybo", ports="HP0", gaps=[1.5]),
        lambda: axm.Run.load(store=store),
        lambda: axm.Design.load(tmp_path / "none.hwh"),
    ):
        with pytest.raises(axm.AxiometerError) as caught:
            question()
        assert caught.value.remedy
    assert not store.exists()
    with pytest.raises(AttributeError, match="no attribute 'expects'"):
        axm.expects  # noqa: B018


def test_names_types_and_keys_are_reported():
    names = dir(axm)
    assert {"expect", "run", "Run", "Experiment", "Platform", "Design"} <= set(names)
    modules = [name for name in names if isinstance(getattr(axm, name), types.ModuleType)]
    assert not modules
    documented = {name: inspect.getdoc(getattr(axm, name)) for name in names}
    assert all(documented.values())
    functions = [name for name in names if inspect.isfunction(getattr(axm, name))]
    assert functions == ["advise", "check", "curve", "expect", "measure", "run", "sweep"]
    assert all("AxiometerError" in documented[name] for name in functions)
    assert (kit.ROOT / "src" / "axiometer" / "py.typed").is_file()
    load = {"mode", "transfer_bytes"}
    for function, left_out in ((axm.expect, set()), (axm.curve, load), (axm.advise, set())):
        shown = inspect.signature(function).parameters
        assert KEYS.keys() - shown.keys() == left_out
        meant = KEYS.keys() - load
        assert all(f"  {name}: " in function.__doc__ for name in meant)
        assert {float, str} <= set(typing.get_args(shown["pl_mhz"].annotation))
