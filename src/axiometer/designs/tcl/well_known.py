"""Procedures by which well-known projects (red-pitaya-notes, Koheron) build block designs.

Their scripts use them without sourcing them. A file that defines its own replaces these.
"""

import re

SCRIPT = """
proc wire {one other} { connect_bd_net $one $other }
proc cell {vlnv name {settings {}} {joined {}}} {
  set made [create_bd_cell -type ip -vlnv $vlnv $name]
  foreach {key value} [uplevel 1 [list subst $settings]] { set_property CONFIG.$key $value $made }
  foreach {pin other} [uplevel 1 [list subst $joined]] { wire $name/$pin $other }
}
proc module {name body {joined {}}} {
  set before [current_bd_instance .]
  current_bd_instance [create_bd_cell -type hier $name]
  eval $body
  current_bd_instance $before
  foreach {pin other} [uplevel 1 [list subst $joined]] { wire $name/$pin $other }
}
"""
_CELL = re.compile(rb"^\s*cell\s+[\w.-]+:[\w.-]+:[\w.-]+", re.M)


def uses(content: bytes) -> bool:
    """Whether a script calls these procedures."""
    return _CELL.search(content) is not None
