"""For the tests of the page: a server, and the page's two ends."""

import pytest

import serve_kit


@pytest.fixture(scope="module")
def served():
    with serve_kit.running() as page:
        yield page


@pytest.fixture(scope="module", params=["server", "static"])
def end(request):
    """What answers the page: `axiometer serve`, or the browser itself."""
    with serve_kit.running() if request.param == "server" else serve_kit.static() as of:
        yield of
