"""Shared parts of the tests of the agent's lines."""

import importlib
import sys
from pathlib import Path

import pytest

HOST_TESTS = Path(__file__).resolve().parents[4] / "host" / "tests"


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An agent with a design that is not there (host/tests/fake.h), with the sanitizers on."""
    sys.path.insert(0, str(HOST_TESTS))
    try:
        build = importlib.import_module("build")
    finally:
        sys.path.remove(str(HOST_TESTS))
    made: Path = build.agent(tmp_path_factory.mktemp("agent") / "agent", build.SANITIZERS)
    return made
