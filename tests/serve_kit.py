"""The page for tests: of `axiometer serve`, and as static files."""

import contextlib
import fcntl
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from axiometer.serve import server

ROWS = b"""ports,mode,width_bits,pl_mhz,burst_bytes,transfer_bytes,total_MBps
HP0,read,64,100,128,1048576,700
"""


@contextlib.contextmanager
def answering(of):
    """A server in a thread."""
    thread = threading.Thread(target=of.serve_forever, args=(0.01,))
    thread.start()
    yield of
    of.shutdown()
    of.server_close()
    thread.join()


@contextlib.contextmanager
def running():
    """A server that answers, on a free port."""
    with answering(server.opened(0)) as page:
        page.root = page.url
        yield page


@contextlib.contextmanager
def serving(folder):
    """A plain server of a folder's files: its address."""
    handler = partial(_Files, directory=folder)
    with answering(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as plain:
        yield f"http://127.0.0.1:{plain.server_port}/"


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Nothing: what was asked is no output of a test."""

    def end_headers(self):
        self.send_header("Cache-Control", "max-age=600")  # as hosts of static sites say
        super().end_headers()


def site(folder):
    """Write the site of `make browser` into a folder, of what is installed here."""
    import browser
    import wheels

    if not any(wheels.found(version) for version in wheels.TRIED[1:]):
        pytest.skip("no Python 3.12 or newer with headers, to compile the model for browsers")
    browser.BUILD.mkdir(parents=True, exist_ok=True)
    with (browser.BUILD / "lock").open("w") as lock:  # another test may compile it
        fcntl.flock(lock, fcntl.LOCK_EX)
        browser.site(folder)


@contextlib.contextmanager
def static():
    """The static page from a plain server of files; its `folder` has what `make browser` makes."""
    with tempfile.TemporaryDirectory() as folder:
        site(Path(folder))
        with serving(folder) as root:
            yield SimpleNamespace(url=f"{root}browser/", root=root, folder=Path(folder))
