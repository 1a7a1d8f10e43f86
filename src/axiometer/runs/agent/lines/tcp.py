"""An agent at a TCP port of a serial server, an emulator or a board."""

from __future__ import annotations

import socket

from axiometer.runs.agent.lines.opened import Opened, OpenedLine

_CONNECT_S = 10.0


class TcpLine(OpenedLine):
    """host, port: where the server listens. It may forward to a serial line, which may lose
    data."""

    remedy = "check that a server listens there, and that no other program uses it"

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        super().__init__(f"the line to {host} port {port}")

    def _opened(self) -> Opened:
        try:
            opened = socket.create_connection((self.host, self.port), _CONNECT_S)
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            opened.settimeout(None)
        except OSError as error:
            raise self._cannot(error.strerror or str(error)) from None
        return opened
