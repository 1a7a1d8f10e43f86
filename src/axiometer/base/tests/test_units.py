import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer.base.units import format_bytes, format_seconds, parse_bytes, parse_seconds


@given(st.integers(0, 2**50))
def test_sizes_survive_being_written_and_read(size):
    assert parse_bytes(format_bytes(size)) == size


@pytest.mark.parametrize(
    ("text", "size"),
    [("32MiB", 2**25), ("4 KiB", 4096), ("512", 512), (7, 7), ("1.5KiB", 1536), ("1MB", 10**6)],
)
def test_sizes(text, size):
    assert parse_bytes(text) == size


@pytest.mark.parametrize("bad", ["", "MiB", "-4", "4 mib", "1.3B", True, 2.5, None, "4KiB x"])
def test_what_is_no_size(bad):
    with pytest.raises(ValueError):
        parse_bytes(bad)


@pytest.mark.parametrize(("text", "s"), [("5s", 5), ("10ms", 0.01), ("2.5 us", 2.5e-6)])
def test_durations(text, s):
    assert parse_seconds(text) == s


@pytest.mark.parametrize("bad", ["5", "s", "5 h", "-1s", 5, None])
def test_what_is_no_duration(bad):
    with pytest.raises(ValueError):
        parse_seconds(bad)


@pytest.mark.parametrize(
    ("s", "text"), [(0.42, "0.4 s"), (12, "12 s"), (185, "3 min 05 s"), (7800, "2 h 10 min")]
)
def test_time_for_people(s, text):
    assert format_seconds(s) == text
