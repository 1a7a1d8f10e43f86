"""The arguments of `axiometer vm`."""

from __future__ import annotations

import argparse
from typing import Protocol

USUAL_LATENCY = 20
MOST_LATENCY = 100_000
MOST_PORTS = 4
OWN = "axm"
LIES = 1  # seed of the device that lies
MOST_PACKETS = 100_000_000
USUAL_PACKETS = 200


_TRIALS = {
    "script": ("FILE", "a shell script for the guest, instead of the shell"),
    "packets": ("N", "check the contents of N packets of 0 to 64 KiB in each mode on each channel"),
    "rough": ("N", "N times each: programs killed, the device unbound in use, the module unloaded"),
    "hostile": ("N", "N times each mode on a device that reports false results"),
    "dead": ("N", "N times the device dies in use"),
    "suspend": ("N", "N times all devices are suspended while packets move"),
    "fuzz": ("S", "random calls for S seconds of the guest, while the device is unbound and bound"),
    "faults": (
        "NAME",
        "trials of the driver's calls and of faults that it had: calls, memory, bounced, "
        "suspend, hangup, gone, closing, source and sink (designs with one half), stuck, deaf, "
        "clocks and line (with a device tree), or all",
    ),
    "count": (
        "",
        "instructions for a packet of 64 bytes in each mode of the driver: with the kernel "
        "settings of a board, then with Debian's",
    ),
    "bare": (
        "N",
        "no kernel: the agent on an emulated chip without an operating system makes and "
        "checks N transfers of 1 byte to 64 KiB",
    ),
    "app": ("NAME", "as --bare, with a program of host/apps/, such as packets"),
    "dmatest": (
        "N",
        "with --engine: mainline's driver of the engine makes and checks N copies or packets",
    ),
}
"""What runs instead of the shell, one of them: an option's value in the help, "" for none, and what
it does."""


class Options(Protocol):
    """The values of the command line."""

    fetch: bool
    check: bool
    kernel: str | None
    ports: str
    bus: str
    interrupt: str | None
    latency: str
    board: str | None
    pl_port: str | None
    pl_mhz: str | None
    script: str | None
    packets: str | None
    rough: str | None
    hostile: str | None
    dead: str | None
    suspend: str | None
    fuzz: str | None
    seed: str
    lies: bool
    iommu: bool
    faults: str | None
    count: bool
    bare: str | None
    app: str | None
    engine: str
    dmatest: str | None
    freertos: bool
    chip: str | None
    linux: str | None
    number: str | None
    time_limit: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Starts the verilated axm_dma_top as a PCI device (vfio-user) and a Debian arm64 kernel "
        "in QEMU with the Linux driver, and opens a shell. It shows that software works; its times "
        "are not those of a chip, except those of fabric and memory with --board. Needs Linux on "
        "amd64 and a source tree."
    )
    parser.add_argument("--fetch", action="store_true", help="fetch missing packages and stop")
    parser.add_argument(
        "--check",
        action="store_true",
        help="no machine: check the driver with checkpatch, sparse and coccinelle of two kernels",
    )
    parser.add_argument(
        "--kernel",
        help="Linux 6.12 (default), 6.1 or newest (Debian's backports) for arm64, 6.12-arm for "
        "32 bits; 5.15, 6.12-debug and 6.12-arm-debug are built first; the last two check for "
        "faults of their own",
    )
    parser.add_argument("--ports", default="1", help="channels of the design, 1 to 4 (default 1)")
    parser.add_argument(
        "--bus",
        choices=("pci", "platform", "platform-noncoherent"),
        default="pci",
        help="the kernel finds the design as a PCI device (default) or in the device tree",
    )
    parser.add_argument(
        "--interrupt",
        choices=("msix", "intx"),
        help="interrupt of the PCI device (default: msix); intx on the platform bus",
    )
    parser.add_argument(
        "--latency",
        metavar="CLOCKS",
        default=str(USUAL_LATENCY),
        help=f"latency of the memory at the design (default {USUAL_LATENCY}); not that of a chip",
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="connect the design to a port of this board's simulated chip, and print the work and "
        "time of fabric and memory at the end",
    )
    parser.add_argument("--pl-port", metavar="PORT", help="that port (default: the first HP port)")
    parser.add_argument(
        "--pl-mhz", metavar="MHZ", help="the fabric's clock, 150 or 150MHz (default 100)"
    )
    group = parser.add_mutually_exclusive_group()
    for name, (value, about) in _TRIALS.items():
        if value:
            group.add_argument(f"--{name}", metavar=value, help=about)
        else:
            group.add_argument(f"--{name}", action="store_true", help=about)
    parser.add_argument(
        "--engine",
        metavar="NAME[,PARAMETER=VALUE...]",
        default=OWN,
        help="the register model of axi-dma, axi-dma-sg, axi-cdma or msgdma, which rejects what "
        "its document forbids, instead of the design (default: axm, the design)",
    )
    parser.add_argument(
        "--chip",
        help="with --bare and --app: a folder of chips/ with a host.toml",
    )
    parser.add_argument(
        "--freertos",
        action="store_true",
        help="with --app: the program is a task of FreeRTOS; with --fetch: its kernel",
    )
    parser.add_argument("--seed", default="1", help="seed of --fuzz (default 1)")
    parser.add_argument(
        "--lies",
        action="store_true",
        help="with --fuzz: on a device that reports false results, as with --hostile",
    )
    parser.add_argument(
        "--iommu",
        action="store_true",
        help="refuse access to memory that is not mapped for the device",
    )
    parser.add_argument(
        "--linux",
        choices=("driver", "uio"),
        help="with --app packets: in Linux, with this project's driver or with registers by UIO; "
        "with --app packet_times: with the driver",
    )
    parser.add_argument(
        "--number", metavar="N", help="with --app packets: number of packets (default 200)"
    )
    parser.add_argument(
        "--time-limit", metavar="S", default="600", help="seconds for a script (default 600)"
    )
