"""Scripts for the board's Linux, for any POSIX shell, busybox's too."""

from __future__ import annotations

from axiometer.bringup.projects import NEVER_RUN, boot
from axiometer.bringup.projects.plan import Plan


def afi(plan: Plan) -> str:
    """Sets the widths of the ports, and puts back what was there."""
    table = "\n".join(
        f"{w.name} {w.address:#010x} {w.keep:#010x} {w.value:#010x}" for w in boot.widths(plan)
    )
    sources = "\n".join(dict.fromkeys(f"#   {w.source}" for w in boot.widths(plan)))
    return f"""\
#!/bin/sh
# Widths of the ports of {plan.module.name} on {plan.title}, as root:
#   afi.sh set    what the design has; what was there is kept in $AXM_STATE
#   afi.sh back   what was there
#   afi.sh show   what is there
# Written by Axiometer; {NEVER_RUN}, nor on a board. The bitstream must be loaded,
# and nothing may move data.
{sources}
set -eu
state=${{AXM_STATE:-/run/axm-afi}}

# name, address, bits that stay, bits that are set
table() {{
  cat <<'END'
{table}
END
}}

stop() {{
  echo "afi.sh: $1" >&2
  exit 1
}}

command -v devmem > /dev/null || stop "there is no devmem: install busybox's"

# Reads in a command substitution: a register that cannot be read ends the script there.
word() {{
  devmem "$1" 32 || stop "$1 cannot be read: are you root?"
}}

case ${{1:-}} in
set)
  [ ! -e "$state" ] || stop "they are set already ($state): afi.sh back first"
  # All that was there is kept before anything is changed.
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
  [ -e "$state" ] || stop "nothing is kept in $state: nothing was set"
  while read -r address was; do
    # One that was never changed needs no writing, and may be the one that cannot be written.
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
  stop "say set, back or show"
  ;;
esac
"""


def overlay(plan: Plan) -> str:
    """Loads and unloads the overlays through configfs, with the widths of the ports between."""
    return f"""\
#!/bin/sh
# The overlays of {plan.module.name} on {plan.title}, as root, where afi.sh,
# bitstream.dtbo, axm.dtbo and system.bit.bin are beside this script:
#   overlay.sh load     programs the fabric, sets the ports' widths, makes the devices
#   overlay.sh unload   takes the devices away, puts the widths back; the fabric stays as it is
# Written by Axiometer; {NEVER_RUN}, nor on a board. The kernel must have
# overlays in configfs (AMD's have).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
config=${{AXM_CONFIGFS:-/sys/kernel/config}}
firmware=${{AXM_FIRMWARE:-/lib/firmware}}
overlays=$config/device-tree/overlays

stop() {{
  echo "overlay.sh: $1" >&2
  exit 1
}}

# Applies NAME.dtbo; one that is refused leaves nothing.
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
  [ ! -d "$overlays/bitstream" ] || stop "it is loaded already: overlay.sh unload first"
  for file in bitstream.dtbo axm.dtbo system.bit.bin; do
    [ -e "$here/$file" ] || stop "$file is missing here: docs/build.md has how it is made"
  done
  mkdir -p "$firmware"
  cp "$here/system.bit.bin" "$firmware/system.bit.bin"
  apply bitstream || stop "the kernel refused bitstream.dtbo: dmesg says why"
  # The bitstream is there now, and no driver of the design has looked at it yet.
  "$here/afi.sh" set || {{
    rmdir "$overlays/bitstream"
    "$here/afi.sh" back 2> /dev/null || true
    stop "the widths are not set: the overlay is unloaded again"
  }}
  apply axm || {{
    "$here/afi.sh" back
    rmdir "$overlays/bitstream"
    stop "the kernel refused axm.dtbo: dmesg says why"
  }}
  ;;
unload)
  [ -d "$overlays/bitstream" ] || stop "it is not loaded"
  # First the devices: their drivers end what is under way.
  [ ! -d "$overlays/axm" ] || rmdir "$overlays/axm"
  "$here/afi.sh" back
  rmdir "$overlays/bitstream"
  ;;
*)
  stop "say load or unload"
  ;;
esac
"""
