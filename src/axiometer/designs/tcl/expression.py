"""Expressions of Tcl (`expr`, conditions of `if` and `while`) on plain numbers and texts.

The caller of `evaluate` resolves variables and commands. Whole numbers have at most 64 bits, so
that no expression takes long; larger ones are an error.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import TypeVar

from axiometer.designs.tcl.parser import Part, Script, TclError, Text, closing, items, parts

MAX_DEPTH = 20
LARGEST = 2**63
_NUMBER = re.compile(
    r"0[xX][0-9a-fA-F]{1,16}|0[bB][01]{1,64}|\d{1,40}(?:\.\d{0,40})?(?:[eE][+-]?\d{1,3})?|\.\d{1,40}"
)
_SIGN = re.compile(
    r"\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%<>&^|?:!~(),]|(?:eq|ne|in|ni)\b|[A-Za-z_]\w*"
)
# Operators from the weakest to the strongest.
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("in", "ni"), ("eq", "ne"), ("==", "!="),
    ("<", ">", "<=", ">="), ("<<", ">>"), ("+", "-"), ("*", "/", "%"), ("**",),
)  # fmt: skip
_RANKS = {sign: rank for rank, signs in enumerate(_LEVELS) for sign in signs}
_WORDS = {"true": 1, "yes": 1, "on": 1, "false": 0, "no": 0, "off": 0}
# Functions by their names in Tcl.
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "int": int, "wide": int, "entier": int, "double": float, "round": lambda x: math.floor(x + 0.5),
    "ceil": lambda x: float(math.ceil(x)), "floor": lambda x: float(math.floor(x)), "abs": abs,
    "min": min, "max": max, "sqrt": math.sqrt, "log": math.log, "log10": math.log10,
    "pow": lambda x, y: float(x) ** y, "exp": math.exp, "fmod": math.fmod,
    "bool": lambda x: int(bool(x)),
}  # fmt: skip

Value = int | float | str
Ordered = TypeVar("Ordered", str, float)
Resolve = Callable[[Part], str]


def evaluate(text: str, resolve: Resolve, line: int = 1) -> Value:
    """The value of an expression. TclError where it is invalid or its numbers are too large."""
    reader = _Reader(text, resolve, line)
    try:
        value = reader.level(True)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise TclError(f"the expression cannot be computed ({type(error).__name__})") from None
    reader.space()
    if reader.at < len(text):
        raise TclError(f"unexpected {text[reader.at : reader.at + 20]!r} in an expression")
    return value


def truth(value: Value) -> bool:
    """Whether a condition holds. TclError where the value is neither a number nor true, yes, on,
    false, no or off."""
    number = numeric(value)
    if isinstance(number, str):
        word = number.strip().lower()
        if word not in _WORDS:
            raise TclError(f"{number[:40]!r} is not a condition")
        return bool(_WORDS[word])
    return bool(number)


def numeric(value: Value) -> Value:
    """The number in a text; the text itself where it is not a number."""
    if not isinstance(value, str):
        return value
    word = value.strip()
    sign, bare = (-1, word[1:]) if word.startswith("-") else (1, word.removeprefix("+"))
    if not _NUMBER.fullmatch(bare):
        return value
    return sign * _number(bare)


def shown(value: Value) -> str:
    """A value in Tcl's notation."""
    if isinstance(value, bool):
        return str(int(value))
    return value if isinstance(value, str) else repr(value)


def _number(word: str) -> int | float:
    if word[:2].lower() in ("0x", "0b"):
        return int(word, 0)
    return float(word) if re.search(r"[.eE]", word) else int(word)


