"""Bandwidth-latency curves: laws of queues on every platform, and the command."""

import math

import pytest

from axiometer.__main__ import main
from axiometer.answer.analysis import load_sweep
from axiometer.answer.analysis.load_sweep import Load, sweep
from axiometer.platform import Platform

# One port of each platform, and two where it has them; ratios of reads to writes.
LOADS = [
    ("zybo", "HP0", (1, 0)),
    ("zybo", "HP0+HP2", (2, 1)),
    ("de1-soc", "F2S", (0, 1)),
    ("de1-soc", "F2S", (1, 1)),
    ("zcu102", "HP0", (1, 0)),
    ("zcu102", "HP0+HP3", (1, 3)),
    ("ultra96", "HP1", (2, 1)),
]
GAPS = (0, 8, 32, 128, 1024)


def load(platform, ports, ratio, **more):
    return Load(Platform.load(platform), {"ports": ports, "duration": "1ms", **more}, ratio)


@pytest.fixture(scope="module", params=LOADS, ids=lambda p: f"{p[0]}-{p[1]}-{p[2][0]}:{p[2][1]}")
def curve(request):
    one = load(*request.param)
    return one, list(sweep(one, GAPS))


def test_a_larger_gap_never_gives_more(curve):
    """A law of one direction. With both, a master that never pauses can make the controller
    turn the bus so often that a pause gains."""
    one, points = curve
    if 0 not in one.ratio:
        pytest.skip("reads and writes together")
    for near, far in zip(points, points[1:], strict=False):
        # A free run is measured to 0.2 %, and to a burst at each of its ends.
        assert far.total <= near.total * 1.005, (near.gap_cycles, far.gap_cycles)


def test_far_apart_bursts_take_as_long_as_one_alone(curve):
    one, points = curve
    alone = Load(
        one.platform, one.given | {f"outstanding_{d}": 1 for d in one.directions}, one.ratio
    )
    (single,) = sweep(alone, GAPS[-1:])
    assert points[-1].latency == single.latency
    assert points[-1].in_flight < 1


def test_latency_grows_to_its_knee_only(curve):
    """No burst waits longer in an idle memory than in a busy one, but for the refresh it may
    meet: at most one of each interval."""
    one, points = curve
    timing = one.platform.value
    worst = timing("dram.timing.tRFC") / timing("clocks.ddr_mhz") * 1e3
    for direction in one.directions:
        assert points[-1].latency[direction].mean <= points[0].latency[direction].mean + worst


def test_littles_law_bounds_what_is_in_flight(curve):
    one, points = curve
    value = one.platform.value
    ports = len(one.given["ports"].split("+"))
    most = ports * sum(value(f"master.outstanding_{d}") for d in one.directions)
    for point in points:
        assert point.in_flight <= most * 1.01


def test_a_full_queue_is_full():
    """Without gaps and with one port's reads only, all that the interface accepts is in flight: of
    bursts of 256 bytes 46.6 (published) of the 50 that the master has."""
    (point,) = sweep(load("zcu102", "HP0", (1, 0)), (0,))
    assert point.in_flight == pytest.approx(46.64, rel=0.02)
    (point,) = sweep(load("zcu102", "HP0", (1, 0), outstanding_read=7), (0,))
    assert point.in_flight == pytest.approx(7, rel=0.02)


@pytest.mark.parametrize("ratio", [(1, 0), (5, 1), (2, 1), (1, 1), (1, 4)])
@pytest.mark.parametrize(("platform", "ports"), [("zybo", "HP0"), ("ultra96", "HP1+HP3")])
def test_what_is_asked_for_has_the_ratio_and_is_served_while_there_is_room(platform, ports, ratio):
    (point,) = sweep(load(platform, ports, ratio), (256,))
    reads, writes = (point.rates.get(d, 0.0) for d in ("read", "write"))
    assert reads * ratio[1] == pytest.approx(writes * ratio[0], rel=0.03)
    assert math.isclose(sum(point.by_port.values()), point.total, rel_tol=1e-9)


def test_a_ratio_that_is_no_whole_number_of_clocks_is_kept():
    """Bursts of one beat: reads begin every 3 clocks, writes every 4 1/2."""
    one = load("zcu102", "HP0", (3, 2), burst_bytes=16, pl_mhz=100)
    (point,) = sweep(one, (2,))
    values = {"burst_bytes": 16, "width_bits": 128, "pl_mhz": 100, "masters_per_port": 1}
    for way, rate in point.rates.items():
        assert rate == pytest.approx(one.asks({**values, "ports": ["HP0"]}, 2, way), rel=0.002)


def test_a_neighbour_keeps_its_rate_at_every_gap():
    one = load("zcu102", "HP3", (1, 0), burst_bytes=256, background="DisplayPort=300")
    near, far = (load_sweep._with_gap(one, load_sweep._scenario(one), gap) for gap in (0, 512))
    assert near.streams[-1].background
    assert near.streams[-1] == far.streams[-1]


def test_the_gap_sets_the_rate():
    """16 beats and a gap of 16 clocks: half of the port's 8 B x 100 MHz."""
    (point,) = sweep(load("zybo", "HP0", (1, 0), burst_bytes=128), (16,))
    assert point.total == pytest.approx(400, rel=0.01)


def test_the_command_says_the_same_in_words_in_json_and_as_a_picture(tmp_path, cli):
    words = ["curve", "--board", "zcu102", "--ports", "HP0", "--ratio", "2:1", "--ratio", "1:0"]
    words += ["--gaps", "512,0,64", "--duration", "600us", "--set", "pattern=random"]
    printed = cli(*words, "--plain")
    assert "(simulated)" in printed
    assert "reads to writes 2:1" in printed
    assert "random" in printed
    found = cli.json(*words)
    assert found["simulated"] is True
    assert [c["ratio"] for c in found["curves"]] == ["2:1", "1:0"]
    points = found["curves"][0]["points"]
    assert [p["gap_cycles"] for p in points] == [0, 64, 512]
    for p in points:
        assert f"{p['total_MBps']:.1f}" in printed
        assert f"{p['latency_ns']['write']['p95']:.1f}" in printed
    picture = tmp_path / "curve.svg"
    assert main([*words, "--svg", str(picture)]) == 0
    text = picture.read_text()
    assert "simulated" in text
    assert "latency of writes, ns" in text
    assert main([*words, "--png", str(tmp_path / "curve.png")]) == 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")


def test_parsing():
    assert load_sweep.ratio(" 2 : 1") == (2, 1)
    assert load_sweep.gaps("8,0,8") == (0, 8)
