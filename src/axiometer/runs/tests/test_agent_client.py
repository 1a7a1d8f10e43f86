"""The client with a real agent and a fake design (host/tests/fake.h)."""

import threading
import time

import pytest

import bad_lines
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.agent import Client, Pipe, block_types, conversation, protocol, replies

DMA0, LOOPBACK0, MONITOR0, SNIFFER0, DMA1, TRAFFIC, SOURCE, SINK, COPY = (
    *(2, 3, 4, 5),
    *(6, 10, 11, 12, 13),
)


@pytest.fixture
def start(program):
    """Starts an agent; what goes wrong in its design is said by words."""
    agents = []

    def begin(*words, timeout_s=20.0):
        agents.append(Client(Pipe([program, *words]), timeout_s=timeout_s))
        return agents[-1]

    yield begin
    for agent in agents:
        agent.close()


def duplex(agent, size=8192, blocks=(DMA0, DMA1)):
    """A job: on each port, what is read comes back and is written. Its buffers, by pairs."""
    pairs = []
    agent.new_job()
    for block in blocks:
        to, source = agent.allocate(size), agent.allocate(size)
        agent.fill(source, seed=block)
        agent.setting("loopback", block + 1, limit=256)
        agent.stream(block, "write", to, beats=16, outstanding=4)
        agent.stream(block, "read", source, beats=16, outstanding=4)
        pairs.append((source, to))
    agent.arm()
    return pairs


def test_hello_and_capabilities(start):
    agent = start()
    hello = agent.hello()
    assert (hello["target"], hello["emulated"]) == ("test", 1)
    assert agent.environment() == {}  # it knows nothing
    design = agent.capabilities()
    assert design.clock_hz == 100_000_000
    assert (design.ports, design.data_bytes, design.version) == (2, 8, (0, 2, 3))
    assert [b.block for b in design.find(block_types.DMA)] == [DMA0, DMA1, COPY]
    assert [b.block for b in design.find(block_types.MONITOR, port=1)] == [8]
    assert design.find(block_types.COUNTER)[0].port is None


def test_buffers(start):
    agent = start()
    one = agent.allocate(1000, align=256)
    two = agent.allocate(1000, address=0x10010000)
    assert one.address % 256 == 0
    assert two.address == 0x10010000
    agent.fill(one, "hash", seed=3)
    assert agent.check(one, "hash", seed=3) == 0
    assert agent.check(one, "hash", seed=4) == 250
    # The address pattern is a function of the address on the bus, wherever the span begins.
    agent.fill(one, "address", seed=5)
    word = (one.address + 12) % 2**32
    word = (word ^ word << 16) % 2**32 ^ 5
    assert agent.check(one, "value", seed=word, offset=12, bytes=4) == 0
    assert agent.check(one, "address", seed=5, offset=12, bytes=500) == 0
    assert agent.check(one, "address", seed=6) == 250
    agent.fill(one, "hash", seed=3)
    assert agent.compare(one, two) > 900
    agent.fill(two, "hash", seed=3)
    assert agent.compare(one, two) == 0
    agent.fill(two, "value", seed=0, offset=998, bytes=2)
    assert agent.check(two, "hash", seed=3) == 1
    agent.free(two)
    with pytest.raises(replies.AgentError) as refused:
        agent.check(two)
    assert refused.value.code == "empty"
    for size, code in ((2**30, "memory"), (0, "range")):
        with pytest.raises(replies.AgentError) as refused:
            agent.allocate(size)
        assert refused.value.code == code
    with pytest.raises(replies.AgentError) as refused:
        agent.allocate(64, address=one.address)
    assert refused.value.code == "address"


def test_duplex(start):
    agent = start()
    for _ in range(3):
        pairs = duplex(agent)
        run = agent.run()
        assert run.state == "done"
        assert [s["state"] for s in run.streams] == ["done"] * 4
        assert [s["half"] for s in run.streams] == ["write", "read"] * 2
        assert [s["bytes"] for s in run.streams] == [8192] * 4
        assert run.ns == max(s["end_ns"] for s in run.streams) > 8192 / 8 * 10
        assert run.clocks * 10 >= run.ns
        assert agent.result() == run
        for source, to in pairs:
            assert agent.compare(source, to) == 0
        check_counters(agent)
        assert agent.errors() == []
        agent.reset()


def check_counters(agent):
    monitors = [line for line in agent.counters() if line["kind"] == "monitor"]
    used = [line for line in monitors if line["block"] != TRAFFIC]
    assert len(used) == 4
    for line in used:
        assert line["beats"] == 1024
        assert line["bytes"] == 8192
        assert line["bursts"] == 64 == sum(line["histogram"])
        classes = ("beats", "idle", "address", "wait", "stall", "response")
        assert sum(line[name] for name in classes) == line["cycles"]
        assert line["latency_sum"] == 640
    sniffed = [line for line in agent.counters(SNIFFER0) if line.get("of") == "lengths"]
    assert sniffed[0]["histogram"][15] == 128  # the fake has one histogram for both slots
    assert agent.records(SNIFFER0, 0) == []


