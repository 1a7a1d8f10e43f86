"""Trials of former faults of the driver, of its memory, and of the instructions of a packet.

Each trial is a script for the guest; some use a device with a fault (cosim/vfio/faulty.hpp), or a
device tree of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from axiometer.bringup.vm import machine, trials
from axiometer.bringup.vm.devicetree import Node, cells, text
from axiometer.bringup.vm.machine import DIES, LIVES

GATE, CLOCK = 0xAC20, 0xAC21  # phandles of no other node
GATE_AT = machine.WINDOW + machine.WINDOW_BYTES - 0x1000
NO_LINE = (0, 99, 4)  # an interrupt that nothing raises


@dataclass(frozen=True)
class Trial:
    """script: the guest's; device: the device's fault, if any; words: for the kernel's command
    line; ports, mode: of the design (None: as many ports as asked for); nodes: of the device
    tree."""

    script: str | None
    device: tuple[str, ...] = ()
    words: str = ""
    ports: int | None = None
    mode: int = 0
    nodes: Callable[[bool], Sequence[Node]] = machine.own


def _gated(coherent: bool) -> Sequence[Node]:
    """The design with a clock that Linux switches by a bit of the device (fault "gated")."""
    (design,) = machine.own(coherent)
    bit = {
        "compatible": text("axiometer,trial-gate"),
        "reg": cells(0, GATE_AT, 0, 4),
        "reg-names": text("dat"),
        "gpio-controller": b"",
        "#gpio-cells": cells(2),
        "phandle": cells(GATE),
    }
    clock = {
        "compatible": text("gpio-gate-clock"),
        "#clock-cells": cells(0),
        "enable-gpios": cells(GATE, 0, 0),
        "phandle": cells(CLOCK),
    }
    window = cells(0, machine.WINDOW, 0, GATE_AT - machine.WINDOW)
    mine = {"reg": window, "clocks": cells(CLOCK)}
    return [
        Node(f"gpio@{GATE_AT:x}", bit),
        Node("design-clock", clock),
        replace(design, properties={**design.properties, **mine}),
    ]


def _gated_without_line(coherent: bool) -> Sequence[Node]:
    """The same with the usual first mistake: an interrupt number that is not the design's."""
    *others, design = _gated(coherent)
    return [
        *others,
        replace(design, properties={**design.properties, "interrupts": cells(*NO_LINE)}),
    ]


def _run(device: str, *modes: str) -> str:
    return "".join(
        f"timeout 120 axm_test {device} {mode} || fail {mode.split()[0]}\n" for mode in modes
    )


_HANGUP = f"""
axm_test $CHANNEL hangup & P=$!
sleep 0.5
echo $SLOT > $DRIVER/unbind
wait $P || fail "poll was not woken when the device was unbound"
echo $SLOT > $DRIVER/bind
axm_test $CHANNEL hangup & P=$!
sleep 0.5
echo "{DIES}"
wait $P || fail "poll was not woken when the device died"
rmmod axiometer || fail rmmod
exit 0
"""
_OWN = _run("$CHANNEL", "export 20 1", "locked", "synced")
# Debian's kernel has huge pages; our own has dma-heaps, and complains of segments that are longer
# than the driver says.
_MEMORY = f"""
HUGE=/sys/kernel/mm/hugepages HEAP=/dev/dma_heap/system
[ -e $HUGE ] || [ -e $HEAP ] || fail "no memory for it in this kernel"
if [ -e $HUGE ]; then
echo 1 > $HUGE/hugepages-32768kB/nr_hugepages
echo 8 > $HUGE/hugepages-2048kB/nr_hugepages
{_run("$CHANNEL", "import 20 1", "pinned 20 1", "far")}
fi
if [ -e $HEAP ]; then
{_run("$CHANNEL", "heap 20 1")}
fi
"""
_SUSPEND = """
echo 0 > /sys/module/suspend/parameters/pm_test_delay
axm_test $CHANNEL copy 400 5 & P=$!
for n in 1 2 3; do
  sleep 0.3
  echo devices > /sys/power/pm_test && echo freeze > /sys/power/state || fail suspend
done
wait $P || fail "packets were lost over a suspend"
"""
# All that a file may have of a device that goes.
_GONE = f"""
for state in well dead; do
  for unread in 0 1 3; do
    for copy in none rings read-late read-never write-late write-never; do
      how="$state $unread $copy"
      timeout 60 axm_test $CHANNEL gone $DRIVER/unbind $SLOT $how || fail gone $how
      echo "{LIVES}"
      sleep 0.2
      echo $SLOT > $DRIVER/bind || fail "bind after gone $how"
    done
  done
done
rmmod axiometer || fail rmmod
dmesg | grep -E "{trials.REPORTS}" && fail dmesg
exit 0
"""
# Locked pages do not move, so memory has too few large pieces for the largest rings.
_PIECES = """
echo 0 > /proc/sys/vm/compact_unevictable_allowed
rmmod axiometer
insmod /axiometer.ko ring_log2=8
"""
# Switches off what Debian's kernel has and the kernel of a Cortex-A53 board lacks: KASLR (the
# board's loader gives no seed) and with it KPTI, which this core does not need; and a random offset
# of the stack in each system call, which arm64's defconfig does not set.
BOARD = "nokaslr randomize_kstack_offset=off"
# The register of the gate is an output of mainline's gpio-mmio, which is bound here: at boot it
# would have its address before the PCI host has the window around it. Until then our driver waits.
_GATE = f"""
cd /sys/bus/platform/devices/{GATE_AT:x}.gpio || exit 1
echo basic-mmio-gpio > driver_override
echo {GATE_AT:x}.gpio > /sys/bus/platform/drivers_probe
cd /
for n in $(seq 50); do [ -e /dev/axm0c0 ] || sleep 0.1; done
"""
# Closes what waited for an interrupt; then the watch is due.
_CLOCKS = """
rests() {
  sleep 0.3
  [ "$(cat /sys/devices/platform/$SLOT/power/runtime_status)" = suspended ] || fail "clock: $*"
}
rests "it is on before a file is open"
for mode in "copy 5 1" "poll 5 1"; do
  timeout 120 axm_test $CHANNEL $mode || fail $mode
  axm_test $CHANNEL hangup & P=$!
  sleep 0.3
  kill -9 $P
  wait $P 2> /dev/null
  rests "it is on after $mode"
  sleep 2
done
timeout 120 axm_test $CHANNEL early $DRIVER/unbind $DRIVER/bind $SLOT || fail early
echo 0 > /sys/module/suspend/parameters/pm_test_delay
for n in 1 2; do
  rests "it is on after a suspend"
  echo devices > /sys/power/pm_test && echo freeze > /sys/power/state || fail suspend
done
timeout 120 axm_test $CHANNEL copy 2 1 || fail "after a suspend"
"""
MOST = (900, 400)  # instructions, a packet of 64 bytes sent and received: alone, in batches of 32
SHARED = "iomem=relaxed"  # registers of a device that has a driver may be mapped
_FEW = "rmmod axiometer\ninsmod /axiometer.ko ring_log2=6\n"


