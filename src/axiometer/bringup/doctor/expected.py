"""The expected state of a target: from the `plan.json` of a written project, or only a chip."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError

TOPS = {"axm_dma_top": 1, "axm_traffic_top": 2, "axm_master_top": 3, "axm_convolution_top": 4,
        "axm_vendor_top": 5}  # fmt: skip
"""Numbers of tops in the identification block (regs/id.rdl)."""


@dataclass(frozen=True)
class Expected:
    """base: address of the registers on the processor's bus. clock_hz: of the fabric. top: its
    name. widths: data bits by the processor's name of the port, including the processor's masters.
    blocks: maps of `regs/` by window. buffer_mib: DMA memory, from `memory` (cma, reserved).
    driver: uio, axm. port_reset: the register (MODULE.REGISTER) whose bits take the design's ports
    to the memory out of reset, and these bits. None or empty: unknown."""

    board: str | None = None
    base: int | None = None
    clock_hz: int | None = None
    top: str | None = None
    parameters: Mapping[str, int] | None = None
    widths: Mapping[str, int] | None = None
    blocks: tuple[str, ...] = ()
    buffer_mib: int | None = None
    memory: str | None = None
    driver: str | None = None
    port_reset: tuple[str, int] | None = None


def of_project(directory: Path) -> Expected:
    """The expectations of the project that `axiometer build` wrote into `directory`. AxiometerError
    if the directory has no such project."""
    file = directory / "plan.json" if directory.is_dir() else directory
    try:
        plan = json.loads(file.read_text(encoding="utf-8"))
        linux = _linux(file.parent / "linux" / "linux.json")
        return Expected(
            board=str(plan["board"]),
            base=int(plan["registers"]["base"], 0),
            clock_hz=int(plan["parameters"]["CLOCK_HZ"]),
            top=str(plan["top"]),
            parameters={str(key): int(value) for key, value in plan["parameters"].items()},
            widths={
                str(p["name"]): int(p["width_bits"])
                for p in [*plan["ports"], *plan.get("masters", [])]
            },
            blocks=tuple(str(block["map"]) for block in plan["blocks"]),
            buffer_mib=_number(linux.get("buffer_mib")),
            memory=_word(linux.get("memory")),
            driver=_word(linux.get("driver")),
            port_reset=_port_reset(plan.get("port_reset")),
        )
    except OSError as error:
        raise AxiometerError(
            f"cannot be read: {error.strerror}",
            file=file,
            remedy="give the directory that axiometer build wrote",
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AxiometerError(
            f"is not the plan of a project ({error!r})",
            file=file,
            remedy="give the directory that axiometer build wrote",
        ) from None


def _linux(file: Path) -> Mapping[str, str | int | None]:
    """The design's settings in Linux; empty for a project without Linux."""
    if not file.is_file():
        return {}
    found: dict[str, str | int | None] = json.loads(file.read_text(encoding="utf-8"))
    return found


def _port_reset(found: Mapping[str, str] | None) -> tuple[str, int] | None:
    return None if found is None else (found["register"], int(found["bits"], 0))


def _number(found: str | int | None) -> int | None:
    return None if found is None else int(found)


def _word(found: str | int | None) -> str | None:
    return None if found is None else str(found)
