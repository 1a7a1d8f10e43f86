"""Vendors' engines of a project: how each is made, and where its registers are (`engines.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.base.chip_files import Table
from axiometer.base.errors import AxiometerError

STEP = 0x10000
"""From the registers of one engine to those of the next, in bytes; each has as many."""
FIFO_BEATS = 512
"""Of the FIFO between what an engine sends and what it receives."""


@dataclass(frozen=True)
class Engine:
    """The engines of a project: one on each port, all alike. `core` is what the tool calls it,
    `settings` what is set of it. `registers` is its interface for the processor, `segment` the
    addresses there, `base` the first engine's. `masters` are its interfaces to the memory, with
    their address spaces; `stream` those that send and receive, none of an engine that copies.

    Of an engine of several cores, `parts` are what is set besides of each, interfaces have the
    part's name before theirs, and those for the processor are `at`, in bytes behind `base`."""

    core: str
    settings: Mapping[str, str]
    registers: str
    segment: str
    base: int
    masters: Mapping[str, str]
    clocks: tuple[str, ...]
    resets: tuple[str, ...]
    interrupts: tuple[str, ...]
    stream: tuple[str, ...]
    parts: Mapping[str, Mapping[str, str]]
    at: Mapping[str, int]


@cache
def _all() -> Table:
    file = Path(__file__).with_name("engines.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


def parameters(name: str, width: int, base: int, given: Mapping[str, int]) -> dict[str, int]:
    """Parameters of `axm_vendor_top` for an engine with data of `width` bits, whose first one's
    registers are at `base`; `given` are those of the user. AxiometerError for what is not made."""
    about = _all()[name]
    usual = int(width <= about["unaligned_bits"])
    if given.get("UNALIGNED", usual) > usual:
        raise AxiometerError(
            f"this engine does not realign data of {width} bits", remedy="leave UNALIGNED out"
        )
    return {
        "ENGINE": about["number"],
        "LINES": len(about["interrupts"]),
        "ENGINE_BASE": base,
        "ENGINE_STEP": STEP,
        "LENGTH_BITS": about["length_bits"],
        "UNALIGNED": usual,
        **given,
    }


def of(name: str, values: Mapping[str, int]) -> Engine:
    """The engine for the parameters of the top."""
    about = _all()[name]
    unaligned, length = values["UNALIGNED"], values["LENGTH_BITS"]
    words = {"width": values["DATA_W"], "address": values["ADDR_W"], "length": length,
             "longest": 1 << length, "unaligned": unaligned, "fifo": FIFO_BEATS,
             "transfers": about.get("transfers", ("0", "1"))[unaligned]}  # fmt: skip
    registers = about.get("registers", {"interface": "", "segment": ""})
    return Engine(
        about["core"],
        {key: text.format(**words) for key, text in about["settings"].items()},
        registers["interface"],
        registers["segment"],
        values["ENGINE_BASE"],
        about["masters"],
        tuple(about["clocks"]),
        tuple(about["resets"]),
        tuple(about["interrupts"]),
        tuple(about.get("stream", ())),
        about.get("part", {}),
        about.get("at", {}),
    )
