"""An agent at a TCP port: of a serial server, of an emulator, of a board."""

from __future__ import annotations

import socket

from axiometer.runs.agent.lines.opened import Opened, OpenedLine

_CONNECT_S = 10.0


class TcpLine(OpenedLine):
    """host, port: where it listens. What is behind it may lose something: it may be a serial
    line."""

    remedy = "does anybody listen there, and nobody else speak with it?"

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
