"""Runs the notebooks in notebooks/ from top to bottom and saves the outputs of their cells.

    tools/notebooks.py [--write] [NOTEBOOK ...]

Without --write, prints the notebooks that would change; exit status 1 if any. Cells run in one
namespace, in order, as in a restarted kernel, without Jupyter. The value of a cell's last
expression is saved as in a notebook: results as text and a table, charts as a picture. Runs go to a
temporary store. A test uses this file too.
"""

from __future__ import annotations

import argparse
import ast
import base64
import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
SCALE = 1.0  # of pictures


def executed(notebook: dict[str, Any]) -> dict[str, Any]:
    """The notebook with the outputs of its cells, run in a temporary folder. Exceptions of cells
    propagate."""
    cells = []
    names: dict[str, Any] = {"__name__": "__main__"}
    with _elsewhere():
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                number = 1 + sum(c["cell_type"] == "code" for c in cells)
                outputs = _outputs("".join(cell["source"]), names, number)
                cell = {**cell, "execution_count": number, "outputs": outputs}
            cells.append(cell)
    return {**notebook, "cells": cells}


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """The printed output of a cell, and the value of its last expression."""
    body = ast.parse(source).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    place = f"<cell {number}>"
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), place, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), place, "eval"), names)
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        found.append(
            {"name": "stdout", "output_type": "stream", "text": _lines(printed.getvalue())}
        )
    if value is not None:
        found.append(
            {
                "data": _shown(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return found


def _shown(value: Any) -> dict[str, Any]:
    """The representations of a value in a notebook, by MIME type."""
    if hasattr(value, "save") and hasattr(value, "to_dict"):  # an altair chart
        picture = io.BytesIO()
        value.save(picture, format="png", scale_factor=SCALE)
        return {
            "image/png": base64.b64encode(picture.getvalue()).decode() + "\n",
            "text/plain": [f"<{type(value).__name__}>"],
        }
    shown = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        shown["text/html"] = _lines(value._repr_html_())
    return dict(sorted(shown.items()))


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def words(notebook: dict[str, Any]) -> list[Any]:
    """All outputs of the code cells except pictures, whose bytes depend on installed fonts."""
    return [
        {**output, "data": {k: v for k, v in output["data"].items() if k != "image/png"}}
        if "data" in output
        else output
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
    ]


def read(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("notebook", nargs="*", type=Path)
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    stale = 0
    for path in args.notebook or sorted(NOTEBOOKS.glob("*.ipynb")):
        before = read(path)
        after = executed(before)
        if args.write:
            path.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n", "utf-8")
        elif words(before) != words(after):
            print(f"{path}: the outputs are outdated: run tools/notebooks.py --write")
            stale = 1
    return stale


if __name__ == "__main__":
    sys.exit(main())
