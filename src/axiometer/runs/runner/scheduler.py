"""Checks for a Dask scheduler at an address. Dask itself tries for long, and ends in a traceback if
another service answers.

Over `tcp` a scheduler speaks first, in frames; for other protocols only the connection is tried.
"""

from __future__ import annotations

import socket
import struct
import time

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError, did_you_mean

PROTOCOLS = ("tcp", "tls", "ws", "wss", "ucx")
REFUSED_S = 0.5  # for a scheduler that is just starting
CONNECT_S = 5.0  # to connect, if nothing refuses
SPEAK_S = 5.0
_PORT = 8786
_MOST_FRAMES = 1000  # of a greeting, which has three


def check(address: str) -> None:
    """AxiometerError if no scheduler can be at `address` ("tcp://HOST:PORT", or "HOST:PORT")."""
    if address.startswith("inproc://"):  # in this process
        return
    protocol, host, port = _parts(address)
    try:
        connection = _connected(host, port)
    except (OSError, UnicodeError) as error:
        raise none_at(address, str(error)) from None
    with connection:
        if protocol == "tcp" and not _greets(connection):
            raise none_at(address, "another service answers there")


def _parts(address: str) -> tuple[str, str, int]:
    protocol, found, place = address.rpartition("://")
    protocol = protocol if found else "tcp"
    if protocol not in PROTOCOLS:
        raise AxiometerError(
            f"--dask does not support {harmless.quoted(protocol)} addresses",
            remedy=f"{did_you_mean(protocol, PROTOCOLS, 'protocols')}; a scheduler prints its "
            "address, such as tcp://HOST:8786 (the page at http:// is its dashboard)",
        )
    host, _, port = place.rpartition(":") if ":" in place else (place, "", str(_PORT))
    host = host.strip("[]")
    if not host or not (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65536):
        raise AxiometerError(
            f"--dask is {harmless.quoted(address)}, which is not an address",
            remedy="give the scheduler's address: tcp://HOST:8786",
        )
    return protocol, host, int(port)


def _connected(host: str, port: int) -> socket.socket:
    until = time.monotonic() + REFUSED_S
    while True:
        try:
            return socket.create_connection((host, port), timeout=CONNECT_S)
        except ConnectionRefusedError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _greets(connection: socket.socket) -> bool:
    """Whether a number of frames arrives, the start of Dask's greeting."""
    connection.settimeout(SPEAK_S)
    start = b""
    try:
        while len(start) < 8 and (more := connection.recv(8 - len(start))):
            start += more
    except OSError:
        return False
    return len(start) == 8 and 0 < struct.unpack("<Q", start)[0] < _MOST_FRAMES


def none_at(address: str, why: str) -> AxiometerError:
    """The error for an address without a scheduler."""
    return AxiometerError(
        f"no Dask scheduler answers at {harmless.text(address, 200)}: {harmless.text(why, 200)}",
        remedy="start one with `dask scheduler`, and workers with `dask worker ADDRESS`; then give "
        "its address: --dask tcp://HOST:8786",
    )
