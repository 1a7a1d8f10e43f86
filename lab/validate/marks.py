"""Sections of pages that programs write, between two marks; the first mark names the command that
writes the section."""

from __future__ import annotations

from pathlib import Path

from axiometer.base.errors import AxiometerError

DOCS = Path(__file__).resolve().parents[2] / "docs"
END = "<!-- end -->"


def of_claim(name: str, part: str = "") -> str:
    """The command that writes the section of a claim (claims.toml), or a part of several."""
    return f"python -m validate {name} --write" + (f": {part}" if part else "")


def begin(command: str) -> str:
    """The mark before the section that `command` writes."""
    return f"<!-- begin: {command} (not edited by hand) -->"


def section(page: str, command: str) -> str:
    """The text between the marks of `command`. AxiometerError if the page has none."""
    _, mark, rest = page.partition(begin(command))
    text, end, _ = rest.partition(END)
    if not mark or not end:
        raise AxiometerError(
            f"the page has no marks of {command}", remedy=f"put in {begin(command)} and {END}"
        )
    return text.strip("\n")


def claimed(name: str, page: str) -> str:
    """The section of a claim in a page of docs/."""
    return section((DOCS / page).read_text(encoding="utf-8"), of_claim(name))


def replaced(page: str, command: str, text: str) -> str:
    """The page with `text` between the marks of `command`."""
    section(page, command)
    before, mark, rest = page.partition(begin(command))
    return f"{before}{mark}\n{text}\n{END}{rest.partition(END)[2]}"


def write(page: Path, command: str, text: str) -> None:
    """Put `text` between the marks of `command` in the file `page`."""
    found = page.read_text(encoding="utf-8")
    page.write_text(replaced(found, command, text), encoding="utf-8")
