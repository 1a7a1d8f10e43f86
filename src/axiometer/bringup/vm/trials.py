"""Scripts for the guest that test the driver. Each ends with status 0 only on success."""

from __future__ import annotations

from axiometer.bringup.vm import machine, packages
from axiometer.bringup.vm.guest import Guest
from axiometer.bringup.vm.guest_programs import Programs

GREETING = "The driver is loaded: test /dev/axm* with axm_test; end with poweroff -f."
MODES = ("copy", "vector", "poll", "zero", "two")
PCI, PLATFORM = (f"/sys/bus/{bus}/drivers/axiometer" for bus in ("pci", "platform"))


def guest(programs: Programs, kernel: str, bus: str, script: str | None, words: str = "") -> Guest:
    """A guest with the driver and its test programs that runs `script`, or a shell without one;
    `words`: for the kernel's command line."""
    return Guest(
        packages.listed()["kernels"][kernel]["architecture"],
        (programs.module,),
        {f"bin/{name}": path for name, path in programs.tests.items()},
        "" if bus == "pci" else machine.HIDE,
        script,
        GREETING,
        words,
    )


def driver(bus: str) -> str:
    return PCI if bus == "pci" else PLATFORM


def head(ports: int, bus: str) -> str:
    return f"""
fail() {{ echo "failed: $*"; grep . /sys/class/axm/*/statistics/*; dmesg | tail -20; exit 1; }}
[ "$(ls /dev/axm0c* | wc -l)" = {ports} ] || fail "channels: $(ls /dev/axm*)"
uname -r
axm_test /dev/axm0c0 info || fail info
SLOT=$(basename $(readlink -f /sys/class/axm/axm0c0/device))
[ -e {driver(bus)}/$SLOT ] || fail "bus: $SLOT"
echo "$SLOT, $(grep axiometer /proc/interrupts)"
dmesg -n 1
"""


# The kernel's reports of faults: KASAN, UBSAN, lockdep, DMA-API debugging, an interrupt given up.
REPORTS = (
    "BUG|WARNING|Oops|UBSAN|DMA-API: .*: |INFO: |possible .*deadlock|unreferenced object|"
    "nobody cared"
)
# The search for leaks needs kmemleak, which reports memory older than five seconds.
_NO_BUG = f"""
LEAKS=/sys/kernel/debug/kmemleak
if [ -e $LEAKS ]; then
  sleep 6
  echo scan > $LEAKS; echo scan > $LEAKS
  grep . $LEAKS && fail "memory leaks"
  echo "no memory leaks"
fi
dmesg | grep -E "{REPORTS}" && fail dmesg
"""
LATE = f"""
grep . /sys/class/axm/*/statistics/*
rmmod axiometer || fail rmmod
[ -e /dev/axm0c0 ] && fail "the device file still exists"
dmesg | grep -E "axiometer.*(with code|the device|does not)" && fail dmesg
{_NO_BUG}
exit 0
"""
# LATE is the end of a trial whose interrupts do not all come.
CLEAN = f"""
grep -v "^0$" /sys/class/axm/*/statistics/missed && fail "interrupts did not come"
{LATE}"""


def packets(count: int, ports: int, bus: str = "pci", seed: int = 1) -> str:
    """`count` packets in each mode on each channel in turn, then on all channels together."""
    return head(ports, bus) + _packets(count, ports, seed) + CLEAN


def _packets(count: int, ports: int, seed: int = 1) -> str:
    lines = [""]
    for port in range(ports):
        device = f"/dev/axm0c{port}"
        for number, mode in enumerate(MODES):
            lines.append(f"axm_test {device} {mode} {count} {seed + number} || fail {mode} {port}")
        lines.append(f"axm_test {device} limits || fail limits {port}")
    if ports > 1:
        for port in range(ports):
            lines.append(f"axm_test /dev/axm0c{port} poll {count} {port} & P{port}=$!")
        lines += [f"wait $P{port} || fail together {port}" for port in range(ports)]
    return "\n".join(lines) + "\n"


def rough(times: int, ports: int, bus: str = "pci") -> str:
    """Kill programs, unbind the device while programs use it, unload the module: `times` each."""
    return head(ports, bus) + _rough(times, bus) + CLEAN


def _rough(times: int, bus: str) -> str:
    unbind, bind = f"{driver(bus)}/unbind", f"{driver(bus)}/bind"
    return f"""
n=0
while [ $n -lt {times} ]; do
  axm_test /dev/axm0c0 copy 1000000 $n & P=$!
  sleep 0.2
  rmmod axiometer 2> /dev/null && fail "unloaded while it was open"
  kill -9 $P
  wait $P 2>/dev/null
  axm_test /dev/axm0c0 poll 20 $n > /dev/null || fail "after kill -9 $n"
  n=$((n + 1))
done
echo "killed $n times"
n=0
while [ $n -lt {times} ]; do
  axm_test /dev/axm0c0 copy 1000000 $n 2>/dev/null & P=$!
  sleep 0.1
  echo $SLOT > {unbind}
  wait $P && fail "the program did not fail without a device"
  echo $SLOT > {bind}
  axm_test /dev/axm0c0 unbind {unbind} $SLOT > /dev/null || fail "unbind $n"
  echo $SLOT > {bind}
  axm_test /dev/axm0c0 zero 20 $n > /dev/null || fail "after unbind $n"
  n=$((n + 1))
done
echo "unbound $((2 * n)) times"
n=0
while [ $n -lt {times} ]; do
  rmmod axiometer && insmod /axiometer.ko || fail "unload $n"
  axm_test /dev/axm0c0 copy 20 $n > /dev/null || fail "after unload $n"
  n=$((n + 1))
done
echo "unloaded $n times"
"""


