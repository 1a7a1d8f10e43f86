"""Lines to an agent by name: each carries a conversation, reopens, and reports faults."""

import contextlib
import os
import pty
import shlex
import socket
import subprocess
import threading
import tty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent import Client, conversation, protocol
from axiometer.runs.agent.lines import open_line


@pytest.fixture
def opened(monkeypatch):
    """Opens a line by its name, for a client."""
    monkeypatch.setattr(conversation, "REOPEN_S", 2.0)
    monkeypatch.setattr(conversation, "POLL_S", 0.05)
    with contextlib.ExitStack() as stack:
        yield lambda name: stack.enter_context(Client(open_line(name), timeout_s=10.0))


def talk(client):
    client.hello()
    assert client.capabilities().ports == 2
    assert client.allocate(64).buffer == 0
    client.reset()


@pytest.mark.parametrize("kind", ["pipe", "jtag", "ssh"])
def test_a_program(opened, program, kind, tmp_path, monkeypatch):
    """ssh is one that runs its last word here; a terminal of a UART greets first."""
    command = shlex.join(["sh", "-c", f"echo; echo hello there {'x' * 3000}; exec {program}"])
    if kind == "ssh":
        ssh = tmp_path / "ssh"
        ssh.write_text('#!/bin/sh\nfor word; do :; done\nexec sh -c "$word"\n')
        ssh.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
        command = f"root@board:{command}"
    client = opened(f"{kind}:{command}")
    talk(client)
    client.transport.reopen()
    with pytest.raises(conversation.RestartedError):
        client.check_session()


def serve(agent, listening, times):
    """Each connection has the same agent, as behind a serial server."""
    for _ in range(times):
        connection, _ = listening.accept()
        with connection:
            threading.Thread(target=carry, args=(agent.stdout, connection), daemon=True).start()
            while data := connection.recv(4096):
                if b"goodbye" in data:
                    break
                agent.stdin.write(data)


def carry(output, connection):
    with contextlib.suppress(OSError):
        while data := os.read(output.fileno(), 4096):
            connection.sendall(data)


def test_tcp_and_a_line_that_is_cut(opened, program):
    with (
        socket.create_server(("127.0.0.1", 0)) as listening,
        subprocess.Popen([program], stdin=-1, stdout=-1, bufsize=0) as agent,
    ):
        threading.Thread(target=serve, args=(agent, listening, 2), daemon=True).start()
        client = opened(f"tcp:127.0.0.1:{listening.getsockname()[1]}")
        client.hello()
        buffer = client.allocate(64)
        client.transport.send(b"goodbye\n")
        # The line comes back by itself, to the agent that still has the buffer.
        client.fill(buffer, seed=3)
        assert client.check(buffer, seed=3) == 0
        client.transport.send(b"goodbye\n")
        listening.close()
        with pytest.raises(conversation.LineLostError, match="cannot be opened"):
            client.capabilities()
        agent.kill()


def test_a_serial_line(opened, program):
    ours, theirs = pty.openpty()
    tty.setraw(ours)
    name = os.ttyname(theirs)
    with subprocess.Popen([program], stdin=ours, stdout=ours):
        os.close(ours)
        client = opened(f"serial:{name}@230400")
        talk(client)
        client.transport.reopen()
        client.check_session()
        client.close()
        os.close(theirs)


WORD = st.text("abcdefghijklmnopqrstuvwxyz_", min_size=1, max_size=12)


def test_check_value_of_the_sum():
    assert protocol.checksum(b"123456789") == 0x29B1


def test_a_command():
    line = protocol.encode(7, "buffer", "allocate", {"size": 4096, "address": "0x1000"})
    body, _, got = line.rstrip(b"\n").rpartition(b"*")
    assert body == b"7 buffer allocate size=4096 address=0x1000"
    assert int(got, 16) == protocol.checksum(body)
    assert protocol.encode(1, "reset", values={"force": True}).startswith(b"1 reset force=1*")


def reply(body: bytes) -> bytes:
    return body + b"*%04X" % protocol.checksum(body)


def test_a_reply():
    found = protocol.decode(reply(b"12 more half=read histogram=1,2 cause="))
    assert (found.number, found.kind) == (12, "more")
    assert found.values == {"half": "read", "histogram": "1,2", "cause": ""}
    found = protocol.decode(reply(b"- error code=damaged text=the line is damaged, a=b or not"))
    assert found.number is None
    assert found.values == {"code": "damaged", "text": "the line is damaged, a=b or not"}
    assert protocol.decode(reply(b"0 ok")).values == {}


@pytest.mark.parametrize(
    "body", [b"", b"1", b"x ok", b"1 yes", b"1 ok word", b"1 ok a=1  b=2", b"\xff ok"]
)
def test_a_reply_of_another_form(body):
    with pytest.raises(protocol.DamagedLine):
        protocol.decode(reply(body))


@pytest.mark.parametrize(
    "values", [{"a b": 1}, {"a": "b c"}, {"a": ""}, {"a": "x*y"}, {"a": "x\ny"}, {"a": "x" * 1000}]
)
def test_values_that_a_line_cannot_hold(values):
    with pytest.raises(ValueError):
        protocol.encode(1, "run", values=values)


@given(st.integers(0, 2**32 - 1), st.dictionaries(WORD, st.integers(0, 2**64 - 1), max_size=8))
def test_encoded_values_are_decoded(number, values):
    values.pop("text", None)
    line = protocol.encode(number, "ok", values=values).rstrip(b"\n")
    found = protocol.decode(line)
    assert found.number == number
    assert {k: protocol.number(v) for k, v in found.values.items()} == values


@given(st.integers(0, 200), st.integers(0, 7))
def test_every_flipped_bit_is_noticed(place, bit):
    line = bytearray(reply(b"3 ok state=done ns=12345"))
    place %= len(line)
    line[place] ^= 1 << bit
    if bytes(line).upper() == reply(b"3 ok state=done ns=12345").upper() and place >= len(line) - 4:
        return  # the case of a digit of the sum says nothing
    with pytest.raises(protocol.DamagedLine):
        protocol.decode(bytes(line))


def test_a_program_that_ends_before_it_answers_is_started_once_and_quoted(tmp_path):
    """As ssh does, to a board that is off or without an agent."""
    (tmp_path / "ssh").write_text(
        f"echo once >> {tmp_path}/log\necho no route to host >&2\nexit 255\n"
    )
    agent = Client(open_line(f"pipe:sh {tmp_path}/ssh"), timeout_s=5)
    with pytest.raises(AxiometerError, match=r"ended with status 255\n  no route to host"):
        agent.hello()
    agent.close()
    assert (tmp_path / "log").read_text() == "once\n"
