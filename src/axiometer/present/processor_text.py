"""The limit of a transfer of the processor's side: a sentence for each class of its time. Shares
are of the elapsed time."""

from __future__ import annotations

from collections.abc import Mapping

from axiometer.present.text import percent

_SENTENCES: Mapping[str, str] = {
    "data": "The fabric's end carries data {} of the time.",
    "fabric": "{} of the time goes to what is in the fabric, before and between beats.",
    "crossing": "{} of the time waits for an edge of the other side's clock.",
    "interconnect": "{} of the time goes to the way through the interconnect.",
    "memory": "{} of the time goes to the DRAM.",
    "queue": "{} of the time a transfer waits behind earlier ones.",
    "software": "The processor's instructions take {} of the time.",
    "fetch": "The processor waits {} of the time for instructions.",
    "engine": "The DMA engine's own program takes {} of the time.",
    "setup": "Setting up the transfer takes {} of the time.",
    "cache_control": "Cache control in software takes {} of the time.",
    "system": "The operating system takes {} of the time.",
    "copy": "The operating system's copies take {} of the time.",
}


def sentence(key: str, share: float) -> str:
    """The sentence on the class `key` with its `share` (0 to 1) of the time."""
    return _SENTENCES[key].format(percent(share))
