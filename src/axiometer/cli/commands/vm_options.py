"""What the command line of `axiometer vm` takes."""

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


class Options(Protocol):
    """What the command line says."""

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
        "in QEMU with the Linux driver loaded, and leaves a shell. It shows that software works: "
        "no time in it is a figure of a chip, but those of the fabric and the memory alone with "
        "--board. Linux on amd64, from a source tree."
    )
    parser.add_argument("--fetch", action="store_true", help="fetch what is missing, and end")
    parser.add_argument(
        "--check",
        action="store_true",
        help="no machine: checkpatch, sparse and coccinelle of two kernels look at the driver",
    )
    parser.add_argument(
        "--kernel",
        help="Linux 6.12 (default), 6.1 or newest (Debian's backports) for arm64, 6.12-arm for "
        "32 bits; 5.15, 6.12-debug and 6.12-arm-debug are built first, and the last two look for "
        "faults themselves",
    )
    parser.add_argument("--ports", default="1", help="of the design, 1 to 4: channels (default 1)")
    parser.add_argument(
        "--bus",
        choices=("pci", "platform", "platform-noncoherent"),
        default="pci",
        help="how the kernel finds the design: as a PCI device (default), or by the device tree",
    )
    parser.add_argument(
        "--interrupt",
        choices=("msix", "intx"),
        help="of the PCI device (default: msix); on the platform bus it is intx",
    )
    parser.add_argument(
        "--latency",
        metavar="CLOCKS",
        default=str(USUAL_LATENCY),
        help=f"of the memory as the design meets it (default {USUAL_LATENCY}); no chip's",
    )
    parser.add_argument(
        "--board",
        metavar="BOARD",
        help="the design is at a port of this board's simulated chip: what its fabric and memory "
        "did, and for how long, is said at the end",
    )
    parser.add_argument("--pl-port", metavar="PORT", help="of it (default: its first HP port)")
    parser.add_argument(
        "--pl-mhz", metavar="MHZ", help="the fabric's clock, 150 or 150MHz (default 100)"
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--script", metavar="FILE", help="a shell script for the guest, in place of the shell"
    )
    group.add_argument(
        "--packets",
        metavar="N",
        help="N packets of 0 to 64 KiB in each mode on each channel, contents checked",
    )
    group.add_argument(
        "--rough",
        metavar="N",
        help="N times each: programs killed, the device unbound in use, the module unloaded",
    )
    group.add_argument(
        "--hostile",
        metavar="N",
        help="N times each mode on a device that lies about what it has done",
    )
    group.add_argument("--dead", metavar="N", help="N times the device dies while it is used")
    group.add_argument(
        "--suspend", metavar="N", help="N times all devices are suspended while packets move"
    )
    group.add_argument(
        "--fuzz",
        metavar="S",
        help="calls at random for S seconds of the guest, the device unbound beside them",
    )
    group.add_argument(
        "--faults",
        metavar="NAME",
        help="trials of the driver's calls and of faults that it had: calls, memory, suspend, "
        "hangup, stuck, deaf, or all",
    )
    group.add_argument(
        "--count",
        action="store_true",
        help="instructions that a packet of 64 bytes costs, in each way the driver offers: with a "
        "kernel set as on a board, then with Debian's settings",
    )
    group.add_argument(
        "--bare",
        metavar="N",
        help="no kernel: the agent on an emulated chip without an operating system makes N "
        "transfers of 1 byte to 64 KiB, contents checked",
    )
    group.add_argument(
        "--app", metavar="NAME", help="the same with a program of host/apps/, such as packets"
    )
    group.add_argument(
        "--dmatest",
        metavar="N",
        help="with --engine: mainline's driver of the engine makes N copies, or sends N packets, "
        "contents checked",
    )
    parser.add_argument(
        "--engine",
        metavar="NAME[,PARAMETER=VALUE...]",
        default=OWN,
        help="in place of the design the register model of axi-dma, axi-dma-sg, axi-cdma or "
        "msgdma, which objects to what its document forbids (default: axm, the design)",
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
    parser.add_argument("--seed", default="1", help="of --fuzz (default 1)")
    parser.add_argument(
        "--lies", action="store_true", help="with --fuzz: on a device that lies, as --hostile's"
    )
    parser.add_argument(
        "--iommu", action="store_true", help="memory that is not mapped for the device is refused"
    )
    parser.add_argument(
        "--linux",
        choices=("driver", "uio"),
        help="with --app packets: in Linux, over this project's driver, or over registers by UIO; "
        "with --app packet_times over the driver",
    )
    parser.add_argument(
        "--number", metavar="N", help="with --app packets: how many packets (default 200)"
    )
    parser.add_argument(
        "--time-limit", metavar="S", default="600", help="of a script, in seconds (default 600)"
    )
