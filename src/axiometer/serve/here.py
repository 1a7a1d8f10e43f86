"""Answers where no server is: in the browser itself, one at a time. `static/worker.js` calls it."""

from __future__ import annotations

import io
import json

from axiometer.base.errors import AxiometerError
from axiometer.base.progress import StoppedError
from axiometer.serve import questions
from axiometer.serve.work import Desk, Document, Gone

# Nothing waits for its turn here: the worker gives the next question after an answer.
_DESKS = questions.Desks(Desk(at_once=1, waiting=0, kept=512), Desk(at_once=1, waiting=0, kept=128))


def answer(gone: Gone, path: str, body: str | memoryview, name: str = "", board: str = "") -> str:
    """The answer to a question of the page as JSON: of a JSON text, or of a file's bytes, its name
    and the page's board. "null" where nobody waits any longer."""
    found: Document | None
    try:
        if isinstance(body, str):
            found = questions.QUESTIONS[path](_DESKS, json.loads(body), gone)
        else:
            found = questions.file(_DESKS, io.BytesIO(body), len(body), name, board, gone)
    except StoppedError:
        found = None
    except AxiometerError as error:
        found = questions.refused(error)
    return json.dumps(found, allow_nan=False)
