import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer.base.units import (
    format_bytes,
    format_seconds,
    needed,
    parse_bytes,
    parse_seconds,
    plain,
    quantity,
)


@given(st.integers(0, 2**50))
def test_sizes_survive_being_written_and_read(size):
    assert parse_bytes(format_bytes(size)) == size


@pytest.mark.parametrize(
    ("text", "size"),
    [
        *(("32MiB", 2**25), ("4 KiB", 4096), ("512", 512), (7, 7), ("1.5KiB", 1536)),
        *(("1MB", 10**6), ("4K", 4096), ("1M", 2**20), ("2G", 2**31), ("4 mib", 2**22)),
    ],
)
def test_sizes(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize("bad", ["", "MiB", "-4", "1.3B", "150MHz", True, 2.5, None, "4KiB x"])
def test_invalid_sizes(bad):
    with pytest.raises(ValueError):
        parse_bytes(bad)


@pytest.mark.parametrize(
    ("text", "unit", "number"),
    [
        *(("150MHz", "MHz", 150), ("150", "MHz", 150), ("0.15 GHz", "MHz", 150)),
        *(("150M", "MHz", 150), ("33333kHz", "MHz", 33.333), ("150mhz", "MHz", 150)),
        *(("373MB/s", "MB/s", 373), ("1.5GB/s", "MB/s", 1500), ("2G", "MB/s", 2000)),
        *(("800Mbit/s", "MB/s", 100), ("1MiB/s", "MB/s", 1.048576)),
        *(("1ms", "us", 1000), ("500 ns", "us", 0.5), ("1GiB", "MiB", 1024), ("64B", "bytes", 64)),
        *(("16 beats", "beats", 16), ("1e3", "MB/s", 1000)),
    ],
)
def test_a_quantity_is_in_the_unit_of_its_key(text, unit, number):
    assert plain(quantity(text, unit)) == number


@pytest.mark.parametrize(
    ("text", "unit", "right"),
    [
        ("4KiB", "MHz", "Hz, kHz, MHz or GHz"),
        ("150MHz", "MB/s", "MB/s, GB/s"),
        ("150MHz", "us", "ns, us, ms or s"),
        ("5us", "bytes", "1K is 1024"),
        ("100Mb/s", "MB/s", "Mbit/s"),
        ("64B", "beats", "give a number of beats"),
    ],
)
def test_a_unit_of_another_kind_is_an_error_with_the_right_ones(text, unit, right):
    with pytest.raises(ValueError, match=right):
        quantity(text, unit)


@pytest.mark.parametrize("text", ["fast", "-5us", "", "1/3", "1e400", "9" * 30])
def test_invalid_quantities(text):
    assert quantity(text, "MHz") is None
    with pytest.raises(ValueError, match="a number of MHz"):
        needed(text, "MHz")


@pytest.mark.parametrize(("text", "s"), [
    ("5s", 5), ("10ms", 0.01), ("2.5 us", 2.5e-6), ("7µs", 7e-6), ("7ns", 7e-9),
])  # fmt: skip
def test_durations(text, s):
    assert parse_seconds(text) == pytest.approx(s, rel=1e-15)


@pytest.mark.parametrize("bad", ["5", "s", "5 h", "-1s", 5, None])
def test_invalid_durations(bad):
    with pytest.raises(ValueError):
        parse_seconds(bad)


@pytest.mark.parametrize(
    ("s", "text"),
    [(0.42, "0.4 s"), (9.94, "9.9 s"), (10, "10 s"), (59.4, "59 s"), (60, "1 min 00 s"),
     (185, "3 min 05 s"), (3599, "59 min 59 s"), (3600, "1 h 00 min"), (7800, "2 h 10 min")],
)  # fmt: skip
def test_time_for_people(s, text):
    assert format_seconds(s) == text
