"""Looks for phrases that are not plain English (docs/writing.md): those of `plain_words.toml` in
pages and program texts, those of `plain_words_pages.toml` in pages only.

python tools/plain_words.py          exit status 1 where there are some
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORDS = Path(__file__).with_suffix(".toml")
WORDS_OF_PAGES = Path(__file__).with_name("plain_words_pages.toml")
OURS = ("docs/writing.md",)  # which shows them


def phrases(file: Path = WORDS) -> dict[re.Pattern[str], str]:
    """Each phrase with what to write instead."""
    listed = tomllib.loads(file.read_text(encoding="utf-8"))
    return {re.compile(phrase, re.IGNORECASE): str(of["write"]) for phrase, of in listed.items()}


def pages(root: Path = ROOT) -> Iterator[Path]:
    """What people read: pages that are written by hand or by tools, and the program's own texts."""
    yield root / "README.md"
    for pattern in ("docs/*.md", "src/axiometer/**/*.py", "src/axiometer/**/*.html"):
        yield from sorted(page for page in root.glob(pattern) if "tests" not in page.parts)


def found(pages: Iterable[Path], listed: dict[re.Pattern[str], str]) -> Iterator[str]:
    """A sentence for each phrase in a page."""
    for page in pages:
        if page.as_posix().endswith(OURS):
            continue
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            for phrase, write in listed.items():
                if match := phrase.search(line):
                    yield f"{page}:{number}: {match[0]!r}: write {write}"


def everywhere() -> Iterator[str]:
    """A sentence for each phrase of either list where it must not be."""
    yield from found(pages(), phrases())
    documents = [page for page in (*pages(), ROOT / "CHANGELOG.md") if page.suffix == ".md"]
    yield from found(documents, phrases(WORDS_OF_PAGES))


def main() -> int:
    lines = list(everywhere())
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
