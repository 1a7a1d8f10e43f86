"""Every figure and every key has limits; values beyond are refused: no signal, no traceback, no
endless run."""

import math
import re
import tomllib
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

import kit
from axiometer import _model as model
from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import master_keys
from axiometer.experiment.keys import KEYS
from axiometer.experiment.points import single
from axiometer.platform import Platform, limits
from axiometer.platform.leaf import Leaf, checked
from axiometer.runs.backends import load
from axiometer.simulate import cost
from axiometer.simulate.scenario import Scenario
from law_cases import one_reader

PLATFORMS = {name: Platform.load(name) for name in data.names("platforms")}
UNUSED = ("dram.type", "controller.starve_limit")  # texts and figures that are there to be cited


def test_the_table_is_whole():
    table = tomllib.loads(Path(limits.__file__).with_name("limits.toml").read_text())
    assert set(table) == {"model", "figure", "key"}
    for entry in (*limits.of_the_model(), *limits.table("figure"), *limits.table("key")):
        assert entry.why and entry.kind in limits._WANTED
        assert (entry.kind == "word") == bool(entry.choices)
        if entry.kind in ("whole", "number", "rate", "wholes", "size", "time"):
            assert entry.least < entry.most
    named = [name for entry in limits.table("key") for name in entry.keys]
    assert len(named) == len(set(named)) and set(named) <= {*KEYS, *master_keys.KEYS}


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_figure_of_a_shipped_platform_has_limits_and_keeps_them(name):
    for path, leaf in PLATFORMS[name].leaves():
        limit = limits.of_figure(path)
        assert (limit is None) == (re.sub(r"^memory\.\w+\.", "", path) in UNUSED), path
        if limit is not None:
            assert limit.check(path, leaf.value) == leaf.value


def test_every_entry_of_the_table_is_of_some_figure():
    paths = [path for platform in PLATFORMS.values() for path, _ in platform.leaves()]
    used = {id(limits.of_figure(path)) for path in paths}
    idle = [entry.keys for entry in limits.table("figure") if id(entry) not in used]
    assert not idle


def said_twice(model, table):
    """Entries of the table for figures of which the model itself says what they may be. One for
    whatever else a table has (`*` in its last part) is none."""
    paths = [key.replace("*", "x").split(".") for limit in model for key in limit.keys]
    return [
        pattern
        for entry in table
        for pattern in entry.keys
        if "*" not in pattern.rpartition(".")[2]
        and any(
            len(path) == len(pattern.split(".")) and all(map(fnmatchcase, path, pattern.split(".")))
            for path in paths
        )
    ]


def test_a_limit_is_stated_once():
    model, table = limits.of_the_model(), limits.table("figure")
    assert said_twice(model, table) == []
    for path in ("dram.timing.tRCD", "path.*.timeout_clocks_read", "processor.*.line_buffers"):
        again = limits.Limit((path,), "whole", "why", 0, 65535)
        assert said_twice(model, (*table, again)) == [path]


def words_twice(model, entries):
    """Entries of the file that list words which the model itself lists."""
    known = [limit.choices for limit in model if limit.choices]
    return [entry["keys"] for entry in entries if tuple(entry.get("choices", ())) in known]


def test_words_of_the_model_stand_once():
    model, entries = limits.of_the_model(), limits._file()["figure"]
    assert words_twice(model, entries) == []
    for path in ("controller.policy", "dram.mapping"):
        again = {"keys": ["a.word"], "choices": [*limits.of_figure(path).choices]}
        assert words_twice(model, [*entries, again]) == [["a.word"]]


WRONG = (math.nan, math.inf, -math.inf, 10**400, -(10**400), True, "x", None, [], 2**63, -1e300)


@pytest.mark.parametrize("name", PLATFORMS)
def test_nothing_beyond_the_limits_becomes_a_figure(name):
    platform = PLATFORMS[name]
    for path, leaf in platform.leaves():
        limit = limits.of_figure(path)
        kind = limit.kind if limit else ""
        wrong = list(WRONG)
        if kind in ("truth", "text", "texts") or limit is None:
            wrong = [math.nan, 10**400] if kind else []
        elif kind in ("whole", "number"):
            wrong += [limit.least - 1, limit.most + 1]
        elif kind == "wholes":
            wrong = [[limit.least - 1], [limit.most + 1], [True], [1.5], 3]
        elif kind == "rate":
            wrong += ["1/0", "nan", "1e400", "0", "9" * 5000]
        for value in wrong:
            with pytest.raises(AxiometerError) as caught:
                checked(path, leaf, value)
            assert path in caught.value.message and caught.value.remedy
            assert len(str(caught.value)) < 400


