"""The drivers compile without a warning where DPDK was fetched; `python -m validate.dpdk` runs
them."""

import pytest

from axiometer.bringup.vm import dpdk


def test_drivers_compile():
    if not dpdk.there():
        pytest.skip(f"DPDK is not there; {dpdk.FETCH} fetches it")
    built = dpdk.built(print)
    assert b"net_axm" in built.plugin.read_bytes()
    assert all(path.is_file() for path in built.programs.values())
