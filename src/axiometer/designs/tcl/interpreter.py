"""A bounded interpreter of the part of Tcl that block designs use.

It opens no file, starts no program and has only the commands of its caller, who also supplies the
texts of sourced files. Unknown and failing commands are listed by line and skipped. Steps, depth
and the length of values are bounded, because a file may be hostile.

What only the tool or the caller knows (board files, argv, the environment) has an empty value with
the mark UNKNOWN, which values made of it keep. A condition on such a value is guessed, and a branch
that would leave the script or procedure by it does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field

from axiometer.designs.tcl import expression
from axiometer.designs.tcl.parser import (
    Command,
    Part,
    Script,
    TclError,
    Text,
    Word,
    commands,
    items,
    listed,
)

MAX_STEPS = 50_000  # evaluated commands; a generated design of 250 kB has 4 000
MAX_DEPTH = 40  # of nested procedures, bodies and brackets
MAX_LETTERS = 8 * 2**20  # letters in all words of all commands; that design has 1.4 million
MAX_VALUE = 2**20  # letters of one value
MAX_PROBLEMS = 200
MAX_SOURCES = 50
MAX_VARIABLES = 50_000
_LETTERS = 20  # cost of visiting a cell
_OF_CALLER = ("argv", "argc", "env")
_BITS = re.compile(r"\d{1,5}(?::\d{1,5})?|\*")
UNKNOWN = "\ue000"  # a private character of Unicode


def known(text: str) -> str:
    """A value without its mark: the guess."""
    return text.replace(UNKNOWN, "") if UNKNOWN in text else text


class TooMuchError(Exception):
    """A bound on the script is exceeded; the message names it."""


class Return(Exception):  # noqa: N818 - leaves a procedure, and is no error
    """`return`, with its value."""

    def __init__(self, value: str) -> None:
        super().__init__()
        self.value = value


class Leave(Exception):  # noqa: N818 - leaves a loop, and is no error
    """`break`, or `continue` where `again`."""

    def __init__(self, again: bool) -> None:
        super().__init__()
        self.again = again


class RaisedError(TclError):
    """An error that the script raises."""


class Stop(Exception):  # noqa: N818 - leaves the script, and is no error
    """`exit`."""


@dataclass(frozen=True)
class Procedure:
    """A procedure: parameters with their defaults (None: required), body, and file."""

    parameters: tuple[tuple[str, str | None], ...]
    body: str
    script: str = ""


@dataclass
class Frame:
    """The variables of a running procedure; a dictionary is an array. `links` are names of
    variables in another frame."""

    values: dict[str, str | dict[str, str]] = field(default_factory=dict)
    links: dict[str, tuple[Frame, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """A skipped command: its line, and the reason."""

    line: int
    words: str


Function = Callable[["Interpreter", list[str]], str]


class Interpreter:
    """Runs scripts. `functions`: commands by name; `carrying`: those that take marked values, the
    others take guesses; `telling`: those with marked values if a word is marked; `source`: returns
    the text of a file by its name, or None; `line`: first line of the running command; `problems`:
    skipped commands."""

    def __init__(
        self,
        functions: Mapping[str, Function],
        source: Callable[[str], str | None],
        carrying: Container[str] = (),
        telling: Container[str] = (),
    ) -> None:
        self.functions, self.read_source = functions, source
        self.carrying, self.telling = carrying, telling
        self.procedures: dict[str, Procedure] = {}
        # Scripts run without arguments.
        self.frames = [Frame({"argv": UNKNOWN, "argc": f"0{UNKNOWN}", "argv0": UNKNOWN})]
        self.problems: list[Problem] = []
        self.namespace, self.line, self.script = "", 1, ""
        self.steps, self.letters, self.depth, self.caught, self.sources = 0, 0, 0, 0, 0
        self.variables, self.guessing = 0, 0
        self.kept: set[str] = set()  # procedures that no script replaces
        self._parsed: dict[tuple[str, int], list[Command]] = {}

    def run(self, script: str, name: str = "") -> None:
        """Run a whole file. TooMuchError where a bound is exceeded."""
        before, self.script = self.script, name
        try:
            self.evaluate(Text(script, 1))
        except (Return, Leave, Stop):
            pass
        except RecursionError:
            raise TooMuchError("commands are nested too deeply") from None
        finally:
            self.script = before

    def evaluate(self, script: str) -> str:
        """The value of the last command of a script. A failing command is listed and skipped,
        except within `catch`."""
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TooMuchError(f"commands are nested more than {MAX_DEPTH} levels deep")
        line = getattr(script, "line", self.line)
        value = ""
        try:
            for command in self._commands(script, line):
                try:
                    value = self._call(command)
                except TclError as error:
                    if self.caught or (self.guessing and isinstance(error, RaisedError)):
                        raise
                    self.problem(command.line, str(error))
                    value = ""
        finally:
            self.depth -= 1
        return value

    def value_of(self, script: Script) -> str:
        """The value of a command in brackets; if it fails, the enclosing command fails."""
        self.caught += 1
        try:
            return self.evaluate(script.text)
        finally:
            self.caught -= 1

    def expression(self, text: str) -> tuple[expression.Value, bool]:
        """The value of an expression, and whether it is known."""
        self.count(text)
        sure = UNKNOWN not in text

        def resolve(part: Part) -> str:
            nonlocal sure
            value = self.part(part)
            sure = sure and UNKNOWN not in value
            return known(value)

        line = getattr(text, "line", self.line)
        try:
            return expression.evaluate(known(text), resolve, line), sure
        except TclError:
            if sure:
                raise
            return "", False

    def holds(self, text: str) -> tuple[bool, bool]:
        """Whether a condition holds, and whether that is known."""
        value, sure = self.expression(text)
        return (expression.truth(value) if sure or value != "" else False), sure

    def part(self, part: Part) -> str:
        """The value of a part of a word."""
        if isinstance(part, str):
            return part
        if isinstance(part, Script):
            return self.value_of(part)
        if part.index is None:
            return self.get(part.name)
        return self.get(part.name, "".join(map(self.part, part.index)))

    def problem(self, line: int, words: str) -> None:
        """List a skipped command."""
        found = Problem(line, f"{words} (in {self.script})" if self.script else words)
        if len(self.problems) < MAX_PROBLEMS and found not in self.problems:
            self.problems.append(found)

    def count(self, text: str) -> None:
        """Count the letters of a value. TooMuchError where a bound is exceeded."""
        self.letters += len(text) + 1
        if self.letters > MAX_LETTERS:
            raise TooMuchError(f"more than {MAX_LETTERS >> 20} MiB of words are evaluated")
        if len(text) > MAX_VALUE:
            raise TooMuchError(f"a value is longer than {MAX_VALUE >> 20} MiB")

    def step(self) -> None:
        """Count a command or a round of a loop. TooMuchError where a bound is exceeded."""
        self.steps += 1
        if self.steps > MAX_STEPS:
            raise TooMuchError(f"more than {MAX_STEPS} commands are evaluated")

    def spend(self, looked_at: int) -> None:
        """Count `looked_at` cells that a command visits. TooMuchError where a bound is exceeded."""
        self.letters += _LETTERS * looked_at
        if self.letters > MAX_LETTERS:
            raise TooMuchError(f"more than {MAX_LETTERS >> 20} MiB of words are evaluated")

    # Variables

    def get(self, name: str, index: str | None = None) -> str:
        """The value of a variable. TclError where it is not set."""
        name, index = _split(name, index)
        frame, name = self._place(name)
        value = frame.values.get(name)
        if index is not None and isinstance(value, dict) and index in value:
            return value[index]
        if name in _OF_CALLER and frame is self.frames[0]:
            self.problem(self.line, f"{name} is unknown here and taken as empty")
            if value is None:
                return UNKNOWN
        if index is not None or not isinstance(value, str):
            shown = name if index is None else f"{name}({index})"
            raise TclError(f"the variable {shown} has no value")
        return value

    def set(self, name: str, value: str) -> str:
        """Set a variable and return its value. TclError where scalar and array are mixed."""
        self.count(value)
        name, index = _split(name, None)
        frame, name = self._place(name)
        table = frame.values.get(name)
        new = table is None if index is None else not isinstance(table, dict) or index not in table
        if new:
            self.variables += 1
            if self.variables > MAX_VARIABLES:
                raise TooMuchError(f"more than {MAX_VARIABLES} variables")
        if index is None:
            if isinstance(table, dict):
                raise TclError(f"{name} is an array")
            frame.values[name] = value
        else:
            if table is not None and not isinstance(table, dict):
                raise TclError(f"{name} is not an array")
            table = {} if table is None else table
            table[index] = value
            frame.values[name] = table
        return value

    def has(self, name: str) -> bool:
        """Whether a variable or an array exists."""
        name, index = _split(name, None)
        frame, name = self._place(name)
        value = frame.values.get(name)
        return (
            index in value if isinstance(value, dict) and index is not None else value is not None
        )

    def array(self, name: str) -> dict[str, str]:
        """The array `name`; an empty one where it does not exist."""
        frame, name = self._place(name)
        value = frame.values.get(name)
        return value if isinstance(value, dict) else {}

    def unset(self, name: str) -> None:
        """Remove a variable if it exists."""
        name, index = _split(name, None)
        frame, name = self._place(name)
        if index is None:
            frame.values.pop(name, None)
        elif isinstance(table := frame.values.get(name), dict):
            table.pop(index, None)

    def link(self, name: str, frame: Frame, other: str) -> None:
        """Make `name` an alias of the variable `other` in `frame`."""
        if frame is not self.frames[-1]:
            self.frames[-1].links[name] = (frame, other)

    def _place(self, name: str) -> tuple[Frame, str]:
        if name.startswith("::"):
            return self.frames[0], name[2:]
        frame = self.frames[-1]
        for _ in range(MAX_DEPTH):
            if name not in frame.links:
                break
            frame, name = frame.links[name]
        return frame, name

    # Commands

    def _commands(self, script: str, line: int) -> list[Command]:
        key = (script, line)
        if key not in self._parsed:
            self.count(script)
            self._parsed[key] = commands(script, line)
        return self._parsed[key]

    def _call(self, command: Command) -> str:
        self.step()
        self.line = command.line
        words: list[str] = []
        for word in command.words:
            value = self._word(word)
            words += items(value) if word.spread else [value]
        if not words:
            return ""
        self.line = command.line
        return self.call(words)

    def call(self, words: list[str]) -> str:
        """The value of the command in `words`; an unknown command is listed."""
        for word in words:
            self.count(word)
        if len(words) == 1 and _BITS.fullmatch(words[0]):
            return f"[{words[0]}]"  # index of a bus, which Vivado accepts: data[31:0]
        name = words[0].removeprefix("::")
        procedure = self._procedure(name)
        if procedure is not None:
            return self._run(name, procedure, words[1:])
        function = self.functions.get(name)
        if function is None:
            self.problem(self.line, f"the command {name[:60]!r} is not supported")
            return ""
        taken = words if name in self.carrying else [known(word) for word in words]
        value = function(self, taken[1:])
        if name in self.telling and taken != words:
            value = known(value) + UNKNOWN
        self.count(value)
        return value

    def _word(self, word: Word) -> str:
        if word.literal is not None:
            return word.literal
        if len(word.parts) == 1:
            return self.part(word.parts[0])
        value = "".join(map(self.part, word.parts))
        self.count(value)
        return value

    def _procedure(self, name: str) -> Procedure | None:
        if self.namespace:
            inner = self.procedures.get(f"{self.namespace}::{name}")
            if inner is not None:
                return inner
        return self.procedures.get(name)

    def _run(self, name: str, procedure: Procedure, values: list[str]) -> str:
        frame = Frame()
        left = list(values)
        for parameter, default in procedure.parameters:
            if parameter == "args":
                frame.values["args"] = listed(left)
                left = []
            elif left:
                frame.values[parameter] = left.pop(0)
            elif default is not None:
                frame.values[parameter] = default
            else:
                raise TclError(f"{name} lacks its {parameter}")
        if left:
            raise TclError(f"{name} has too many arguments")
        line, caught, script = self.line, self.caught, self.script
        self.frames.append(frame)
        self.script = procedure.script
        self.caught = 0  # failing commands in its body are skipped there
        try:
            return self.evaluate(procedure.body)
        except Return as done:
            return done.value
        finally:
            self.frames.pop()
            self.line, self.caught, self.script = line, caught, script


def _split(name: str, index: str | None) -> tuple[str, str | None]:
    """`a(b)` split into name and index."""
    if index is None and name.endswith(")") and "(" in name:
        first, _, inner = name[:-1].partition("(")
        return first, inner
    return name, index
