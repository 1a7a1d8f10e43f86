"""Emulated boards for the proof, each behind its own kind of line, which may be noisy."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from axiometer.base import standard_streams
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import bare, linux_agent
from axiometer.runs.agent.conversation import Transport
from axiometer.runs.agent.lines import open_line
from axiometer.runs.agent.pipe import Pipe
from axiometer.runs.cosim.rtl_design import RtlDesign

LATENCY = 20
CARRIERS = ("pipe", "TCP", "serial")
_PTY_S = 30.0


@dataclass(frozen=True)
class Kind:
    """A processor with what runs on it: a chip of `bare`, or a guest of `linux_agent`."""

    name: str

    @property
    def linux(self) -> bool:
        return self.name in linux_agent.KERNELS

    def ready(self) -> None:
        """AxiometerError where its tools are not there."""
        if not self.linux:
            bare.require(self.name)
        else:
            from axiometer.bringup.vm import packages

            packages.require(linux_agent.KERNELS[self.name])


def kinds() -> list[Kind]:
    return [Kind(name) for name in (*bare.chips(), *linux_agent.KERNELS)]


class Emulator:
    """An emulated board that can be restarted. line: carries its words."""

    def __init__(self, kind: Kind, carrier: str, design: RtlDesign) -> None:
        self.kind, self.carrier, self.design = kind, carrier, design
        self._port = _free_port()
        self._stack = ExitStack()
        self.process: Pipe
        self.line: Transport
        self.start()

    def start(self) -> None:
        """Switches it on. The line is opened the first time."""
        uart = {
            "pipe": "stdio",
            "TCP": f"tcp:127.0.0.1:{self._port},server=on,wait=off",
            "serial": "pty",
        }[self.carrier]
        if self.kind.linux:
            where = "" if uart == "stdio" else uart
            running = linux_agent.running(
                self.kind.name, self.design, LATENCY, standard_streams.tell, where
            )
        else:
            program = bare.image(emulated=True, chip=self.kind.name)
            running = bare.running(
                program, self.design, LATENCY, standard_streams.tell, self.kind.name, uart=uart
            )
        self.process = self._stack.enter_context(running)
        if not hasattr(self, "line"):
            self.line = self._opened()
            if self.kind.linux:
                linux_agent.wait(self.line)

    def stop(self) -> None:
        """Switches it off."""
        self._stack.close()

    def restart(self) -> None:
        """Off and on: a board's reset."""
        self.stop()
        self.start()

    def _opened(self) -> Transport:
        if self.carrier == "pipe":
            return self.process
        if self.carrier == "TCP":
            return _patient(f"tcp:127.0.0.1:{self._port}")
        output = self.process.receive(_PTY_S) or b""
        found = re.search(rb"/dev/pts/\d+", output)
        if found is None:
            raise AxiometerError(f"QEMU names no serial line: {output!r}")
        return open_line(f"serial:{found[0].decode()}@115200")


def _patient(name: str) -> Transport:
    """A line to an emulator that is starting."""
    import time

    until = time.monotonic() + _PTY_S
    while True:
        try:
            return open_line(name)
        except AxiometerError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


@contextmanager
def emulator(kind: Kind, carrier: str, design: RtlDesign) -> Iterator[Emulator]:
    """An emulated board, until the block ends."""
    made = Emulator(kind, carrier, design)
    try:
        yield made
    finally:
        made.line.close()
        made.stop()
