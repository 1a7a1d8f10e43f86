"""The handoff of Quartus for a Cyclone V or Arria V: `hps.xml` (clocks) and `emif.xml` (memory).

Each value becomes the macro of a preloader's headers, so that the decoders read it like
`pll_config.h` and `sdram_config.h`. `quartus_handoff.toml` has the values that the tools always
write, and the macro of each value.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypedDict, cast
from xml.parsers import expat

from axiometer.base import harmless
from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.readers.numbers import needed
from axiometer.platform.registers.results import Write

FILES = ("hps.xml", "emif.xml")
MAX_VALUES = 5000
_ROOT = re.compile(r"\s*<[^\0]{0,4000}?(?<=<)(hps|emif)\b")
_ALL = 0xFFFFFFFF
_FLAGS = {"true": "1", "false": "0"}
_TURNAROUND, _RATE = "MEM_IF_RD_TO_WR_TURNAROUND_OCT", "AFI_RATE_RATIO"
Values = Mapping[str, tuple[str, int]]


def understands(text: str) -> bool:
    """Whether the text is one of the two files."""
    return _ROOT.match(text) is not None


def read(text: str, file: object) -> list[Write]:
    """The macros of the file as writes. AxiometerError if it is damaged or lacks a value."""
    root = _ROOT.match(text)
    kind = root[1] if root else ""
    values = _values(text, file)
    known = facts()
    found = [
        Write(None, _ALL, _number(values, source, file), macro, values[source][1])
        for macro, source in (known["emif"] if kind == "emif" else known["hps"]).items()
        if source in values or _lacking(source, kind, file)
    ]
    fixed = (
        known["emif_fixed"] | dict(_derived(values, file)) if kind == "emif" else known["hps_fixed"]
    )
    return found + [Write(None, _ALL, value, macro, 1) for macro, value in fixed.items()]


class Facts(TypedDict):
    """`quartus_handoff.toml`: macros by their values, values that the tools always write, and codes
    of memories and widths."""

    hps: dict[str, str]
    emif: dict[str, str]
    hps_fixed: dict[str, int]
    emif_fixed: dict[str, int]
    memory_types: dict[str, tuple[int, int]]
    widths: dict[str, tuple[int, int]]


@cache
def facts() -> Facts:
    """The file's content; its tests check all of it."""
    path = Path(__file__).with_name("quartus_handoff.toml")
    return cast("Facts", tomllib.loads(path.read_text(encoding="utf-8")))


def _values(text: str, file: object) -> dict[str, tuple[str, int]]:
    """Every `name` with its `value` and line; of repeated names, the first."""
    parser = expat.ParserCreate("utf-8")  # the true encoding, whatever the file declares
    found: dict[str, tuple[str, int]] = {}

    def begin(name: str, attributes: dict[str, str]) -> None:
        if "name" in attributes and "value" in attributes and len(found) < MAX_VALUES:
            value = (attributes["value"], parser.CurrentLineNumber)
            found.setdefault(attributes["name"], value)

    def refused(*_: object) -> None:
        raise AxiometerError(
            "the file defines a document type or entities, unlike a handoff", file=file,
            line=parser.CurrentLineNumber, remedy="export the handoff again",
        )  # fmt: skip

    parser.StartElementHandler = begin
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = refused
    try:
        parser.Parse(text.encode("utf-8"), True)
    except expat.ExpatError as error:
        raise AxiometerError(
            f"not a whole XML file: {harmless.text(expat.ErrorString(error.code))}",
            file=file,
            line=error.lineno,
            remedy="generate the system in Platform Designer again, and give the whole file",
        ) from None
    return found


def _number(values: Values, name: str, file: object) -> int:
    text, line = values[name]
    return needed(_FLAGS.get(text.strip().lower(), text), name, file, line)


def _lacking(name: str, kind: str, file: object) -> bool:
    raise AxiometerError(
        f"{kind}.xml has no {name}",
        file=file,
        remedy="give the whole handoff of a Cyclone V or Arria V; those of other chips are "
        "not supported",
    )


def _derived(values: Values, file: object) -> Iterator[tuple[str, int]]:
    """The values that the tools compute."""
    prefix = "CFG_HPS_SDR_CTRLCFG_"
    known = facts()
    kinds = [k for k in known["memory_types"] if k in values and _number(values, k, file)]
    width = values["MEM_DQ_WIDTH"][0].strip()
    if len(kinds) != 1 or width not in known["widths"]:
        raise AxiometerError(
            f"emif.xml has {' and '.join(kinds) or 'no kind of memory'} on "
            f"{harmless.quoted(width, 20)} bits",
            file=file,
            remedy=f"supported are {', '.join(known['memory_types'])} on "
            f"{', '.join(known['widths'])} bits",
        )
    code, exit_clocks = known["memory_types"][kinds[0]]
    width_code, ecc = known["widths"][width]
    yield f"{prefix}CTRLCFG_MEMTYPE", code
    yield f"{prefix}DRAMTIMING4_SELFRFSHEXIT", exit_clocks
    yield f"{prefix}CTRLWIDTH_CTRLWIDTH", width_code
    yield f"{prefix}CTRLCFG_ECCEN", ecc
    yield f"{prefix}CTRLCFG_ECCCORREN", ecc
    for needed_name in (_TURNAROUND, _RATE, "MEM_IF_DM_PINS_EN"):
        if needed_name not in values:
            _lacking(needed_name, "emif", file)
    yield f"{prefix}CTRLCFG_NODMPINS", 1 - min(1, _number(values, "MEM_IF_DM_PINS_EN", file))
    # In clocks of the controller, which is as fast as the memory or half as fast; rounded up.
    clocks = -(-_number(values, _TURNAROUND, file) // max(1, _number(values, _RATE, file)))
    for end in ("", "_BC", "_DIFF_CHIP"):
        yield f"{prefix}EXTRATIME1_CFG_EXTRA_CTL_CLK_RD_TO_WR{end}", clocks
