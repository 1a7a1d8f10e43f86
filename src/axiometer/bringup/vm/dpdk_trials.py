"""DPDK's own programs, and the library's, on simulated devices. Each function raises AxiometerError
if its program fails."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import dpdk, machine
from axiometer.runs.cosim import build

DUPLEX, COPY = 0, 3  # MODE of axm_dma_top
LATENCY = "20"
PROMPT = "testpmd> "
LIMIT_S = 900.0
SEGMENTS = (300, 200, 12)  # bytes, of each packet of testpmd


@contextmanager
def device(mode: int, say: Callable[[str], None]) -> Iterator[str]:
    """The socket of a server of our design."""
    program = build.server(machine.design(mode=mode), say)
    with _served(machine.Server(program, ("msix", LATENCY))) as socket:
        yield socket


@contextmanager
def vendors(engine: str, say: Callable[[str], None]) -> Iterator[str]:
    """The socket of a server of a model in lab/engines/, which objects to accesses that the
    engine's document forbids."""
    words = ("msix", LATENCY, f"--engine={engine}")
    with _served(machine.Server(build.engine_server(say), words)) as socket:
        yield socket


@contextmanager
def _served(server: machine.Server) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="axm-dpdk-") as work:
        socket = Path(work) / "socket"
        with machine.serving(server, socket):
            yield str(socket)


def _ended(what: str, words: list[str], **environment: str) -> str:
    """The output of a program. AxiometerError if its status is not 0."""
    done = subprocess.run(
        children.tied(words), capture_output=True, text=True, check=False, timeout=LIMIT_S,
        stdin=subprocess.DEVNULL, env=os.environ | environment, errors="replace",
    )  # fmt: skip
    if done.returncode:
        raise AxiometerError(
            f"{what} ended with status {done.returncode}:\n{(done.stdout + done.stderr)[-1500:]}",
            status=RUN_FAILED,
        )
    return done.stdout


def packets(socket: str, engine: str, count: int, built: dpdk.Built) -> str:
    """The table of host/apps/packets.c over the bursts of DPDK."""
    vdev = f"--vdev=net_axm0,sim={socket},engine={engine}"
    program = built.programs[dpdk.PACKETS]
    return _ended(dpdk.PACKETS, dpdk.command(program, *dpdk.EAL, *dpdk.LOW, vdev, "--", str(count)))


def removed(socket: str, device: str, built: dpdk.Built) -> str:
    """The line of the program that removes `device` (net_axm or dma_axm) while it runs."""
    program = built.programs[dpdk.REMOVE]
    vdev = f"--vdev={device}0,sim={socket}"
    said = _ended(dpdk.REMOVE, dpdk.command(program, *dpdk.EAL, *dpdk.LOW, vdev))
    return said.splitlines()[-1]


def copies(socket: str, engine: str, built: dpdk.Built) -> str:
    """Run dmadev_autotest and return its lines on our device."""
    skeleton = dpdk.root() / dpdk.LIBRARIES / "librte_dma_skeleton.so"
    program = dpdk.root() / "usr" / "bin" / "dpdk-test"
    words = [*dpdk.plugins(skeleton, built.plugin), *dpdk.EAL, *dpdk.LOW]
    vdev = f"--vdev=dma_axm0,sim={socket},engine={engine}"
    output = _ended(
        "dpdk-test", dpdk.command(program, *words, vdev), DPDK_TEST="dmadev_autotest"
    ).replace("\r", "\n")
    if "Test OK" not in output or "Test dmadev instance 0 [dma_axm0]" not in output:
        raise AxiometerError(f"dmadev_autotest failed:\n{output[-1500:]}", status=RUN_FAILED)
    ours = output.partition("[dma_axm0]")[2].partition("###")[0]
    return "\n".join(line for line in ours.splitlines() if line.startswith("DMA Dev"))


class _Testpmd:
    """A testpmd at its prompt."""

    def __init__(self, socket: str, engine: str, built: dpdk.Built) -> None:
        program = dpdk.root() / "usr" / "bin" / "dpdk-testpmd"
        vdev = f"--vdev=net_axm0,sim={socket},engine={engine}"
        words = [*dpdk.plugins(built.plugin), *dpdk.EAL, *dpdk.LOW, vdev, "--", "-i"]
        words += ["--nb-cores=1", "--port-topology=loop", "--total-num-mbufs=2048"]
        # On a terminal, testpmd flushes its output.
        self.terminal, own = os.openpty()
        self.process = subprocess.Popen(
            children.tied(dpdk.command(program, *words, "--no-mlockall")),
            stdin=subprocess.PIPE, stdout=own, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        os.close(own)
        self.until = time.monotonic() + LIMIT_S
        self.output = ""
        self._read(PROMPT)

    def _read(self, until: str) -> str:
        """Its output up to `until`. AxiometerError if testpmd ends."""
        output = ""
        while not output.endswith(until):
            try:
                output += os.read(self.terminal, 1).decode(errors="replace")
            except OSError as error:  # the other end is closed
                last = (self.output + output)[-1500:]
                raise AxiometerError(f"testpmd ended: {last}", status=RUN_FAILED) from error
        self.output += output
        return output

    def ask(self, text: str, until: str) -> str:
        """The answer to a command, up to `until` (the prompt also appears within answers)."""
        assert self.process.stdin is not None
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()
        return self._read(until)

    def counts(self) -> dict[str, int]:
        answer = self.ask("show port stats 0", "Tx-bps:")
        return {name: int(number) for name, number in re.findall(r"([RT]X-\w+): +(\d+)", answer)}

    def wait(self, reached: Callable[[dict[str, int]], bool]) -> dict[str, int]:
        """The counts as soon as `reached`. AxiometerError after LIMIT_S."""
        while not reached(found := self.counts()):
            if time.monotonic() > self.until:
                raise AxiometerError(
                    f"testpmd did not finish in {LIMIT_S:g} s: {found}", status=RUN_FAILED
                )
            time.sleep(0.05)
        return found

    def end(self) -> None:
        if self.process.poll() is None and self.process.stdin is not None:
            self.process.stdin.write("quit\n")
            self.process.stdin.close()
            with suppress(OSError):
                while os.read(self.terminal, 4096):
                    pass
        self.process.wait(60)
        os.close(self.terminal)


def forwards(socket: str, engine: str, count: int, built: dpdk.Built) -> dict[str, int]:
    """Let testpmd send packets of several pieces and forward the returned ones until it has
    received `count`, then receive the rest. AxiometerError unless it received all that it sent."""
    testpmd = _Testpmd(socket, engine, built)
    try:
        testpmd.ask(f"set txpkts {','.join(map(str, SEGMENTS))}", PROMPT)
        testpmd.ask("set fwd io", "forwarding mode")
        testpmd.ask("start tx_first 1", PROMPT)
        testpmd.wait(lambda now: now["RX-packets"] >= count)
        testpmd.ask("stop", "Done.")
        testpmd.ask("set fwd rxonly", "forwarding mode")
        testpmd.ask("start", PROMPT)
        found = testpmd.wait(lambda now: now["RX-packets"] == now["TX-packets"])
        testpmd.ask("stop", "Done.")
    finally:
        testpmd.end()
    errors = found["RX-errors"] + found["TX-errors"]
    bytes_due = found["TX-packets"] * sum(SEGMENTS)
    if errors or not found["RX-bytes"] == found["TX-bytes"] == bytes_due:
        raise AxiometerError(f"testpmd counted {found}", status=RUN_FAILED)
    return found
