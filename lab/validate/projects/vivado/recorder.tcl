# Run by tclsh in the place of Vivado: every command that Tcl does not have is handed, word by word, to
# the process behind stdin and stdout, which answers "ok VALUE" or "error MESSAGE"; all in
# hexadecimal digits of UTF-8, so that no word can be mistaken.
fconfigure stdin -translation lf -buffering line
fconfigure stdout -translation lf -buffering line
rename puts axm_puts

proc axm_hex {text} {
  binary scan [encoding convertto utf-8 $text] H* digits
  return "x$digits"
}

proc axm_call {args} {
  set words {}
  foreach word $args { lappend words [axm_hex $word] }
  set file [axm_where line]
  axm_puts stdout "[axm_hex $file] $line [join $words { }]"
  flush stdout
  if {[gets stdin answer] < 0} { exit 3 }
  set value [encoding convertfrom utf-8 [binary format H* [string range [lindex $answer 1] 1 end]]]
  if {[lindex $answer 0] eq "error"} { error $value }
  return $value
}

# File and line of the script that is at work; frames of this file are passed over.
proc axm_where {name} {
  upvar 1 $name line
  set line 0
  for {set at [info frame]} {$at > 0} {incr at -1} {
    set frame [info frame $at]
    if {[dict exists $frame file] && [file tail [dict get $frame file]] ne "recorder.tcl"} {
      set line [dict get $frame line]
      return [dict get $frame file]
    }
  }
  return ""
}

proc unknown {args} { axm_call {*}$args }
proc puts {args} {
  axm_call puts [lindex $args end]
  return
}
# The bitstream is Vivado's; nothing is there to copy.
rename file axm_file
proc file {verb args} {
  if {$verb in {copy mkdir delete rename}} {
    axm_call file $verb {*}$args
    return
  }
  uplevel 1 [list axm_file $verb {*}$args]
}

set script [lindex $argv 0]
if {[catch {source $script} message]} {
  axm_call axm_failed $message
}
axm_call axm_done
