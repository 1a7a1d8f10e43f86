"""What the page asks: a board and keys of an experiment, checked, as a point.

A key that the board refuses is left out with a note, so that a slider may stay where it was when
the ports change. Names of files are no values here: a question opens no file of the user's.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from axiometer.api.expectation import point_of
from axiometer.base import data
from axiometer.base.errors import AxiometerError, did_you_mean
from axiometer.experiment import master_tables, settings
from axiometer.experiment.keys import KEYS
from axiometer.experiment.points import Point
from axiometer.platform import Platform, limits, port_sets
from axiometer.published import catalogue

OWN = ("ports", "master", "mode", "width_bits", "pl_mhz", "burst_beats", "transfer_bytes")
"""The keys with a control of their own, in the order in which they are tried."""
NOT_HERE = ("program", "seed", "repeats")
"""Keys that only the command takes: a file, and choices for comparisons."""
FIRST_BOARD = "zybo"
"""The board of a page without a link: one that was measured."""
MOST_MASTERS, MOST_MORE, LONGEST = 12, 16, 200
Scalar = str | int | float
Table = Mapping[str, Scalar]
_SWITCH = {"true": True, "false": False}


@dataclass(frozen=True)
class Asked:
    """A question: the board's name, keys by name, `masters` tables, further settings KEY=VALUE."""

    board: str
    keys: Mapping[str, Scalar]
    masters: Sequence[Table] = ()
    more: Sequence[str] = ()

    def document(self) -> Mapping[str, object]:
        """The question as JSON: equal for equal questions."""
        return {
            "board": self.board,
            "keys": dict(self.keys),
            "masters": [dict(table) for table in self.masters],
            "more": list(self.more),
        }


@dataclass(frozen=True)
class Question:
    """A point with what made it; `notes`: what was left out, and why."""

    platform: Platform
    point: Point
    asked: Asked
    notes: Sequence[str] = ()


def read(body: Mapping[str, object]) -> Asked:
    """The question in a request. AxiometerError for an unknown board or values of other kinds."""
    board = body.get("board")
    keys, masters, more = body.get("keys", {}), body.get("masters", []), body.get("more", [])
    if not isinstance(board, str) or not isinstance(keys, dict):
        raise AxiometerError("the question has no board", remedy="choose one of the list")
    if not isinstance(masters, list) or len(masters) > MOST_MASTERS:
        raise AxiometerError(
            "too many masters", remedy=f"the page takes {MOST_MASTERS}, the command more"
        )
    if not isinstance(more, list) or len(more) > MOST_MORE:
        raise AxiometerError("too many settings", remedy=f"give at most {MOST_MORE}")
    return Asked(
        board_of(board),
        {name: _scalar(name, keys[name]) for name in OWN if name in keys},
        tuple(_table(table) for table in masters),
        tuple(_text("a setting", text) for text in more),
    )


def boards() -> Iterator[catalogue.Board]:
    """All boards, measured ones of each chip first."""
    for chip in catalogue.chips():
        yield from chip.boards


def board_of(name: str) -> str:
    """The board with a name or alias. AxiometerError if there is none: no file is looked for."""
    known = {alias: board.name for board in boards() for alias in (board.name, *board.aliases)}
    spelt = {data.plain_name(alias): board for alias, board in known.items()}
    if data.plain_name(_text("the board", name)) not in spelt:
        raise AxiometerError(f"there is no board {name!r}", remedy=did_you_mean(name, known))
    return spelt[data.plain_name(name)]


def _scalar(name: str, value: object) -> Scalar:
    if isinstance(value, str):
        return _text(name, value)
    if limits.is_number(value):
        if abs(value) <= limits.MOST:
            return value
        raise AxiometerError(
            f"{name} is too large: {limits.shown(value)}", remedy="give a smaller number"
        )
    raise AxiometerError(f"{name} is neither text nor a number", remedy="give one value")


