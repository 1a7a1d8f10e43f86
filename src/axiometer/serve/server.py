"""The server: files of the page, and answers as JSON. On 127.0.0.1 alone.

`guards.py` decides who may ask, `questions.py` what, `work.py` how much. Each file and each
question has an entry in a table; nothing of a request's path reaches the file system.
"""

from __future__ import annotations

import json
import os
import secrets
import select
import socket
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from typing import BinaryIO, cast

from axiometer.base.errors import AxiometerError
from axiometer.base.progress import StoppedError
from axiometer.serve import questions
from axiometer.serve.guards import (
    BYTES,
    HEADERS,
    JSON,
    PAGE,
    Body,
    RefusedError,
    check_body,
    check_source,
)
from axiometer.serve.uploads import MAX_FILE
from axiometer.serve.work import BusyError, Desk, Document

LOOPBACK = "127.0.0.1"
USUAL_PORT, TRIED_PORTS = 8437, 20
MOST_CONNECTIONS = 64
SILENT_S = 30.0
MOST_QUESTION = 64 * 1024
FILES = {
    PAGE: ("page.html", "text/html; charset=utf-8"),
    "/style.css": ("style.css", "text/css; charset=utf-8"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
    **{
        f"/{name}.js": (f"{name}.js", "text/javascript; charset=utf-8")
        for name in ("app", "ask", "controls", "masters", "answer", "curve", "own", "link")
    },
}
_TOKEN_PLACE = b"TOKEN-OF-THIS-SERVER"


class Server(ThreadingHTTPServer):
    """The server on a port of this machine; 0: any free one. OSError if it is taken."""

    daemon_threads = True
    # Elsewhere this option would let another program take the port too.
    allow_reuse_address = os.name == "posix"
    request_queue_size = 32

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(32)
        self.ended = threading.Event()
        self.desks = questions.Desks(
            Desk(at_once=4, waiting=16, kept=512), Desk(at_once=2, waiting=8, kept=128)
        )
        self._left = threading.BoundedSemaphore(MOST_CONNECTIONS)
        super().__init__((LOOPBACK, port), Handler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/"

    def verify_request(self, request: object, client_address: object) -> bool:
        """Whether there is room for another connection; `shutdown_request` gives it back."""
        return self._left.acquire(blocking=False)

    def process_request_thread(self, request: object, client_address: object) -> None:
        try:
            super().process_request_thread(request, client_address)  # type: ignore[arg-type]
        finally:
            self._left.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Silent about browsers that close a connection, as they do when an answer is not wanted
        any longer."""
        if not isinstance(sys.exc_info()[1], OSError):
            traceback.print_exc()

    def server_close(self) -> None:
        self.ended.set()
        super().server_close()


class Handler(BaseHTTPRequestHandler):
    """One connection of a browser."""

    protocol_version = "HTTP/1.1"
    server_version, sys_version = "axiometer", ""
    timeout = SILENT_S
    server: Server

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal is the user's."""

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
        try:
            check_source(self.path, self._headers(), self.server.port)
            if self.path not in FILES:
                raise RefusedError(404, "there is no such page")
        except RefusedError as refused:
            return self._refuse(refused)
        name, kind = FILES[self.path]
        content = resources.files(__package__).joinpath("static", name).read_bytes()
        if self.path == PAGE:
            content = content.replace(_TOKEN_PLACE, self.server.token.encode())
        return self._send(200, kind, content)

    def do_POST(self) -> None:  # noqa: N802
        try:
            headers = self._headers()
            check_source(self.path, headers, self.server.port)
            if self.path == questions.FILE:
                size = check_body(headers, self.server.token, Body(BYTES, MAX_FILE))
                name, board = (headers.get(f"X-Axiometer-{n}", "") for n in ("Name", "Board"))
                source = cast("BinaryIO", self.rfile)
                work: Callable[[], Document] = partial(
                    questions.file, self.server.desks, source, size, name, board, self._gone
                )
            elif self.path in questions.QUESTIONS:
                size = check_body(headers, self.server.token, Body(JSON, MOST_QUESTION))
                work = partial(self._question, questions.QUESTIONS[self.path], size)
            else:
                raise RefusedError(404, "there is no such question")
            return self._send_json(200, work())
        except RefusedError as refused:
            return self._refuse(refused)
        except AxiometerError as error:
            # Bytes of a refused file may be left unread.
            self.close_connection = self.close_connection or self.path == questions.FILE
            return self._send_json(200, questions.refused(error))
        except BusyError:
            return self._refuse(RefusedError(503, "too many answers are being computed"))
        except (StoppedError, EOFError):
            self.close_connection = True  # nobody waits
        except OSError:
            raise
        except Exception as error:
            traceback.print_exc()
            what = f"internal error: {type(error).__name__}; the terminal has its details"
            self._refuse(RefusedError(500, what))

    def _question(self, answer: questions.Answerer, size: int) -> Document:
        body = self.rfile.read(size)
        if len(body) < size:
            raise EOFError
        try:
            asked = json.loads(body)
        except (ValueError, RecursionError):
            raise RefusedError(400, "the question is no JSON") from None
        if not isinstance(asked, dict):
            raise RefusedError(400, "the question is no JSON object")
        return answer(self.server.desks, asked, self._gone)

    def _gone(self) -> bool:
        """Whether the browser closed the connection, as it does for an answer that is no longer
        wanted, or the server ends."""
        if self.server.ended.is_set():
            return True
        try:
            ready, _, _ = select.select([self.connection], [], [], 0)
            return bool(ready) and self.connection.recv(1, socket.MSG_PEEK) == b""
        except (OSError, ValueError):
            return True

    def _headers(self) -> Mapping[str, str]:
        return cast("Mapping[str, str]", self.headers)

    def _refuse(self, refused: RefusedError) -> None:
        self.close_connection = True  # its body was not read
        self._send_json(refused.status, {"error": {"message": refused.why, "remedy": ""}})

    def _send_json(self, status: int, document: Document) -> None:
        self._send(status, JSON, json.dumps(document, allow_nan=False).encode())

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)


def opened(port: int | None) -> Server:
    """The server on `port`, or (None) on the first free one from the usual on. AxiometerError if
    there is none."""
    tried = [port] if port is not None else [*range(USUAL_PORT, USUAL_PORT + TRIED_PORTS)]
    for number in tried:
        with suppress(OSError, OverflowError):
            return Server(number)
    if port is None:
        what = f"ports {tried[0]} to {tried[-1]} are taken"
        raise AxiometerError(what, remedy="name a free one: --port N")
    raise AxiometerError(
        f"port {port} cannot be used", remedy="leave --port out to have a free one, or name another"
    )
