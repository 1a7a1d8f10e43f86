"""A loop-back of 4 KiB through each port, and what the caches make of it."""

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
    """Reads 4 KiB and writes them elsewhere, twice with other data. The processor has both buffers
    in its caches before. Wrong words that are old ones are the matter of `coherence`."""
    notes = Notes("loop-back")
    seen: list[Words] = []
    try:
        client = visit.target.agent()
        engines = transfer.engines(client.capabilities())
        if not engines:
            return notes.not_checked(
                "the design has no DMA engine with a loop-back",
                "of such a design a run of an experiment is the first transfer",
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
            "data arrive changed",
            "are the ports' widths those of the design (check widths)? Is the design's timing met?",
        )
    told = f"{BYTES} bytes went through each of {len(engines)} ports, {ROUNDS} times"
    return notes.ok(f"{told}; old data were seen" if any(w.wrong for w in seen) else told)


def _round(client: Client, engine: Block, source: Buffer, to: Buffer, round_: int) -> str:
    """How the transfer failed; empty if it did not."""
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
            "the port does not answer: is it out of reset, its clock connected, and (Cyclone V) "
            "the memory controller's port applied? Load the bitstream anew before the next try"
        )
    return "the address is not one that the port reaches: give the agent other DMA memory"


def coherence(visit: Visit) -> Finding:
    """Whether processor and ports see what the other has written last."""
    notes = Notes("coherence")
    stale = [w for w in visit.words if w.wrong]
    for w in stale:
        notes.saw(f"port {w.port}, round {w.round}: {w.wrong} words wrong, {w.unwritten} as before "
                  f"the transfer, {w.late} of the transfer before")  # fmt: skip
    if not stale:
        return notes.ok("the processor and the ports see what the other has written last")
    if any(w.unwritten for w in stale):
        told = "the processor sees old data where a port has written"
    else:
        told = "a port sees old data where the processor has written"
    return notes.fault(
        f"{told}: caches are not coherent with the port, and nobody cleans them",
        "take dma-coherent out of the device tree where the ports are HP0 to HP3; use a "
        "u-dma-buf whose sync works, or open it with O_SYNC (sync_mode 1); is the buffer's address "
        "on the bus the port's, and are the ports' widths the design's?",
    )
