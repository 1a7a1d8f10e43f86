# Trials of the Linux driver, for the guest: trials.py calls these functions, and ends each script with
# one of `clean`, `late`, `no_bug`. PORTS: channels of the design. BUS: pci or platform. LIES: the device does.
DRIVER=/sys/bus/$BUS/drivers/axiometer
CHANNEL=/dev/axm0c0
MODES="copy vector poll zero two"
# The kernel's reports of faults: KASAN, UBSAN, lockdep, DMA-API debugging, an interrupt given up.
REPORTS="BUG|WARNING|Oops|UBSAN|DMA-API: .*: |INFO: |possible .*deadlock|unreferenced object|nobody cared"

fail() { echo "failed: $*"; grep . /sys/class/axm/*/statistics/*; dmesg | tail -20; exit 1; }

begin() {
  [ "$(ls /dev/axm0c* | wc -l)" = $PORTS ] || fail "channels: $(ls /dev/axm*)"
  uname -r
  [ -n "$LIES" ] || axm_test $CHANNEL info || fail info
  SLOT=$(basename $(readlink -f /sys/class/axm/axm0c0/device))
  [ -e $DRIVER/$SLOT ] || fail "bus: $SLOT"
  echo "$SLOT, $(grep axiometer /proc/interrupts)"
  dmesg -n 1
}

unload() {
  rmmod axiometer || fail rmmod
  [ ! -e $CHANNEL ] || fail "the device file still exists"
}

reports() {
  dmesg | grep -E "$REPORTS" && fail dmesg
  exit 0
}

# Leaks need kmemleak, which reports memory older than five seconds.
leaks() {
  LEAKS=/sys/kernel/debug/kmemleak
  [ -e $LEAKS ] || return 0
  sleep 6
  echo scan > $LEAKS; echo scan > $LEAKS
  grep . $LEAKS && fail "memory leaks"
  echo "no memory leaks"
}

no_bug() { unload; leaks; reports; }

# The end of a trial whose interrupts do not all come.
late() {
  grep . /sys/class/axm/*/statistics/*
  unload
  dmesg | grep -E "axiometer.*(with code|the device|does not)" && fail dmesg
  leaks; reports
}

clean() {
  grep -v "^0$" /sys/class/axm/*/statistics/missed && fail "interrupts did not come"
  late
}

# Modes of axm_test, each with its arguments.
tries() {
  for mode in "$@"; do
    timeout 120 axm_test $CHANNEL $mode || fail $mode
  done
}

# Packets in each mode on each channel in turn, then on all channels together.
packets() { # COUNT SEED
  for port in $(seq 0 $((PORTS - 1))); do
    seed=$2
    for mode in $MODES; do
      axm_test /dev/axm0c$port $mode $1 $seed || fail $mode $port
      seed=$((seed + 1))
    done
    axm_test /dev/axm0c$port limits || fail limits $port
  done
  [ $PORTS -gt 1 ] || return 0
  all=
  for port in $(seq 0 $((PORTS - 1))); do
    axm_test /dev/axm0c$port poll $1 $port & all="$all $!"
  done
  for one in $all; do wait $one || fail together; done
}

# Programs are killed, the device is unbound while they use it, the module is unloaded.
rough() { # TIMES
  for n in $(seq $1); do
    axm_test $CHANNEL copy 1000000 $n & P=$!
    sleep 0.2
    rmmod axiometer 2> /dev/null && fail "unloaded while it was open"
    kill -9 $P
    wait $P 2> /dev/null
    axm_test $CHANNEL poll 20 $n > /dev/null || fail "after kill -9 $n"
  done
  echo "killed $1 times"
  for n in $(seq $1); do
    axm_test $CHANNEL copy 1000000 $n 2> /dev/null & P=$!
    sleep 0.1
    echo $SLOT > $DRIVER/unbind
    wait $P && fail "the program did not fail without a device"
    echo $SLOT > $DRIVER/bind
    axm_test $CHANNEL unbind $DRIVER/unbind $SLOT > /dev/null || fail "unbind $n"
    echo $SLOT > $DRIVER/bind
    axm_test $CHANNEL zero 20 $n > /dev/null || fail "after unbind $n"
  done
  echo "unbound $((2 * $1)) times"
  for n in $(seq $1); do
    rmmod axiometer && insmod /axiometer.ko || fail "unload $n"
    axm_test $CHANNEL copy 20 $n > /dev/null || fail "after unload $n"
  done
  echo "unloaded $1 times"
}

# The device dies while programs read, write and wait: each ends with an error. Then it revives.
dead() { # TIMES
  for n in $(seq $1); do
    axm_test $CHANNEL copy 1000000 $n 2> /dev/null & P=$!
    sleep 0.3
    echo "$DIES"
    wait $P && fail "the program did not fail without a device"
    axm_test $CHANNEL copy 5 1 2> /dev/null && fail "the dead device could be opened"
    echo $SLOT > $DRIVER/unbind
    echo "$LIVES"
    sleep 0.3
    echo $SLOT > $DRIVER/bind || fail "bind $n"
    axm_test $CHANNEL poll 20 $n > /dev/null || fail "after its death $n"
  done
  echo "died $1 times, and each program ended"
}

sleeps() {
  echo 0 > /sys/module/suspend/parameters/pm_test_delay
  echo devices > /sys/power/pm_test && echo freeze > /sys/power/state || fail suspend
}

