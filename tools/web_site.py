"""Writes the project's web site: a landing page, and all documentation as HTML.

Usage: python tools/web_site.py [--output DIRECTORY]     (default: dist/site/)
Converts every page that README.md links to, directly or indirectly, and copies other linked files.
A broken link is an error. The files are static and need no network and no web server. Model and
catalogue compute the figures of the landing page.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections.abc import Sequence
from itertools import count, groupby
from pathlib import Path
from typing import Any

import jinja2
import markdown
from markupsafe import Markup

import axiometer as axm
from axiometer.present import boards
from axiometer.published import catalogue

ROOT = Path(__file__).resolve().parent.parent
PARTS = Path(__file__).resolve().parent / "web"
START = "README.md"
ABOUT = (
    "Axiometer answers which throughput to expect on a board, a port, a clock, and why not more, "
    "with a calibrated, clock-exact model of the memory subsystem of FPGA SoCs. No board and no "
    "vendor tools are needed."
)
MENU = (
    ("Guide", "docs/guide.html"),
    ("Python", "docs/python.html"),
    ("Designs", "docs/designs.html"),
    ("Accuracy", "docs/accuracy.html"),
    ("Reference", "docs/README.html"),
    ("Changes", "CHANGELOG.html"),
)
_LINK = re.compile(r'(?P<attribute>href|src)="(?P<target>[^"]*)"')
_ELSEWHERE = re.compile(r"[a-z]+:|#|/")


def slug(text: str, _separator: str = "-") -> str:
    """The anchor of a heading, as hosts of Markdown make it."""
    kept = re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", text).lower())
    return kept.replace(" ", "-")


HEAD = '<div class="wide" tabindex="0" role="region" aria-label="Table {}"><table>'


def converted(text: str) -> str:
    """Markdown as HTML; a table that is too wide scrolls, and each table has its own label."""
    extensions = ["tables", "fenced_code", "sane_lists", "toc"]
    html = markdown.markdown(
        text, extensions=extensions, extension_configs={"toc": {"slugify": slug}}
    )
    html = html.replace("<pre>", '<pre tabindex="0">').replace("<th></th>", "<td></td>")
    html = html.replace("<th>", '<th scope="col">')
    number = count(1)
    html = re.sub(
        "<table>",
        lambda found: HEAD.format(next(number)),
        html,
    )
    return html.replace("</table>", "</table></div>")


def sources(start: str = START, root: Path = ROOT) -> tuple[dict[str, str], set[str]]:
    """Pages by path, as HTML with links among themselves; other linked files. SystemExit for a
    broken link."""
    pages: dict[str, str] = {}
    files: set[str] = set()
    left = [start]
    wrong: list[str] = []
    while left:
        path = left.pop()
        if path in pages:
            continue
        folder = (root / path).parent

        def link(match: re.Match[str], path: str = path, folder: Path = folder) -> str:
            target, hash_, anchor = match["target"].partition("#")
            if not target or _ELSEWHERE.match(target):
                return match[0]
            place = Path(os.path.normpath(folder / target))
            if place.is_dir():
                place = place / "README.md"
                target = f"{target.rstrip('/')}/README.md"
            if not place.is_file() or not place.is_relative_to(root):
                wrong.append(f"{path}: {match['target']}")
                return match[0]
            name = place.relative_to(root).as_posix()
            if name.endswith(".md"):
                left.append(name)
                target = target.removesuffix(".md") + ".html"
            else:
                files.add(name)
            return f'{match["attribute"]}="{target}{hash_}{anchor}"'

        text = (root / path).read_text(encoding="utf-8")
        pages[path] = _LINK.sub(link, converted(text))
    if wrong:
        raise SystemExit("broken links:\n  " + "\n  ".join(sorted(wrong)))
    return pages, files


def landing() -> dict[str, Any]:
    """The contents of the landing page: an answer, errors by chip, and all boards."""
    known = boards.documents(catalogue.chips())
    ports = "HP0+HP1"
    found = axm.expect("zybo", ports=ports, mode="duplex")
    chips = []
    for _, group in groupby(known, key=lambda board: board["chip"]):
        first = next(group)
        errors = first["chip_error_percent"]
        names = dict.fromkeys(n for e in errors.values() for n in e["boards"].split(", "))
        rows = sum(error["rows"] for error in errors.values())
        chips.append(
            {"title": first["chip_title"], "errors": errors, "boards": ", ".join(names)}
            | {"rows": rows}
        )
    return {
        "example": f"axiometer expect zybo {ports}",
        "answer": found.to_dict()["headline"],
        "chips": sorted(chips, key=lambda chip: not chip["errors"]),
        "boards": sorted(known, key=lambda board: (board["figures"] != "measured", board["name"])),
    }


def write(output: Path, shown: dict[str, Any]) -> Sequence[str]:
    """Write the site and return the paths of its pages."""
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string((PARTS / "page.html").read_text(encoding="utf-8"))
    pages, files = sources()
    common = {"menu": MENU, "about": ABOUT, "version": axm.__version__}
    written = {"index.html": template.render(title="Axiometer", up="", here="", **common, **shown)}
    for path, body in pages.items():
        name = path.removesuffix(".md") + ".html"
        heading = re.search(r"<h1[^>]*>(.*?)</h1>", body)
        title = Markup(heading[1]).striptags() if heading else path
        up = "../" * path.count("/")
        written[name] = template.render(
            title=f"{title} · Axiometer", up=up, here=name, body=Markup(body), **common
        )
    if output.exists():
        shutil.rmtree(output)
    for name, text in written.items():
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        (output / name).write_text(text, encoding="utf-8")
    for name in ("site.css", "site.js"):
        shutil.copyfile(PARTS / name, output / name)
    for name in files:
        (output / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, output / name)
    return list(written)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, metavar="DIRECTORY", default=ROOT / "dist" / "site")
    output = parser.parse_args().output
    if output.exists() and not (output / "site.css").exists() and any(output.iterdir()):
        sys.exit(f"{output} has other contents: give a new directory")
    print(f"{len(write(output, landing()))} pages: {output / 'index.html'}")


if __name__ == "__main__":
    main()
