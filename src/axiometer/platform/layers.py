"""A platform in layers: a chip's figures, and a board's over those that the chip leaves to it.

A chip's `[[set_by_boards]]` lists the figures that its boards set. A file's `[[like]]` lists the
figures that it takes from another of its kind. Both use patterns: `path.*.clock_mhz` (`*` and `?`
within a part), or a whole table, `host`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.base.toml_source import TomlSource
from axiometer.platform import programs
from axiometer.platform.figures import TABLES, check_top, read_figures, resolved
from axiometer.platform.files import Files
from axiometer.platform.leaf import Leaf
from axiometer.platform.leaf_values import checked
from axiometer.platform.patterns import ALL, Entry, concrete, matches, read_entries, stands
from axiometer.platform.row_sets import read_sets


@dataclass(frozen=True)
class Layers:
    """The parts of a platform. `leaves` by path; `sources` with the naming file first."""

    name: str
    title: str
    family: str
    leaves: dict[str, Leaf]
    sources: tuple[TomlSource, ...]

    def error(self, message: str, *path: str, remedy: str | None = None) -> AxiometerError:
        """An error that points at the figure at `path`, or at the nearest key around it."""
        leaf = self.leaves.get(".".join(path))
        if leaf is not None:
            return AxiometerError(message, file=leaf.file, line=leaf.line, remedy=remedy)
        nearest = max(self.sources, key=lambda source: source.depth(*path))
        return nearest.error(message, *path, remedy=remedy)


def lay(files: Files) -> Layers:
    """The platform of `files`, whose first is a board's or a whole platform's.

    AxiometerError with file and line for a bad file, a board's figure that its chip does not leave
    to it, or a missing figure that its chip does leave to it.
    """
    source = files.sources[0]
    if "chip" not in source.data:
        leaves = read_figures(source, "platform", read_sets(source))
        if programs.NEEDS in leaves:
            leaves = programs.laid(files, source, ()) | leaves
        leaves = resolved(source, leaves)
        return Layers(
            source.data["name"], source.data["title"], source.data["family"], leaves, (source,)
        )
    check_top(source, "board")
    chip_source = files.take("chips", source.data["chip"], source, "chip")
    sets = read_sets(chip_source)
    chip, left, alike = _chip(chip_source, files)
    if programs.NEEDS in chip:
        chip |= programs.laid(files, source, alike)
    board = read_figures(source, "board", read_sets(source, sets))
    board |= _taken(source, "board", board, files)
    for path in board:
        _check_allowed(source, chip_source, chip, left, path, board[path])
    chip = _of_use(chip, left, board)
    leaves = {**chip, **{path: _over(chip.get(path), path, leaf) for path, leaf in board.items()}}
    _check_complete(source, chip_source, left, leaves)
    ordered = dict(sorted(leaves.items(), key=lambda item: TABLES.index(item[0].split(".")[0])))
    made = Layers(
        source.data["name"],
        source.data["title"],
        chip_source.data["name"],
        ordered,
        (source, chip_source),
    )
    return replace(made, leaves=resolved(made, ordered))


# Cached, as all boards of a chip share them: `TomlSource.read` returns one object for equal texts.


@lru_cache(maxsize=16)
def _figures_of_chip(source: TomlSource) -> Mapping[str, Leaf]:
    return read_figures(source, "chip", read_sets(source))


@lru_cache(maxsize=16)
def _stated(source: TomlSource, kind: str) -> Mapping[str, Leaf]:
    """The figures in a file itself, for other files to take over."""
    return read_figures(source, kind, None)


def _chip(
    source: TomlSource, files: Files
) -> tuple[dict[str, Leaf], list[Entry], list[TomlSource]]:
    """The figures of a chip, with those that it takes from others; the figures that it leaves to
    boards; its file, and those of chips of which it takes all, with the figures that they leave."""
    leaves = dict(_figures_of_chip(source))
    left = list(read_entries(source, "set_by_boards"))
    alike = [source]
    for entry, other in _others(source, "chip", files):
        if ALL in entry.figures:
            left += read_entries(other, "set_by_boards")
            alike.append(other)
        leaves |= _from(source, entry, other, "chip", leaves)
    return leaves, left, alike


def _taken(source: TomlSource, kind: str, own: dict[str, Leaf], files: Files) -> dict[str, Leaf]:
    """The figures that `source` takes from other files of its kind, except its own."""
    found: dict[str, Leaf] = {}
    for entry, other in _others(source, kind, files):
        found |= _from(source, entry, other, kind, {**own, **found})
    return found


def _others(source: TomlSource, kind: str, files: Files) -> Iterator[tuple[Entry, TomlSource]]:
    for entry in read_entries(source, "like", kind):
        yield entry, files.take(f"{kind}s", entry.other, source, "like", entry.index, kind)


def _from(
    source: TomlSource, entry: Entry, other: TomlSource, kind: str, own: dict[str, Leaf]
) -> dict[str, Leaf]:
    """The figures in `other` itself that `entry` names, except those in `own`."""
    stated = _stated(other, kind)
    what = f"{entry.why}. {other.data['name']}"
    found = {}
    for pattern in entry.figures:
        named = [path for path in stated if matches(pattern, path)]
        if not named:
            raise source.error(
                f"{entry.other} itself has no figure {pattern!r}",
                *("like", entry.index),
                remedy=did_you_mean(pattern, stated, "its figures"),
            )
        for path in named:
            if path not in own and path not in found:
                leaf = stated[path]
                found[path] = leaf if leaf.same_as else leaf.taken_over(what)
    return found


def _of_use(chip: dict[str, Leaf], left: list[Entry], board: dict[str, Leaf]) -> dict[str, Leaf]:
    """The figures of `chip`, except those that need figures that `board` leaves out."""
    missing = [
        pattern
        for entry in left
        if not any(stands(own, board) for own in entry.figures)
        for pattern in entry.needed_by
    ]
    return {
        path: leaf
        for path, leaf in chip.items()
        if not any(matches(pattern, path) for pattern in missing)
    }


def _over(below: Leaf | None, path: str, leaf: Leaf) -> Leaf:
    """A board's figure; its chip supplies a missing unit and range."""
    if below is None:
        return leaf
    given = {
        part: getattr(leaf if getattr(leaf, part) is not None else below, part)
        for part in ("unit", "min", "max")
    }
    leaf = replace(leaf, **given)
    try:
        checked(path, leaf, leaf.value)
    except AxiometerError as error:
        error.file, error.line = leaf.file, leaf.line
        raise
    return leaf


