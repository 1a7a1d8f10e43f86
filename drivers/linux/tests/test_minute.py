"""Minutes of `make validate drivers`: the driver in a kernel, on designs with both halves, or one.

They run where QEMU and the kernel are in the cache; with CI=true or AXIOMETER_FETCH=1 these are
fetched first.
"""

import os
import shutil

import pytest

from machines import kernels, packages, trials

KERNEL = kernels.names()[0]
LIMIT_S = 1200.0  # where it is slow


def run(name, bus="pci"):
    fetches = os.environ.get("CI") == "true" or os.environ.get("AXIOMETER_FETCH") == "1"
    if kernels.missing(KERNEL) and (not fetches or shutil.which("mmdebstrap") is None):
        pytest.skip(f"no virtual machine is there; {packages.FETCH} fetches it (mmdebstrap)")
    (trial,) = trials.named(name)
    assert trials.run(trial, trials.Setting(KERNEL, bus, limit_s=LIMIT_S)) == 0


def test_packets_kill_unbind_death_and_fuzz(capfd):
    run("minute")
    said = capfd.readouterr().out
    for word in ("killed 1 times", "unbound 2 times", "died 1 times", "packets beside them: good"):
        assert word in said


@pytest.mark.parametrize("bus", ["pci", "platform"])
@pytest.mark.parametrize("half", ["source", "sink"])
def test_a_design_with_one_half(half, bus):
    run(half, bus)


def test_the_device_goes_with_packets_unread_and_copies_under_way():
    run("gone")


def test_closing_a_channel_stops_no_other():
    run("closing")
