"""Vendors' engines of a project: their settings and the places of their registers
(`engines.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from axiometer.base.chip_files import Table
from axiometer.base.errors import AxiometerError

STEP = 0x10000
"""Bytes of an engine's registers, which is the distance to those of the next engine."""
FIFO_BEATS = 512
"""Size of the FIFO from an engine's sending side to its receiving side."""


@dataclass(frozen=True)
class Engine:
    """The engines of a project: the same engine on each port. `core`: its name in the tool;
    `settings`: its parameters; `registers`: its interface for the processor; `segment`: the
    addresses there; `base`: address of the first engine; `masters`: its interfaces to the memory
    with their address spaces; `stream`: its sending and receiving interfaces (empty for an engine
    that copies).

    For an engine of several cores, `parts` has the additional parameters of each; names of
    interfaces begin with the part's name; `at`: the processor's interfaces in bytes after `base`.
    """

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
            f"this engine cannot realign data of {width} bits", remedy="remove UNALIGNED"
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
