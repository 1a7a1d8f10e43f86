"""Board files from the registers of boot loaders: boards/<name>.toml for each board of boards.toml.

Usage: python tools/boards.py --registers DIR [--write] [NAME ...]

DIR holds the register tables (a directory a chip, a CSV file a board), which are not distributed.
Without --write, says which files would differ; exit status 1 if any does. Only what a board's chip
leaves to its boards is written; a figure's origin is its registers. No text of a boot loader is.
"""

import argparse
import json
import sys
import tomllib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

from axiometer import data
from axiometer.platform.figures import TABLES, read_figures
from axiometer.platform.leaf import Leaf
from axiometer.platform.patterns import concrete, matches, read_entries
from axiometer.registers import Decoded, Figure, decode, read_writes, speed_bins
from axiometer.toml_source import TomlSource

NAMES = Path(__file__).with_name("boards.toml")
COMMIT = "6073c36b"
WIDTH = 100
_DIRECTORIES = {"arria-v": "cyclone-v"}  # of the register tables, where it is not the chip's name


def names() -> dict:
    """boards.toml."""
    return tomllib.loads(NAMES.read_text(encoding="utf-8"))


def decoded(about: dict, registers: Path) -> Decoded:
    """The figures of a board of `boards.toml`."""
    directory = _DIRECTORIES.get(about["chip"], about["chip"])
    path = registers / directory / f"{about['file']}.csv"
    return decode(about["chip"], read_writes(path), file=path)


def text(name: str, about: dict, chip_about: dict, found: Decoded) -> str:
    """The board's file."""
    stated, left = _chip(about["chip"])
    likes = [like for like in chip_about["like"] if _holds(like, found)]
    taken = [pattern for like in likes for pattern in like.get("not_registers", ())]
    taken += chip_about["of_the_design"]
    figures = {
        path: figure
        for path, figure in found.figures.items()
        if any(matches(pattern, path) for pattern in left)
        and not any(matches(pattern, path) for pattern in taken)
        and _is_new(figure, stated.get(path))
    }
    lines = [
        *_opening(about, found),
        f"name = {json.dumps(name)}",
        f"title = {json.dumps(about['title'] + ' (not measured)', ensure_ascii=False)}",
        f"chip = {json.dumps(about['chip'])}",
    ]
    if about.get("aliases"):
        lines.append(f"aliases = {json.dumps(about['aliases'])}")
    for like in likes:
        lines += ["", "[[like]]", f"board = {json.dumps(like['board'])}"]
        lines += [*_list("figures", like["figures"]), f"why = {json.dumps(like['why'])}"]
    lines += _tables(figures, chip_about["initialisation"])
    return "\n".join(lines) + "\n"


def _chip(name: str) -> tuple[dict[str, Leaf], list[str]]:
    """What a chip's file states, and the patterns of what it leaves to boards, with what it takes
    from another chip."""
    source = TomlSource.read(data.find_toml("chips", name))
    stated = read_figures(source, "chip", None)
    left = [p for entry in read_entries(source, "set_by_boards") for p in entry.figures]
    for entry in read_entries(source, "like", "chip"):
        other, more = _chip(entry.other)
        stated, left = {**other, **stated}, left + more
    # A pattern means the tables that the chip has: `path.*` no path of its own.
    return stated, [one for pattern in left for one in concrete(pattern, stated)]


def _holds(like: dict, found: Decoded) -> bool:
    return all(found.value(path) in values for path, values in like.get("where", {}).items())


def _is_new(figure: Figure, chip: Leaf | None) -> bool:
    """Whether the board says anything with it: not what its chip has, nor what it cannot be."""
    if chip is None:
        return True
    value = _number(figure.value)
    in_range = not isinstance(value, int | float) or (
        (chip.min is None or value >= chip.min) and (chip.max is None or value <= chip.max)
    )
    return in_range and value != chip.value


def _opening(about: dict, found: Decoded) -> Iterator[str]:
    memory = f"{found.value('dram.size_MiB')} MiB of {found.value('dram.type')}"
    yield f"# {about['title']}: {memory} on {found.value('dram.bus_bits')} bits of data."
    yield "#"
    yield "# Written by tools/boards.py: change that, not this. Not measured: no rate of this board"
    yield "# is published, so nothing here is validated. Figures are decoded from the registers"
    yield f"# that U-Boot (commit {COMMIT}) programs: board/{about['registers']}"
    told = [note for note in found.notes if "reference clock" in note]
    told += [f"out of JEDEC's speed bins: {problem}" for problem in speed_bins.problems(found)]
    told += [f"a register that no public list has: {unknown}" for unknown in found.unknown]
    for note in told:
        yield from _comment(note)


def _comment(note: str) -> Iterator[str]:
    line = "#"
    for word in f"{note[0].upper()}{note[1:]}.".split():
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = "#"
        line += f" {word}"
    yield line


def _list(key: str, values: list[str]) -> Iterator[str]:
    one = f"{key} = {json.dumps(values)}"
    if len(one) <= WIDTH:
        yield one
        return
    yield f"{key} = ["
    line = " "
    for value in values:
        if len(line) + len(value) + 4 > WIDTH:
            yield line
            line = " "
        line += f' "{value}",'
    yield line
    yield "]"


def _tables(figures: dict[str, Figure], initialisation: str) -> Iterator[str]:
    tables: dict[str, list[tuple[str, Figure]]] = {}
    for path in sorted(figures, key=lambda path: TABLES.index(path.split(".")[0])):
        table, _, key = path.rpartition(".")
        tables.setdefault(table, []).append((key, figures[path]))
    for table, rows in tables.items():
        yield ""
        yield f"[{table}]"
        for key, figure in rows:
            value = json.dumps(_number(figure.value))
            unit = f", unit = {json.dumps(figure.unit)}" if _has_unit(table, figure) else ""
            origin = json.dumps(f"{initialisation}: {figure.source}")
            yield f"{key} = {{ value = {value}{unit}, register = {origin} }}"


def _has_unit(table: str, figure: Figure) -> bool:
    return figure.unit is not None and not table.startswith("dram")


def _number(value: object) -> object:
    """A figure's value as TOML has it: a rate to 1e-6 MHz."""
    if isinstance(value, Fraction):
        return int(value) if value.denominator == 1 else round(float(value), 6)
    return value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--registers", type=Path, required=True, metavar="DIR")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME")
    given = parser.parse_args()
    table = names()
    differing = []
    for name, about in table["board"].items():
        if given.names and name not in given.names:
            continue
        file = data.checkout() / "boards" / f"{name}.toml"
        wanted = text(name, about, table["chip"][about["chip"]], decoded(about, given.registers))
        if not file.is_file() or file.read_text(encoding="utf-8") != wanted:
            differing.append(name)
            if given.write:
                file.write_text(wanted, encoding="utf-8")
    verb = "written" if given.write else "to be written"
    print(f"{len(differing)} boards {verb}: {', '.join(differing) or 'none'}")
    return 1 if differing and not given.write else 0


if __name__ == "__main__":
    sys.exit(main())
