"""The drivers compile without a warning where DPDK was fetched; `python -m machines dpdk` runs
them."""

import subprocess
from pathlib import Path

import pytest

from machines import dpdk
from machines.dpdk import table

DRIVERS = Path(__file__).resolve().parents[1]


def test_drivers_compile():
    if not dpdk.there():
        pytest.skip(f"DPDK is not there; {dpdk.FETCH} fetches it")
    built = dpdk.built()
    assert b"net_axm" in (built / dpdk.PLUGIN).read_bytes()
    assert all((built / name).is_file() for name in (dpdk.PACKETS, dpdk.COUNT, dpdk.REMOVE))


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


@pytest.fixture(scope="module")
def coherent(tmp_path_factory):
    """Asks axm_coherent() of a UIO device in a sysfs."""
    program = tmp_path_factory.mktemp("coherent") / "ask"
    main = """#include "coherent.h"
    int main(int c, char **v) { return c == 3 && axm_coherent(v[1], v[2]) ? 0 : 1; }"""
    words = ["gcc", "-D_GNU_SOURCE", "-Wall", "-Werror", f"-I{DRIVERS}", DRIVERS / "coherent.c"]
    subprocess.run([*words, "-x", "c", "-", "-o", program], input=main, text=True, check=True)
    return lambda *paths: subprocess.run([program, *paths], check=False).returncode == 0


@pytest.mark.parametrize(
    ("properties", "sees"),
    [
        ((), False),  # on ARM a device does not, unless its node says so
        (("fabric/dma@0/dma-coherent",), True),
        (("fabric/dma-coherent",), True),
        (("fabric/dma-coherent", "fabric/dma@0/dma-noncoherent"), False),
        (("other/dma-coherent",), False),
    ],
)
def test_a_device_that_does_not_see_the_caches_is_known(coherent, tmp_path, properties, sees):
    base, device = tmp_path / "devicetree" / "base", tmp_path / "class/uio/uio0/device"
    for folder in (base / "fabric/dma@0", base / "other", device):
        folder.mkdir(parents=True)
    (device / "of_node").symlink_to(base / "fabric/dma@0")
    for place in properties:
        (base / place).touch()
    for name in ("uio0", "resource0"):
        (tmp_path / name).touch()
    assert coherent(tmp_path, tmp_path / "uio0") is sees
    assert coherent(tmp_path, tmp_path / "resource0")  # in no device tree
    (tmp_path / "axm").symlink_to("uio0")
    assert coherent(tmp_path, tmp_path / "axm") is sees