def dead(times: int, ports: int, bus: str = "pci") -> str:
    """The device dies `times` while programs read, write and wait: each program ends with an error.
    Then the device revives and is bound again."""
    return f"{head(ports, bus)}{_dead(times, bus)}rmmod axiometer || fail rmmod\n{_NO_BUG}exit 0\n"


def _dead(times: int, bus: str) -> str:
    return f"""
n=0
while [ $n -lt {times} ]; do
  axm_test /dev/axm0c0 copy 1000000 $n 2> /dev/null & P=$!
  sleep 0.3
  echo "axiometer-vm: the device dies"
  wait $P && fail "the program did not fail without a device"
  axm_test /dev/axm0c0 copy 5 1 2> /dev/null && fail "the dead device could be opened"
  echo $SLOT > {driver(bus)}/unbind
  echo "axiometer-vm: the device lives again"
  sleep 0.3
  echo $SLOT > {driver(bus)}/bind || fail "bind $n"
  axm_test /dev/axm0c0 poll 20 $n > /dev/null || fail "after its death $n"
  n=$((n + 1))
done
echo "died $n times, and each program ended"
"""


def suspend(times: int, ports: int, bus: str = "pci") -> str:
    """Suspend and resume all devices `times` while packets move: the programs continue."""
    return (
        head(ports, bus)
        + f"""
echo 0 > /sys/module/suspend/parameters/pm_test_delay
echo devices > /sys/power/pm_test || fail "this kernel has no test of suspend (CONFIG_PM_DEBUG)"
n=0
while [ $n -lt {times} ]; do
  axm_test /dev/axm0c0 poll 1000000 $n & P=$!
  sleep 0.2
  echo freeze > /sys/power/state || fail "suspend $n"
  sleep 0.2
  kill -0 $P || fail "the program ended while suspended, $n"
  kill -9 $P
  wait $P 2> /dev/null
  axm_test /dev/axm0c0 poll 20 $n > /dev/null || fail "after suspend $n"
  n=$((n + 1))
done
echo "suspended $n times"
"""
        + CLEAN
    )


def fuzz(seconds: int, seed: int, ports: int, bus: str = "pci", lies: bool = False) -> str:
    """Random calls for `seconds` while the device is unbound and bound; on an honest device with
    several channels, a program checks the packets of the last channel."""
    begin, tail = head(ports, bus), CLEAN
    if lies:
        begin = begin.replace("axm_test /dev/axm0c0 info || fail info", "")
        tail = f"rmmod axiometer || fail rmmod\n{_NO_BUG}exit 0\n"
    return begin + _fuzz(seconds, seed, 1 if lies else ports, bus) + tail


def _fuzz(seconds: int, seed: int, ports: int, bus: str) -> str:
    devices = " ".join(f"/dev/axm0c{port}" for port in range(ports))
    places = f"{driver(bus)}/unbind {driver(bus)}/bind $SLOT"
    return f"axm_fuzz {seconds} {seed} {places} {devices} || fail fuzz\n"


def minute(ports: int, seed: int, bus: str = "pci") -> str:
    """A short run of every trial, for a test."""
    return (
        head(ports, bus)
        + _packets(10, ports, seed)
        + _rough(1, bus)
        + _dead(1, bus)
        + _fuzz(8, seed, ports, bus)
        + "rmmod axiometer || fail rmmod\n"
        + _NO_BUG
        + "exit 0\n"
    )


def hostile(times: int, ports: int, bus: str = "pci") -> str:
    """Every mode `times` times on a device that lies: programs get errors or wrong data, and the
    kernel continues. The script prints how many programs ended each way."""
    return (
        head(ports, bus).replace("axm_test /dev/axm0c0 info || fail info", "")
        + f"""
good=0
bad=0
stuck=0
n=0
while [ $n -lt {times} ]; do
  for mode in {" ".join(MODES)}; do
    timeout 2 axm_test /dev/axm0c0 $mode 100 $n > /dev/null 2>&1
    case $? in
      0) good=$((good + 1)) ;;
      143) stuck=$((stuck + 1)) ;;
      *) bad=$((bad + 1)) ;;
    esac
    echo $SLOT > {driver(bus)}/unbind
    echo $SLOT > {driver(bus)}/bind || fail "bind $n"
  done
  n=$((n + 1))
done
echo "of programs on a device that lies $good ended well, $bad with an error, $stuck waited in vain"
[ $bad -gt 0 ] || fail "no program ended with an error"
dmesg | grep -o "axiometer.*channel.*: .*" | sed "s/.*channel [0-9]*: //" | sort | uniq -c
rmmod axiometer || fail rmmod
"""
        + _NO_BUG
        + "exit 0\n"
    )
