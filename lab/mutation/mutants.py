"""Mutants: small edits of a source file, drawn by a seed, and a file with many of them.

A drawn file holds both forms of each place behind a switch, `(axm_m(17) ? (a <= b) : (a < b))`, so
that one build serves all mutants. Knows nothing of the language but how a choice is written.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Mutant:
    """One edit of one expression. Offsets are bytes of the file."""

    file: str  # from the root of the source tree
    line: int
    start: int  # the expression that stands behind the switch
    end: int
    edits: tuple[tuple[int, int, str], ...]  # what is replaced in it
    was: str
    now: str
    text: str  # the line, without the space around it
    column: int  # of the first edit, in `text`
    same: int = 0  # how many such lines the file has before this one

    @property
    def key(self) -> str:
        """A name of the mutant that stays the same while its line does, at any line number."""
        again = f" #{self.same + 1}" if self.same else ""
        return f"{self.file}: {self.text}{again} @{self.column}: {self.was} -> {self.now}"


def mutant(file: str, source: bytes, start: int, end: int, edits: Iterable, now: str) -> Mutant:
    """The mutant with the line and the text of `edits`, all of one kind."""
    edits = tuple(edits)
    first, last, _ = edits[0]
    begin = source.rfind(b"\n", 0, first) + 1
    stop = source.find(b"\n", first)
    raw = source[begin : stop if stop >= 0 else len(source)]
    column = first - begin - (len(raw) - len(raw.lstrip()))
    was = source[first:last].decode()
    line = source.count(b"\n", 0, first) + 1
    return Mutant(file, line, start, end, edits, was, now, raw.decode().strip(), column)


def numbered(found: Iterable[Mutant]) -> list[Mutant]:
    """The mutants, with lines of the same text in one file distinguished."""
    lines: dict[tuple[str, str], list[int]] = {}
    found = list(found)
    for m in found:
        seen = lines.setdefault((m.file, m.text), [])
        if m.line not in seen:
            seen.append(m.line)
    return [replace(m, same=sorted(lines[m.file, m.text]).index(m.line)) for m in found]


def drawn(found: Iterable[Mutant], seed: int) -> list[Mutant]:
    """All places in the seed's order, each with one of its mutants.

    The order comes from what a place says, not from where it stands: a change elsewhere leaves
    the draw as it was.
    """
    places: dict[tuple[str, int, int], list[Mutant]] = {}
    for m in found:
        places.setdefault((m.file, m.start, m.end), []).append(m)

    def rank(text: str) -> bytes:
        return hashlib.sha256(f"{seed} {text}".encode()).digest()

    chosen = [min(these, key=lambda m: rank(m.key)) for these in places.values()]
    repeated = [key for key, n in Counter(m.key for m in chosen).items() if n > 1]
    assert not repeated, f"mutants of the same name: {repeated[:3]}"
    return sorted(chosen, key=lambda m: rank("place " + m.key))


def with_switches(
    source: bytes, numbers: dict[int, Mutant], choice: Callable[[int, str, str], str]
) -> str:
    """`source` with all of `numbers` (mutants of this one file) in it.

    `choice(17, mutated, original)` writes the expression that is either.
    """
    order = sorted(numbers.items(), key=lambda item: (item[1].start, -item[1].end))

    def span(start: int, end: int, inside: list[tuple[int, Mutant]], edits=()) -> str:
        pieces, at = [], start
        edits = list(edits)
        while inside or edits:
            if edits and (not inside or edits[0][0] < inside[0][1].start):
                first, last, text = edits.pop(0)
                pieces += [source[at:first].decode(), text]
                # What an edit has taken away (a whole constant, say) is there no more.
                inside = [item for item in inside if item[1].start >= last]
                at = last
                continue
            number, m = inside[0]
            nested = [item for item in inside[1:] if item[1].start < m.end]
            inside = inside[1 + len(nested) :]
            pieces.append(source[at : m.start].decode())
            mutated = span(m.start, m.end, nested, m.edits)
            pieces.append(choice(number, mutated, span(m.start, m.end, nested)))
            at = m.end
        pieces.append(source[at:end].decode())
        return "".join(pieces)

    return span(0, len(source), order)
