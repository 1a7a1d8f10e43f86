"""Standard streams that may be closed, full, or read by nobody.

A stream that is closed would hand its number to the next file that is opened, which may be the
store. So all three are taken first.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import TextIO

from axiometer.base import colours, harmless, wrap
from axiometer.base.errors import RUN_FAILED, AxiometerError

_closed = [False, False, False]
"""Which of the three were closed when the process began; what is told there is lost."""


def prepare() -> None:
    """Take the three streams. AxiometerError where standard output is closed."""
    closed = [number for number in range(3) if not _is_open(number)]
    for number in closed:
        _closed[number] = True
        # Each is the lowest free number, so `open` gives it; a writer finds an open file.
        os.open(os.devnull, os.O_RDWR)
        if number == 2:
            sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (for the process's life)
    for stream in (sys.stdout, sys.stderr):
        # A name that is not UTF-8, or a terminal that is not: shown as well as can be.
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    if 1 in closed or sys.stdout is None:
        if sys.stdout is None:
            sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        raise AxiometerError(
            "standard output is closed, so there is no place for results",
            remedy="leave out >&-; what is not wanted can go to /dev/null",
            status=RUN_FAILED,
        )


_SHOW_AFTER_S, _SHOW_EVERY_S = 1.0, 0.1
_shown_width = 0
_next_show = 0.0


def transient(text: str) -> None:
    """Show how far work has come, in place of what was shown last: on a terminal only, from a
    second after the first call on, ten times a second at most. Gone when anything else is told."""
    global _next_show, _shown_width
    now = time.monotonic()
    if not _next_show:
        _next_show = now + _SHOW_AFTER_S
    if now < _next_show:
        return
    _next_show = now + _SHOW_EVERY_S
    try:
        if not sys.stderr.isatty():
            return
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
        text = harmless.text(text)[: columns - 1]
        sys.stderr.write(f"\r{text.ljust(_shown_width)}")
        sys.stderr.flush()
        _shown_width = len(text)
    except (OSError, ValueError, AttributeError):
        silence(sys.stderr)


def clear() -> None:
    """Take away what `transient` shows."""
    global _shown_width
    if _shown_width:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"\r{' ' * _shown_width}\r")
            sys.stderr.flush()
        _shown_width = 0


def tell(message: str) -> None:
    """A line on standard error. Where nobody reads it, nothing: work goes on."""
    _told(message, sys.stderr)


def tell_error(message: str, plain: bool = True) -> None:
    """Why there is no result: on standard error, or where that is closed or takes nothing, on
    standard output. An exit status alone does not say what to do. Unless `plain`, the first word
    is red where the stream shows colours."""
    if _closed[2] or not _told(message, sys.stderr, plain):
        _told(message, sys.stdout, plain)


def _told(message: str, stream: TextIO, plain: bool = True) -> bool:
    """Whether the stream took the line."""
    clear()
    try:
        text = _fitted(harmless.text(message), stream)
        if colours.allowed(stream, plain):
            first, space, rest = text.partition(" ")
            text = f"{colours.paint(first, 'bold', 'red')}{space}{rest}"
        print(text, file=stream, flush=True)
    except (OSError, ValueError, AttributeError):
        silence(stream)
        return False
    return True


def _fitted(text: str, stream: TextIO) -> str:
    """Lines that a terminal does not break within words; as it is for files and programs, which
    look for whole messages."""
    try:
        if not stream.isatty():
            return text
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # a terminal that does not tell
        return text
    return "\n".join(wrap.lines([text], columns)) if columns else text


def silence(stream: TextIO) -> None:
    """Send the rest of a stream nowhere: Python would try once more at exit, and complain."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True
