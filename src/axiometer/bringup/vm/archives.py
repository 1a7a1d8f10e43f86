"""Downloads archives of others, each verified by its hash."""

from __future__ import annotations

import hashlib
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import packages

FETCH_S = 60.0  # without an answer
PIECE = 1 << 20


@contextmanager
def fetched(
    what: str, listed: packages.Archive, say: Callable[[str], None], *, otherwise: str = ""
) -> Iterator[IO[bytes]]:
    """The whole file, opened at its beginning. what: its name for people. otherwise: how to get it
    manually.

    AxiometerError if it cannot be fetched or has another hash.
    """
    say(f"fetching {what} {listed['version']}: {listed['url']}")
    digest = hashlib.sha256()
    with tempfile.TemporaryFile() as file:
        try:
            with urllib.request.urlopen(listed["url"], timeout=FETCH_S) as stream:
                while piece := stream.read(PIECE):
                    digest.update(piece)
                    file.write(piece)
        except (urllib.error.URLError, OSError) as error:
            raise AxiometerError(
                f"{what} cannot be fetched: {error}",
                remedy=f"check the network, {otherwise or 'and try again'}",
                status=RUN_FAILED,
            ) from error
        if digest.hexdigest() != listed["sha256"]:
            raise AxiometerError(
                f"the fetched file has another hash (SHA-256 {digest.hexdigest()})",
                remedy="try again; if the error stays, the file was changed: do not use it",
                status=RUN_FAILED,
            )
        file.seek(0)
        yield file
