"""The drivers compile without a warning where DPDK was fetched; `python -m validate.dpdk` runs
them."""

import pytest

from axiometer.bringup.vm import dpdk
from validate.dpdk import table


def test_drivers_compile():
    if not dpdk.there():
        pytest.skip(f"DPDK is not there; {dpdk.FETCH} fetches it")
    built = dpdk.built(print)
    assert b"net_axm" in built.plugin.read_bytes()
    assert all(path.is_file() for path in built.programs.values())


def test_counts_become_a_table():
    lines = [
        "rings, one KICK                  batches of  1:    817 instructions a packet",
        "of these the kernel's entry and return: 210 instructions a call",
        "bursts of an ethdev              batches of  1:    936 instructions a packet, and 271 for",
        "rings, one KICK                  batches of 32:    301 instructions a packet",
    ]
    assert table(lines).splitlines()[2:] == [
        "| rings, one KICK | 817 | 301 |",
        "| bursts of an ethdev | 936 and 271 for mbufs |  |",
    ]
