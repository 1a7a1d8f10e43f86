"""`ps7_init` and `psu_init`, as exported by Vivado (.tcl or .c) and as in boot loaders.

Blocks (procedures, functions, lists of data) are followed from `psu_init` or `ps7_init` in the
order of calls, as if each statement ran once: loops and conditions of the DDR's training are not
followed. Then come the blocks that boot loaders call after loading the fabric: they set the widths
of its ports. Blocks of other names, and statements outside blocks, are read in place; a file with
blocks of `ps7_init` or `psu_init` but without these themselves is incomplete. Of tables for several
silicon versions the newest is used. Polls and delays are not writes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from axiometer.base.errors import AxiometerError
from axiometer.platform.registers.readers import statements
from axiometer.platform.registers.readers.statements import Place
from axiometer.platform.registers.results import Write

_BLOCK = re.compile(
    r"^(?:[ \t]*proc[ \t]+(\w{1,99})[ \t]*\{[^{}]{0,400}\}[ \t]*\{"  # Tcl: a procedure
    r"|set[ \t]+(\w{1,99})[ \t]*\{"  # Tcl: data
    r"|(?:(?:static|unsigned|const)[ \t]+){0,3}\w{1,99}(?:[ \t]+|[ \t]{0,9}\r?\n)"
    r"((?!if\b|for\b|while\b|switch\b)\w{1,99})[ \t]*"
    r"(?:\[[^\]]{0,99}\][ \t]*=|\([^;{}]{0,400}\))\s{0,99}\{)",  # C
    re.M,
)
_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(0[xX][0-9A-Fa-f]{8}U?)[ \t]*$", re.M)
_MAIN = ("psu_init", "ps7_init")
_PREFIXES = ("psu_", "ps7_")
# Blocks that run after them, once the fabric is loaded, in this order.
_AFTER = ("psu_post_config", "psu_afi_config", "psu_ps_pl_isolation_removal",
          "psu_ps_pl_reset_config", "ps7_post_config")  # fmt: skip
_VERSION = re.compile(r"_(\d+)_(\d+)$")
_MOST_BLOCKS = 2000  # entered blocks, nested or repeated


@dataclass
class _Block:
    """Writes, and names of other blocks, in order."""

    items: list[Write | str] = field(default_factory=list)


def understands(text: str) -> bool:
    """Whether the text has a statement that writes a register."""
    return statements.present(text)


def read(text: str, file: object) -> list[Write]:
    """The writes in the order of the initialisation."""
    text = statements.without_comments(text)
    place = Place(file, 1, dict(_DEFINE.findall(text)))
    blocks = _blocks(text, place)
    newest = max(map(_version, blocks), default=None)
    blocks = {n: b for n, b in blocks.items() if _version(n) in ((0, 0), newest)}
    main = next((name for name in _MAIN if name in blocks), None)
    if main is not None:
        found, entered = _followed(main, blocks)
        for name in _AFTER:
            if name in blocks and name not in entered:
                found += _followed(name, blocks)[0]
        if found:
            return found
    elif any(name.startswith(_PREFIXES) for name in blocks):
        raise AxiometerError(
            f"the file ends before {' or '.join(_MAIN)}, which calls {next(iter(blocks))}",
            file=file,
            line=text.rstrip().count("\n") + 1,
            remedy="export the whole file again; parts of it can be given as a CSV table",
        )
    return [item for block in blocks.values() for item in block.items if isinstance(item, Write)]


def _version(name: str) -> tuple[int, int]:
    found = _VERSION.search(name)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def _blocks(text: str, place: Place) -> dict[str, _Block]:
    starts = [(next(filter(None, start.groups())), start.end()) for start in _BLOCK.finditer(text)]
    if not starts:
        return {"": _Block([write for _, write in statements.writes(text, place)])}
    names = sorted({name for name, _ in starts} - set(statements.ARGUMENTS), key=len, reverse=True)
    called = re.compile(rf"(?<!variable )\b({'|'.join(names)})\b")
    blocks: dict[str, _Block] = {}
    line, counted = 1, 0
    for name, at in starts:
        line, counted = line + text.count("\n", counted, at), at
        body = text[at : _closing(text, at, name, Place(place.file, line, {}))]
        within = Place(place.file, line, place.defines)
        found: list[tuple[int, Write | str]] = list(statements.writes(body, within))
        found += [(call.start(), call[1]) for call in called.finditer(body)]
        items = [item for _, item in sorted(found, key=lambda entry: entry[0])]
        if items or name not in blocks:
            blocks[name] = _Block(items)
    return blocks


def _closing(text: str, at: int, name: str, place: Place) -> int:
    depth = 1
    for brace in re.compile(r"[{}]").finditer(text, at):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    raise AxiometerError(
        f"the file ends in the middle of {name}",
        file=place.file,
        line=place.line,
        remedy="export the whole file again",
    )


def _followed(main: str, blocks: dict[str, _Block]) -> tuple[list[Write], set[str]]:
    """The writes of a block and of those that it calls, and the names of these; recursion is
    cut."""
    found: list[Write] = []
    names, entered = set(), 0
    stack = [(main, iter(blocks[main].items))]
    while stack:
        item = next(stack[-1][1], None)
        if item is None:
            stack.pop()
        elif isinstance(item, Write):
            found.append(item)
        elif item in blocks and all(item != name for name, _ in stack) and entered < _MOST_BLOCKS:
            entered += 1
            names.add(item)
            stack.append((item, iter(blocks[item].items)))
    return found, names