# All devices are suspended while packets move: the programs continue.
suspend() { # TIMES
  for n in $(seq $1); do
    axm_test $CHANNEL poll 1000000 $n & P=$!
    sleep 0.2
    sleeps
    sleep 0.2
    kill -0 $P || fail "the program ended while suspended, $n"
    kill -9 $P
    wait $P 2> /dev/null
    axm_test $CHANNEL poll 20 $n > /dev/null || fail "after suspend $n"
  done
  echo "suspended $1 times"
}

suspended_packets() {
  axm_test $CHANNEL copy 400 5 & P=$!
  for n in 1 2 3; do sleep 0.3; sleeps; done
  wait $P || fail "packets were lost over a suspend"
}

# Random calls while the device is unbound and bound; a program checks the packets of the last
# channel, if there are several and the device is honest.
fuzz() { # SECONDS SEED
  devices=$CHANNEL
  [ -n "$LIES" ] || devices=$(echo /dev/axm0c*)
  axm_fuzz $1 $2 $DRIVER/unbind $DRIVER/bind $SLOT $devices || fail fuzz
}

# Every mode on a device that lies: programs get errors or wrong data, and the kernel continues.
hostile() { # TIMES
  good=0 bad=0 stuck=0
  for n in $(seq $1); do
    for mode in $MODES; do
      timeout 2 axm_test $CHANNEL $mode 100 $n > /dev/null 2>&1
      case $? in
        0) good=$((good + 1)) ;;
        143) stuck=$((stuck + 1)) ;;
        *) bad=$((bad + 1)) ;;
      esac
      echo $SLOT > $DRIVER/unbind
      echo $SLOT > $DRIVER/bind || fail "bind $n"
    done
  done
  echo "on a device that lies $good programs ended well, $bad with an error, $stuck waited in vain"
  [ $bad -gt 0 ] || fail "no program ended with an error"
  killall -9 axm_test 2> /dev/null # what a program forked that failed before it
  sleep 0.5
  dmesg | grep -o "axiometer.*channel.*: .*" | sed "s/.*channel [0-9]*: //" | sort | uniq -c
}

# poll is woken when the device goes.
hangup() {
  axm_test $CHANNEL hangup & P=$!
  sleep 0.5
  echo $SLOT > $DRIVER/unbind
  wait $P || fail "poll was not woken when the device was unbound"
  echo $SLOT > $DRIVER/bind
  axm_test $CHANNEL hangup & P=$!
  sleep 0.5
  echo "$DIES"
  wait $P || fail "poll was not woken when the device died"
  unload
}

# Debian's kernel has huge pages; our own has dma-heaps, and complains of segments that are longer
# than the driver says.
memory() {
  HUGE=/sys/kernel/mm/hugepages HEAP=/dev/dma_heap/system
  [ -e $HUGE ] || [ -e $HEAP ] || fail "no memory for it in this kernel"
  if [ -e $HUGE ]; then
    echo 1 > $HUGE/hugepages-32768kB/nr_hugepages
    echo 8 > $HUGE/hugepages-2048kB/nr_hugepages
    tries "import 20 1" "pinned 20 1" far
  fi
  [ ! -e $HEAP ] || tries "heap 20 1"
}

# All that a file may have of a device that goes.
gone() {
  for state in well dead; do
    for unread in 0 1 3; do
      for copy in none rings read-late read-never write-late write-never; do
        how="$state $unread $copy"
        timeout 60 axm_test $CHANNEL gone $DRIVER/unbind $SLOT $how || fail gone $how
        echo "$LIVES"
        sleep 0.2
        echo $SLOT > $DRIVER/bind || fail "bind after gone $how"
      done
    done
  done
  unload; reports
}

again() { # OPTION
  rmmod axiometer
  insmod /axiometer.ko $1
}

# Locked pages do not move, so memory has too few large pieces for the largest rings.
pieces() {
  echo 0 > /proc/sys/vm/compact_unevictable_allowed
  again ring_log2=8
}

# The register of a clock's gate is an output of mainline's gpio-mmio, which is bound here: at boot it
# would have its address before the PCI host has the window around it. Until then our driver waits.
gate() { # ADDRESS
  cd /sys/bus/platform/devices/$1.gpio || exit 1
  echo basic-mmio-gpio > driver_override
  echo $1.gpio > /sys/bus/platform/drivers_probe
  cd /
  for n in $(seq 50); do [ -e $CHANNEL ] || sleep 0.1; done
}

rests() {
  sleep 0.3
  [ "$(cat /sys/devices/platform/$SLOT/power/runtime_status)" = suspended ] || fail "clock: $*"
}

# The clock is on only while a file is open; programs are killed while they wait for an interrupt.
clocks() {
  rests "it is on before a file is open"
  for mode in "copy 5 1" "poll 5 1"; do
    tries "$mode"
    axm_test $CHANNEL hangup & P=$!
    sleep 0.3
    kill -9 $P
    wait $P 2> /dev/null
    rests "it is on after $mode"
    sleep 2
  done
  tries "early $DRIVER/unbind $DRIVER/bind $SLOT"
  for n in 1 2; do
    rests "it is on after a suspend"
    sleeps
  done
  tries "copy 2 1"
}
