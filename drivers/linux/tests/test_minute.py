"""A minute of `make validate-driver`: the driver in a kernel, on the design.

It runs where QEMU and the kernel are in the cache; with CI=true or AXIOMETER_FETCH=1 they are
fetched first.
"""

import os
import shutil

import pytest

from axiometer.bringup.vm import guest_programs, kernels, machine, packages, trials
from axiometer.runs.cosim import build

KERNEL, PORTS, SEED = packages.kernels()[0], 2, 1
LIMIT_S = 1200.0  # where it is slow


def test_packets_kill_unbind_death_and_fuzz(capfd):
    fetches = os.environ.get("CI") == "true" or os.environ.get("AXIOMETER_FETCH") == "1"
    if packages.missing(KERNEL):
        if not fetches or shutil.which("mmdebstrap") is None:
            pytest.skip(f"no virtual machine is there; {packages.FETCH} fetches it (mmdebstrap)")
        packages.fetch(packages.needed(KERNEL), print)
    kernel = kernels.find(KERNEL, print)
    server = machine.Server(build.server(machine.design(PORTS)), ("msix", "20"))
    guest = trials.guest(
        guest_programs.built(kernel, print), KERNEL, "pci", trials.minute(PORTS, SEED)
    )
    assert machine.run(machine.Settings(kernel, "pci", LIMIT_S), server, guest) == 0
    said = capfd.readouterr().out
    for word in ("killed 1 times", "unbound 2 times", "died 1 times", "packets beside them: good"):
        assert word in said
