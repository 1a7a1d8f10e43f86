"""Output on standard streams that may be closed, full, or without a reader.

The number of a closed stream goes to the next opened file, which may be the store. So all three
numbers are occupied first.
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
"""The streams that were closed when the process began; their output is lost."""


def prepare() -> None:
    """Occupy the three streams. AxiometerError where standard output is closed."""
    closed = [number for number in range(3) if not _is_open(number)]
    for number in closed:
        _closed[number] = True
        # `open` returns the lowest free number, so a writer finds an open file.
        os.open(os.devnull, os.O_RDWR)
        if number == 2:
            sys.stderr = open(os.devnull, "w")  # noqa: PTH123, SIM115 (for the process's life)
    for stream in (sys.stdout, sys.stderr):
        # A name or a terminal that is not UTF-8: unknown characters are escaped.
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
    """Replace the progress line: only on a terminal, from a second after the first call on, at most
    ten times a second. Any other message removes it."""
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
    """Remove the line of `transient`."""
    global _shown_width
    if _shown_width:
        with suppress(OSError, ValueError, AttributeError):
            sys.stderr.write(f"\r{' ' * _shown_width}\r")
            sys.stderr.flush()
        _shown_width = 0


def tell(message: str) -> None:
    """Print a line on standard error; without a reader, do nothing and continue."""
    _told(message, sys.stderr)


def tell_error(message: str, plain: bool = True) -> None:
    """Print the reason for a missing result: on standard error, or on standard output if standard
    error is closed or full, because an exit status does not say what to do. Unless `plain`, the
    first word is red where the stream shows colours."""
    if _closed[2] or not _told(message, sys.stderr, plain):
        _told(message, sys.stdout, plain)


def _told(message: str, stream: TextIO, plain: bool = True) -> bool:
    """Print the line and return whether the stream accepted it."""
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
    """`text` wrapped between words for a terminal; unchanged for files and programs, which may
    search for whole messages."""
    try:
        if not stream.isatty():
            return text
        columns = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError, AttributeError):  # the terminal's width is unknown
        return text
    return "\n".join(wrap.lines([text], columns)) if columns else text


def silence(stream: TextIO) -> None:
    """Discard the rest of a stream, because Python would retry at exit and complain."""
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
