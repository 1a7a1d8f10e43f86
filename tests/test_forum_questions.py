"""Questions of forum threads, each one command, against laws and what others measured."""

import csv
from itertools import pairwise

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
    # The path's limit is met burst by burst or line by line.
    assert all(weak > 0.98 * strict for strict, weak in pairwise(rates))
    assert rates[-1] > 4 * rates[0]


# ---- masters in the fabric -----------------------------------------------------------------------


def test_which_burst_and_how_many_outstanding_for_90_percent(cli):
    """The smallest setting reaches 90 % of the wires, and each smaller one does not: by Little's
    law a burst's bytes in flight over its round trip."""
    lists = ("burst_beats=1,2,4,8,16", "outstanding_read=1,2,4,8")
    found = cli.json("sweep", "zybo", "HP0", "read", *lists, "--at-least", "90%")
    rates = {(p["burst_beats"], p["outstanding_read"]): p["total_MBps"] for p in found["points"]}
    beats, flight = found["smallest"]["burst_beats"], found["smallest"]["outstanding_read"]
    most = 8 * 100
    assert rates[beats, flight] >= 0.9 * max(rates.values()) == pytest.approx(0.9 * most, rel=0.01)
    assert all(rate < 0.9 * most for (b, n), rate in rates.items() if b * n < beats * flight / 2)
    assert rates[1, 2] == pytest.approx(2 * rates[1, 1], rel=0.02)


def test_five_masters_and_a_budget(cli):
    """Five masters that ask for 60 % of the bus fit; for 120 % of it they cannot."""
    ports = ("HP0", "HP1", "HP2", "HP3", "HP0")
    peak = 8 * 2 * 1066.56  # a ZCU102's bus: 64 bit, DDR4-2133

    def fits(share):
        words = [
            w
            for n, (port, way) in enumerate(zip(ports, "rwrww", strict=True))
            for w in (
                "--master",
                f"m{n}={'read' if way == 'r' else 'write'},port={port},rate={share * peak / 5:.0f}",
            )
        ]
        met = cli.json("expect", "zcu102", *words)["demands"]
        return [of["met"] for of in met]

    assert fits(0.5) == [True] * 5
    assert not all(fits(1.2))


def test_two_cameras_and_a_display(cli):
    """1080p60 of 4 bytes a pixel: 1920 x 1080 x 4 x 60 bytes a second are 498 MB/s."""
    needs = "HP0.write=1080p60,HP1.write=1080p60,HP1.read=1080p60"
    said = cli("expect", "zedboard", "--need", needs)
    assert said.count("for 498 needed") == 3


def test_why_do_four_ports_not_give_four_times_one(cli):
    """Four ports of 1200 MB/s share a bus that carries 4264."""
    one, four = (
        cli.json("expect", "zedboard", ports, "read", "--pl-mhz", "150")
        for ports in ("HP0", "HP0+HP1+HP2+HP3")
    )
    assert one["total_MBps"]["mean"] == pytest.approx(1200, rel=0.01)
    assert four["total_MBps"]["mean"] < four["peak_MBps"] < 4 * one["total_MBps"]["mean"]


def test_why_is_an_axi_dma_slow_with_4_kib(cli):
    """What a transfer's start takes does not depend on its size, so the rate grows towards the
    port's with it."""
    line = "dma=read,kind=axi_dma,port=HP0,burst=128,width_bits=64"
    sizes = [4 << 10, 64 << 10, 1 << 20]
    rates = [
        _expect(cli, "pynq-z2", "--master", line, "--transfer-bytes", size)["total_MBps"]["mean"]
        for size in sizes
    ]
    starts = [size / rate - size / 800 for size, rate in zip(sizes, rates, strict=True)]
    assert rates == sorted(rates) and rates[0] < 0.9 * rates[-1] < 800
    assert starts == pytest.approx([starts[0]] * 3, rel=0.5)
