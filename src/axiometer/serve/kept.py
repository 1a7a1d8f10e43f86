"""What the user keeps on the page: designs in a folder, measured rows where `calibrate` has them.

A request names a kept file by its id in the list; no path is made of it.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from axiometer.base import atomic_file, data
from axiometer.base.errors import AxiometerError
from axiometer.designs.files import MAX_FILE
from axiometer.present import calibrated_text as words
from axiometer.published import anchors, own
from axiometer.serve.work import Document

MOST_FILES, MOST_BYTES = 20, MAX_FILE


def _designs() -> Path:
    return data.of_user("AXIOMETER_DESIGNS", "designs")


def _files() -> dict[str, Path]:
    """The kept files by id: BOARD,NAME of designs, NAME.csv of rows."""
    return {p.name: p for p in (*sorted(_designs().glob("[!.]*,*")), *own.paths())}


def answer(body: Mapping[str, object]) -> Document:
    """The kept files: id, board of a design, name, what it is. With `id`, the bytes of one; with
    `remove`, the list without it."""
    anchors.forget()  # the command or another page may have changed the rows, too
    if "id" in body:
        path = _files().get(str(body["id"]))
        if path is None:
            raise AxiometerError("this file is no longer kept", remedy="load the page again")
        if body.get("remove") is not True:
            return {"bytes": base64.b64encode(path.read_bytes()).decode()}
        own.remove(path.stem) if path.suffix == ".csv" else path.unlink()
        anchors.forget()
    about = {f"{of['name']}.csv": f"rows at {of['board']}: {of['rows']}" for of in words.kept()}
    return {"kept": [[of, *of.rpartition(",")[::2], about.get(of, "design")] for of in _files()]}


def check_room(name: str, size: int) -> None:
    """AxiometerError where no file of `size` bytes can be kept under this name."""
    sizes = [path.stat().st_size for of, path in _files().items() if of != name]
    if len(sizes) >= MOST_FILES or size + sum(sizes) > MOST_BYTES:
        most = f"{MOST_FILES} files of {MOST_BYTES >> 20} MiB in all are kept"
        raise AxiometerError(f"no room for it: at most {most}", remedy="remove one of the list")


def keep_design(file: Path, board: str) -> None:
    """Keep a design of the page at `board`. AxiometerError where there is no room."""
    path = _designs() / f"{board},{file.name}"
    check_room(path.name, file.stat().st_size)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file.whole(path) as draft:
        shutil.copyfile(file, draft)
