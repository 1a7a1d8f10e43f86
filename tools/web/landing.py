"""What the landing page shows: tasks of the README, an answer, a picture, errors, all boards.

Model and catalogue compute the figures when the site is built.
"""

from __future__ import annotations

import re
import tempfile
from itertools import groupby
from pathlib import Path
from typing import Any

import vl_convert

import axiometer as axm
from axiometer.present import boards
from axiometer.published import catalogue

ROOT = Path(__file__).resolve().parent.parent.parent
PORTS = "HP0+HP1"
EXPERIMENT = "zybo-stream-size"


def contents() -> dict[str, Any]:
    """The variables of templates/landing.html."""
    known = boards.documents(catalogue.chips())
    answer = axm.expect("zybo", ports=PORTS, mode="duplex").to_dict()
    return {
        "tasks": tasks((ROOT / "README.md").read_text(encoding="utf-8")),
        "example": f"axiometer expect zybo {PORTS}",
        "answer": answer["headline"],
        "experiment": EXPERIMENT,
        **picture(),
        "chips": chips(known),
        "boards": sorted(known, key=lambda board: (board["figures"] != "measured", board["name"])),
    }


def tasks(readme: str) -> list[tuple[str, str]]:
    """Questions and commands: the rows of the README's table."""
    return re.findall(r"^\| ([^|]+\?) \| `([^`|]+)`", readme, re.M)


def picture() -> dict[str, str]:
    """An SVG of simulated rates beside published ones, and what it shows."""
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "runs.db"
        run = axm.run(EXPERIMENT, set={"repeats": 1}, store=runs)
        drawn = run.plot().to_dict()
    title = drawn.pop("title")
    drawn |= {"width": 440, "height": 220}
    return {
        "picture": vl_convert.vegalite_to_svg(drawn),
        "caption": " ".join([f"{title['text']}.", *title["subtitle"][:2]]),
    }


def chips(known: list[boards.Entry]) -> list[dict[str, Any]]:
    """Errors of the model by chip, those with measurements first."""
    found = []
    for _, group in groupby(known, key=lambda board: board["chip"]):
        first = next(group)
        errors = first["chip_error_percent"]
        names = dict.fromkeys(n for e in errors.values() for n in e["boards"].split(", "))
        rows = sum(error["rows"] for error in errors.values())
        found.append(
            {"title": first["chip_title"], "errors": errors, "boards": ", ".join(names)}
            | {"rows": rows}
        )
    return sorted(found, key=lambda chip: not chip["errors"])
