"""Minutes of `make validate drivers`: the driver in a kernel, on designs with both halves, or one.

They run where QEMU and the kernel are in the cache; with CI=true or AXIOMETER_FETCH=1 these are
fetched first.
"""

import os
import shutil

import pytest

from axiometer.bringup.vm import (
    guest_programs,
    kernels,
    machine,
    objections,
    packages,
    trials,
    trials_driver,
)
from axiometer.runs.cosim import build

KERNEL, PORTS, SEED = packages.kernels()[0], 2, 1
LIMIT_S = 1200.0  # where it is slow


def run(trial, bus="pci"):
    fetches = os.environ.get("CI") == "true" or os.environ.get("AXIOMETER_FETCH") == "1"
    if packages.missing(KERNEL):
        if not fetches or shutil.which("mmdebstrap") is None:
            pytest.skip(f"no virtual machine is there; {packages.FETCH} fetches it (mmdebstrap)")
        packages.fetch(packages.needed(KERNEL), print)
    kernel = kernels.find(KERNEL, print)
    program = build.server(machine.design(trial.ports or 1, trial.mode))
    interrupt = "msix" if bus == "pci" else "intx"
    server = machine.Server(program, (interrupt, "20"), heard=objections.one_setting)
    programs = guest_programs.built(kernel, print)
    guest = trials.guest(programs, KERNEL, bus, trial.script, trial.words)
    assert machine.run(machine.Settings(kernel, bus, LIMIT_S), server, guest) == 0


def test_packets_kill_unbind_death_and_fuzz(capfd):
    run(trials_driver.Trial(trials.minute(PORTS, SEED), ports=PORTS))
    said = capfd.readouterr().out
    for word in ("killed 1 times", "unbound 2 times", "died 1 times", "packets beside them: good"):
        assert word in said


@pytest.mark.parametrize("bus", ["pci", "platform"])
@pytest.mark.parametrize("half", ["source", "sink"])
def test_a_design_with_one_half(half, bus):
    run(trials_driver.faults(bus)[half], bus)


def test_the_device_goes_with_packets_unread_and_copies_under_way():
    run(trials_driver.faults()["gone"])


def test_closing_a_channel_stops_no_other():
    run(trials_driver.faults()["closing"])