class _Reader:
    """Parses and computes in one pass; operands that `&&`, `||` and `?:` skip are only parsed."""

    def __init__(self, text: str, resolve: Resolve, line: int) -> None:
        self.text, self.resolve, self.line = text, resolve, line
        self.at, self.depth = 0, 0

    def space(self) -> None:
        while self.at < len(self.text) and (
            self.text[self.at].isspace() or self.text.startswith("\\\n", self.at)
        ):
            self.at += 1

    def sign(self) -> str:
        self.space()
        found = _SIGN.match(self.text, self.at)
        return found[0] if found else ""

    def level(self, live: bool) -> Value:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise TclError("an expression is nested too deeply")
        value = self._chosen(self._binary(0, live), live)
        self.depth -= 1
        return value

    def _chosen(self, value: Value, live: bool) -> Value:
        if self.sign() != "?":
            return value
        self.at += 1
        holds = live and truth(value)
        first = self.level(live and holds)
        if self.sign() != ":":
            raise TclError("? without :")
        self.at += 1
        other = self.level(live and not holds)
        return first if holds else other

    def _binary(self, weakest: int, live: bool) -> Value:
        left = self._unary(live)
        while (rank := _RANKS.get(sign := self.sign(), -1)) >= weakest:
            self.at += len(sign)
            if sign in ("&&", "||"):
                known = live and truth(left)
                right = self._binary(rank + 1, live and known == (sign == "&&"))
                if live:
                    left = int(known if known == (sign == "||") else truth(right))
                continue
            right = self._binary(rank + 1, live)
            left = _computed(sign, left, right) if live else 0
        return left

    def _unary(self, live: bool) -> Value:
        signs = []
        while (sign := self.sign()) in ("-", "+", "!", "~"):
            self.at += 1
            signs.append(sign)
            if len(signs) > MAX_DEPTH:
                raise TclError("an expression is nested too deeply")
        value = self._operand(live)
        for sign in reversed(signs) if live else ():
            if sign == "!":
                value = int(not truth(value))
            else:
                number = _needed(value)
                value = {"-": lambda n: -n, "+": lambda n: n, "~": lambda n: ~n}[sign](number)
        return value

    def _operand(self, live: bool) -> Value:
        self.space()
        text, at = self.text, self.at
        if at >= len(text):
            raise TclError("an expression is incomplete")
        char = text[at]
        if char == "(":
            self.at += 1
            value = self.level(live)
            self._expect(")")
            return value
        if char == "{":
            close = closing(text, at, "{", "}")
            self.at = close + 1
            return text[at + 1 : close]
        if char == "[":
            close = closing(text, at, "[", "]")
            self.at = close + 1
            return self.resolve(Script(Text(text[at + 1 : close], self.line))) if live else "0"
        if char == '"':
            close = at + 1
            while close < len(text) and text[close] != '"':
                close += 2 if text[close] == "\\" else 1
            if close >= len(text):
                raise TclError("a quotation mark is not closed")
            self.at = close + 1
            return self._joined(parts(text[at + 1 : close], self.line)) if live else "0"
        if char == "$":
            return self._variable(live)
        number = _NUMBER.match(text, at)
        if number is not None:
            self.at = number.end()
            return _number(number[0])
        return self._named(live)

    def _variable(self, live: bool) -> Value:
        # Up to the end of the variable, which the parser finds.
        end = re.compile(r"\$(?:\{[^}]*\}|(?:::)?\w+(?:::\w+)*(?:\([^)]*\))?)").match(
            self.text, self.at
        )
        if end is None:
            raise TclError("$ without a name")
        self.at = end.end()
        return self._joined(parts(end[0], self.line)) if live else "0"

    def _named(self, live: bool) -> Value:
        name = self.sign()
        self.at += len(name)
        if name.lower() in _WORDS:
            return name
        if name not in _FUNCTIONS:
            unexpected = self.text[self.at - len(name) : self.at + 20]
            raise TclError(f"unexpected {unexpected!r} in an expression")
        self._expect("(")
        values = [self.level(live)]
        while self.sign() == ",":
            self.at += 1
            values.append(self.level(live))
        self._expect(")")
        return _bounded(_FUNCTIONS[name](*map(_needed, values))) if live else 0

    def _expect(self, sign: str) -> None:
        if self.sign() != sign:
            raise TclError(f"an expression without {sign}")
        self.at += 1

    def _joined(self, found: tuple[Part, ...]) -> str:
        return "".join(p if isinstance(p, str) else self.resolve(p) for p in found)


def _needed(value: Value) -> int | float:
    number = numeric(value)
    if isinstance(number, str):
        raise TclError(f"{number[:40]!r} is not a number")
    return number


def _computed(sign: str, left: Value, right: Value) -> Value:
    if sign in ("eq", "ne"):
        return int((shown(left) == shown(right)) == (sign == "eq"))
    if sign in ("in", "ni"):
        return int((shown(left) in items(shown(right))) == (sign == "in"))
    a, b = numeric(left), numeric(right)
    if sign in ("==", "!=", "<", ">", "<=", ">="):
        if isinstance(a, str) or isinstance(b, str):
            return int(_ordered(sign, shown(left), shown(right)))
        return int(_ordered(sign, a, b))
    return _bounded(_arithmetic(sign, _needed(left), _needed(right)))


def _ordered(sign: str, a: Ordered, b: Ordered) -> bool:
    return {"==": a == b, "!=": a != b, "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b}[sign]


def _arithmetic(sign: str, a: int | float, b: int | float) -> int | float:
    if sign in ("+", "-", "*"):
        return a + b if sign == "+" else a - b if sign == "-" else a * b
    if sign in ("/", "%"):
        if b == 0:
            raise TclError("division by zero")
        whole = isinstance(a, int) and isinstance(b, int)
        return (a // b if whole else a / b) if sign == "/" else a % b
    if sign == "**":
        return int(float(a) ** b) if isinstance(a, int) and isinstance(b, int) else float(a) ** b
    if not isinstance(a, int) or not isinstance(b, int):
        raise TclError(f"{sign} needs whole numbers")
    if sign in ("<<", ">>"):
        if not 0 <= b < 64:
            raise TclError(f"a shift by {b}")
        return a << b if sign == "<<" else a >> b
    return {"&": a & b, "|": a | b, "^": a ^ b}[sign]


def _bounded(value: int | float) -> int | float:
    if isinstance(value, complex) or not -LARGEST <= value < 2 * LARGEST:
        raise TclError("a number of more than 64 bits")
    return value


def matches(pattern: str, text: str) -> bool:
    """Whether a text matches a pattern of `string match`."""
    if len(pattern) > 200 or pattern.count("*") > 8 or len(text) > 2000:
        raise TclError("a pattern or text is too long to compare")
    return fnmatchcase(text, pattern)
