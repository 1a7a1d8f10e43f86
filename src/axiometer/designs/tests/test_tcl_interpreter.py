"""The interpreter of block designs' Tcl: its commands follow Tcl, and it has bounds."""

import time

import pytest

from axiometer.designs.tcl import builtins, texts
from axiometer.designs.tcl.interpreter import Interpreter, TooMuchError
from axiometer.designs.tcl.parser import TclError, items, listed


def tcl(source=lambda name: None):
    return Interpreter({**builtins.FUNCTIONS, **texts.FUNCTIONS}, source)


def value(script, name="x"):
    machine = tcl()
    machine.run(script)
    assert machine.problems == [], machine.problems
    return machine.get(f"::{name}")


# What the Tcl manual says of each.
CASES = {
    "set x [expr {2 + 3 * 4}]": "14",
    "set x [expr {7 / 2}]": "3",
    "set x [expr {-7 / 2}]": "-4",
    "set x [expr {7.0 / 2}]": "3.5",
    "set x [expr {0x10 | 3}]": "19",
    "set x [expr {1 << 4}]": "16",
    'set x [expr {"a" eq "a" && !(1 > 2)}]': "1",
    "set x [expr {3 in {1 2 3}}]": "1",
    "set x [expr {1 ? 5 : [nothing]}]": "5",
    "set x [expr {0 && [nothing]}]": "0",
    "set x [expr int(ceil(log(4096)/log(2)))]": "12",
    "set a 5; set x ${a}b$a": "5b5",
    'set a 1; set x "<$a [string length abc]>"': "<1 3>",
    "set a 1; set x {$a [b]}": "$a [b]",
    "set x [list a {b c} {}]": "a {b c} {}",
    "set x [lindex {a {b c} d} 1]": "b c",
    "set x [lrange {a b c d} 1 end-1]": "b c",
    "set x [join {a b c} ,]": "a,b,c",
    "set x [split a,b,,c ,]": "a b {} c",
    "foreach {a b} {1 2 3} { append x $a-$b. }": "1-2.3-.",
    "for {set i 0} {$i < 4} {incr i} { if {$i == 1} continue; append x $i }": "023",
    "set i 0; while 1 { if {[incr i] > 3} break }; set x $i": "4",
    "proc f {a {b 2} args} { return $a$b[llength $args] }; set x [f 1][f 1 9 8 7]": "120192",
    "proc f {} { global g; set g 4 }; f; set x $g": "4",
    "proc f {n} { upvar $n v; set v 6 }; f x": "6",
    "proc f {n} { if {$n == 0} { return 1 }; expr {$n * [f [expr {$n-1}]]} }; set x [f 5]": "120",
    "set a(k) 3; set k k; set x $a($k)": "3",
    "array set a {p 1 q 2}; set x [lsort [array names a]]": "p q",
    "set d [dict create a 1 b {c 2}]; set x [dict get $d b c]": "2",
    "set x [string map {a 1 b 2} abc]": "12c",
    "set x [format %04d-%s-%x 7 ab 255]": "0007-ab-ff",
    "switch -glob s_axi { s_* {set x slave} default {set x none} }": "slave",
    "switch a { a - b {set x 1} c {set x 2} }": "1",
    "set x [catch {error no} m]$m": "1no",
    "if 0 { set x 1 } elseif {1} { set x 2 } else { set x 3 }": "2",
    "set x [string first b abc]": "1",
    "set x a\\\n   b": None,
    "set x {*}{a}": "a",
    "namespace eval n { proc f {} { return 3 } }; set x [n::f]": "3",
    "# a comment \\\n set x 1\nset x 2": "2",
    "set x [subst {a[string length bc]}]": "a2",
    "set x data[7]": "data[7]",
    "set x 1; exit; set x 2": "1",
}


@pytest.mark.parametrize("script", [s for s, v in CASES.items() if v is not None])
def test_it_is_as_tcl_has_it(script):
    assert value(script) == CASES[script]


@pytest.mark.parametrize(
    "words", [["a", "b c"], [""], ["{"], ["a}b", "c{d}"], ["x\\"], ["#a", "$b", "[c]"]]
)
def test_lists_are_what_they_were_made_of(words):
    assert items(listed(words)) == words


def test_failing_commands_are_reported_with_their_lines_and_skipped():
    machine = tcl()
    machine.run("set a 1\nset b $none\nif {$a} {\n  nosuch 1\n  set c 2\n}\nexpr {1 +}\nset d 3")
    assert [(p.line, p.words) for p in machine.problems] == [
        (2, "the variable none has no value"),
        (4, "the command 'nosuch' is not supported"),
        (7, "an expression is incomplete"),
    ]
    assert (machine.get("::c"), machine.get("::d")) == ("2", "3")


def test_lines_are_those_of_the_file_within_procedures():
    machine = tcl()
    machine.run("proc f {} {\n  set a 1\n  nosuch\n}\n\nf\n")
    assert [p.line for p in machine.problems] == [3]


OUTSIDE = ["exec ls", "open /etc/passwd", "socket a 1", "load x.so", "glob *", "interp create"]
OUTSIDE += ["regexp (a+)+b aaaa", "vwait x", "fconfigure stdout", "unknown x"]


@pytest.mark.parametrize("command", OUTSIDE)
def test_nothing_outside_is_touched(command):
    machine = tcl()
    machine.run(command)
    assert [p.line for p in machine.problems] == [1]
    assert "is not supported" in machine.problems[0].words


def test_a_file_is_only_what_the_caller_gives():
    machine = tcl(lambda name: "set y 5" if name == "a/b.tcl" else None)
    machine.run("source a/b.tcl\nsource /etc/passwd")
    assert machine.get("::y") == "5"
    assert "is not available" in machine.problems[0].words


ENDLESS = {
    "a loop": "while 1 { set a 1 }",
    "a procedure in itself": "proc f {} { f }; f",
    "brackets": "set a " + "[" * 500 + "]" * 500,
    "braces": "set a " + "{" * 5000 + "}" * 5000,
    "a long text": "set a x; while 1 { append a $a }",
    "a repeated text": "set a [string repeat abc 99999999]",
    "a replaced text": "set a [string map {a aaaaaaaaaaaaaaaaaaaaaaaa} [string repeat a 900000]]",
    "itself sourced": "source me",
    "eval of itself": "set s {eval $s}; eval $s",
    "variables": "set i 0; while 1 { set v[incr i] 1 }",
    "an expression": "expr {" + "(" * 5000 + "1" + ")" * 5000 + "}",
    "large numbers": "set a 2; while 1 { set a [expr {$a * $a}] }",
    "a long loop of lists": "set l [split [string repeat ab 200000] b]; while 1 { lsearch $l c }",
    "an upvar of itself": "proc f {} { upvar x x; set x 1; f }; f",
    "a number of many digits": "expr {" + "9" * 39 + " ** 9}",
}


@pytest.mark.parametrize("name", ENDLESS)
def test_it_has_an_end(name):
    script = ENDLESS[name]
    machine = tcl(lambda other: script)
    start = time.process_time()
    try:
        machine.run(script)
    except (TooMuchError, TclError) as error:
        assert str(error)
    assert time.process_time() - start < 20
