"""For the tests of the page: a server."""

import pytest

import serve_kit


@pytest.fixture(scope="module")
def served():
    with serve_kit.running() as page:
        yield page
