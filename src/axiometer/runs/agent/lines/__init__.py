"""Lines to an agent by name: the agent's place, and the transport.

    pipe:COMMAND                      a program on this machine
    ssh:[USER@]HOST[:COMMAND]         a program on HOST (default: axiometer-agent)
    tcp:HOST:PORT                     a serial server, a board, an emulator
    serial:DEVICE[@BAUD]              8 data bits, no parity, 1 stop bit; default 115200
    jtag:COMMAND                      a program for the board's JTAG UART: nios2-terminal, ...

To add a kind of line: a file with a class like `Transport` of `conversation.py` with `reopen()`,
and an entry in `_KINDS`.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Protocol

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.agent.lines.process import ProcessLine
from axiometer.runs.agent.lines.serial import SerialLine
from axiometer.runs.agent.lines.tcp import TcpLine

SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=5", "--")
AGENT = "axiometer-agent"
BAUD = 115200


class NamedLine(Transport, Protocol):
    """A line that can be opened again, with the same name; its other end may have changed."""

    def reopen(self) -> None: ...


def open_line(name: str) -> NamedLine:
    """The line called `name`. AxiometerError if the name is not valid, or if the line cannot be
    opened."""
    kind, colon, rest = name.partition(":")
    if not colon or kind not in _KINDS:
        raise AxiometerError(
            f"{name!r} is not the name of a line to an agent",
            remedy=did_you_mean(kind, _KINDS, "begin with one of") + ", and a colon",
        )
    if not rest:
        raise _form(name)
    return _KINDS[kind](name, rest)


def _pipe(name: str, rest: str) -> NamedLine:
    return ProcessLine(_words(name, rest), f"the agent {rest}")


def _ssh(name: str, rest: str) -> NamedLine:
    host, _, command = rest.partition(":")
    if not host or host.startswith("-"):
        raise _form(name)
    return ProcessLine([*SSH, host, command or AGENT], f"the agent on {host}")


def _jtag(name: str, rest: str) -> NamedLine:
    return ProcessLine(_words(name, rest), f"the JTAG UART of {rest}", lossy=True)


def _tcp(name: str, rest: str) -> NamedLine:
    host, _, port = rest.rpartition(":")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise _form(name)
    return TcpLine(host.strip("[]"), int(port))


def _serial(name: str, rest: str) -> NamedLine:
    device, at, baud = rest.partition("@")
    if not device or (at and not baud.isdecimal()):
        raise _form(name)
    return SerialLine(device, int(baud) if at else BAUD)


_KINDS: dict[str, Callable[[str, str], NamedLine]] = {
    "pipe": _pipe,
    "ssh": _ssh,
    "tcp": _tcp,
    "serial": _serial,
    "jtag": _jtag,
}


def _words(name: str, rest: str) -> list[str]:
    try:
        words = shlex.split(rest)
    except ValueError:
        raise _form(name) from None
    if not words:
        raise _form(name)
    return words


def _form(name: str) -> AxiometerError:
    return AxiometerError(
        f"{name!r} is not a complete name of a line",
        remedy="write pipe:COMMAND, ssh:USER@HOST[:COMMAND], tcp:HOST:PORT, serial:DEVICE[@BAUD] "
        "or jtag:COMMAND",
    )
