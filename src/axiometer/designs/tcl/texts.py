"""Tcl's commands on lists, strings and dictionaries; they change only values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath

from axiometer.designs.tcl import expression
from axiometer.designs.tcl.interpreter import MAX_VALUE, UNKNOWN, Interpreter, TooMuchError
from axiometer.designs.tcl.parser import TclError, items, listed

_WILD = re.compile(r"[*?\[\\]")
_FIELD = re.compile(r"%([-0 #+]{0,4})(\d{0,3})(?:\.(\d{1,2}))?l{0,2}([dixXobsfgeuc%])")


def _index(word: str, length: int) -> int:
    """The position that an index of a list names: 3, end, end-1."""
    word = word.strip()
    found = re.fullmatch(r"end(?:([-+])(\d{1,9}))?", word)
    if found:
        by = int(found[2] or 0)
        return length - 1 + (by if found[1] == "+" else -by)
    value = expression.numeric(word)
    if not isinstance(value, int):
        raise TclError(f"{word[:40]!r} is not an index of a list")
    return value


def _list(tcl: Interpreter, words: list[str]) -> str:
    return listed(words)


def _llength(tcl: Interpreter, words: list[str]) -> str:
    return str(len(items(_first(words))))


def _lindex(tcl: Interpreter, words: list[str]) -> str:
    value = _first(words)
    for word in words[1:] if value != UNKNOWN else ():
        found = items(value)
        at = _index(word, len(found))
        value = found[at] if 0 <= at < len(found) else ""
    return value


def _lrange(tcl: Interpreter, words: list[str]) -> str:
    _needs(words, 3)
    found = items(words[0])
    first, last = (_index(word, len(found)) for word in words[1:3])
    return listed(found[max(0, first) : max(0, last + 1)])


def _lappend(tcl: Interpreter, words: list[str]) -> str:
    name = _first(words)
    before = tcl.get(name) if tcl.has(name) else ""
    added = listed(words[1:])
    return tcl.set(name, f"{before} {added}" if before and added else before or added)


def _concat(tcl: Interpreter, words: list[str]) -> str:
    return " ".join(word.strip() for word in words if word.strip())


def _join(tcl: Interpreter, words: list[str]) -> str:
    found = items(_first(words))
    between = words[1] if len(words) > 1 else " "
    if sum(map(len, found)) + len(between) * len(found) > MAX_VALUE:
        raise TooMuchError("a value is too long")
    return between.join(found)


def _split(tcl: Interpreter, words: list[str]) -> str:
    text, marks = _first(words), words[1] if len(words) > 1 else " \n\t\r"
    if not marks:
        return listed(list(text))
    return listed(re.split(f"[{re.escape(marks)}]", text)) if text else ""


def _lreverse(tcl: Interpreter, words: list[str]) -> str:
    return listed(items(_first(words))[::-1])


def _lsort(tcl: Interpreter, words: list[str]) -> str:
    found = items(words[-1] if words else "")
    if "-integer" in words[:-1] or "-real" in words[:-1]:
        numbers = [(expression.numeric(word), word) for word in found]
        if any(isinstance(number, str) for number, _ in numbers):
            raise TclError("a list has a word that is not a number")
        found = [word for _, word in sorted(numbers, key=lambda pair: pair[0])]
    else:
        found = sorted(found)
    if "-unique" in words[:-1]:
        found = list(dict.fromkeys(found))
    return listed(found[::-1] if "-decreasing" in words[:-1] else found)


def _lsearch(tcl: Interpreter, words: list[str]) -> str:
    _needs(words, 2)
    values, pattern = items(words[-2]), words[-1]
    if "-exact" in words[:-2] or not _WILD.search(pattern):
        return str(values.index(pattern)) if pattern in values else "-1"
    tcl.count(words[-2])  # patterns are slower than other operations on lists
    tcl.count(words[-2])
    places = (n for n, value in enumerate(values) if expression.matches(pattern, value))
    return str(next(places, -1))


def _lassign(tcl: Interpreter, words: list[str]) -> str:
    found = items(_first(words))
    for place, name in enumerate(words[1:]):
        tcl.set(name, found[place] if place < len(found) else UNKNOWN * (UNKNOWN in found))
    return listed(found[len(words) - 1 :])


def _string(tcl: Interpreter, words: list[str]) -> str:
    _needs(words, 2)
    kind, left = words[0], [w for w in words[1:] if w not in ("-nocase", "-strict")]
    if "-nocase" in words[1:]:
        left = [w.lower() for w in left]
    function = _STRINGS.get(kind)
    if function is None or len(left) < function[0]:
        raise TclError(f"string {kind[:20]} is not supported in this form")
    return str(function[1](*left[: function[2]]))


def _replaced(pairs: str, text: str) -> str:
    found = items(pairs)
    table = dict(zip(found[::2], found[1::2], strict=False))
    table.pop("", None)
    if not table:
        return text
    pattern = "|".join(map(re.escape, table))
    longest = max(map(len, table.values()))
    if longest * len(text) > MAX_VALUE:
        raise TooMuchError("a value is too long")
    return re.sub(pattern, lambda match: table[match[0]], text)


def _cut(text: str, first: str, last: str) -> str:
    return text[max(0, _index(first, len(text))) : max(0, _index(last, len(text)) + 1)]


def _letter(text: str, place: str) -> str:
    at = _index(place, len(text))
    return text[at] if 0 <= at < len(text) else ""


def _repeated(text: str, times: str) -> str:
    count = expression.numeric(times)
    if not isinstance(count, int) or count * max(1, len(text)) > MAX_VALUE:
        raise TooMuchError("a value is too long")
    return text * max(0, count)


def _is(kind: str, text: str) -> int:
    number = expression.numeric(text)
    if kind in ("integer", "wideinteger", "entier"):
        return int(isinstance(number, int))
    if kind in ("double", "number"):
        return int(not isinstance(number, str))
    if kind == "true" or kind == "false" or kind == "boolean":
        return int(text.lower() in ("0", "1", "true", "false", "yes", "no", "on", "off"))
    return int(text.isspace() if kind == "space" else text.isalnum())


# The smallest number of values, the function, the largest number of values.
_STRINGS: Mapping[str, tuple[int, Callable[..., object], int]] = {
    "length": (1, lambda text: len(text), 1),
    "tolower": (1, str.lower, 1),
    "toupper": (1, str.upper, 1),
    "trim": (1, lambda text, marks=None: text.strip(marks), 2),
    "trimleft": (1, lambda text, marks=None: text.lstrip(marks), 2),
    "trimright": (1, lambda text, marks=None: text.rstrip(marks), 2),
    "first": (2, lambda part, text: text.find(part) if part else -1, 2),
    "last": (2, lambda part, text: text.rfind(part) if part else -1, 2),
    "equal": (2, lambda a, b: int(a == b), 2),
    "compare": (2, lambda a, b: (a > b) - (a < b), 2),
    "match": (2, lambda pattern, text: int(expression.matches(pattern, text)), 2),
    "index": (2, _letter, 2),
    "range": (3, _cut, 3),
    "map": (2, _replaced, 2),
    "repeat": (2, _repeated, 2),
    "is": (2, _is, 2),
}


def _format(tcl: Interpreter, words: list[str]) -> str:
    left = iter(words[1:])

    def field(match: re.Match[str]) -> str:
        flags, width, digits, kind = match.groups()
        if kind == "%":
            return "%"
        value: object = next(left, "")
        if kind != "s":
            number = expression.numeric(str(value))
            if isinstance(number, str):
                raise TclError(f"{number[:40]!r} is not a number")
            value = float(number) if kind in "fge" else int(number)
        kind = {"i": "d", "u": "d"}.get(kind, kind)
        if kind == "b":
            return format(int(value), f"0{width}b" if "0" in flags else f"{width}b")  # type: ignore[call-overload]
        exact = f".{digits}" if digits else ""
        return f"%{flags}{width}{exact}{kind}" % value

    return _FIELD.sub(field, _first(words))


def _dict(tcl: Interpreter, words: list[str]) -> str:
    _needs(words, 2)
    kind, left = words[0], words[1:]
    if kind == "create":
        return listed(left)
    if kind in ("set", "lappend", "append") and len(left) == 3:
        table = _table(tcl.get(left[0]) if tcl.has(left[0]) else "")
        before = table.get(left[1], "")
        added = {"set": left[2], "append": before + left[2]}.get(
            kind, f"{before} {listed([left[2]])}".strip()
        )
        return tcl.set(left[0], _flat(table | {left[1]: added}))
    if kind == "for" and len(left) == 3:
        return tcl.call(["foreach", left[0], left[1], left[2]])
    table = _table(left[0])
    if kind == "get":
        value = left[0]
        for key in left[1:]:
            inner = _table(value)
            if key not in inner:
                raise TclError(f"the dictionary has no {key[:60]!r}")
            value = inner[key]
        return value
    if kind == "exists" and len(left) == 2:
        return str(int(left[1] in table))
    if kind in ("keys", "values"):
        return listed(list(table if kind == "keys" else table.values()))
    if kind == "size":
        return str(len(table))
    if kind == "merge":
        return _flat({k: v for each in left for k, v in _table(each).items()})
    raise TclError(f"dict {kind[:20]} is not supported in this form")


def _table(text: str) -> dict[str, str]:
    found = items(text)
    if len(found) % 2:
        raise TclError("a dictionary has a key without a value")
    return dict(zip(found[::2], found[1::2], strict=True))


def _flat(table: dict[str, str]) -> str:
    return listed([word for pair in table.items() for word in pair])


def _file(tcl: Interpreter, words: list[str]) -> str:
    """The answer that follows from a name alone; no file is accessed, and none exists."""
    _needs(words, 2)
    if words[0] in ("mkdir", "delete", "copy", "rename"):
        return ""
    kind, path = words[0], PurePosixPath(words[1][:1000])
    found: Callable[[], str] | None = {
        "dirname": lambda: str(path.parent),
        "tail": lambda: path.name,
        "rootname": lambda: str(path.with_suffix("")) if path.name else "",
        "extension": lambda: path.suffix,
        "normalize": lambda: str(path),
        "join": lambda: str(PurePosixPath(*(w[:1000] for w in words[1:50]))),
        "nativename": lambda: str(path),
        **dict.fromkeys(("exists", "isfile", "isdirectory"), lambda: f"0{UNKNOWN}"),
    }.get(kind)
    if found is None:
        raise TclError(f"file {kind[:20]} is not supported: files are not accessed")
    return found()


def _first(words: list[str]) -> str:
    _needs(words, 1)
    return words[0]


def _needs(words: list[str], count: int) -> None:
    if len(words) < count:
        raise TclError(f"{len(words)} arguments instead of {count}")


FUNCTIONS = {
    "list": _list, "llength": _llength, "lindex": _lindex, "lrange": _lrange, "lappend": _lappend,
    "concat": _concat, "join": _join, "split": _split, "lreverse": _lreverse, "lsort": _lsort,
    "lsearch": _lsearch, "lassign": _lassign, "string": _string, "format": _format, "dict": _dict,
    "file": _file,
}  # fmt: skip
TELLING = ("llength", "lrange", "split", "lsort", "lsearch", "string", "format", "file")
"""Functions of guesses; the others keep the marks of their words."""
