"""Fixtures for all tests here."""

import pytest

import kit


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    """No test sees or touches the user's own runs, and the width is none of the user's."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "default.db"))


@pytest.fixture(autouse=True, scope="session")
def _assertions_of_the_rtl():
    """Co-simulations of the tests check what the RTL asserts of itself (rtl/*/checks)."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AXIOMETER_ASSERT", "1")
        yield


@pytest.fixture
def experiment(tmp_path):
    """The path of a small experiment with its platform beside it."""
    return kit.write(tmp_path)
