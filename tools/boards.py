"""Board files from the registers of boot loaders: boards/<name>.toml for each board of boards.toml.

Usage: python tools/boards.py --registers DIR [--write] [NAME ...]

DIR has the register tables of U-Boot (a directory for each chip, a CSV file for each board), which
are not distributed. Tables of other boot loaders are in tools/registers, packed: address, mask and
value of each write, in order.
Without --write, prints the files that would differ; exit status 1 if any does. Only figures that a
board's chip leaves open are written, with their registers as origin, and no text of a boot loader.
"""

import argparse
import json
import lzma
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path

from axiometer.platform.registers import (
    Decoded,
    Write,
    board_file,
    decode,
    read_writes,
    speed_bins,
)
from axiometer.platform.registers.tables import first

ROOT = Path(__file__).resolve().parents[1]
NAMES = Path(__file__).with_name("boards.toml")
TABLES = Path(__file__).with_name("registers")
COMMIT = "6073c36b"


def names() -> dict:
    """boards.toml."""
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def writes(about: dict, registers: Path | None) -> list[Write]:
    """The register writes of a board of `boards.toml`; those of U-Boot are in `registers`."""
    if "repository" in about:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / f"{about['file']}.csv"
            path.write_bytes(lzma.decompress((TABLES / f"{path.name}.xz").read_bytes()))
            return list(read_writes(path))
    return list(read_writes(registers / first(about["chip"]) / f"{about['file']}.csv"))


def decoded(about: dict, registers: Path | None) -> Decoded:
    """The figures of a board of `boards.toml`."""
    return decode(about["chip"], writes(about, registers), file=Path(f"{about['file']}.csv"))


def text(name: str, about: dict, found: Decoded) -> str:
    """The board's file."""
    title = f"{about['title']} (not measured)"
    opening = list(_opening(about, found))
    written = board_file.text(name, title, found, opening, about.get("aliases", ()))
    tool = [
        f"{key} = {{ value = {json.dumps(of['value'])}, source = {json.dumps(of['source'])} }}\n"
        for key, of in about.get("tool", {}).items()
    ]
    return "".join([written, *(["\n[tool]\n", *tool] if tool else [])])


def _opening(about: dict, found: Decoded) -> Iterator[str]:
    memory = f"{found.value('dram.size_MiB')} MiB of {found.value('dram.type')}"
    yield f"# {about['title']}: {memory} on {found.value('dram.bus_bits')} bits of data."
    yield "#"
    yield "# Written by tools/boards.py: change that, not this. Not measured: no rate of this board"
    yield "# is published, so nothing here is validated. Figures are decoded from the registers"
    yield from _registers(about)
    told = [note for note in found.notes if "reference clock" in note]
    told += [f"out of JEDEC's speed bins: {problem}" for problem in speed_bins.problems(found)]
    told += [f"a register that no public list has: {unknown}" for unknown in found.unknown]
    for note in told:
        yield from board_file.comment(note)
    if "note" in about:
        yield from board_file.comment(about["note"])


def _registers(about: dict) -> Iterator[str]:
    if "repository" not in about:
        yield f"# that U-Boot (commit {COMMIT}) programs: board/{about['registers']}"
        return
    yield "# that its boot loader programs."
    source = f"{about['registers']} in {about['repository']}, commit {about['commit']}"
    yield from board_file.comment(f"registers: {source}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--registers", type=Path, required=True, metavar="DIR")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    differing = []
    for name, about in names()["board"].items():
        if given.names and name not in given.names:
            continue
        file = ROOT / "boards" / f"{name}.toml"
        wanted = text(name, about, decoded(about, given.registers))
        if not file.is_file() or file.read_text(encoding="utf-8") != wanted:
            differing.append(name)
            if given.write:
                file.write_text(wanted, encoding="utf-8")
    verb = "written" if given.write else "to be written"
    print(f"{len(differing)} boards {verb}: {', '.join(differing) or 'none'}")
    return 1 if differing and not given.write else 0


if __name__ == "__main__":
    sys.exit(main())
