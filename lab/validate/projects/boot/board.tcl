# A board for scripts over JTAG: the words of xsdb (UG1400) and OpenOCD that they use, checked and
# told. Run by tclsh: board.tcl SCRIPT "ADDRESS WORD ..." SYSTEM CORE OPENOCD_CORE, in a project's copy.
lassign $argv script words system core openocd_core
array set memory {}
foreach {address word} $words { set memory([expr {$address}]) [expr {$word}] }
set connected 0
set target ""
set back 0

proc axm_event {kind args} {
  global connected back target system core
  if {$kind eq "connect"} { set connected 1 }
  if {$back} { return }
  puts "$kind $args"
}
proc axm_wrong {what} { puts "wrong $what" }
proc axm_file {name} {
  if {![file exists $name]} { axm_wrong "there is no file $name" }
}
proc axm_word {address} {
  global memory connected
  set at [expr {$address}]
  if {!$connected} { axm_wrong "[format 0x%08x $at] is touched before processor and fabric are connected" }
  if {![info exists memory($at)]} {
    axm_wrong "[format 0x%08x $at] is no width of these ports"
    set memory($at) 0
  }
  return $memory($at)
}
proc axm_write {address word} {
  global memory
  axm_word $address
  if {$word < 0 || $word > 0xFFFFFFFF} { axm_wrong "$word is no word of 32 bits" }
  set memory([expr {$address}]) [expr {$word & 0xFFFFFFFF}]
  axm_event width [format 0x%08x $address]
}

if {[string match *.tcl $script]} {
  proc connect {args} { set ::line 1 }
  proc targets {args} {
    global target system core
    if {![info exists ::line]} { axm_wrong "targets before connect" }
    if {![regexp {^-set -nocase -filter \{name =~ "(.*)"\}$} $args -> target]} {
      axm_wrong "targets $args"
    }
    if {$target ni [list $system $core]} { axm_wrong "there is no target $target" }
    if {$target eq $core} { axm_event core $target }
  }
  proc rst {args} {
    if {$args eq "-system"} { axm_event reset system } \
    elseif {$args ne "-processor" || $::target ne $::core} { axm_wrong "rst $args at $::target" }
  }
  proc fpga {option file} {
    if {$option ni {-file -f}} { axm_wrong "fpga $option" }
    axm_file $file
    axm_event bitstream [file tail $file]
  }
  proc mrd {args} {
    if {[lrange $args 0 end-1] ne "-force -value"} { axm_wrong "mrd $args" }
    return [axm_word [lindex $args end]]
  }
  proc mwr {args} {
    if {[lrange $args 0 end-2] ne "-force"} { axm_wrong "mwr $args" }
    axm_write [lindex $args end-1] [lindex $args end]
  }
  proc dow {file} {
    if {$::target ne $::core} { axm_wrong "dow at $::target" }
    axm_file $file
    axm_event program [file tail $file]
  }
  proc con {args} { axm_event go {*}$args }
} else {
  proc find {name} {
    if {$name ne "target/zynq_7000.cfg"} { axm_wrong "OpenOCD has no $name" }
    return /dev/null
  }
  proc init {} {}
  proc reset {what} {
    if {$what ne "halt"} { axm_wrong "reset $what" }
    axm_event reset $what
  }
  proc targets {name} {
    if {$name ne $::openocd_core} { axm_wrong "there is no target $name" }
    axm_event core $name
  }
  proc pld {verb device file} {
    if {$verb ne "load" || $device ne "zynq_pl.pld"} { axm_wrong "pld $verb $device" }
    axm_file $file
    axm_event bitstream [file tail $file]
  }
  proc sleep {ms} {}
  proc read_memory {address width count} {
    if {$width != 32 || $count != 1} { axm_wrong "read_memory of $width bits, $count times" }
    return [format 0x%x [axm_word $address]]
  }
  proc mww {address word} { axm_write $address $word }
  proc load_image {file} {
    axm_file $file
    axm_event program [file tail $file]
  }
  proc resume {} { axm_event go }
}
rename after axm_after
proc after {ms} {}

if {[catch {source [file join boot $script]} message]} { axm_wrong $message }
foreach at [array names memory] { puts "after $at $memory($at)" }
set back 1
if {[catch {axm_back} message]} { axm_wrong "axm_back: $message" }
foreach at [array names memory] { puts "back $at $memory($at)" }
