"""host/include/axm/<header>.h of each chip with a `host.toml`: addresses for programs without an
operating system, from the chip's folder.

    tools/chip_headers.py [--write]

Prints the headers, or writes them. A test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from axiometer.base import chip_files
from axiometer.designs import ps_facts
from axiometer.platform.registers.tables import load

FOLDER = Path(__file__).resolve().parents[1] / "host" / "include" / "axm"
SPI = 32
"""The number of the first shared interrupt, from which device trees count."""


def header(chip: str) -> str:
    """The header of a chip."""
    about = _of(chip, "host")
    guard = f"AXM_{about['header'].upper()}_H"
    title = ps_facts.system(chip).title
    return (
        f"/* Where a {title} has what programs without an operating system use.\n"
        f" * Made by tools/chip_headers.py --write from chips/{chip}/; do not edit it. */\n"
        "/* clang-format off */\n"
        f"#ifndef {guard}\n#define {guard}\n\n"
        + "".join(f"{line}\n" for line in _lines(chip, about))
        + "\n#endif\n"
    )


def _lines(chip: str, about: dict[str, Any]) -> Iterator[str]:
    table = load(chip)
    bases = {
        module["module"]: module["base"]
        for name in table.about["modules"]
        if (module := chip_files.read(chip, f"registers/{name}")) and "base" in module
    }
    for name in about["modules"]:
        yield _define(name, bases[name])
    for name, block in about["block"].items():
        bases[name] = block["base"] if "base" in block else bases[block["of"]] + block["at"]
        yield _define(name, bases[name], block.get("what", ""))
    for key in about["registers"]:
        address = table.registers[key].address
        assert address is not None, key
        yield _define(key.replace(".", "_"), address)
    for name in about["fields"]:
        _, field = table.field(name)
        taken = f"((word) >> {field.low} & 0x{field.mask >> field.low:X}u)"
        yield f"#define AXM_{name.replace('.', '_')}(word) {taken}"
    masters = ps_facts.system(chip).masters
    windows = [window for name in about["fabric"] for window in masters[name]["addresses"]]
    by = f"by {' and '.join(about['fabric'])}"
    yield _define("FABRIC_BEGIN", min(window[0] for window in windows), by)
    yield _define("FABRIC_END", max(window[1] for window in windows) + 1)
    project = _of(chip, "project")
    yield _define("DESIGN", project["registers"]["base"], "the registers of `axiometer build`")
    first = project["tree"]["interrupts"][about["fabric_interrupt"]] + SPI
    yield f"#define AXM_FABRIC_IRQ {first}{_comment(about['fabric_interrupt'] + '[0]')}"
    for name, interrupt in about["interrupt"].items():
        yield f"#define AXM_{name}_IRQ {interrupt['number']}{_comment(interrupt['what'])}"


def _of(chip: str, file: str) -> dict[str, Any]:
    found = chip_files.read(chip, file)
    assert found is not None, f"{chip} has no {file}.toml"
    return found


def _define(name: str, address: int, what: str = "") -> str:
    return f"#define AXM_{name} 0x{address:08X}u{_comment(what)}"


def _comment(what: str) -> str:
    return f" /* {what} */" if what else ""


def headers() -> dict[Path, str]:
    """Every header, by its file."""
    return {
        FOLDER / f"{_of(chip, 'host')['header']}.h": header(chip)
        for chip in chip_files.having("host")
    }


if __name__ == "__main__":
    for path, text in headers().items():
        if sys.argv[1:] == ["--write"]:
            path.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