def test_a_type_follows_the_key_and_not_the_file():
    board = PLATFORMS["de1-soc"]
    sleep = "program.linux-driver-sleep.sleep_us"
    assert isinstance(board.value(sleep), int)
    assert board.with_overrides({sleep: 60.5}).value(sleep) == 60.5
    assert type(board.with_overrides({"dram.banks": 4.0}).value("dram.banks")) is int
    with pytest.raises(AxiometerError, match="give a whole number"):
        board.with_overrides({"dram.banks": 4.5})


def test_a_platform_only_narrows_the_table():
    narrow = Leaf(4, source="x", min=2, max=6)
    assert checked("dram.banks", narrow, 5) == 5
    for value in (1, 7):
        with pytest.raises(AxiometerError, match="give at (least|most)"):
            checked("dram.banks", narrow, value)
    with pytest.raises(AxiometerError, match="64"):
        checked("dram.banks", Leaf(4, source="x", max=1000), 65)


def test_no_key_stumbles_over_a_number_of_thousands_of_digits():
    for platform in (PLATFORMS["zybo"], PLATFORMS["zcu102"], PLATFORMS["zedboard"]):
        for key in KEYS:
            for value in (10**5000, -(10**5000), "9" * 5000, "9" * 5000 + "us", float("nan")):
                with pytest.raises(AxiometerError) as caught:
                    single(platform, {"ports": platform.ports[0]} | {key: value})
                assert len(str(caught.value)) < 1500


def test_a_port_of_the_processors_side_has_the_width_of_its_masters():
    narrow = PLATFORMS["zynq7000-650"].with_overrides({"port.GP0.widths": [8]})
    keys = {"ports": "GP0", "mode": "write", "master": "ps_dma", "transfer_bytes": 4096}
    with pytest.raises(AxiometerError, match="words of 32"):
        load("model").run_repeats(narrow, single(narrow, keys), 0, 0, 1)


def test_shipped_experiments_cost_far_less_than_is_refused():
    from axiometer.experiment import Experiment

    worst = 0
    for name in ("zybo-hp-bandwidth", "zcu102-mixed", "de1-soc-f2s-bandwidth", "zybo-stream-size"):
        experiment = Experiment.load(name)
        for point in experiment.points()[::7]:
            bound = cost.announced(Scenario.of(experiment.platform, point.values))
            most = cost.MOST_CLOCKS if point.values["duration_s"] else cost.MOST_TRANSFER_CLOCKS
            worst = max(worst, bound / most)
    assert worst < 0.05


@pytest.mark.parametrize(
    ("board", "keys"),
    [
        ("zybo", {"ports": "HP0+HP1+HP2+HP3", "mode": "duplex", "transfer_bytes": "64KiB"}),
        ("zybo", {"ports": "HP0", "transfer_bytes": 1000, "burst_beats": 1, "gap_cycles": 999}),
        ("de1-soc", {"ports": "F2S", "mode": "write", "transfer_bytes": "16KiB", "skew_us": 50}),
        ("zybo", {"ports": "HP0+HP2", "duration": "50us", "pattern": "random"}),
        ("zybo", {"ports": "HP0", "duration": "30us", "mode": "read", "outstanding_read": 43}),
    ],
)
def test_no_run_is_longer_than_announced(board, keys):
    # Slow to answer: what is in flight when the duration is over counts, too.
    platform = PLATFORMS[board]
    port = keys["ports"].split("+")[0]
    platform = platform.with_overrides({f"port.{port}.return_cycles": 9857})
    point = single(platform, keys)
    bound = cost.announced(Scenario.of(platform, point.values))
    for record in load("model").run_repeats(platform, point, 0, 0, 3):
        clocks = record["elapsed_s"] * platform.value("clocks.ddr_mhz") * 1e6
        assert clocks <= bound + 1000
        assert bound < 1e10


# ---- the binding ---------------------------------------------------------------------------------


def changed(change):
    spec, start = one_reader()
    change(spec, start)
    return spec, start


