"""Shows a design that was read, and checks that its own file describes the same design."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def look(design: Any, folder: str) -> None:
    """AssertionError if what is shown has control characters, or a design file in `folder` that is
    written of it is read as another design."""
    from axiometer.designs import design_file, load
    from axiometer.designs.checks import check
    from axiometer.present import design as words
    from axiometer.present.text import Style

    shown = [*words.lines(design, Style()), *words.findings(design, check(design), Style())]
    assert not any(ord(c) < 32 and c != "\t" for line in shown for c in line)
    words.document(design)
    again = Path(folder) / "again.toml"
    again.write_text(design_file.dumps(design), encoding="utf-8")
    assert load(again) == design
