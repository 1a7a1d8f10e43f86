"""The client with agents that lie, babble, fall silent or die: one clear error, in bounded time
and memory, whatever comes."""

import random
import sys
import time

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent import Client, Pipe, protocol

# An agent that answers each command with what `answer` makes of its number.
AGENT = """
import os, sys, time
sys.path.insert(0, {path!r})
from axiometer.runs.agent.protocol import checksum

def line(text):
    body = text.encode("latin-1")
    return body + b"*%04X\\n" % checksum(body)

def say(data):
    while data:
        data = data[os.write(1, data):]

while True:
    words = sys.stdin.buffer.readline()
    if not words:
        break
    n = words.split(b" ")[0].decode()
    {answer}
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    """What is damaged always is asked for as often as it takes, but not here."""
    monkeypatch.setattr("axiometer.runs.agent.conversation.ATTEMPTS", 2)
    monkeypatch.setattr("axiometer.runs.agent.conversation.QUIET_S", 0.05)


@pytest.fixture
def speak():
    """A client whose agent does `answer`, Python that may use n, line() and say()."""
    clients = []

    def begin(answer, timeout_s=20.0):
        code = AGENT.format(path=next(p for p in sys.path if p), answer=answer)
        clients.append(Client(Pipe([sys.executable, "-c", code]), timeout_s=timeout_s))
        return clients[-1]

    yield begin
    for client in clients:
        client.transport.kill()
        client.close()


HELLO = "say(line(n + ' ok protocol=1 agent=0 target=x'))"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("say(b'x' * 10**7)", "line of more than"),
        ("say(b'\\x00\\xff\\xfe' * 100 + b'\\n')", "damaged"),
        ("say(b'\\n')", "damaged"),
        ("say(line(n + ' ok protocol=nan'))", "not a number"),
        ("say(line(n + ' ok protocol=-1'))", "not a number"),
        ("say(line(n + ' ok protocol=1_0'))", "not a number"),
        ("say(line(n + ' ok protocol='))", "not a number"),
        ("say(line(n + ' ok protocol=' + '9' * 900))", "not a number"),
        ("say(line(n + ' ok protocol=18446744073709551616'))", "beyond 64 bits"),
        ("say(line(n + ' ok protocol=1 protocol=2'))", "twice"),
        ("say(line(n + ' ok protocol=2'))", "speaks protocol 2"),
        ("say(line(n + ' ok'))", "speaks protocol None"),
        ("say(line(n + ' yes protocol=1'))", "another form"),
        ("say(line(n + ' ok text=\\x1b[2J'))", "another form"),
        ("say(line(n + ' ok a=' + 'b' * 2000))", "characters"),
        ("say(line('- error code=damaged text=x'))", "damages commands"),
        ("say(line(n + ' ok protocol=1')[:9]); sys.exit(3)", "status 3"),
        ("say(line(n + ' ok protocol=1')[:9]); os.abort()", "signal 6"),
        ("sys.stderr.write('\\x1b[31mred' + 'x' * 10**6); sys.exit(1)", "status 1"),
        ("os.close(1); sys.exit(0)", "status 0"),
    ],
)  # fmt: skip
def test_what_no_agent_says_is_one_error(speak, answer, message):
    with pytest.raises(AxiometerError, match=message) as refused:
        speak(answer).hello()
    assert refused.value.remedy
    told = str(refused.value)
    assert len(told) < 5000
    assert all(c.isprintable() or c == "\n" for c in told)


def test_silence_is_an_error_in_time(speak):
    begin = time.monotonic()
    with pytest.raises(AxiometerError, match="did not answer"):
        speak("time.sleep(100)", timeout_s=0.5).hello()
    # Neither an answer to something else nor more and more of one keeps it waiting.
    with pytest.raises(AxiometerError, match="did not answer"):
        speak("[say(line('7 ok')) or time.sleep(0.01) for _ in iter(int, 1)]", 0.5).hello()
    assert time.monotonic() - begin < 15


def test_an_answer_without_end(speak, monkeypatch):
    monkeypatch.setattr("axiometer.runs.agent.conversation.MOST_LINES", 1000)
    with pytest.raises(AxiometerError, match="does not end"):
        speak("[say(line(n + ' more block=1')) for _ in iter(int, 1)]").hello()


def test_an_agent_that_does_not_read(monkeypatch):
    monkeypatch.setattr("axiometer.runs.agent.descriptors._SEND_S", 0.5)
    pipe = Pipe([sys.executable, "-c", "import time; time.sleep(60)"])
    try:
        with pytest.raises(AxiometerError, match="no longer reads"):
            for _ in range(200):
                pipe.send(b"x" * 999 + b"\n")
    finally:
        pipe.kill()
        pipe.close()


CALLS = {
    "capabilities": lambda c: c.capabilities(),
    "allocate": lambda c: c.allocate(64),
    "run": lambda c: c.run(),
    "result": lambda c: c.result(),
    "counters": lambda c: c.counters(),
    "errors": lambda c: c.errors(),
    "records": lambda c: c.records(1, 0),
    "register": lambda c: c.read_register(0, 0),
}


@pytest.mark.parametrize("name", CALLS)
def test_answers_that_lack_what_they_must_have(speak, name):
    """No key is missed with a traceback, whatever half of an answer comes."""
    answer = "say(line(n + ' more kind=monitor')); say(line(n + ' ok'))"
    if name == "records":  # has nothing that it must have
        assert CALLS[name](speak(answer)) == [{"kind": "monitor"}]
        return
    with pytest.raises(AxiometerError, match="is missing"):
        CALLS[name](speak(answer))


def test_keys_that_are_not_known_are_ignored(speak):
    answer = "say(line(n + ' ok buffer=0 address=0x10 size=64 colour=7'))"
    assert speak(answer).allocate(64).size == 64


def test_random_answers():
    """20 000 answers that are nearly right: an answer, or one of the client's errors."""

    class Babble:
        lossy = False

        def __init__(self, draw):
            self.draw, self.number = draw, 0

        def send(self, line):
            self.number = int(line.split(b" ")[0] or 0)

        def receive(self, timeout_s):
            draw = self.draw
            keys = ("block", "kind", "state", "ns", "histogram", "value", "a", "protocol", "half")
            values = ("0", "nan", "-1", "0x", "0xFFFFFFFFFFFFFFFFF", "1,2,,", "monitor", "", "1e5")
            words = [f"{draw.choice(keys)}={draw.choice(values)}" for _ in range(draw.randrange(5))]
            kind = draw.choice(("ok", "ok", "more", "error", "no"))
            body = f"{draw.choice((self.number, self.number, '-', 9))} {kind} {' '.join(words)}"
            data = bytearray(body.strip().encode())
            if draw.random() < 0.2:
                data[draw.randrange(len(data))] = draw.randrange(256)
            return bytes(data) + b"*%04X" % protocol.checksum(bytes(data))

    draw = random.Random(5)
    client = Client(Babble(draw), timeout_s=5)
    errors = 0
    for _ in range(20000):
        try:
            draw.choice(list(CALLS.values()))(client)
        except AxiometerError:
            errors += 1
    assert 10000 < errors < 20000
