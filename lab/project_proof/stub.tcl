# Run by tclsh in the place of a vendor's tool: each command that Tcl does not have is written down (file,
# line, words; in hexadecimal digits, so that no word can be mistaken) and answered as by a tool in
# which all goes well. AXM_ANSWERS has other answers: words and answer, one after the other.
set axm_answers [dict create version 2019.2.1_AR73018 {get_property PROGRESS} 100% \
  {get_property DIRECTORY} runs {get_property SLACK} 0.1 make_wrapper system_wrapper.v \
  current_project project current_fileset fileset get_timing_paths path]
if {[info exists env(AXM_ANSWERS)]} { set axm_answers [dict merge $axm_answers $env(AXM_ANSWERS)] }

proc axm_say {words} {
  set where [list "" 0]
  for {set at [info frame]} {$at > 0} {incr at -1} {
    set frame [info frame $at]
    if {[dict exists $frame file] && [file tail [dict get $frame file]] ne "stub.tcl"} {
      set where [list [dict get $frame file] [dict get $frame line]]
      break
    }
  }
  set said {}
  foreach word [concat $where $words] {
    binary scan [encoding convertto utf-8 $word] H* digits
    lappend said x$digits
  }
  axm_puts stdout [join $said " "]
}
rename puts axm_puts
proc puts {args} {}
proc after {ms} {}

proc unknown {args} {
  # A number in brackets stands for itself: a bit of a pin.
  if {[string is integer -strict [lindex $args 0]]} { return "\[$args\]" }
  axm_say $args
  foreach known [list $args [lrange $args 0 1] [lindex $args 0]] {
    if {[dict exists $::axm_answers $known]} { return [dict get $::axm_answers $known] }
  }
  return [lindex $args end]
}
rename package axm_package
proc package {verb args} {
  if {$verb ne "require"} { return [axm_package $verb {*}$args] }
  axm_say [list package $verb {*}$args]
}
rename file axm_file
proc file {verb args} {
  if {$verb in {copy mkdir delete rename}} {
    axm_say [list file $verb {*}$args]
  } else {
    uplevel 1 [list axm_file $verb {*}$args]
  }
}

if {[catch {source [lindex $argv 0]} message]} { axm_say [list axm_failed $message] }
axm_say axm_done
