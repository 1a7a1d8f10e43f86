# U-Boot for boot.cmd, in bash: its shell is much the same. Prints what happens to the board; the
# command number $AXM_FAIL fails. $AXM_WORDS: registers with their words; $AXM_HANDOFF: of the ports
# to a Cyclone V's memory, as `bridge enable` leaves them.
declare -A word=() loaded=()
for pair in $AXM_WORDS; do word[$((${pair%=*}))]=$((${pair#*=})); done
tried=0 axm_from="" bootargs="" axm_back="" loadaddr=0 kernel_addr_r=2000000 fdt_addr_r=1f00000
works() { (( ++tried != AXM_FAIL )); }
number() {
  if [[ $1 != \** ]]; then
    echo $((16#${1#0x}))
  elif register "${1#\*}" && [[ -z ${long:-} ]]; then
    echo "wrong: setexpr reads other than 32 bits" >&2
  fi
}
register() {
  local at=$((16#${1#0x}))
  [[ -n ${word[$at]:-} ]] || echo "wrong: $1 is no register of these ports" >&2
  echo "${word[$at]:-0}"
}
load() { works && loaded[$3]=$4 && filesize=1000 && echo "load $4"; }
fpga() { works && echo "fpga $1 ${loaded[$3]:-nothing}"; }
fdt() {
  case $1 in
  get) bootargs="root=/dev/mmcblk0p2 console=ttyPS0" ;;
  addr) tree=${loaded[$2]:-} && works ;;
  apply) works && [[ ${tree:-} = system.dtb ]] && echo "apply ${loaded[$2]:-nothing}" ;;
  *) works ;;
  esac
}
setenv() { printf -v "$1" %s "$2"; }
setexpr() {
  case ${3:-} in
  "") printf -v "$1" %x "$(number "$2")" ;;
  "&") printf -v "$1" %x "$(($(number "$2") & $(number "$4")))" ;;
  "|") printf -v "$1" %x "$(($(number "$2") | $(number "$4")))" ;;
  esac
}
setexpr.l() { local long=1 && setexpr "$@"; }
mw.l() { register "$1" > /dev/null; word[$((16#${1#0x}))]=$((16#${2#0x})); echo "mw $1"; }
bridge() {
  echo "bridge $1"
  if [[ $1 = enable ]]; then word[$((0xffc25080))]=$AXM_HANDOFF; else word[$((0xffc25080))]=0; fi
}
sleep() { echo "sleep"; }
started() { echo "$1 ${loaded[$2]:-nothing} ${loaded[$4]:-nothing} $bootargs"; }
bootz() { started bootz "$@"; }
booti() { started booti "$@"; }
words() { for at in "${!word[@]}"; do echo "word $1 $at ${word[$at]}"; done; }

set -u
trap 'words ended' EXIT
source "$1"
words after
eval "$axm_back" > /dev/null
