"""The exception for users, and "did you mean" for its remedies.

An `AxiometerError` has the mistake, its place, and the remedy. The command prints it without a
traceback and exits with its `status`.
"""

from __future__ import annotations

from collections.abc import Iterable

from axiometer.base import harmless

BAD_INPUT = 2
RUN_FAILED = 1
_LONGEST = 2000  # characters of a message; longer values are shortened
_MOST_NAMES, _SOME_NAMES = 40, 12  # more names than the first are cut to the nearest ones


class AxiometerError(Exception):
    """A mistake that the user can correct.

    `file` and `line` (from 1) are its place; `remedy` is what to do; `status` is the exit status:
    2 for bad usage or bad input, 1 for a failed run.
    """

    def __init__(
        self,
        message: str,
        *,
        file: object | None = None,
        line: int | None = None,
        remedy: str | None = None,
        status: int = BAD_INPUT,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = None if file is None else str(file)
        self.line = line
        self.remedy = remedy
        self.status = status

    def __str__(self) -> str:
        """The message for people: without control characters, and of bounded length."""
        where = ""
        if self.file is not None:
            where = f"{self.file}: " if self.line is None else f"{self.file}:{self.line}: "
        remedy = "" if self.remedy is None else f"\n  {self.remedy}"
        return harmless.text(f"{_short(where)}{_short(self.message)}{_short(remedy)}")

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuild, (self.message, self.file, self.line, self.remedy, self.status)


def _short(text: str) -> str:
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]} ... {text[-_LONGEST // 2 :]}"


def _rebuild(
    message: str, file: str | None, line: int | None, remedy: str | None, status: int
) -> AxiometerError:
    return AxiometerError(message, file=file, line=line, remedy=remedy, status=status)


class BadValueError(Exception):
    """An invalid value of a key, and the remedy."""

    def __init__(self, message: str, remedy: str) -> None:
        # The message contains the typed value, which may be long.
        message, remedy = (t if len(t) <= 600 else f"{t[:600]}..." for t in (message, remedy))
        super().__init__(message)
        self.message = message
        self.remedy = remedy


def near(word: str, known: Iterable[str], least: float = 0.6) -> str | None:
    """A remedy with up to three of `known` whose likeness to `word` is at least `least` (0 to 1);
    None if there is none."""
    import difflib

    by_lower = {name.lower(): name for name in map(str, known)}
    found = difflib.get_close_matches(str(word)[:_LONGEST].lower(), by_lower, n=3, cutoff=least)
    if not found:
        return None
    return f"did you mean {' or '.join(repr(by_lower[name]) for name in found)}?"


def did_you_mean(word: str, known: Iterable[str], what: str = "known") -> str:
    """A remedy with near names of `known`; without one, all names, or of very many the nearest."""
    known = [str(name) for name in known]
    remedy = near(word, known)
    if remedy:
        return remedy
    if not known:
        return f"there is nothing {what}"
    if len(known) <= _MOST_NAMES:
        return f"{what}: {', '.join(known)}"
    some = _likest(str(word), known)[:_SOME_NAMES]
    return f"{what}, the nearest: {', '.join(some)}; and {len(known) - len(some)} more"


def _likest(word: str, known: Iterable[str]) -> list[str]:
    """`known` by likeness to `word`, the nearest first."""
    from difflib import SequenceMatcher

    # SequenceMatcher caches its second text, so that is the fixed one.
    matcher = SequenceMatcher(b=word[:_LONGEST].lower())

    def likeness(name: str) -> float:
        matcher.set_seq1(name.lower())
        return matcher.ratio()

    return sorted(known, key=likeness, reverse=True)
