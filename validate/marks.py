"""Sections of pages that programs write, between two marks."""

from __future__ import annotations

from axiometer.base.errors import AxiometerError

END = "<!-- end -->"


def begin(name: str) -> str:
    """The mark before the section that `python -m validate.NAME` writes."""
    return f"<!-- begin: python -m validate.{name} --write (not edited by hand) -->"


def section(page: str, name: str) -> str:
    """What stands between the marks of `name`. AxiometerError if the page has none."""
    _, mark, rest = page.partition(begin(name))
    text, end, _ = rest.partition(END)
    if not mark or not end:
        raise AxiometerError(
            f"the page has no marks of {name}", remedy=f"put in {begin(name)} and {END}"
        )
    return text.strip("\n")


def replaced(page: str, name: str, text: str) -> str:
    """The page with `text` between the marks of `name`."""
    section(page, name)
    before, mark, rest = page.partition(begin(name))
    return f"{before}{mark}\n{text}\n{END}{rest.partition(END)[2]}"
