"""Lines to an agent that damage or lose data, fall silent or break: for tests and proofs."""

from __future__ import annotations

import os
import random
import signal
import time

from axiometer.runs.agent.conversation import LineLostError
from axiometer.runs.agent.pipe import Pipe


class Noisy:
    """A transport that damages what it carries as `damage` says: it has the bytes of a line with
    its end and whether they are the agent's, and gives others; it loses an end of a line too."""

    lossy = True

    def __init__(self, inner, damage):
        self.inner, self.damage, self.rest = inner, damage, b""

    def send(self, line):
        self.inner.send(self.damage(line, False))

    def receive(self, timeout_s):
        until = time.monotonic() + timeout_s
        while b"\n" not in self.rest:
            line = self.inner.receive(max(until - time.monotonic(), 0))
            if line is None:
                return None
            self.rest += self.damage(line + b"\n", True)
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def close(self):
        self.inner.close()

    def reopen(self):
        self.rest = b""
        self.inner.reopen()


def noise(share, seed):
    """Of all bytes in both directions `share` are others, are lost, or are ends of lines."""
    draw = random.Random(seed)

    def damage(line, agents):
        kinds = (b"", bytes([draw.randrange(256)]), b"\n")
        return b"".join(draw.choice(kinds) if draw.random() < share else bytes([c]) for c in line)

    return damage


class Agents:
    """Agents one after the other: each opening starts the next of `commands`, the last one again
    and again. What happens: after so many lines that were sent, `happens[lines]` is called with
    this."""

    lossy = False

    def __init__(self, commands, happens=None):
        self.commands, self.happens = list(commands), dict(happens or {})
        self.lines, self.opened, self.cut = 0, 0, False
        self.pipe = None
        self.reopen()

    def reopen(self):
        if self.cut:
            raise LineLostError("the line is cut", status=1)
        self.close()
        command = self.commands[min(self.opened, len(self.commands) - 1)]
        self.pipe = Pipe(command, name="the agent")
        self.opened += 1

    def send(self, line):
        self.lines += 1
        if self.lines in self.happens:
            self.happens[self.lines](self)
        if self.cut:
            raise LineLostError("the line was cut", status=1)
        self.pipe.send(line)

    def receive(self, timeout_s):
        return self.pipe.receive(timeout_s)

    def close(self):
        if self.pipe is not None:
            self.pipe.kill()
            self.pipe.close()
            self.pipe = None


def restart(line):
    """The board is started anew."""
    line.pipe.kill()


def cut(line):
    """The cable is pulled."""
    line.cut = True


def fall_silent(line):
    """The board hangs: the line is there, nobody answers."""
    os.kill(line.pipe._process.pid, signal.SIGSTOP)