BINDING = {
    "unknown figure": (
        lambda c, s: c["controller"].update(pick_windowz=1),
        "controller.pick_windowz: the model has no such key; it has policy, read_entries",
    ),
    "unknown table": (lambda c, s: c.update(extra={}), "extra: the model has no such key"),
    "unknown timing": (lambda c, s: c["dram"]["timing"].update(tFOO=1), "dram.timing.tFOO"),
    "unknown key of a stream": (lambda c, s: c["streams"][0].update(gaps=1), "streams[0].gaps"),
    "unknown key of a pair": (
        lambda c, s: c["ports"][0].update(fifo_bytes_rad=1),
        "ports[0].fifo_bytes_rad",
    ),
    "unknown key of a start": (lambda c, s: s.update(skew=1), "skew"),
    "true for a number": (lambda c, s: c["dram"].update(banks=True), "dram.banks"),
    "one for a truth": (lambda c, s: c["ports"][0].update(early_response=1), "early_response"),
    "fraction": (lambda c, s: c["dram"].update(banks=8.0), "dram.banks: must be a whole number"),
    "too large for an int": (lambda c, s: c["dram"].update(banks=2**31), "2147483647"),
    "too large for anything": (lambda c, s: c["streams"][0].update(bytes=10**400), "bytes"),
    "negative size": (lambda c, s: c["streams"][0].update(bytes=-1), "streams[0].bytes"),
    "unknown direction": (lambda c, s: c["streams"][0].update(direction="raed"), "direction"),
    "unknown pattern": (lambda c, s: c["streams"][0].update(pattern="zigzag"), "pattern"),
    "not a dict": (lambda c, s: c.update(dram=3), "dram: must be a dict"),
    "not a list": (lambda c, s: c.update(ports={}), "ports: must be a list"),
    "endless delay": (
        lambda c, s: c["paths"][0].update(request_clocks=2**31 - 1),
        "paths[0].request_clocks_read",
    ),
    "period that overflows": (lambda c, s: c["clocks"].update(pl=2**62), "clocks.pl"),
    "launch beyond time": (lambda c, s: s.update(launch=[2**62]), "launch"),
    "a negative launch": (lambda c, s: s.update(launch=[-5]), "launch"),
    "a negative refresh": (lambda c, s: s.update(first_refresh=-5), "first_refresh"),
}


@pytest.mark.parametrize("case", BINDING)
def test_the_binding_takes_what_it_knows_and_nothing_else(case):
    change, message = BINDING[case]
    with pytest.raises(ValueError) as caught:
        spec, start = changed(change)
        model.Simulator(spec).run(start)
    assert message in str(caught.value)


def test_a_run_that_outgrows_time_ends_also_where_it_skips():
    """The same run is over long before where its clocks are a unit each."""
    spec, start = one_reader()
    with_units = {"ddr": 1, "pl": 1}
    larger = more_bytes(spec, 2**22)
    done = model.Simulator(spec | larger | {"clocks": with_units}).run(start)
    assert done["skipped_intervals"] > 0 and done["clocks"] > 2**23
    wide = {"ddr": 2**38, "pl": 2**38}  # time holds 2^23 of these
    with pytest.raises(ValueError, match="clocks: the run is too long"):
        model.Simulator(spec | larger | {"clocks": wide}).run(start)


def more_bytes(spec, size):
    """A memory and a stream 64 times as large."""
    stream = spec["streams"][0] | {"bytes": 64 * size}
    return {"dram": spec["dram"] | {"bytes": 2**30}, "streams": [stream]}


def test_what_is_for_the_records_is_no_unknown_key():
    more = {"name": "HP0", "master": 0, "background": False}
    spec, start = changed(lambda c, s: c["streams"][0].update(more))
    assert model.Simulator(spec).run(start)["streams"][0]["bytes"] == 1024


def test_the_processors_side_takes_what_it_knows_and_nothing_else():
    for spec, message in (
        ({"memory": {"read_clokcs": 1}}, "memory.read_clokcs: the model has no such key"),
        ({"memry": {}}, "memry: the model has no such key"),
        ({"memory": {"read_clocks": True}}, "memory.read_clocks"),
        ({"memory": {"read_clocks": 2**40}}, "memory.read_clocks"),
        ({"memory": 3}, "memory: must be a dict"),
        ({"master": "nobody"}, "nobody"),
        ({"master": 3}, "master"),
    ):
        with pytest.raises(ValueError, match=message):
            model.run_processor(spec)


def test_a_fake_platform_needs_no_entry(tmp_path):
    tiny = Platform(kit.PLATFORM, "tiny.toml")
    assert tiny.with_overrides({"path.left.inflight_read": 9}).value("path.left.inflight_read") == 9
    for value in (math.nan, 10**400, True, 2**54):
        with pytest.raises(AxiometerError):
            tiny.with_overrides({"path.left.inflight_read": value})
