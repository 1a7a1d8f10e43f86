import pytest
from engine_model import Engine, library


@pytest.fixture(scope="session")
def models(tmp_path_factory):
    return library(tmp_path_factory.mktemp("engines"))


@pytest.fixture
def made(models):
    """An engine by its name."""
    return lambda name: Engine(models, name)
