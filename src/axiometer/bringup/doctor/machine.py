"""This machine as a target, or a copy of its /proc and /sys in a directory."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.bringup import devmem
from axiometer.bringup.doctor.target import BusError, NotThere
from axiometer.runs.agent import Client, Pipe

READ_S = 5.0


class Machine:
    """`root`: / or the directory of a copy, whose only registers are `registers` (address -> word).
    `agent`: the command of an agent in shell syntax. `mem`: the file for register access."""

    simulated = False

    def __init__(
        self,
        root: Path = Path("/"),
        registers: Mapping[int, int] | None = None,
        agent: str | None = None,
        mem: str = devmem.MEM,
    ) -> None:
        self.root = root
        self.registers = registers
        self.command = agent
        self.mem = mem
        self.copied = root != Path("/")
        self.recorded = self.copied or registers is not None
        self.name = f"the copy in {root}" if self.copied else "this machine"
        self._client: Client | None = None

    def read(self, path: str) -> str:
        try:
            return (self.root / path.lstrip("/")).read_bytes().decode("latin-1")
        except OSError as error:
            raise NotThere(f"{path}: {error.strerror}") from None

    def list(self, path: str) -> list[str]:
        try:
            return sorted(os.listdir(self.root / path.lstrip("/")))  # noqa: PTH208 (names only)
        except OSError as error:
            raise NotThere(f"{path}: {error.strerror}") from None

    def read32(self, address: int) -> int:
        if self.registers is not None:
            if address not in self.registers:
                raise NotThere(
                    f"the file of registers has none at {address:#010x}",
                    f"add it: devmem {address:#010x}",
                )
            return self.registers[address]
        if self.copied:
            raise NotThere("a copy has no registers", "add --registers FILE")
        return self._word(address)

    def agent(self) -> Client:
        if self.recorded:
            raise NotThere("a copy of a board has no agent")
        if self.command is None:
            raise NotThere(
                "no agent is given", 'add --agent "axiometer-agent DEVICE BASE SIZE udmabuf0"'
            )
        if self._client is None:
            self._client = greeted(Client(Pipe(shlex.split(self.command))))
        return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()

    def _word(self, address: int) -> int:
        if not os.access(self.mem, os.R_OK | os.W_OK):
            raise NotThere(
                f"{self.mem} cannot be opened",
                "run axiometer doctor as root, on a kernel with CONFIG_DEVMEM",
            )
        command = [sys.executable, "-c", devmem.PROGRAM, self.mem, str(address)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=READ_S)
        except subprocess.TimeoutExpired:
            raise BusError(address, f"no answer in {READ_S:g} s") from None
        if done.returncode < 0:
            raise BusError(address)
        if done.returncode > 0:
            said = done.stderr.strip().splitlines()[-1:] or ["no reason given"]
            raise NotThere(
                f"{self.mem} refuses {address:#010x}: {said[0]}",
                "boot with iomem=relaxed: the kernel may forbid access (CONFIG_STRICT_DEVMEM)",
            )
        return int(done.stdout, 0)


def greeted(client: Client) -> Client:
    """The client after the agent has confirmed this protocol; otherwise the client is closed."""
    try:
        client.hello()
    except AxiometerError:
        client.close()
        raise
    return client


def registers_of(file: Path) -> dict[int, int]:
    """The words by address in a file of registers printed by devmem, xsdb or U-Boot. AxiometerError
    if the file is not one."""
    from axiometer.platform.registers.readers import read_writes

    words: dict[int, int] = {}
    for write in read_writes(file):
        if write.address is not None:
            kept = words.get(write.address, 0) & ~write.mask
            words[write.address] = kept | (write.value & write.mask)
    return words
