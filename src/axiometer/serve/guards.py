"""The requests that the server answers: those of its own page, from this machine.

Against other sites in the same browser: a name that they point at this machine (DNS rebinding) has
another Host; their requests have another Origin or Sec-Fetch-Site, and cannot have the token,
which only the page contains. Not for: other users of this machine, who can open the page.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from dataclasses import dataclass

PAGE = "/"
TOKEN = "X-Axiometer-Token"
JSON, BYTES = "application/json", "application/octet-stream"
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer: the page loads nothing from elsewhere, runs nothing inline, and stands in no
frame; what the server says is for the page alone."""


@dataclass(frozen=True)
class Body:
    """What a POST may carry: its content type, and at most so many bytes."""

    kind: str
    most: int


class RefusedError(Exception):
    """A refused request: the status of HTTP and the reason."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


def check_source(path: str, headers: Mapping[str, str], port: int) -> None:
    """RefusedError unless the request comes from this machine's own page, or opens it."""
    hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
    if headers.get("Host", "") not in hosts:
        raise RefusedError(403, f"this server is http://127.0.0.1:{port}/ and has no other name")
    if path == PAGE:
        return  # a link to the page may stand anywhere
    origin = headers.get("Origin")
    if origin is not None and origin not in {f"http://{host}" for host in hosts}:
        raise RefusedError(403, "only the server's own page may ask")
    if headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none"):
        raise RefusedError(403, "only the server's own page may ask")


def check_body(headers: Mapping[str, str], token: str, wanted: Body) -> int:
    """The bytes of a POST's body. RefusedError without the page's token, for another content type,
    or a body that is too large or of unknown length."""
    # Bytes, since compare_digest refuses text beyond ASCII.
    given = headers.get(TOKEN, "").encode("utf-8", "replace")
    if not hmac.compare_digest(given, token.encode()):
        raise RefusedError(403, "the page is of an earlier start of the server: load it again")
    if headers.get("Content-Type", "") != wanted.kind:
        raise RefusedError(415, f"the content type must be {wanted.kind}")
    length = headers.get("Content-Length", "")
    if "Transfer-Encoding" in headers or not (length.isascii() and length.isdigit()):
        raise RefusedError(411, "the length of the body must be given")
    if len(length) > 12 or int(length) > wanted.most:
        raise RefusedError(413, f"the body is larger than {_size(wanted.most)}")
    return int(length)


def _size(most: int) -> str:
    return f"{most >> 20} MiB" if most >= 1 << 20 else f"{most >> 10} KiB"
