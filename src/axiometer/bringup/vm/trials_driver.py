"""Trials of former faults of the driver, of its memory, and of the instructions of a packet.

Each trial is a script for the guest; some use a device with a fault (cosim/vfio/faulty.hpp).
"""

from __future__ import annotations

from dataclasses import dataclass

from axiometer.bringup.vm import machine, trials
from axiometer.bringup.vm.machine import DIES, LIVES


@dataclass(frozen=True)
class Trial:
    """script: the guest's; device: the device's fault, if any; words: for the kernel's command
    line; ports, mode: of the design (None: as many ports as asked for)."""

    script: str | None
    device: tuple[str, ...] = ()
    words: str = ""
    ports: int | None = None
    mode: int = 0


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
_HUGE = "echo 8 > /proc/sys/vm/nr_hugepages\n"
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
MOST = (900, 400)  # instructions, a packet of 64 bytes sent and received: alone, in batches of 32
SHARED = "iomem=relaxed"  # registers of a device that has a driver may be mapped
_FEW = "rmmod axiometer\ninsmod /axiometer.ko ring_log2=6\n"


def faults(bus: str = "pci") -> dict[str, Trial]:
    """The trials by name."""
    names = f"DRIVER={trials.driver(bus)}\nCHANNEL=/dev/axm0c0\n"
    head, two = (trials.head(ports, bus) + names for ports in (1, 2))
    plain = _run("$CHANNEL", "slow", "undone", "coalesce", "tail", "reopen", "restart", "fresh")
    plain += _PIECES + _run("$CHANNEL", "fragmented")
    memory = _run("$CHANNEL", "import 20 1", "pinned 20 1", "export 20 1")
    end = trials.CLEAN
    registers = f"/dev/mem {machine.WINDOW:#x}"
    way = {mode: _run("$CHANNEL", f"{mode} {registers}") for mode in ("source", "pause", "sink")}
    return {
        "calls": Trial(head + plain + end),
        "memory": Trial(head + _HUGE + memory + end),
        "suspend": Trial(head + _SUSPEND + _run("$CHANNEL", "continued") + end),
        "hangup": Trial(head + _HANGUP),
        "gone": Trial(head + _GONE),
        "closing": Trial(two + _run("$CHANNEL", "closing /dev/axm0c1") + end, ports=2),
        "source": Trial(head + way["pause"] + way["source"] + end, words=SHARED, mode=2),
        "sink": Trial(head + way["sink"] + end, words=SHARED, mode=1),
        "stuck": Trial(head + _run("$CHANNEL", "stuck") + "rmmod axiometer\nexit $?\n", ("stuck",)),
        "deaf": Trial(head + _run("$CHANNEL", "lost") + end, ("deaf",)),
    }


def counts(bus: str = "pci") -> list[Trial]:
    """Trials that print the instructions of a packet: with a board's settings, where they fail
    above MOST, and with Debian's."""
    most = " ".join(map(str, MOST))
    return [
        Trial(trials.head(1, bus) + _FEW + _run("/dev/axm0c0", mode) + trials.CLEAN, words=words)
        for mode, words in ((f"count {most}", BOARD), ("count", ""))
    ]
