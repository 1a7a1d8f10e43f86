"""Places of data that the package does not contain."""

import pytest

from axiometer.base import data


@pytest.fixture
def beside(tmp_path, monkeypatch):
    """A checkout with public data beside it; the working directory is in it."""
    root = tmp_path / "tree"
    (root / "boards").mkdir(parents=True)
    (root / "pyproject.toml").touch()
    (tmp_path / "shared" / "reference").mkdir(parents=True)
    (tmp_path / "shared" / "reference" / "mine.csv").touch()
    monkeypatch.delenv("AXIOMETER_REFERENCE", raising=False)
    monkeypatch.chdir(root)
    return root


def test_data_beside_the_checkout_that_one_is_in_are_found(beside):
    assert data.find_external("mine.csv") == beside.parent / "shared" / "reference" / "mine.csv"
    assert data.find_external("another.csv") is None


def test_a_directory_that_is_no_checkout_has_none_beside_it(beside):
    (beside / "pyproject.toml").unlink()
    assert data.find_external("mine.csv") is None


def test_the_named_directory_is_the_only_one(beside, monkeypatch):
    monkeypatch.setenv("AXIOMETER_REFERENCE", str(beside))
    assert data.find_external("mine.csv") is None
