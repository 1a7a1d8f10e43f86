"""host/src/platform_<header>.c of each chip with a table `platform` in its `host.toml`: settings of
the processor system by name, from the chip's registers.

    tools/platform_tables.py [--write]

Prints the files, or writes them. A test compares them. Names are those of figures in boards' files;
bits of the address map are MODULE.REGISTER.FIELD, and can only be read: memory moves with them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from axiometer.base import chip_files
from axiometer.platform.registers.tables import Field, Register, load

FOLDER = Path(__file__).resolve().parents[1] / "host" / "src"
FLAGS = {False: ("false", "true"), True: ("true", "false")}


def source(chip: str, header: str, modules: list[str]) -> str:
    """The file of a chip."""
    settings = sorted(_settings(chip, modules))
    lists = sorted({values for *_, values in settings if values})
    return "".join([
        f"/* Settings of the processor system by name: axm/platform.h.\n"
        f" * Made by tools/platform_tables.py --write from chips/{chip}/; do not edit it. */\n"
        "/* clang-format off */\n"
        '#include "axm/platform.h"\n\n',
        *(_list(number, values) for number, values in enumerate(lists)),
        "\nstatic const struct axm_platform_setting settings[] = {\n",
        *(_line(*setting, lists) for setting in settings),
        "};\n\n"
        f"const struct axm_platform_table axm_platform_{header} = {{\n"
        f'  "{chip}", settings, sizeof settings / sizeof settings[0]}};\n',
    ])  # fmt: skip


Values = tuple[tuple[int, str], ...]
Setting = tuple[str, int, int, int, int, bool, Values]


def _settings(chip: str, modules: list[str]) -> Iterator[Setting]:
    """Name, address, lowest bit, bits, what is added, whether it is only read, words of values."""
    seen = set()
    for register in load(chip).registers.values():
        if register.address is None:
            continue
        for field in register.fields.values():
            name = _name(register, field, modules)
            if name and name not in seen:
                seen.add(name)
                bits = field.high - field.low + 1
                yield (name, register.address, field.low, bits, field.makes.get("plus", 0),
                       "address" in field.makes, _values(field))  # fmt: skip


def _name(register: Register, field: Field, modules: list[str]) -> str:
    if "address" in field.makes:
        return f"{register.key}.{field.name}"
    if register.key.partition(".")[0] not in modules or "times" in field.makes:
        return ""
    figure: str = field.makes.get("figure", "")
    return figure.replace("{instance}", register.instance or "")


def _values(field: Field) -> Values:
    if "flag" in field.makes:
        return tuple(enumerate(FLAGS[field.makes["flag"] == "inverted"]))
    return tuple((int(code), _word(value)) for code, value in field.makes.get("values", {}).items())


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _list(number: int, values: Values) -> str:
    pairs = ", ".join(f'{{{code}u, "{word}"}}' for code, word in values)
    return f"static const struct axm_platform_value list{number}[] = {{{pairs}, {{0u, NULL}}}};\n"


def _line(name: str, address: int, low: int, bits: int, plus: int, fixed: bool, values: Values,
          lists: list[Values]) -> str:  # fmt: skip
    words = f"list{lists.index(values)}" if values else "NULL"
    only = "true" if fixed else "false"
    return f'  {{"{name}", 0x{address:08X}u, {low}, {bits}, {plus}, {only}, {words}}},\n'


def sources() -> dict[Path, str]:
    """Every file, by its path."""
    found = {}
    for chip in chip_files.having("host"):
        about = chip_files.read(chip, "host") or {}
        if "platform" in about:
            path = FOLDER / f"platform_{about['header']}.c"
            found[path] = source(chip, about["header"], about["platform"]["modules"])
    return found


if __name__ == "__main__":
    for path, text in sources().items():
        if sys.argv[1:] == ["--write"]:
            path.write_text(text, encoding="utf-8")
        else:
            print(text, end="")
