"""`axiometer advise --from`: the case study's last step is found from its first, by simulation."""

import json

import pytest

import kit
from axiometer.advice import improve
from axiometer.api.expectation import Expectation
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment
from axiometer.experiment.points import single
from axiometer.present import bottleneck_text

STUDY = Experiment.load("ultra96-convolution")
# What the published steps left as it was.
KEPT = ("ports", "outstanding_read", "outstanding_write", "mapping")


def search(**more):
    return improve.Improvement(STUDY.platform, STUDY.points()[0], **more)


def imbalance(outcome):
    return max(outcome.by_port.values()) / min(outcome.by_port.values())


def test_the_last_published_step_is_found_from_the_first():
    """Long bursts or filled buffers, and classes that serve the ports alike; at least as good as
    the publication's own last step is in the model."""
    found = search(fixed=KEPT)
    path = found.run()
    last = improve.Improvement(STUDY.platform, STUDY.points()[-1]).given()
    values = found.values(path[-1].design)
    assert values["fill"] == "buffer" or values["burst_bytes"] > 128
    assert any(name.startswith("qos.") for name, _ in path[-1].design.changes)
    assert imbalance(path[0]) > 1.1 and imbalance(path[-1]) < 1.1
    assert min(path[-1].by_port.values()) >= 0.98 * min(last.by_port.values())
    assert path[-1].total > 1.2 * path[0].total
    assert found.tried < 600  # at some 25 ms each, well below a minute


def test_a_wider_search_finds_no_less(monkeypatch):
    few = {"also": {"burst_bytes": [128, 4096]}, "fixed": (*KEPT, "qos")}
    wide = search(**few).run()[-1]
    monkeypatch.setattr(improve, "WIDTHS", (1,))
    narrow = search(**few).run()[-1]
    assert min(wide.by_port.values()) >= min(narrow.by_port.values())


def test_fixed_keys_do_not_change():
    found = search(also={"fill": ["burst"]}, fixed=(*KEPT, "qos", "burst_bytes"))
    (only,) = found.run()
    assert only.design == improve.Design()
    assert found.reasons(only) == []


def test_changes_in_words():
    first = improve.Design()
    then = first.having({"ports": ("HP1", "HP2"), "qos.HP1.read": "video", "qos.HP2.read": "video"})
    assert improve.changed(then, first) == "ports = HP1+HP2; video for HP1.read, HP2.read"
    assert then.without("qos") == first.having({"ports": ("HP1", "HP2")})
    assert improve.changed(then.having({"fill": "buffer"}), then) == "fill = buffer"
    assert improve.changed(then.without("qos"), then) == "without qos"


def test_streams_without_accelerators_are_improved_too():
    point = single(STUDY.platform, {"ports": "HP1", "mode": "read", "burst_bytes": 16})
    found = improve.Improvement(STUDY.platform, point, "total", fixed=(*KEPT, "qos"))
    path = found.run()
    assert found.values(path[-1].design)["burst_bytes"] > 16
    assert path[-1].total > 2 * path[0].total and path[0].work == {}
    last = path[-1].score("total")
    assert all(without.score("total") < last for _, without in found.reasons(path[-1]))


def test_the_processors_side_is_another_question():
    with pytest.raises(AxiometerError, match="--transfer-bytes"):
        other = Experiment.load("zedboard-best-master")
        improve.Improvement(other.platform, other.points()[0])


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["ultra96-qos", "--master", "in=read"], "an experiment has its own masters"),
        (["ultra96-convolution", "--objective", "latency"], "objective"),
        (["ultra96-convolution", "--set", "fill=both"], "known values"),
        (["ultra96-convolution", "--set", "burst=128"], "burst_bytes"),
        (["ultra96-convolution", "--set", "duration=1ms"], "remove duration"),
        (
            ["ultra96-convolution", "--set", "qos.HP0.read=3,7"],
            "one value for a figure of the board",
        ),
    ],
)
def test_a_wrong_command_is_refused_with_a_remedy(settings, message):
    done = kit.command("advise", "--from", *settings)
    assert done.returncode == 2 and message in done.stderr


def test_the_commands_document():
    fixed = ["ports=HP0+HP3", "outstanding_read=16", "mapping=row-bank-column", "fill=buffer"]
    fixed = [word for setting in fixed for word in ("--set", setting)]
    done = kit.command(
        *("advise", "--from", "ultra96-convolution", *fixed, "--json"),
        *("--set", "outstanding_write=2,16", "--objective", "total"),
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert result["simulated"] and result["objective"] == "total"
    point = STUDY.points()[0]
    given = {"ports": "HP0+HP3", "outstanding_read": 16, "fill": "buffer"}
    given["mapping"] = "row-bank-column"
    point = improve.changed_point(STUDY.platform, point, given)
    answer = Expectation(STUDY.platform, point).answer
    assert result["bottleneck"] == answer.verdict.cause
    assert result["sentence"] == bottleneck_text.sentence(answer.verdict)
    first, *_, last = result["steps"]
    assert not any("fill" in step["changes"] for step in result["steps"])
    assert first["changes"] == {} and last["total_MBps"] > first["total_MBps"]
    assert set(result["without"]) == {name.split(".")[0] for name in last["changes"]}
    assert last["accelerators"]["convolutions_M"] > first["accelerators"]["convolutions_M"]
