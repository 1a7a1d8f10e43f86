"""The questions of the page by their path, answered as JSON: by a server, or in the browser itself.

Who may ask a server is `guards.py`'s matter, where the browser answers is `here.py`'s.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import BinaryIO

from axiometer.base.errors import AxiometerError
from axiometer.published import own
from axiometer.serve import answers, controls, curves, kept, question, uploads
from axiometer.serve.work import Desk, Document, Gone


class Desks:
    """Where answers are computed: quick ones, and whole ones."""

    def __init__(self, quick: Desk, whole: Desk) -> None:
        self.quick, self.whole = quick, whole


Answerer = Callable[[Desks, Mapping[str, object], Gone], Document]


def refused(error: AxiometerError) -> Document:
    """An error as the page shows it."""
    line = "" if error.line is None else f":{error.line}"
    place = "" if error.file is None else f"{error.file}{line}: "
    return {"error": {"message": f"{place}{error.message}", "remedy": error.remedy or ""}}


def file(desks: Desks, source: BinaryIO, size: int, name: str, board: str, gone: Gone) -> Document:
    """The answer for a file of `size` bytes, named and placed as its request's headers say.
    AxiometerError where they are neither a design nor rows, EOFError where they end early,
    StoppedError and BusyError as of a desk."""
    called, known = uploads.name_of(name), question.board_of(board)
    # No two files are equal before they are read, so none is remembered.
    key = secrets.token_hex(8)
    return desks.whole.answer(key, lambda: uploads.answer(source, size, called, known), gone)


def _boards(desks: Desks, body: Mapping[str, object], gone: Gone) -> Document:
    return {
        "first": question.FIRST_BOARD,
        "boards": [
            {"name": b.name, "title": b.title, "chip": b.chip, "origin": b.origin,
             "aliases": list(b.aliases)}
            for b in question.boards()
        ]
    }  # fmt: skip


def _point(desks: Desks, body: Mapping[str, object], gone: Gone) -> Document:
    """The controls and the answer for a point; `whole`: with its limit simulated."""
    asked = question.read(body)
    is_whole = body.get("whole") is True
    of = question.settled(asked)
    shown = {"controls": controls.document(of), "notes": list(of.notes)}

    def work() -> Document:
        found = (answers.whole if is_whole else answers.quick)(of.platform, of.point)
        return answers.document(of, found, is_whole)

    desk = desks.whole if is_whole else desks.quick
    try:
        return {
            **shown,
            "answer": desk.answer([is_whole, asked.document(), own.changed()], work, gone),
        }
    except AxiometerError as error:
        return {**shown, **refused(error)}


def _curve(desks: Desks, body: Mapping[str, object], gone: Gone) -> Document:
    asked = question.read(body)
    along, at, is_whole = curves.read(body)
    of = question.settled(asked)
    key = [along, list(at), is_whole, asked.document(), own.changed()]
    desk = desks.whole if is_whole else desks.quick
    return desk.answer(key, lambda: curves.points(of, along, at, is_whole), gone)


FILE = "/api/file"
QUESTIONS: Mapping[str, Answerer] = {
    "/api/boards": _boards,
    "/api/point": _point,
    "/api/curve": _curve,
    "/api/kept": lambda _desks, body, _gone: kept.answer(body),
}
