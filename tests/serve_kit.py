"""The page of `axiometer serve` for tests."""

import contextlib
import threading

from axiometer.serve import server


@contextlib.contextmanager
def running():
    """A server that answers, on a free port."""
    with server.opened(0) as page:
        thread = threading.Thread(target=page.serve_forever, args=(0.01,))
        thread.start()
        yield page
        page.shutdown()
        thread.join()