def test_a_job_is_armed_for_each_run(start):
    agent = start()
    duplex(agent)
    agent.run()
    with pytest.raises(replies.AgentError) as refused:
        agent.run()
    assert refused.value.code == "state"
    agent.arm()
    assert agent.run().state == "done"


def test_copy_traffic_source_and_sink(start):
    agent = start()
    one, two = agent.allocate(4096), agent.allocate(4096)
    agent.fill(one, seed=1)
    agent.new_job()
    agent.stream(COPY, "write", two, **{"from": one.buffer})
    agent.setting("source", SOURCE, packet_bytes=64)
    agent.setting("sink", SINK, check=1, on=3, off=1)
    agent.arm()
    assert agent.run().state == "done"
    assert agent.compare(one, two) == 0
    assert agent.read_register(SINK, 0x18) == 0x102
    agent.write_register(SINK, 0x18, 0)
    assert agent.read_register(SINK, 0x18) == 0
    agent.new_job()
    for half in ("write", "read"):
        agent.traffic(TRAFFIC, half, one, pattern="strided", stride=256, stop="bursts", limit=9)
    agent.arm()
    assert agent.run().state == "done"


def test_a_fault_ends_the_run_and_is_reported(start):
    agent = start(f"fault={DMA0},0,2,512")
    pairs = duplex(agent)
    run = agent.run()
    assert run.state == "fault"
    assert [s["state"] for s in run.streams].count("fault") == 1
    fault = next(e for e in agent.errors() if e["cause"] == "slverr")
    assert (fault["block"], fault["half"], fault["bytes"]) == (DMA0, "read", 512)
    assert fault["address"] == pairs[0][0].address + 512
    agent.reset()
    duplex(agent, blocks=(DMA1,))
    assert agent.run().state == "done"


def test_on_fault_wait_lets_the_others_end(start):
    agent = start(f"fault={DMA0},0,3,0")
    duplex(agent)
    run = agent.run(timeout_ms=5, on_fault="wait")
    states = {(s["block"], s["half"]): s["state"] for s in run.streams}
    assert states[DMA0, "read"] == "fault"
    assert states[DMA0, "write"] == "timeout"  # what it should write never came
    assert states[DMA1, "read"] == states[DMA1, "write"] == "done"


def test_faults_of_the_generator(start):
    agent = start("traffic_errors=220002,0")
    buffer = agent.allocate(4096)
    agent.new_job()
    agent.traffic(TRAFFIC, "write", buffer)
    agent.traffic(TRAFFIC, "read", buffer, check=1)
    agent.arm()
    assert agent.run().state == "fault"
    assert [(e["half"], e["errors"], e["cause"]) for e in agent.errors()] == [
        ("read", 2, "decerr,data")
    ]


def test_a_hanging_bus_is_left_in_time(start):
    agent = start("hang")
    duplex(agent)
    run = agent.run(timeout_ms=20)
    assert run.state == "timeout"
    assert {s["cause"] for s in run.streams} == {"aborted"}
    agent.reset()
    agent = start("hang", "never_clean")
    duplex(agent)
    assert agent.run(timeout_ms=20).state == "timeout"
    with pytest.raises(replies.AgentError) as refused:
        agent.reset()
    assert refused.value.code == "timeout"
    agent.reset(force=True)


def test_stop(start):
    agent = start("hang")
    duplex(agent)
    threading.Timer(0.3, agent.stop).start()
    begin = time.monotonic()
    run = agent.run(timeout_ms=3_600_000, wall_s=60)
    assert run.state == "stopped"
    assert time.monotonic() - begin < 30
    agent.hello()


def test_other_commands_wait_for_the_end_of_a_run(start):
    agent = start("hang")
    duplex(agent)
    send = agent.transport.send
    send(protocol.encode(500, "run", values={"timeout_ms": 3_600_000}))
    send(protocol.encode(501, "counters"))
    send(b"damage\n")
    send(protocol.encode(502, "stop"))
    replies = [protocol.decode(agent.transport.receive(20)) for _ in range(8)]
    assert (replies[0].number, replies[0].values["code"]) == (501, "busy")
    assert (replies[1].number, replies[1].values["code"]) == (None, "damaged")
    assert (replies[2].number, replies[2].kind) == (502, "ok")
    assert {reply.number for reply in replies[3:]} == {500}
    assert replies[-1].kind == "ok"


