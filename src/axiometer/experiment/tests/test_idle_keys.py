"""A key that has no effect on a point is refused: each key is tried on each kind of master."""

import itertools

import pytest

from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.experiment import Experiment, keys_processor
from axiometer.experiment.keys import KEYS
from axiometer.experiment.keys_shared import ENGINES
from axiometer.experiment.kinds import OF_POINTS
from axiometer.experiment.points import EVERY, of_row, single
from axiometer.platform import MAPPINGS, Platform
from axiometer.runs.backends import model

TRY = {
    **{"width_bits": [32, 64], "burst_beats": [4], "burst_bytes": [64], "gap_cycles": [16]},
    **{"pattern": ["random"], "outstanding_read": [2], "outstanding_write": [2]},
    **{"masters_per_port": [2], "through": ["20"], "skew_us": [5.0]},
    **{"placement": ["packed", "random"], "mapping": [*MAPPINGS]},
    **{"qos": ["video", "best_effort"], "accelerators": [2], "fill": ["buffer"]},
    **{name: [*known] for name, (_, known, _) in keys_processor.CHOICES.items()},
    **{"ring_depth": [4], "dma_burst_bytes": [32, 64], "copy_bytes": [4, 8, 16]},
    **{"program": data.names("programs"), "background": ["DisplayPort=1000"], "slave": ["other"]},
}
MEASURED = {
    ("loop", "os"): "zedboard-gp1-linux",
    ("ps_dma", "memory_type"): "zedboard-gp1-transfer",
}
"""Keys that only measured rows tell apart, with an experiment of such rows."""


def test_every_key_is_tried():
    assert {*TRY, *EVERY} == {*KEYS}


def records(platform, keys):
    point = single(platform, {"repeats": 2, **keys})
    return point.values, model.run_repeats(platform, point, 0, 0, 2)


def bases(platform, master):
    """Points with this master alone, with their values and records."""
    ports = [port for port in platform.ports if master in keys_processor.masters_at(platform, port)]
    engines = [{"ports": "+".join(ports[:4]), "burst_beats": beats} for beats in (16, 256)]
    for own, mode, os, length in itertools.product(
        engines if master in ENGINES else [{"ports": "".join(ports[:1])}],
        ("read", "write", "both"),
        ({}, {"os": "linux"}, {"os": "linux", "io": "copy"}),
        ("transfer_bytes", "duration"),
    ):
        lasts = {length: "200us" if length == "duration" else 4096}
        keys = {**own, "master": master, "mode": mode, **os, **lasts}
        try:
            yield keys, *records(platform, keys)
        except AxiometerError:
            continue


@pytest.mark.parametrize("master", OF_POINTS)
def test_a_key_that_is_accepted_has_an_effect(master):
    effect = {}
    for platform in map(Platform.load, ("zedboard", "zcu102")):
        for keys, values, usual in bases(platform, master):
            for key, value in ((key, value) for key, of in TRY.items() for value in of):
                try:
                    changed, made = records(platform, {**keys, key: value})
                except AxiometerError:
                    continue
                if dict(changed).get(key) != dict(values).get(key):
                    effect[key] = effect.get(key, False) or made != usual
    assert effect
    ignored = {key for key, has in effect.items() if not has}
    assert {(master, key) for key in ignored} <= {*MEASURED}


@pytest.mark.parametrize(("master", "key"), MEASURED)
def test_measured_rows_tell_these_apart(master, key):
    points = Experiment.load(MEASURED[master, key]).points()
    assert len({p.values[key] for p in points if p.values["master"] == master}) > 0
    assert any(p.values[key] != KEYS[key].default for p in points)


@pytest.mark.parametrize(
    ("board", "keys", "remedy"),
    [
        ("zedboard", {"ports": "HP0", "io": "copy"}, "remove io; it has one on ps_dma, ring"),
        ("zedboard", {"ports": "GP0", "io": "copy"}, "remove io; it has one on ps_dma, ring"),
        ("zedboard", {"ports": "GP0", "master": "ps_dma", "io": "copy"}, 'give os = "linux"'),
        ("zcu102", {"ports": "HP0", "os": "linux"}, "remove os; it has one on memcpy"),
        ("zedboard", {"ports": "GP0", "master": "register", "os": "linux"}, "remove os"),
    ],
)
def test_it_is_refused_with_where_it_has_an_effect(board, keys, remedy):
    with pytest.raises(AxiometerError, match="has no effect") as refused:
        single(Platform.load(board), keys)
    assert remedy in refused.value.remedy
    assert of_row(Platform.load(board), keys).values  # a table states its bench
