"""The grammar of Tcl: splits a script into commands, commands into words, words into parts.

Nothing is evaluated here. A part is text, a variable or a command in brackets. Words in braces are
one literal part with its first line, so that errors in bodies of procedures have lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_NESTED = 400  # nested brackets or braces
_ESCAPES = {"n": "\n", "t": "\t", "r": " ", "a": " ", "b": " ", "f": " ", "v": " "}
_NAME = re.compile(r"(?:::)?[A-Za-z0-9_]+(?:::[A-Za-z0-9_]+)*")
_SPACE = " \t\r\f\v"
_GAP = re.compile(r"(?:\s|\\\n)*")
_BARE = re.compile(r"(?:[^\s\\]|\\(?!\n).)+", re.S)


class TclError(Exception):
    """A text that cannot be parsed or evaluated; the message gives the reason."""


class Text(str):
    """A text with its first line in the script."""

    __slots__ = ("line",)
    line: int

    def __new__(cls, value: str, line: int) -> Text:
        made = super().__new__(cls, value)
        made.line = line
        return made


@dataclass(frozen=True)
class Variable:
    """`$name`, or `$name(index)` with the parts of its index."""

    name: str
    index: tuple[Part, ...] | None = None


@dataclass(frozen=True)
class Script:
    """A command in brackets that begins on `line`."""

    text: Text


Part = str | Variable | Script


@dataclass(frozen=True)
class Word:
    """A word: `literal` where nothing is substituted, else `parts`; `spread` after {*}."""

    literal: Text | None
    parts: tuple[Part, ...] = ()
    spread: bool = False


@dataclass(frozen=True)
class Command:
    """The words of a command that begins on `line`."""

    line: int
    words: tuple[Word, ...]


def commands(script: str, line: int = 1) -> list[Command]:
    """The commands of a script that begins on `line`. TclError where a brace, a bracket or a
    quotation mark is not closed."""
    return _Parser(script, line).all()


def parts(text: str, line: int = 1) -> tuple[Part, ...]:
    """The parts of a quoted text, for `subst` and expressions."""
    parser = _Parser(text, line)
    found, _ = parser.substituted(0, "")
    return found


def items(text: str) -> list[str]:
    """The items of a list. TclError where the text is not a list."""
    found: list[str] = []
    at, end = 0, len(text)
    while True:
        gap = _GAP.match(text, at)
        at = at if gap is None else gap.end()
        if at >= end:
            return found
        if text[at] == "{":
            close = closing(text, at, "{", "}")
            found.append(text[at + 1 : close])
            at = close + 1
        elif text[at] == '"':
            item, at = _quoted(text, at)
            found.append(item)
        else:
            word = _BARE.match(text, at)
            stop = word.end() if word is not None else end  # a final backslash
            found.append(unescaped(text[at:stop]))
            at = stop


def listed(values: list[str]) -> str:
    """A list of the values in the notation that `items` reads."""
    return " ".join(map(_element, values))


def unescaped(text: str) -> str:
    """Text with its backslash escapes replaced."""
    if "\\" not in text:
        return text
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            piece, at = _escape(text, at)
            out.append(piece)
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def closing(text: str, at: int, opens: str, closes: str) -> int:
    """The position that closes the bracket or brace at `at`. TclError where nothing closes it."""
    depth, end = 0, len(text)
    pattern = _MARKS[opens]
    while at < end:
        mark = pattern.search(text, at)
        if mark is None:
            break
        at = mark.end()
        if mark[0] == opens:
            depth += 1
            if depth > MAX_NESTED:
                raise TclError(f"{opens} is nested too deeply")
        elif mark[0] == closes:
            depth -= 1
            if depth == 0:
                return mark.start()
    raise TclError(f"{opens} is not closed")


_MARKS = {"{": re.compile(r"\\.|[{}]", re.S), "[": re.compile(r"\\.|[\[\]]", re.S)}


def _quoted(text: str, at: int) -> tuple[str, int]:
    close = at + 1
    while close < len(text) and text[close] != '"':
        close += 2 if text[close] == "\\" else 1
    if close >= len(text):
        raise TclError("a quotation mark is not closed")
    return unescaped(text[at + 1 : close]), close + 1


def _escape(text: str, at: int) -> tuple[str, int]:
    """The value of the backslash escape at `at`, and the position after it."""
    letter = text[at + 1]
    if letter == "\n":
        at += 2
        while at < len(text) and text[at] in _SPACE:
            at += 1
        return " ", at
    return _ESCAPES.get(letter, letter), at + 2


def _element(value: str) -> str:
    if value and not re.search(r'[\s{}\[\]$"\\;#]', value):
        return value
    depth, sound = 0, not value.endswith("\\")
    for mark in re.finditer(r"\\.|[{}]", value, re.S):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        sound = sound and depth >= 0
    if sound and depth == 0:
        return f"{{{value}}}"
    return re.sub(r'([\s{}\[\]$"\\;#])', r"\\\1", value)


class _Parser:
    def __init__(self, text: str, line: int) -> None:
        self.text, self.at = text, 0
        self.first, self.counted, self.seen = line, 0, 0

    def line(self, at: int) -> int:
        """The line of a position; positions must not decrease from call to call."""
        if at < self.counted:
            self.counted = self.seen = 0
        self.seen += self.text.count("\n", self.counted, at)
        self.counted = at
        return self.first + self.seen

    def all(self) -> list[Command]:
        found = []
        text, end = self.text, len(self.text)
        while self.at < end:
            char = text[self.at]
            if char in " \t\r\f\v\n;":
                self.at += 1
            elif text.startswith("\\\n", self.at):
                self.at += 2
            elif char == "#":
                self._comment()
            else:
                found.append(self._command())
        return found

    def _comment(self) -> None:
        while True:
            end = self.text.find("\n", self.at)
            if end < 0:
                self.at = len(self.text)
                return
            continued = self.text[end - 1] == "\\" and end > self.at
            self.at = end + 1
            if not continued:
                return

    def _command(self) -> Command:
        line = self.line(self.at)
        words: list[Word] = []
        text, end = self.text, len(self.text)
        while self.at < end:
            char = text[self.at]
            if char in _SPACE:
                self.at += 1
            elif text.startswith("\\\n", self.at):
                self.at += 2
            elif char in "\n;":
                self.at += 1
                break
            else:
                words.append(self._word())
        return Command(line, tuple(words))

    def _word(self) -> Word:
        text, start = self.text, self.at
        if text.startswith("{*}", start) and start + 3 < len(text) and text[start + 3] not in " \n":
            self.at += 3
            word = self._word()
            return Word(word.literal, word.parts, True)
        line = self.line(start)
        if text[start] == "{":
            close = closing(text, start, "{", "}")
            self.at = close + 1
            return Word(Text(text[start + 1 : close], line))
        if text[start] == '"':
            found, at = self.substituted(start + 1, '"')
            if at >= len(text):
                raise TclError("a quotation mark is not closed")
            self.at = at + 1
        else:
            found, self.at = self.substituted(start, " \t\r\f\v\n;")
        literal = [part for part in found if isinstance(part, str)]
        if len(literal) == len(found):
            return Word(Text("".join(literal), line))
        return Word(None, found)

    def substituted(self, at: int, ends: str) -> tuple[tuple[Part, ...], int]:
        """The parts from `at` to the first of the characters in `ends`, and its position."""
        text, end = self.text, len(self.text)
        found: list[Part] = []
        plain: list[str] = []

        def add(part: Part) -> None:
            if plain:
                found.append("".join(plain))
                plain.clear()
            found.append(part)

        while at < end and text[at] not in ends:
            char = text[at]
            if char == "\\" and at + 1 < end:
                if text[at + 1] == "\n" and "\n" in ends:
                    break
                piece, at = _escape(text, at)
                plain.append(piece)
            elif char == "[":
                close = closing(text, at, "[", "]")
                add(Script(Text(text[at + 1 : close], self.line(at))))
                at = close + 1
            elif char == "$":
                variable, at = self._variable(at)
                plain.append("$") if variable is None else add(variable)
            else:
                plain.append(char)
                at += 1
        if plain:
            found.append("".join(plain))
        return tuple(found), at

    def _variable(self, at: int) -> tuple[Variable | None, int]:
        text = self.text
        if text.startswith("${", at):
            close = text.find("}", at)
            if close < 0:
                raise TclError("a brace is not closed")
            return Variable(text[at + 2 : close]), close + 1
        name = _NAME.match(text, at + 1)
        if name is None:
            return None, at + 1
        at = name.end()
        if at < len(text) and text[at] == "(":
            index, close = self.substituted(at + 1, ")")
            if close >= len(text):
                raise TclError("a parenthesis is not closed")
            return Variable(name[0], index), close + 1
        return Variable(name[0]), at
