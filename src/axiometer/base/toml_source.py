"""A TOML file with the line of each key.

`tomllib` returns values without positions. The scanner here reads the same text again and records
the line of every key, array element and table. It relies on `tomllib` having accepted the text and
checks nothing itself.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from functools import lru_cache
from pathlib import Path

from axiometer.base import harmless, input_bounds
from axiometer.base.errors import AxiometerError

Path_ = tuple[str | int, ...]

_NAME = re.compile(r"[\w-]{1,100}")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_SPACES = re.compile(r"[ \t]*")
_BARE_VALUE = re.compile(r"[^,\]}\n#]*")
_STRINGS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r'"""(?:\\.|[^\\])*?"""(?:"{0,2})',
        r"'''.*?'''(?:'{0,2})",
        r'"(?:\\.|[^"\\])*"',
        r"'[^']*'",
    )
)


class TomlSource:
    """Parsed `data` of one TOML text, with `line(...)` for messages."""

    def __init__(self, text: str, file: object) -> None:
        """Parse `text`; AxiometerError with file and line on a syntax error."""
        self.text = text
        self.file = str(file)
        input_bounds.check_text(text, file)
        try:
            self.data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            message = str(error)
            at = re.search(r" \(at line (\d+), column \d+\)", message)
            line = int(at[1]) if at else text.count("\n") + 1
            message = re.sub(r" \(at [^)]*\)$", "", message)
            raise AxiometerError(
                f"not valid TOML: {message}",
                file=file,
                line=line,
                remedy='a key is written name = value, text in quotes: mode = "duplex"',
            ) from None
        except RecursionError:
            raise self._too_deep() from None
        except ValueError as error:  # a date or a number that Python cannot hold
            raise AxiometerError(
                f"not valid TOML: {error}", file=file, remedy="look for odd dates and numbers"
            ) from None
        try:
            self._lines = _Scanner(text).document()
        except RecursionError:
            raise self._too_deep() from None
        trap = input_bounds.first_trap(self.data)
        if trap:
            place, what, remedy = trap
            raise self.error(what, *place, remedy=remedy)

    @classmethod
    def read(cls, path: Path) -> TomlSource:
        """Read and parse the file at `path`; AxiometerError if it cannot be read."""
        content = input_bounds.read(path)
        try:
            text = content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise AxiometerError(
                "not a text file in UTF-8",
                file=path,
                line=error.object[: error.start].count(b"\n") + 1,
                remedy="save it as UTF-8",
            ) from None
        return _kept(text, str(path))

    def _too_deep(self) -> AxiometerError:
        return AxiometerError(
            "nested too deeply to read", file=self.file, line=1, remedy="nest tables less deeply"
        )

    def line(self, *path: str | int) -> int:
        """Line (from 1) of the key at `path`, or of the nearest key around it."""
        while path:
            if path in self._lines:
                return self._lines[path]
            path = path[:-1]
        return 1

    def depth(self, *path: str | int) -> int:
        """The number of leading keys of `path` that are in the file."""
        return next((n for n in range(len(path), 0, -1) if path[:n] in self._lines), 0)

    def check_name(self, why: str) -> None:
        """AxiometerError unless `name` can be part of a file's name; `why` is the reason."""
        name = self.data["name"]
        if not _NAME.fullmatch(name):
            raise self.error(
                f"name is {harmless.quoted(name)}",
                "name",
                remedy=f"use letters, digits, - and _ (at most 100): {why}",
            )

    def error(self, message: str, *path: str | int, remedy: str | None = None) -> AxiometerError:
        """An error with the line of the key at `path`."""
        return AxiometerError(message, file=self.file, line=self.line(*path), remedy=remedy)


@lru_cache(maxsize=32)
def _kept(text: str, file: str) -> TomlSource:
    """A file's text, parsed once, because a chip's file is read for each of its boards. Do not
    change the result."""
    return TomlSource(text, file)


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.at = 0
        self.newlines = [i for i, char in enumerate(self.text) if char == "\n"]
        self.lines: dict[Path_, int] = {}
        self.tables_in: dict[Path_, int] = {}

    def document(self) -> dict[Path_, int]:
        prefix: Path_ = ()
        self.skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                prefix = self.header()
            else:
                self.pair(prefix)
            self.skip(_BLANK)
        return self.lines

    def header(self) -> Path_:
        """`[a.b]` or `[[a.b]]`: the path of the following pairs."""
        start = self.at
        brackets = 2 if self.text.startswith("[[", self.at) else 1
        self.at += brackets
        *outer, last = self.key()
        self.at += brackets
        path: Path_ = ()
        for part in outer:
            path += (part,)
            if path in self.tables_in:
                path += (self.tables_in[path] - 1,)
        path += (last,)
        self.note(path, start)
        if brackets == 2:
            index = self.tables_in.get(path, 0)
            self.tables_in[path] = index + 1
            path += (index,)
            self.note(path, start)
        return path

    def pair(self, prefix: Path_) -> None:
        start = self.at
        path = prefix
        for part in self.key():
            path += (part,)
            self.note(path, start)
        self.at += 1  # the equals sign
        self.skip(_SPACES)
        self.value(path)

    def value(self, path: Path_) -> None:
        char = self.text[self.at]
        if char == "[":
            self.items(path, "]")
        elif char == "{":
            self.items(path, "}")
        elif char in "\"'":
            self.string()
        else:
            self.skip(_BARE_VALUE)

    def items(self, path: Path_, closing: str) -> None:
        """The items between the brackets of an array or an inline table."""
        self.at += 1
        index = 0
        self.skip(_BLANK)
        while self.text[self.at] != closing:
            if closing == "}":
                self.pair(path)
            else:
                self.note((*path, index), self.at)
                self.value((*path, index))
            index += 1
            self.skip(_BLANK)
            if self.text[self.at] == ",":
                self.at += 1
                self.skip(_BLANK)
        self.at += 1

    def key(self) -> list[str]:
        parts = []
        while True:
            self.skip(_SPACES)
            if self.text[self.at] in "\"'":
                parts.append(tomllib.loads(f"x = {self.string()}")["x"])
            else:
                parts.append(self.skip(_BARE_KEY))
            self.skip(_SPACES)
            if self.text[self.at] != ".":
                return parts
            self.at += 1

    def string(self) -> str:
        for pattern in _STRINGS:
            match = pattern.match(self.text, self.at)
            if match:
                self.at = match.end()
                return match[0]
        raise AssertionError("tomllib accepted a string that is not one")

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        assert match is not None  # tomllib has accepted the text
        self.at = match.end()
        return match[0]

    def note(self, path: Path_, at: int) -> None:
        self.lines.setdefault(path, bisect_right(self.newlines, at - 1) + 1)
