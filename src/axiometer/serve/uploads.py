"""The answer for a file that the page sends, which is kept then: of a design rates, limit, findings
of `check`; of measured rows what `calibrate` prints.

The bytes are untrusted: they stand in a temporary directory under a harmless name, and are read
within the bounds of `designs/files.py` or `calibrate`.
"""

from __future__ import annotations

import json
import re
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast
from urllib.parse import unquote

from axiometer.api import design_answers
from axiometer.api.calibration import calibrate
from axiometer.api.design import DesignExpectation
from axiometer.base.errors import AxiometerError
from axiometer.designs import Design, load
from axiometer.designs.checks import check
from axiometer.designs.files import MAX_FILE as MAX_FILE
from axiometer.designs.platform import Placed, platform_of
from axiometer.present import bottleneck_text, calibrated_text, cause_colours, design_answer
from axiometer.present.text import Style
from axiometer.serve import kept, question
from axiometer.serve.work import Document

SUFFIXES = (".xsa", ".hdf", ".hwh", ".hwh.xz", ".tcl", ".qsys", ".sopcinfo", ".csv")
_STRANGE = re.compile(r"[^A-Za-z0-9._-]+")
_BOARD = re.compile(rb"^# board = ([\w.-]+)$", re.M | re.A)
_LONGEST = 60
_PIECE = 1 << 20


def name_of(header: str) -> str:
    """The file's name of a request's header, in harmless letters. AxiometerError where it is not
    that of an export or a table."""
    name = _STRANGE.sub("_", unquote(header[: 6 * _LONGEST]))[-_LONGEST:].lstrip("._-")
    if not name.lower().endswith(SUFFIXES):
        raise AxiometerError(
            f"{name or 'the file'} is no export of a design and no table of rates",
            remedy=f"give a file that ends in {', '.join(SUFFIXES)}",
        )
    return name


def answer(source: BinaryIO, size: int, name: str, board: str) -> Document:
    """The answer for the `size` bytes of `source`, a file called `name`; on `board` where it names
    none. AxiometerError where they are no design and no rows, or EOFError where they end early."""
    with tempfile.TemporaryDirectory(prefix="axiometer-serve-") as folder:
        path = Path(folder) / name
        _copy(source, size, path)
        try:
            if name.lower().endswith(".csv"):
                return _rows(path, board)
            found = _hidden(folder, _answer(path, board))
            kept.keep_design(path, board)
            return found
        except AxiometerError as error:
            where = None if error.file is None else name
            remedy = error.remedy and error.remedy.replace(f"{folder}/", "")
            message = error.message.replace(f"{folder}/", "")
            raise AxiometerError(message, file=where, line=error.line, remedy=remedy) from None


def _copy(source: BinaryIO, size: int, path: Path) -> None:
    with path.open("xb") as file:
        while size:
            piece = source.read(min(size, _PIECE))
            if not piece:
                raise EOFError(f"{path.name} ended early")
            file.write(piece)
            size -= len(piece)


def _hidden(folder: str, document: Document) -> Document:
    """The document without the temporary directory in its texts."""
    text = json.dumps(document, allow_nan=False).replace(json.dumps(f"{folder}/")[1:-1], "")
    return cast("Document", json.loads(text))


def _rows(path: Path, board: str) -> Document:
    """What `calibrate` prints, but for its options."""
    kept.check_room(f"{path.stem}.csv", path.stat().st_size)
    with path.open("rb") as file:
        head = _BOARD.search(file.read(4096))  # an exported table has the name of its board
    board = question.board_of(head[1].decode()) if head else board
    rows = [(of.line, of.measured, of.simulated) for of in calibrate(path, board)]
    lines = calibrated_text.lines(path.stem, board, rows, Style())
    return {"name": path.name, "rows": "\n".join(lines[:-1])}


def _answer(path: Path, board: str) -> Document:
    design = load(path)
    placed = _placed(design, path, board)
    return {
        "name": design.name,
        "board": placed.platform.name,
        "on": placed.why,
        "findings": [
            {"level": of.level, "code": of.code, "says": of.says, "change": of.change}
            for of in check(design)
        ],
        **_rates(design, placed),
    }


def _placed(design: Design, path: Path, board: str) -> Placed:
    try:
        return platform_of(design, path)
    except AxiometerError:
        # A bare .hwh need not name its board; that of the page may be it.
        with suppress(AxiometerError):
            return platform_of(design, path, board)
        raise


def _rates(design: Design, placed: Placed) -> Document:
    """The rates and words of a design; of one without any, the reason."""
    try:
        found = design_answers.answer(design, placed)
    except AxiometerError as error:
        return {"error": {"message": error.message, "remedy": error.remedy}}
    name = bottleneck_text.name(found.point.verdict)
    first, *rest = design_answer.lines(found, Style())
    return {
        "cause": name,
        "colour": cause_colours.of(name),
        "lines": [first, *rest[:-1]],  # the last one is about options of the command
        "command": design_answer.command(found),
        "parts": DesignExpectation(found).rows(),
        "details": Style().fit(design_answer.details(found, Style())),
    }
