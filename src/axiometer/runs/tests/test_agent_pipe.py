"""Programs that are no agent, or a faulty one: the client reports the fault and the remedy."""

import sys

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent import Client, Pipe, protocol


def test_an_agent_that_fails_immediately_is_quoted():
    talker = [sys.executable, "-c", "import sys; sys.exit('no clock, no data')"]
    agent = Client(Pipe(talker))
    with pytest.raises(AxiometerError, match="no clock, no data"):
        agent.hello()
    agent.close()


def test_an_agent_that_says_nothing():
    agent = Client(Pipe([sys.executable, "-c", "import time; time.sleep(60)"]), timeout_s=0.3)
    with pytest.raises(AxiometerError, match="did not answer 'hello' in 0.3 s"):
        agent.hello()
    agent.transport.kill()
    agent.close()


def test_an_agent_that_is_not_there(tmp_path):
    with pytest.raises(AxiometerError, match="cannot be started"):
        Pipe([tmp_path / "agent"])


def test_an_agent_of_another_version():
    line = protocol.encode(1, "ok", values={"protocol": 2}).decode()
    agent = Client(Pipe([sys.executable, "-c", f"input(); print({line!r}, end='', flush=True)"]))
    with pytest.raises(AxiometerError, match="speaks protocol 2"):
        agent.hello()
    agent.close()