def test_bus_errors_are_reported(start):
    codes = set()
    for access in (1, 10, 40, 100):
        agent = start(f"bus={access}")
        try:
            agent.capabilities()
            duplex(agent)
            agent.run()
        except replies.AgentError as error:
            codes.add(error.code)
            assert "clock" in error.remedy
        agent.hello()
    assert codes == {"bus"}


@pytest.mark.parametrize(
    ("part", "values", "code", "about"),
    [
        ("stream", {"half": "read", "buffer": 0}, "argument", "block"),
        ("stream", {"block": 99, "half": "read", "buffer": 0}, "type", "block"),
        ("stream", {"block": TRAFFIC, "half": "read", "buffer": 0}, "type", "block"),
        ("stream", {"block": DMA0, "buffer": 0}, "argument", "half"),
        ("stream", {"block": DMA0, "half": "both", "buffer": 0}, "argument", "half"),
        ("stream", {"block": DMA0, "half": "read", "buffer": 1}, "empty", "buffer"),
        ("stream", {"block": DMA0, "half": "read", "buffer": 0, "bytes": 0}, "range", "bytes"),
        ("stream", {"block": DMA0, "half": "read", "buffer": 0, "offset": 4096}, "range", "offset"),
        ("stream", {"block": DMA0, "half": "read", "buffer": 0, "beats": 257}, "range", "beats"),
        ("stream", {"block": DMA0, "half": "read", "buffer": 0, "user": 1}, "unknown", "user"),
        ("loopback", {"block": LOOPBACK0, "limit": 513}, "range", "limit"),
        ("sink", {"block": SINK, "on": 0}, "range", "on"),
        ("hope", {}, "unknown", "hope"),
    ],
)
def test_refused_settings_name_the_key(start, part, values, code, about):
    agent = start()
    agent.allocate(4096)
    with pytest.raises(replies.AgentError, match=about) as refused:
        agent.call("configure", part, **values)
    assert refused.value.code == code
    with pytest.raises(replies.AgentError):
        agent.arm()  # nothing of it was kept


def test_a_dead_agent(start):
    agent = start()
    agent.hello()
    agent.transport.kill()
    with pytest.raises(AxiometerError, match="signal 9") as dead:
        agent.hello()
    assert dead.value.remedy
    assert dead.value.status == RUN_FAILED


class First:
    """Damages the first so many lines of the host's or of the agent's."""

    def __init__(self, damaged, agents):
        self.damaged, self.agents = damaged, agents

    def __call__(self, line, agents):
        if agents != self.agents or self.damaged <= 0:
            return line
        self.damaged -= 1
        return line.replace(b"=", b"-", 1)


@pytest.mark.parametrize("agents", [False, True])
def test_what_is_damaged_is_sent_again_and_obeyed_once(start, monkeypatch, agents):
    monkeypatch.setattr("axiometer.runs.agent.conversation.QUIET_S", 0.05)
    monkeypatch.setattr("axiometer.runs.agent.conversation.ATTEMPTS", 5)
    agent = start()
    noise = First(conversation.ATTEMPTS - 1, agents)
    agent.transport = bad_lines.Noisy(agent.transport, noise)
    assert agent.allocate(64).buffer == 0
    noise.damaged = conversation.ATTEMPTS
    message = "is damaged" if agents else "damages commands"
    with pytest.raises(AxiometerError, match=message):
        agent.allocate(64)
    assert agent.allocate(64).buffer == (2 if agents else 1)  # it was obeyed, or never read


def test_a_conversation_on_a_line_that_damages_and_loses_bytes(start, monkeypatch):
    """1 byte in 300 is another one, or is lost: all commands are obeyed, each once."""
    monkeypatch.setattr("axiometer.runs.agent.conversation.QUIET_S", 0.02)
    monkeypatch.setattr("axiometer.runs.agent.conversation.FIRST_S", 0.1)
    agent = start(timeout_s=60)
    agent.transport = bad_lines.Noisy(agent.transport, bad_lines.noise(1 / 300, 7))
    agent.hello()
    for _ in range(3):
        design = agent.capabilities()
        assert len(design.blocks) == 14
        pairs = duplex(agent)
        run = agent.run()
        assert [s["state"] for s in run.streams] == ["done"] * 4
        assert agent.result() == run
        check_counters(agent)
        assert [agent.compare(*pair) for pair in pairs] == [0, 0]
        assert [buffer.buffer for pair in pairs for buffer in reversed(pair)] == [0, 1, 2, 3]
        agent.reset()
    assert agent.damaged > 10


def test_a_restarted_agent_is_reported(start):
    agent = start()
    agent.hello()
    agent.check_session()
    other = start()
    agent.transport = other.transport
    with pytest.raises(conversation.RestartedError):
        agent.check_session()
