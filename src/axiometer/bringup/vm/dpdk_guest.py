"""Instructions of a packet of 64 bytes with the Linux driver and with DPDK, in one run: a 64-bit
ARM guest counts its own instructions."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import redirect_stdout

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import dpdk, dpdk_trials, guest_programs, kernels, machine, trials_driver
from axiometer.bringup.vm.guest import Guest
from axiometer.runs.cosim import build

ARCHITECTURE, KERNEL = "arm64", "6.12"
LIMIT_S = 900.0
RING_LOG2 = 6  # of the Linux driver: 64 slots, and batches of 32 in flight twice
ROUNDS, FOR_EVER = 4, 1_000_000  # times the ring
LEFT = "left the engine writing memory; it is stopped now"  # of drivers/dpdk/attach.c
HUGE_PAGES = 12  # of 2 MiB
# Bus addresses are physical addresses, so contiguous memory needs huge pages.
EAL = "--in-memory --no-pci --no-telemetry --iova-mode=pa -m 16 -l 0"


def script() -> str:
    """The guest's script: count with the driver, unload it, count with DPDK, where a program was
    killed before."""
    place = f"/sys/bus/pci/devices/{machine.SLOT}"
    vdev = f"--vdev=net_axm0,registers={place}/resource0"
    return f"""
rmmod axiometer && insmod /axiometer.ko ring_log2={RING_LOG2} || exit 1
axm_test /dev/axm0c0 count || exit 1
rmmod axiometer || exit 1
{machine.ENABLE}
mkdir -p /dev/huge /var/run && mount -t hugetlbfs huge /dev/huge || exit 1
{dpdk.COUNT} {EAL} {vdev} -- {FOR_EVER} & P=$!
sleep 5
kill -9 $P
wait $P
{dpdk.COUNT} {EAL} {vdev} -- {ROUNDS} 2>&1
"""


def count(say: Callable[[str], None]) -> list[str]:
    """The lines with counts of both programs. AxiometerError if a program fails."""
    kernel = kernels.find(KERNEL, say)
    design = machine.design(mode=dpdk_trials.DUPLEX)
    server = machine.Server(build.server(design, say), ("msix", dpdk_trials.LATENCY))
    settings = machine.Settings(kernel, "pci", LIMIT_S)
    driver = guest_programs.built(kernel, say)
    programs = driver.tests | {dpdk.COUNT: dpdk.count_for_arm(say)}
    guest = Guest(
        ARCHITECTURE, (driver.module,),
        {f"bin/{name}": path for name, path in programs.items()},
        script=script(), words=f"{trials_driver.BOARD} hugepages={HUGE_PAGES}",
    )  # fmt: skip
    output = io.StringIO()
    with redirect_stdout(output):
        status = machine.run(settings, server, guest)
    if status or LEFT not in output.getvalue():
        raise AxiometerError(f"the count failed in the guest:\n{output.getvalue()[-1500:]}")
    return [line for line in output.getvalue().splitlines() if "instructions" in line]