def _text(name: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise AxiometerError(
            f"{name} is no text of at most {LONGEST} characters", remedy="write less"
        )
    return value


def _table(table: object) -> Table:
    if not isinstance(table, dict) or len(table) > LONGEST:
        raise AxiometerError("a master is not a table of keys", remedy="remove it")
    return {
        _text("a key", name): _SWITCH.get(str(value), _scalar(name, value))
        for name, value in table.items()
    }


def settled(asked: Asked) -> Question:
    """The point of a question. AxiometerError where its ports or masters are refused, or a further
    setting; other keys are left out with a note."""
    platform = Platform.load(asked.board)
    if not asked.masters and not asked.keys.get("ports"):
        asked = replace(asked, keys={"ports": usual_port(platform), **asked.keys})
    try:
        return _question(platform, asked, [])
    except AxiometerError:
        pass
    needed = {"ports": asked.keys["ports"]} if "ports" in asked.keys else {}
    found = _question(platform, replace(asked, keys=needed), [])
    notes: list[str] = []
    for name in [name for name in OWN if name in asked.keys and name not in needed]:
        value = asked.keys[name]
        try:
            found = _question(
                platform, replace(asked, keys={**found.asked.keys, name: value}), notes
            )
        except AxiometerError as error:
            notes.append(f"{name} = {value} left out: {error.message}")
    return replace(found, notes=notes)


def changed(of: Question, name: str, value: Scalar) -> tuple[Platform, Point] | None:
    """The point with another value of an own key; None where it is refused. Other values follow:
    at a wider port, a burst of as many beats has more bytes."""
    try:
        found = _question(
            of.platform, replace(of.asked, keys={**of.asked.keys, name: value}), of.notes
        )
    except AxiometerError:
        return None
    return found.platform, found.point


_OF_ALL = ("pl_mhz", "transfer_bytes")
"""Own keys that apply to masters with tables too."""


def usual_port(platform: Platform) -> str:
    """The port that a board begins with: the first that reaches the memory."""
    return (port_sets.at_memory(platform) or platform.ports)[0]


def _more(said: Sequence[str]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for text in said:
        name, value = settings.split(text)
        if name in NOT_HERE:
            raise AxiometerError(f"the page does not take {name}", remedy="use the command")
        found.append((name, settings.literal(value)))
    return found


def _question(platform: Platform, asked: Asked, notes: Sequence[str]) -> Question:
    keys: list[tuple[str, object]] = [*_own(asked).items(), *_more(asked.more)]
    if asked.masters:
        keys.insert(0, (master_tables.TABLES, list(asked.masters)))
    made, point = point_of(platform, [(name, value, None) for name, value in keys])
    return Question(made, point, asked, notes)


def _own(asked: Asked) -> Mapping[str, Scalar]:
    """The own keys that apply: of masters with tables, those of all."""
    return {n: v for n, v in asked.keys.items() if not asked.masters or n in _OF_ALL}


# ---- the same question elsewhere -------------------------------------------------------------


def command(asked: Asked) -> str:
    """The command with the same answer."""
    words = ["axiometer", "expect", asked.board]
    keys = dict(_own(asked))
    if "ports" in keys:
        words.append(str(keys.pop("ports")))
        if "mode" in keys:
            words.append(str(keys.pop("mode")))
    for name, value in keys.items():
        option = f"--{name.replace('_', '-')}"
        given = name in ("pl_mhz", "width_bits", "burst_beats", "transfer_bytes")
        words += [option, str(value)] if given else ["--set", f"{name}={value}"]
    for name, table in _named(asked.masters).items():
        own = ((key, settings.written(value)) for key, value in table.items() if key != "name")
        words += [word for key, text in own for word in ("--set", f"master.{name}.{key}={text}")]
    words += [word for text in asked.more for word in ("--set", text)]
    return shlex.join(words)


def python(asked: Asked) -> str:
    """The call of Python with the same answer."""
    keys: dict[str, object] = dict(_own(asked))
    if asked.masters:
        keys = {"masters": [{"name": n, **t} for n, t in _named(asked.masters).items()], **keys}
    figures = {}
    for name, value in _more(asked.more):
        if name in KEYS:
            keys[name] = value
        else:
            figures[name] = value
    words = [repr(asked.board), *(f"{name}={value!r}" for name, value in keys.items())]
    words += [f"set={figures!r}"] if figures else []
    return f"axm.expect({', '.join(words)})"


def _named(masters: Sequence[Table]) -> Mapping[str, Table]:
    """The tables by the names that they have or get."""
    found: dict[str, Table] = {}
    counts: dict[object, int] = {}
    for table in masters:
        kind = table.get("kind")
        counts[kind] = counts.get(kind, 0) + 1
        found[str(table.get("name") or f"{kind}{counts[kind]}")] = table
    return found