def faults(bus: str = "pci") -> dict[str, Trial]:
    """The trials by name."""
    names = f"DRIVER={trials.driver(bus)}\nCHANNEL=/dev/axm0c0\n"
    head, two = (trials.head(ports, bus) + names for ports in (1, 2))
    plain = _run("$CHANNEL", "slow", "undone", "coalesce", "tail", "reopen", "restart", "fresh")
    plain += _PIECES + _run("$CHANNEL", "fragmented")
    bounced = _run("$CHANNEL", "copy 20 1", "zero 20 1")
    end = trials.CLEAN
    lost = _run("$CHANNEL", "lost") + trials.LATE
    tree = {
        "clocks": Trial(_GATE + head + _CLOCKS + end, ("gated",), nodes=_gated),
        "line": Trial(_GATE + head + _CLOCKS + lost, ("gated",), nodes=_gated_without_line),
    }
    registers = f"/dev/mem {machine.WINDOW:#x}"
    way = {mode: _run("$CHANNEL", f"{mode} {registers}") for mode in ("source", "pause", "sink")}
    return (tree if bus != "pci" else {}) | {
        "calls": Trial(head + plain + end),
        "memory": Trial(head + _MEMORY + _OWN + end),
        # Devices see copies, so what is not synchronised is seen. (Of the default size, 32768, the
        # kernel would take a 64th.)
        "bounced": Trial(head + bounced + _OWN + end, words="swiotlb=16384,force"),
        "suspend": Trial(head + _SUSPEND + _run("$CHANNEL", "continued") + end),
        "hangup": Trial(head + _HANGUP),
        "gone": Trial(head + _GONE),
        "closing": Trial(two + _run("$CHANNEL", "closing /dev/axm0c1") + end, ports=2),
        "source": Trial(head + way["pause"] + way["source"] + end, words=SHARED, mode=2),
        "sink": Trial(head + way["sink"] + end, words=SHARED, mode=1),
        "stuck": Trial(head + _run("$CHANNEL", "stuck") + "rmmod axiometer\nexit $?\n", ("stuck",)),
        "deaf": Trial(head + lost, ("deaf",)),
    }


def counts(bus: str = "pci") -> list[Trial]:
    """Trials that print the instructions of a packet: with a board's settings, where they fail
    above MOST, and with Debian's."""
    most = " ".join(map(str, MOST))
    return [
        Trial(trials.head(1, bus) + _FEW + _run("/dev/axm0c0", mode) + trials.CLEAN, words=words)
        for mode, words in ((f"count {most}", BOARD), ("count", ""))
    ]
