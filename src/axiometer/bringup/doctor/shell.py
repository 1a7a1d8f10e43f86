"""A target behind ssh: one shell there runs the commands, one after the other."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup import devmem
from axiometer.bringup.doctor.machine import greeted
from axiometer.bringup.doctor.target import BusError, NotThere
from axiometer.runs.agent import Client, Pipe

SSH = ("ssh", "-T", "-o", "BatchMode=yes", "-o", "ServerAliveInterval=5", "--")
ANSWER_S = 30.0
LONGEST = 1 << 22
_REMEDY = "check that `ssh HOST true` works without a prompt; the board may have stopped"


class Shell:
    """`host`: for ssh, with root as its user. `agent`: the command of an agent there. `ssh`: the
    words before the host."""

    simulated = False
    recorded = False

    def __init__(self, host: str, agent: str | None = None, ssh: Sequence[str] = SSH) -> None:
        if host.startswith("-") or not host:
            raise AxiometerError(f"ssh:{host} names no host", remedy="write ssh:root@192.168.1.10")
        self.name = host
        self.command = agent
        self._ssh = (*ssh, host)
        self._pipe = Pipe((*self._ssh, "sh"), name=f"ssh {host}", line_max=LONGEST, remedy=_REMEDY)
        self._client: Client | None = None

    def read(self, path: str) -> str:
        status, text = self._ask(f"od -An -v -tx1 {shlex.quote(path)}")
        if status:
            raise NotThere(f"{path} cannot be read there")
        return bytes.fromhex("".join(text.split())).decode("latin-1")

    def list(self, path: str) -> list[str]:
        status, text = self._ask(f"ls -1 {shlex.quote(path)}")
        if status:
            raise NotThere(f"{path} cannot be read there")
        return sorted(text.splitlines())

    def read32(self, address: int) -> int:
        status, text = self._ask(f"{devmem.SHELL}devmem {address:#x} 32")
        if status == 127:
            raise NotThere("the target has neither devmem nor python3", "install python3")
        if status > 128:  # by a signal: SIGBUS
            raise BusError(address)
        try:
            return int(text.strip(), 0) & 0xFFFFFFFF if not status else _refused(address)
        except ValueError:
            return _refused(address)

    def agent(self) -> Client:
        if self.command is None:
            raise NotThere(
                "no agent is given", 'add --agent "axiometer-agent DEVICE BASE SIZE udmabuf0"'
            )
        if self._client is None:
            pipe = Pipe((*self._ssh, self.command), name=f"the agent on {self.name}")
            self._client = greeted(Client(pipe))
        return self._client

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
        self._pipe.close()

    def _ask(self, command: str) -> tuple[int, str]:
        """Status and output of a command; a line marks its end."""
        # Each line is marked, because a shell's profile may print anything. The status is that of
        # the command: it bypasses sed.
        line = (
            f'{{ {{ {{ {command}; }} </dev/null 2>/dev/null; echo "axm-end $?" >&3; }} '
            f"| sed 's/^/axm-out /' >&3; }} 3>&1; echo axm-over\n"
        )
        self._pipe.send(line.encode())
        out: list[str] = []
        status = None
        while True:
            got = self._pipe.receive(ANSWER_S)
            if got is None:
                raise AxiometerError(
                    f"{self.name} did not answer in {ANSWER_S:g} s", remedy=_REMEDY,
                    status=RUN_FAILED,
                )  # fmt: skip
            word, _, rest = got.decode("latin-1").partition(" ")
            if word == "axm-over":
                return (1 if status is None else status), "\n".join(out)
            if word == "axm-end":
                status = int(rest)
            elif word == "axm-out":
                out.append(rest)


def _refused(address: int) -> int:
    raise NotThere(
        f"devmem cannot read {address:#010x} there",
        "log in as root; the kernel may forbid access (CONFIG_STRICT_DEVMEM)",
    )
