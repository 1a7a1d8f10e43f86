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

from axiometer.base.errors import AxiometerError
from axiometer.runs.agent import Client, conversation
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


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("uart:/dev/ttyS0", "is not the name of a line"),
        ("/dev/ttyS0", "is not the name of a line"),
        ("tcp:board", "not a complete name"),
        ("tcp:board:0", "not a complete name"),
        ("tcp:board:70000", "not a complete name"),
        ("tcp:127.0.0.1:1", "cannot be opened"),
        ("pipe:", "not a complete name"),
        ("pipe:'", "not a complete name"),
        ("pipe:/nowhere/agent", "cannot be started"),
        ("ssh:-oProxyCommand=x", "not a complete name"),
        ("serial:/dev/ttyUSB0@fast", "not a complete name"),
        ("serial:/dev/ttyUSB0@115201", "baud"),
        ("serial:/nowhere", "No such file"),
        ("serial:/dev/null", "cannot be opened"),
    ],
)
def test_names_of_no_line(name, message):
    with pytest.raises(AxiometerError, match=message) as refused:
        open_line(name)
    assert refused.value.remedy
