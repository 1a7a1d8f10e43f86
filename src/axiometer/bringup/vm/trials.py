"""Scripts for the guest that exercise the driver. Each ends with status 0 only if all went well."""

from __future__ import annotations

from axiometer.bringup.vm import machine, packages
from axiometer.bringup.vm.guest import Guest
from axiometer.bringup.vm.guest_programs import Programs

GREETING = "/dev/axm* is there, axm_test exercises it, poweroff -f ends."
MODES = ("copy", "vector", "poll", "zero", "two")
PCI, PLATFORM = (f"/sys/bus/{bus}/drivers/axiometer" for bus in ("pci", "platform"))


def guest(programs: Programs, kernel: str, bus: str, script: str | None) -> Guest:
    """The driver and its test programs, and `script`, or a shell."""
    return Guest(
        packages.listed()["kernels"][kernel]["architecture"],
        (programs.module,),
        {f"bin/{name}": path for name, path in programs.tests.items()},
        "" if bus == "pci" else machine.ENABLE,
        script,
        GREETING,
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


_NO_BUG = """
dmesg | grep -E "BUG|WARNING|Oops" && fail dmesg
"""
CLEAN = """
grep . /sys/class/axm/*/statistics/*
rmmod axiometer || fail rmmod
[ -e /dev/axm0c0 ] && fail "the device file stayed"
dmesg | grep -E "BUG|WARNING|Oops|axiometer.*(with code|the device|does not)" && fail dmesg
exit 0
"""


def packets(count: int, ports: int, bus: str = "pci", seed: int = 1) -> str:
    """`count` packets in each mode on each channel, one after the other, then on all at once."""
    lines = [head(ports, bus)]
    for port in range(ports):
        device = f"/dev/axm0c{port}"
        for number, mode in enumerate(MODES):
            lines.append(f"axm_test {device} {mode} {count} {seed + number} || fail {mode} {port}")
        lines.append(f"axm_test {device} limits || fail limits {port}")
    if ports > 1:
        for port in range(ports):
            lines.append(f"axm_test /dev/axm0c{port} poll {count} {port} & P{port}=$!")
        lines += [f"wait $P{port} || fail together {port}" for port in range(ports)]
    return "\n".join(lines) + CLEAN


def rough(times: int, ports: int, bus: str = "pci") -> str:
    """Programs killed, the device unbound while it is used, the module unloaded: `times` each."""
    unbind, bind = f"{driver(bus)}/unbind", f"{driver(bus)}/bind"
    return (
        head(ports, bus)
        + f"""
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
  wait $P && fail "it went on without a device"
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
        + CLEAN
    )


def dead(ports: int, bus: str = "pci") -> str:
    """The device dies while programs read, write and wait: each ends with an error."""
    return (
        head(ports, bus)
        + """
axm_test /dev/axm0c0 copy 1000000 1 2> /dev/null & P=$!
sleep 0.3
echo "axiometer-vm: the device dies"
wait $P && fail "it went on without a device"
echo "the program ended"
axm_test /dev/axm0c0 copy 5 1 2> /dev/null && fail "it was opened"
rmmod axiometer || fail rmmod
"""
        + _NO_BUG
        + "exit 0\n"
    )


def hostile(times: int, ports: int, bus: str = "pci") -> str:
    """Every mode `times` times on a device that lies: what programs get is an error or wrong data,
    and the kernel goes on. How many ended in which way is printed."""
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
[ $bad -gt 0 ] || fail "it told no lies"
dmesg | grep -o "axiometer.*channel.*: .*" | sed "s/.*channel [0-9]*: //" | sort | uniq -c
rmmod axiometer || fail rmmod
"""
        + _NO_BUG
        + "exit 0\n"
    )
