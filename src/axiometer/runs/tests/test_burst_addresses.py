"""First addresses of bursts: the host's formulas against those of the generator's own tests."""

import sys
from itertools import islice

import pytest

import kit
from axiometer.runs.engines import addresses
from axiometer.simulate.stream import Stream

RTL_TESTS = kit.ROOT / "rtl" / "traffic" / "tests"


def stream(**keys):
    usual = {"region": 0, "port": 0, "name": "HP0", "direction": "read", "base": 0}
    return Stream(**usual | {"burst_bytes": 128, "bytes": 2**20, "outstanding": 1} | keys)


@pytest.mark.parametrize("direction", ["read", "write"])
@pytest.mark.parametrize("burst", [4, 96, 128, 4096])
def test_random_offsets_are_those_of_the_generators_tests(monkeypatch, direction, burst):
    """Which were written from the RTL's documentation, in another way."""
    monkeypatch.syspath_prepend(str(RTL_TESTS))
    import traffic_predict as predict

    made = stream(pattern="random", region=2**24, burst_bytes=burst, direction=direction, port=2)
    seed = addresses.seed(987654321987654321, 2)
    own = ~seed & 0x7FFFFFFF if direction == "write" else seed
    wanted = predict.offsets(predict.RANDOM, addresses.mask(made), 2**24, own)
    found = list(islice(addresses.offsets(made, 987654321987654321), 300))
    assert found == list(islice(wanted, 300))
    assert len(set(found)) > 250
    assert all(offset + burst <= 2**24 for offset in found)
    sys.modules.pop("traffic_predict")


def test_random_bursts_go_everywhere_alike():
    """8192 draws among 64 places: 128 each, give or take five standard deviations. Banks of
    three address bits follow one another in every way, alike too."""
    made = stream(pattern="random", region=64 * 128)
    places = [offset // 128 for offset in islice(addresses.offsets(made, 5**27), 8192)]
    assert set(places) == set(range(64))
    assert all(abs(places.count(place) - 128) < 5 * 128**0.5 for place in range(64))
    banks = [place >> 3 for place in places]
    pairs = list(zip(banks, banks[1:], strict=False))
    counts = [pairs.count((one, next_)) for one in range(8) for next_ in range(8)]
    assert all(abs(count - 128) < 5 * 128**0.5 for count in counts)


@pytest.mark.parametrize("region, step, laps", [(1000, 300, 4), (900, 300, 3), (200, 300, 1)])
def test_steps_begin_again_after_the_last_one_in_the_region(region, step, laps):
    made = stream(pattern="stride", stride=step, region=region, burst_bytes=64)
    found = list(islice(addresses.offsets(made, 0), 9))
    assert found == [k % laps * step for k in range(9)]
    assert addresses.extent(made, 9) == (laps - 1) * step + 64


def test_seeds_of_ports_differ_and_are_never_stuck():
    drawn = {addresses.seed(42, port) for port in range(4)}
    assert len(drawn) == 4
    for pattern_seed in (0, 2**33 * (2**31 - 1)):
        assert addresses.seed(pattern_seed, 0) == 1


@pytest.mark.parametrize("bursts", [0, 1, 3, 8, 9])
@pytest.mark.parametrize("pattern", ["stride", "random"])
def test_bytes_written_are_those_of_all_bursts_together(pattern, bursts):
    size = 8 * 128 + 20  # the ninth burst is short
    made = stream(pattern=pattern, stride=256, region=1024, bytes=size)
    places = list(islice(addresses.offsets(made, 7), bursts))
    touched = set()
    for number, place in enumerate(places):
        count = 128 if number < 8 else 24  # in beats of 8 bytes
        touched |= set(range(place, place + count))
    assert addresses.written(made, 7, bursts, 8) == len(touched)
