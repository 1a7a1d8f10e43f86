"""Scripts for the board's Linux and any POSIX shell, including busybox's."""

from __future__ import annotations

from axiometer.bringup import devmem
from axiometer.bringup.projects import NEVER_RUN, boot
from axiometer.bringup.projects.plan import Plan


def afi(plan: Plan) -> str:
    """The script that sets the widths of the ports and restores the old ones."""
    table = "\n".join(
        f"{w.name} {w.address:#010x} {w.keep:#010x} {w.value:#010x}" for w in boot.widths(plan)
    )
    sources = "\n".join(dict.fromkeys(f"#   {w.source}" for w in boot.widths(plan)))
    return f"""\
#!/bin/sh
# Widths of the ports of {plan.module.name} on {plan.title}, as root:
#   afi.sh set    sets the design's widths and saves the old ones in $AXM_STATE
#   afi.sh back   restores the old widths
#   afi.sh show   prints the present widths
# Written by Axiometer; {NEVER_RUN}, nor on a board. Load the bitstream first;
# no transfer may be under way.
{sources}
set -eu
state=${{AXM_STATE:-/run/axm-afi}}

# name, address, unchanged bits, set bits
table() {{
  cat <<'END'
{table}
END
}}

stop() {{
  echo "afi.sh: $1" >&2
  exit 1
}}

{devmem.SHELL}command -v devmem > /dev/null || stop "{devmem.LACKING}"

# Called in a command substitution, where stop ends only the subshell: callers exit after it.
word() {{
  devmem "$1" 32 || stop "$1 cannot be read: run this as root"
}}

case ${{1:-}} in
set)
  [ ! -e "$state" ] || stop "the widths are already set ($state): run afi.sh back first"
  # All old values are saved before the first change.
  table | while read -r name address keep value; do
    [ -n "$name" ] || continue
    was=$(word "$address") || exit 1
    echo "$address $was"
  done > "$state.new" || {{ rm -f "$state.new"; exit 1; }}
  mv "$state.new" "$state"
  table | while read -r name address keep value; do
    [ -n "$name" ] || continue
    was=$(word "$address") || exit 1
    new=$(printf '0x%08x' $(( (was & keep) | value )))
    devmem "$address" 32 "$new" || stop "$name at $address cannot be written"
    now=$(word "$address") || exit 1
    [ $(( now )) -eq $(( new )) ] || stop "$name at $address is $now, not $new"
    echo "$name: $was -> $now"
  done
  ;;
back)
  [ -e "$state" ] || stop "the widths are not set: $state does not exist"
  while read -r address was; do
    # Unchanged registers are not written: a failed set may have stopped at one that cannot be.
    [ $(( $(word "$address") )) -eq $(( was )) ] || devmem "$address" 32 "$was" ||
      stop "$address cannot be written"
  done < "$state"
  rm "$state"
  ;;
show)
  table | while read -r name address keep value; do
    [ -n "$name" ] || continue
    now=$(word "$address") || exit 1
    echo "$name at $address: $now"
  done
  ;;
*)
  stop "usage: afi.sh set, back or show"
  ;;
esac
"""


def overlay(plan: Plan) -> str:
    """The script that loads and unloads the overlays through configfs, and sets the widths of the
    ports between them."""
    return f"""\
#!/bin/sh
# The overlays of {plan.module.name} on {plan.title}, as root, with afi.sh,
# bitstream.dtbo, axm.dtbo and system.bit.bin beside this script:
#   overlay.sh load     programs the fabric, sets the ports' widths, creates the devices
#   overlay.sh unload   removes the devices, restores the widths; the fabric keeps its bitstream
# Written by Axiometer; {NEVER_RUN}, nor on a board. The kernel must support
# overlays in configfs (AMD's kernels do).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
config=${{AXM_CONFIGFS:-/sys/kernel/config}}
firmware=${{AXM_FIRMWARE:-/lib/firmware}}
overlays=$config/device-tree/overlays

stop() {{
  echo "overlay.sh: $1" >&2
  exit 1
}}

# Applies NAME.dtbo; leaves nothing of a refused overlay.
apply() {{
  mkdir "$overlays/$1"
  if cat "$here/$1.dtbo" > "$overlays/$1/dtbo" && [ "$(cat "$overlays/$1/status")" = applied ]; then
    return 0
  fi
  rmdir "$overlays/$1"
  return 1
}}

case ${{1:-}} in
load)
  [ -d "$config/device-tree" ] || mount -t configfs none "$config" 2> /dev/null || true
  [ -d "$overlays" ] || stop "this kernel has no overlays in configfs ($overlays)"
  [ ! -d "$overlays/bitstream" ] || stop "already loaded: run overlay.sh unload first"
  for file in bitstream.dtbo axm.dtbo system.bit.bin; do
    [ -e "$here/$file" ] || stop "$file is missing in $here: docs/build.md says how to make it"
  done
  mkdir -p "$firmware"
  cp "$here/system.bit.bin" "$firmware/system.bit.bin"
  apply bitstream || stop "the kernel refused bitstream.dtbo: dmesg has the reason"
  # Now the bitstream is loaded, and no driver uses the design yet.
  "$here/afi.sh" set || {{
    rmdir "$overlays/bitstream"
    "$here/afi.sh" back 2> /dev/null || true
    stop "the widths are not set; bitstream.dtbo is unloaded"
  }}
  apply axm || {{
    "$here/afi.sh" back
    rmdir "$overlays/bitstream"
    stop "the kernel refused axm.dtbo: dmesg has the reason"
  }}
  ;;
unload)
  [ -d "$overlays/bitstream" ] || stop "the overlays are not loaded"
  # Devices first: their drivers stop transfers that are under way.
  [ ! -d "$overlays/axm" ] || rmdir "$overlays/axm"
  "$here/afi.sh" back
  rmdir "$overlays/bitstream"
  ;;
*)
  stop "usage: overlay.sh load or unload"
  ;;
esac
"""
