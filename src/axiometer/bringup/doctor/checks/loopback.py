"""A loop-back of 4 KiB through each port, and the coherence of caches with it."""

from __future__ import annotations

from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor.checks import transfer
from axiometer.bringup.doctor.examination import Visit, Words
from axiometer.bringup.doctor.finding import Finding, Notes
from axiometer.bringup.doctor.target import NotThere
from axiometer.runs.agent.client import Client
from axiometer.runs.agent.replies import Block, Buffer

BYTES = 4096
WORDS = BYTES // 4
ROUNDS = 2


def _to(round_: int) -> int:
    return 0x100 + round_


def _source(round_: int) -> int:
    return 0x200 + round_


def loopback(visit: Visit) -> Finding:
    """Reads 4 KiB and writes them elsewhere, in two rounds with different data. The processor has
    both buffers in its caches before. `coherence` reports wrong words that are old ones."""
    notes = Notes("loop-back")
    seen: list[Words] = []
    try:
        client = visit.target.agent()
        engines = transfer.engines(client.capabilities())
        if not engines:
            return notes.not_checked(
                "the design has no DMA engine with a loop-back",
                "run an experiment: that is the first transfer of such a design",
            )
        client.reset()
        source, to = client.allocate(BYTES), client.allocate(BYTES)
        for engine in engines:
            for round_ in range(ROUNDS):
                failed = _round(client, engine, source, to, round_)
                if failed:
                    told = f"the transfer at port {engine.port} ended with {failed}"
                    return notes.fault(told, _remedy(failed))
                seen.append(_words(client, engine, to, round_))
                notes.saw(f"port {engine.port}, round {round_ + 1}: {seen[-1].wrong} of {WORDS} "
                          "words wrong")  # fmt: skip
        client.reset()
    except NotThere as error:
        return notes.not_checked(error.why, error.remedy)
    except AxiometerError as error:
        return notes.fault(
            f"the agent: {error.message}",
            error.remedy or "give the agent DMA memory: axiometer-agent DEVICE BASE SIZE udmabuf0",
        )
    visit.words = seen
    if any(w.wrong and not w.unwritten + w.late for w in seen):
        return notes.fault(
            "data arrive corrupted",
            "check that the ports have the design's widths (check widths) and that the design "
            "meets its timing",
        )
    told = f"{BYTES} bytes went through each of {len(engines)} ports, {ROUNDS} times"
    return notes.ok(f"{told}; old data were seen" if any(w.wrong for w in seen) else told)


def _round(client: Client, engine: Block, source: Buffer, to: Buffer, round_: int) -> str:
    """The state and causes of a failed transfer; "" if it succeeded."""
    client.fill(to, "hash", _to(round_))
    client.fill(source, "hash", _source(round_))
    outcome = transfer.run(client, engine, source, to, BYTES)
    if outcome.state == "done":
        return ""
    causes = ", ".join(f"{e['half']}: {e['cause']} at {e['address']:#x}" for e in client.errors())
    return f"{outcome.state} ({causes})"


def _words(client: Client, engine: Block, to: Buffer, round_: int) -> Words:
    def like(seed: int) -> int:
        return WORDS - client.check(to, "hash", seed)

    wrong = WORDS - like(_source(round_))
    unwritten, late = (like(_to(round_)), like(_source(round_ - 1))) if wrong else (0, 0)
    return Words(engine.port, round_ + 1, wrong, unwritten, late)


def _remedy(causes: str) -> str:
    if "timeout" in causes:
        return (
            "the port does not answer: check its reset, its clock and (Cyclone V) that the memory "
            "controller's port is applied. Reload the bitstream before the next try"
        )
    return "the port does not reach this address: give the agent other DMA memory"


def coherence(visit: Visit) -> Finding:
    """Whether processor and ports see each other's last writes."""
    notes = Notes("coherence")
    stale = [w for w in visit.words if w.wrong]
    for w in stale:
        notes.saw(f"port {w.port}, round {w.round}: {w.wrong} words wrong, {w.unwritten} as before "
                  f"the transfer, {w.late} of the previous transfer")  # fmt: skip
    if not stale:
        return notes.ok("processor and ports see each other's last writes")
    if any(w.unwritten for w in stale):
        told = "the processor reads old data where a port has written"
    else:
        told = "a port reads old data where the processor has written"
    return notes.fault(
        f"{told}: the caches are not coherent with the port, and nothing cleans them",
        "remove dma-coherent from the device tree where the ports are HP0 to HP3; use a u-dma-buf "
        "whose sync works, or open it with O_SYNC (sync_mode 1); check that the buffer's bus "
        "address is the port's and that the ports have the design's widths",
    )
