"""A command leaves nothing of a virtual machine, in any way that it ends."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from axiometer.base.errors import AxiometerError
from machines import machine
from machines.guest import Guest

pytestmark = pytest.mark.skipif(shutil.which("setpriv") is None, reason="needs util-linux")

ENDS_S = 10.0
# What is started in place of the server and of QEMU: each says its process, and stays.
STAYS = 'echo $$ >> "$PIDS"; exec sleep 600'
SERVER = f'#!/bin/sh\ntouch "$1"\n{STAYS}\n'
PROGRAM = f"""
import signal
import sys
from pathlib import Path
from axiometer.base import children
sys.path.insert(0, {str(Path(__file__).parent)!r})
import test_ends
for ignored in (signal.SIGTERM, signal.SIGHUP):  # perhaps, where the tests run in the background
    signal.signal(ignored, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
with children.tidied():
    test_ends.stands_in(Path(sys.argv[1]), 600.0)
"""


def stands_in(server, limit_s):
    """machine.run with a server and a machine that are none."""
    settings = machine.Settings(None, "pci", limit_s)
    machine.qemu = lambda *_: ["sh", "-c", STAYS]
    return machine.run(settings, machine.Server(server, ()), Guest(script="true"))


def running(pid):
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def until(true):
    end = time.monotonic() + ENDS_S
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.fixture
def server(tmp_path, monkeypatch):
    program = tmp_path / "server"
    program.write_text(SERVER)
    program.chmod(0o755)
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))
    (tmp_path / "pids").touch()
    return program


def pids(server):
    return [int(line) for line in (server.parent / "pids").read_text().split()]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
def test_server_and_machine_end_with_the_command(server, tmp_path, number):
    work = tmp_path / "work"
    work.mkdir()
    command = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, server], stderr=subprocess.DEVNULL,
        env=os.environ | {"TMPDIR": str(work)}, start_new_session=True,
    )  # fmt: skip
    until(lambda: len(pids(server)) == 2)
    command.send_signal(number)
    command.wait(ENDS_S)
    until(lambda: not any(map(running, pids(server))))
    if number is not signal.SIGKILL:
        assert list(work.iterdir()) == []
    if number in (signal.SIGTERM, signal.SIGHUP):
        assert command.returncode == 128 + number


def test_a_guest_that_takes_too_long_is_stopped(server, monkeypatch):
    monkeypatch.setattr(machine, "qemu", machine.qemu)  # as it was, afterwards
    monkeypatch.setattr(machine, "ENDS_S", 0.1)
    with pytest.raises(AxiometerError, match="it was stopped after 0.5 s"):
        stands_in(server, 0.5)
    assert not any(map(running, pids(server)))
