"""Tcl's own commands for control: variables, conditions, loops, procedures."""

from __future__ import annotations

from axiometer.designs.tcl import expression
from axiometer.designs.tcl.interpreter import (
    MAX_SOURCES,
    UNKNOWN,
    Interpreter,
    Leave,
    Procedure,
    RaisedError,
    Return,
    Stop,
    TooMuchError,
    known,
)
from axiometer.designs.tcl.parser import TclError, Text, items, listed, parts


def _set(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 1, 2)
    return tcl.get(words[0]) if len(words) == 1 else tcl.set(words[0], words[1])


def _unset(tcl: Interpreter, words: list[str]) -> str:
    for name in words:
        tcl.unset(name)
    return ""


def _append(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 1, 1000)
    return tcl.set(words[0], (tcl.get(words[0]) if tcl.has(words[0]) else "") + "".join(words[1:]))


def _incr(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 1, 2)
    before = tcl.get(words[0]) if tcl.has(words[0]) else "0"
    by = words[1] if len(words) > 1 else "1"
    return tcl.set(words[0], _value(tcl, f"({before}) + ({by})"))


def _expr(tcl: Interpreter, words: list[str]) -> str:
    return _value(tcl, words[0] if len(words) == 1 else " ".join(words))


def _value(tcl: Interpreter, text: str) -> str:
    value, sure = tcl.expression(text)
    return expression.shown(expression.numeric(value)) + ("" if sure else UNKNOWN)


def _if(tcl: Interpreter, words: list[str]) -> str:
    """Conditions that are not known are guessed; if the branch by a guess leaves the script, the
    next is tried, and last those that the guesses passed over."""
    left, line = list(words), tcl.line
    guessed, passed_over = False, []
    while left:
        condition = left.pop(0)
        if left[:1] == ["then"]:
            left.pop(0)
        if not left:
            raise TclError("if without a body")
        body = left.pop(0)
        holds, sure = tcl.holds(condition)
        guessed = guessed or not sure
        if holds:
            value = _branch(tcl, body, guessed, line)
            if value is not None:
                return value
            if sure:
                break
        elif not sure:
            passed_over.append(body)
        if left[:1] == ["elseif"]:
            left.pop(0)
        elif left:
            body = left[1] if left[0] == "else" and len(left) > 1 else left[0]
            value = _branch(tcl, body, guessed, line)
            if value is not None:
                return value
            break
        else:
            return ""
    return next((v for b in passed_over if (v := _branch(tcl, b, True, line)) is not None), "")


def _branch(tcl: Interpreter, body: str, guessed: bool, line: int) -> str | None:
    """The value of a branch; None where it leaves the script by a guess, which does not count."""
    if not guessed:
        return tcl.evaluate(body)
    tcl.guessing += 1
    try:
        return tcl.evaluate(body)
    except (Return, Stop, RaisedError):
        tcl.problem(line, "a condition that only the tool or its caller can tell does not end it")
        return None
    finally:
        tcl.guessing -= 1


def _body(tcl: Interpreter, body: str) -> bool:
    """Run the body of a loop and return whether the loop continues."""
    try:
        tcl.evaluate(body)
    except Leave as leave:
        return leave.again
    return True


