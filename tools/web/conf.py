"""Sphinx settings of the web site; `make site` runs it. Pages stay where GitHub shows them.

The contents list is that of docs/README.md. The first page is that of `make browser`: links to its
address lead to the copy beside these pages. AXIOMETER_SITE_VERSION names the directory of a
published version ("latest", "v1.0.0") and turns the list of versions on; GITHUB_SERVER_URL and
GITHUB_REPOSITORY give the link to the sources.
"""

from __future__ import annotations

import os
import re
from typing import Any

from sphinx.application import Sphinx

import axiometer as axm
from axiometer.experiment.question_link import ADDRESS

project = "Axiometer"
version = axm.__version__
extensions = ["myst_parser", "sphinx_copybutton"]
root_doc = "docs/README"
include_patterns = ["**.md"]
exclude_patterns = [".*", "**/.*", "build", "dist", "out", "**/node_modules"]
suppress_warnings = [
    "toc.not_included",  # pages that other pages link to, and no list
    "misc.highlighting_failure",  # languages without colours, such as csv
]
myst_heading_anchors = 6
highlight_language = "none"
copybutton_prompt_text = "$ "

html_theme = "pydata_sphinx_theme"
html_title = "Axiometer"
html_favicon = "../../docs/images/logo.svg"
html_static_path = ["static", "../../docs/images/logo.svg"]
html_css_files = ["site.css"]
templates_path = ["templates"]
html_sidebars = {"**": ["contents.html"]}
html_use_index = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "logo": {"image_light": html_favicon, "image_dark": html_favicon, "text": project},
    "navbar_center": ["menu.html"],
    "search_as_you_type": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
    "show_prev_next": False,
}
if repository := os.environ.get("GITHUB_REPOSITORY"):
    html_theme_options["github_url"] = f"{os.environ['GITHUB_SERVER_URL']}/{repository}"
if published := os.environ.get("AXIOMETER_SITE_VERSION"):
    html_theme_options["navbar_end"] = ["version-switcher", "theme-switcher", "navbar-icon-links"]
    html_theme_options["switcher"] = {"json_url": "../versions.json", "version_match": published}
    html_theme_options["check_switcher"] = False  # it is written when the versions are


def contents(_app: Sphinx, name: str, source: list[str]) -> None:
    """Add to docs/README.md, unseen, a contents list of the pages that each of its parts names."""
    if name != root_doc:
        return
    listed: set[str] = set()
    for part in re.split(r"^##+ ", source[0], flags=re.M)[1:]:
        lines = [f":caption: {part.splitlines()[0]}", ":hidden:", ""]
        for text, page in re.findall(r"\[([^]]+)\]\(([^)#:]+)\.md\)", part):
            if page not in listed:
                name = re.fullmatch(r"[\w/-]+", text)  # of a board or a folder
                lines.append(f"{text} <{page}>" if name else page)
            listed.add(page)
        source[0] += "\n```{toctree}\n" + "\n".join(lines) + "\n```\n"


def context(
    _app: Sphinx, name: str, _template: str, context: dict[str, Any], _tree: object
) -> None:
    """Let the logo, and links that ask the page, lead to the site's first page. A head without text
    is an empty cell, as readers of screens expect."""
    context["theme_logo_link"] = first = context["pathto"]("index")
    if "body" in context:
        body = context["body"].replace(ADDRESS, first)
        context["body"] = body.replace('<th class="head"><p></p></th>', "<td></td>")


def setup(app: Sphinx) -> None:
    app.connect("source-read", contents)
    app.connect("html-page-context", context)
