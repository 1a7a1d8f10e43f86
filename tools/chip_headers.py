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
from axiometer.bringup.doctor import chip as doctor
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
        '#include "axm/chip.h"\n\n'
        + "".join(f"{line}\n" for line in _lines(chip, about))
        + "\n#endif\n"
    )


def _lines(chip: str, about: dict[str, Any]) -> Iterator[str]:
    yield f'#define AXM_CHIP_NAME "{about["header"]}"'
    if "platform" in about:
        yield f"#define AXM_PLATFORM axm_platform_{about['header']} /* axm/platform.h */"
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
    yield from _fabric(chip, about)
    for name, interrupt in about["interrupt"].items():
        yield f"#define AXM_{name}_IRQ {interrupt['number']}{_comment(interrupt['what'])}"
    for name, value in about["value"].items():
        yield _define(name, value["value"], value["what"], digits=1)
    yield from _emulated(about["emulator"])


def _fabric(chip: str, about: dict[str, Any]) -> Iterator[str]:
    """The windows of the processors to the fabric, and the registers in them."""
    masters = ps_facts.system(chip).masters
    if "windows" in about:
        names = {master["name"]: master for master in masters.values()}
        begins = {
            name: its.get("base", names[name].get("base")) for name, its in about["windows"].items()
        }
        windows = [
            [begins[name], begins[name] + its["bytes"] - 1]
            for name, its in about["windows"].items()
        ]
        by, base, what = f"by {' and '.join(begins)}", windows[-1][0], f"by {list(begins)[-1]}"
        first, pin = about["fabric_interrupt"]["number"], about["fabric_interrupt"]["what"]
    else:
        every = [window for name in about["fabric"] for window in masters[name]["addresses"]]
        windows, by = [w for w in every if w[1] < 1 << 32], f"by {' and '.join(about['fabric'])}"
        project = _of(chip, "project")
        base = project["registers"].get("base", windows[0][0])
        what = "the registers of `axiometer build`"
        pin = about["fabric_interrupt"]
        first, pin = project["tree"]["interrupts"][pin] + SPI, f"{pin}[0]"
    text = ", ".join(f"{{0x{begin:08X}u, 0x{end:08X}u}}" for begin, end in windows)
    yield f"#define AXM_FABRIC {{{text}}}{_comment(f'first and last address, {by}')}"
    yield _define("DESIGN", base, what)
    yield f"#define AXM_FABRIC_IRQ {first}{_comment(pin)}"
    known = doctor.named(chip)
    assert known is not None, chip
    (rule,) = (rule for rule in known.rules if rule.check == "bitstream")
    key, low, most = rule.register.key, rule.field.low, rule.field.mask >> rule.field.low
    yield _define("FABRIC_STATUS", doctor.at(rule.register), key)
    yield (
        f"#define AXM_FABRIC_CONFIGURED(word) (((word) >> {low} & 0x{most:X}u) == {rule.want}u)"
        f"{_comment(rule.field.name)}"
    )


def _emulated(about: dict[str, Any]) -> Iterator[str]:
    """The differences of the emulator's machine."""
    yield f"#ifdef AXM_EMULATED /* on QEMU's {about['machine']} */"
    for name, address in about.get("block", {}).items():
        yield f"#undef AXM_{name}"
        yield _define(name, address)
    for name, value in about["values"].items():
        yield f"#define AXM_{name} {value}u"
    yield "#endif"


def _of(chip: str, file: str) -> dict[str, Any]:
    found = chip_files.read(chip, file)
    assert found is not None, f"{chip} has no {file}.toml"
    return found


def _define(name: str, value: int, what: str = "", digits: int = 8) -> str:
    return f"#define AXM_{name} AXM_NUMBER(0x{value:0{digits}X}){_comment(what)}"


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
