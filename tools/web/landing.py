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

README = Path(__file__).resolve().parent.parent.parent / "README.md"


def contents() -> dict[str, Any]:
    """The variables of templates/landing.html; its questions are the table of the README."""
    known = boards.documents(catalogue.chips())
    rows = re.findall(r"^\| ([^|]+\?) \| `([^`|]+)`", README.read_text(encoding="utf-8"), re.M)
    return {
        "tasks": rows,
        "answer": axm.expect("zybo", ports="HP0+HP1", mode="duplex").to_dict()["headline"],
        "boards": sorted(known, key=lambda board: (board["figures"] != "measured", board["name"])),
        **picture("zybo-stream-size"),
    }


def picture(experiment: str) -> dict[str, str]:
    """An SVG of an experiment's simulated rates beside published ones, and what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        run = axm.run(experiment, set={"repeats": 1}, store=Path(folder) / "runs.db")
        drawn = run.plot().to_dict()
    title = drawn.pop("title")
    drawn |= {"width": 440, "height": 220}
    return {
        "picture": vl_convert.vegalite_to_svg(drawn),
        "caption": " ".join([f"{title['text']}.", *title["subtitle"][:2]]),
    }
