"""Questions of forum threads, each one command, against laws and what others measured."""

import csv

import pytest

from kit import reference

MIB = 2**20


def _expect(cli, board, *words):
    return cli.json("expect", board, *words)


def _processor(cli, board, operation, memory_type, *words, **keys):
    """MB/s of a processor at buffers in the memory."""
    more = "".join(f",{key}={value}" for key, value in keys.items())
    line = f"cpu={operation},kind=processor,memory_type={memory_type}{more}"
    return _expect(cli, board, "--master", line, *words)["total_MBps"]["mean"]


def _by_others(row):
    """MB/s that others measured, by the row's id."""
    path = reference("others", "measured_by_others.csv")
    with path.open(encoding="utf-8", newline="") as file:
        (found,) = (r for r in csv.DictReader(file) if r["id"] == row)
    return float(found["value"]) * {"MB/s": 1, "MiB/s": MIB / 1e6}[found["unit"]]


def test_why_is_my_uncached_buffer_slow(cli):
    """A load of 8 bytes waits for the one before. 512 MiB of an uncached u-dma-buf took a ZYBO-Z7
    7.634 s (ikwzm, u-dma-buf, Readme)."""
    words = ("--master", "cpu=read,kind=processor,memory_type=noncacheable")
    found = _expect(cli, "zybo-z7", *words)
    rate = found["total_MBps"]["mean"]
    assert rate == pytest.approx(512 * MIB / 7.634e6, rel=0.15)
    assert rate * found["latency"]["mean_ns"] <= 8e3


def test_a_numpy_copy_of_a_pynq_buffer_cacheable_or_not(cli):
    """The same copy of a u-dma-buf of 512 MiB took 1.537 s cached (as above), its program's own
    time included."""
    cached, uncached = (
        _processor(cli, "pynq-z2", "copy", kind) for kind in ("cached", "write_combining")
    )
    assert cached / uncached > 7.634 / 1.537


def test_memcpy_from_a_buffer_that_is_not_cached_on_a_zybo(cli):
    """A wider load carries more a round trip: 210 MiB/s by 32 bytes (LDM), measured at a
    Cortex-A9 of 666 MHz (Genode, issue 4456)."""
    narrow, wide = (
        _processor(cli, "zybo", "read", "noncacheable", copy_bytes=size) for size in (8, 32)
    )
    assert wide == pytest.approx(210 * MIB / 1e6, rel=0.3)
    assert 3 < wide / narrow <= 4


@pytest.mark.parametrize(("operation", "row"), [("copy", "LIM-dl-cpy"), ("fill", "LIM-dl-set")])
def test_stream_on_a_zcu102(cli, operation, row):
    """LLNL's lime on a ZU19EG with the same memory; a copy counts both of its directions."""
    found = _processor(cli, "zcu102", operation, "cached")
    assert found == pytest.approx(_by_others(row), rel=0.25)


def test_a_read_of_64_bytes_on_ultrascale(cli):
    """Longer than its beats and the DRAM's own latency; a lone read of 128 bytes by 64 bit at
    200 MHz, with a SmartConnect before the port, takes 128 bytes at the rate of others."""
    words = ("HP0", "read", "--width-bits", "64", "--pl-mhz", "200")
    small = _expect(cli, "zcu102", *words, "--transfer-bytes", "64")["small"]["read_ns"]
    through = ("--set", "through=smartconnect", "--transfer-bytes", "128")
    longer = _expect(cli, "zcu102", *words, *through)["small"]["read_ns"]
    assert 8 * 5 < small < longer
    assert longer == pytest.approx(128e3 / _by_others("RES-200-R-16M"), rel=0.2)


@pytest.mark.parametrize("board", ["zybo", "zcu102", "de1-soc"])
@pytest.mark.parametrize("operation", ["read", "fill", "copy"])
def test_a_weaker_order_is_not_slower(cli, board, operation):
    kinds = ("strongly_ordered", "device", "noncacheable", "cached")
    rates = [_processor(cli, board, operation, kind) for kind in kinds]
    assert rates == sorted(rates) and rates[-1] > 4 * rates[0]