def _check_allowed(
    source: TomlSource,
    chip_source: TomlSource,
    chip: dict[str, Leaf],
    left: list[Entry],
    path: str,
    leaf: Leaf,
) -> None:
    patterns = [pattern for entry in left for pattern in entry.figures]
    if any(matches(pattern, path) for pattern in patterns):
        return
    name = chip_source.data["name"]
    line = leaf.line if leaf.file == source.file else 1
    if path in chip:
        raise AxiometerError(
            f"{path} is a figure of the chip {name} ({chip[path].file}:{chip[path].line}); "
            "its boards cannot set it",
            file=source.file,
            line=line,
            remedy="remove it here; if the silicon differs, write another chip's file",
        )
    raise AxiometerError(
        f"{path} is not a figure that boards of {name} set",
        file=source.file,
        line=line,
        remedy=did_you_mean(path, patterns, "boards set"),
    )


def _check_complete(
    source: TomlSource, chip_source: TomlSource, left: list[Entry], leaves: Mapping[str, Leaf]
) -> None:
    missing = [
        wanted
        for entry in left
        if not entry.optional
        for pattern in entry.figures
        for wanted in concrete(pattern, leaves)
        if not stands(wanted, leaves)
    ]
    if missing:
        first, *others = missing
        are = f"and {len(others)} more figures are" if others else "is"
        raise source.error(
            f"{first} {are} missing: the chip {chip_source.data['name']} leaves "
            f"{'them' if others else 'it'} to its boards",
            *first.split("."),
            remedy=f"add to {source.file}, each with its origin: {', '.join(missing)}",
        )
