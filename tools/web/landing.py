"""What the landing page shows: model and catalogue compute it when the site is built."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

import vl_convert

import axiometer as axm
from axiometer.present import boards
from axiometer.published import catalogue

ROOT = Path(__file__).resolve().parents[2]


def contents() -> dict[str, Any]:
    """The variables of templates/landing.html: questions and commands of the README's table, an
    answer, all boards, and simulated rates beside published ones, as an SVG with its caption."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    known = boards.documents(catalogue.chips())
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "runs.db"
        drawn = axm.run("zybo-stream-size", set={"repeats": 1}, store=runs).plot().to_dict()
    title = drawn.pop("title")
    return {
        "tasks": re.findall(r"^\| ([^|]+\?) \| `([^`|]+)`", readme, re.M),
        "answer": axm.expect("zybo", ports="HP0+HP1", mode="duplex").to_dict()["headline"],
        "error_heads": boards.ERROR_HEADS,
        "error_note": boards.ERROR_NOTE,
        "errors": [
            (error.page, boards.error_cells(boards.error_document(error)))
            for error in catalogue.errors()
        ],
        "boards": sorted(known, key=lambda board: (board["figures"] != "measured", board["name"])),
        "picture": vl_convert.vegalite_to_svg(drawn | {"width": 440, "height": 220}),
        "caption": " ".join([f"{title['text']}.", *title["subtitle"][:2]]),
    }