def _foreach(tcl: Interpreter, words: list[str]) -> str:
    if len(words) < 3 or len(words) % 2 == 0:
        raise TclError("foreach needs names, a list and a body")
    groups = [
        (items(n) or [""], items("" if values == UNKNOWN else values))
        for n, values in zip(words[:-1:2], words[1:-1:2], strict=True)
    ]
    rounds = max(-(-len(values) // len(names)) for names, values in groups)
    for number in range(rounds):
        for names, values in groups:
            for place, name in enumerate(names):
                at = number * len(names) + place
                tcl.set(name, values[at] if at < len(values) else "")
        tcl.step()
        if not _body(tcl, words[-1]):
            break
    return ""


def _while(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 2, 2)
    while all(tcl.holds(words[0])) and _body(tcl, words[1]):
        tcl.step()
    return ""


def _for(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 4, 4)
    tcl.evaluate(words[0])
    while all(tcl.holds(words[1])) and _body(tcl, words[3]):
        tcl.step()
        tcl.evaluate(words[2])
    return ""


def _switch(tcl: Interpreter, words: list[str]) -> str:
    left = list(words)
    exact = True
    while left and left[0].startswith("-") and len(left) > 2:
        option = left.pop(0)
        if option == "-glob":
            exact = False
        elif option == "-regexp":
            raise TclError("switch -regexp is not supported")
        elif option == "--":
            break
    if len(left) < 2:
        raise TclError("switch needs a value and cases")
    value, cases = known(left[0]), items(left[1]) if len(left) == 2 else left[1:]
    for number in range(0, len(cases) - 1, 2):
        pattern = cases[number]
        same = pattern == value if exact else expression.matches(pattern, value)
        if same or (pattern == "default" and number == len(cases) - 2):
            body = next((b for b in cases[number + 1 :: 2] if b != "-"), "")
            return _branch(tcl, body, value != left[0], tcl.line) or ""
    return ""


def _proc(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 3, 3)
    name = words[0].removeprefix("::")
    if tcl.namespace and "::" not in name:
        name = f"{tcl.namespace}::{name}"
    if name in tcl.kept:
        return ""
    parameters = [items(each) for each in items(words[1])]
    if len(tcl.procedures) > 2000:
        raise TooMuchError("more than 2000 procedures")
    tcl.procedures[name] = Procedure(
        tuple((p[0] if p else "", p[1] if len(p) > 1 else None) for p in parameters),
        words[2],
        tcl.script,
    )
    return ""


def _return(tcl: Interpreter, words: list[str]) -> str:
    if words[:2] == ["-code", "error"]:
        raise RaisedError(words[2][:200] if len(words) > 2 else "return -code error")
    raise Return(words[-1] if words else "")


def _break(tcl: Interpreter, words: list[str]) -> str:
    raise Leave(again=False)


def _continue(tcl: Interpreter, words: list[str]) -> str:
    raise Leave(again=True)


def _catch(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 1, 3)
    tcl.caught += 1
    try:
        value, failed = tcl.evaluate(words[0]), "0"
    except TclError as error:
        value, failed = str(error), "1"
    except Return as done:
        value, failed = done.value, "2"
    finally:
        tcl.caught -= 1
    if len(words) > 1:
        tcl.set(words[1], value)
    return failed


def _error(tcl: Interpreter, words: list[str]) -> str:
    raise RaisedError(words[0][:200].rstrip(" .") if words else "error")


def _exit(tcl: Interpreter, words: list[str]) -> str:
    raise Stop


def _global(tcl: Interpreter, words: list[str]) -> str:
    for name in words:
        tcl.link(name.removeprefix("::"), tcl.frames[0], name.removeprefix("::"))
    return ""


def _variable(tcl: Interpreter, words: list[str]) -> str:
    for name, value in zip(words[::2], [*words[1::2], None], strict=False):
        _global(tcl, [name])
        if value is not None:
            tcl.set(name, value)
    return ""


def _level(tcl: Interpreter, words: list[str]) -> tuple[int, list[str]]:
    """The number of the frame that a level names, and the words after it."""
    first = words[0] if words else ""
    if first.startswith("#") and first[1:].isdigit():
        return min(int(first[1:3]), len(tcl.frames) - 1), words[1:]
    if first.isdigit():
        return max(0, len(tcl.frames) - 1 - int(first[:3])), words[1:]
    return max(0, len(tcl.frames) - 2), words


def _upvar(tcl: Interpreter, words: list[str]) -> str:
    at, left = _level(tcl, words)
    for other, name in zip(left[::2], left[1::2], strict=False):
        tcl.link(name, tcl.frames[at], other)
    return ""


def _uplevel(tcl: Interpreter, words: list[str]) -> str:
    at, left = _level(tcl, words)
    frames, tcl.frames = tcl.frames, tcl.frames[: at + 1]
    try:
        return tcl.evaluate(left[0] if len(left) == 1 else " ".join(left))
    finally:
        tcl.frames = frames


def _eval(tcl: Interpreter, words: list[str]) -> str:
    return tcl.evaluate(words[0] if len(words) == 1 else " ".join(words))


def _subst(tcl: Interpreter, words: list[str]) -> str:
    if not words:
        return ""
    return "".join(map(tcl.part, parts(words[-1], tcl.line)))


def _namespace(tcl: Interpreter, words: list[str]) -> str:
    if words[:1] == ["current"]:
        return f"::{tcl.namespace}"
    if words[:1] != ["eval"] or len(words) != 3:
        return ""
    before, tcl.namespace = tcl.namespace, words[1].removeprefix("::")
    try:
        return tcl.evaluate(words[2])
    finally:
        tcl.namespace = before


def _info(tcl: Interpreter, words: list[str]) -> str:
    kind, name = (words + ["", ""])[:2]
    if kind == "exists":
        return str(int(tcl.has(name)))
    if kind in ("commands", "procs"):
        known = name.removeprefix("::")
        is_command = known in tcl.functions and kind == "commands"
        return known if known in tcl.procedures or is_command else ""
    if kind == "script":
        return tcl.script
    if kind == "level":
        return str(len(tcl.frames) - 1)
    if kind == "hostname" or kind == "nameofexecutable" or kind == "patchlevel":
        return ""
    raise TclError(f"info {kind[:20]} is not supported")


def _source(tcl: Interpreter, words: list[str]) -> str:
    name = known(words[-1]) if words else ""
    text = tcl.read_source(name)
    if text is None:
        raise TclError(f"the sourced file {name[-80:]!r} is not available")
    tcl.sources += 1
    if tcl.sources > MAX_SOURCES:
        raise TooMuchError(f"more than {MAX_SOURCES} files are sourced")
    before = tcl.script
    tcl.script = name[-80:]
    line = tcl.line
    try:
        return tcl.evaluate(Text(text, 1))
    except Return as done:
        return done.value
    finally:
        tcl.script, tcl.line = before, line


def _array(tcl: Interpreter, words: list[str]) -> str:
    _most(words, 2, 3)
    kind, name = words[:2]
    table = tcl.array(name)
    if kind == "set" and len(words) == 3:
        pairs = items(words[2])
        for key, value in zip(pairs[::2], pairs[1::2], strict=False):
            tcl.set(f"{name}({key})", value)
        return ""
    if kind == "exists":
        return str(int(bool(table)))
    if kind == "size":
        return str(len(table))
    if kind == "names":
        return listed(list(table))
    if kind == "get":
        return listed([word for pair in table.items() for word in pair])
    if kind == "unset":
        tcl.unset(name)
        return ""
    raise TclError(f"array {kind[:20]} is not supported")


def _most(words: list[str], least: int, most: int) -> None:
    if not least <= len(words) <= most:
        raise TclError(f"{len(words)} arguments instead of {least} to {most}")


FUNCTIONS = {
    "set": _set, "unset": _unset, "append": _append, "incr": _incr, "expr": _expr, "if": _if,
    "foreach": _foreach, "while": _while, "for": _for, "switch": _switch, "proc": _proc,
    "return": _return, "break": _break, "continue": _continue, "catch": _catch, "error": _error,
    "exit": _exit, "global": _global, "variable": _variable, "upvar": _upvar, "uplevel": _uplevel,
    "eval": _eval, "subst": _subst, "namespace": _namespace, "info": _info, "source": _source,
    "array": _array,
}  # fmt: skip
