"""The common part of every HTML page: one self-contained file, which works offline.

All text goes through Jinja's autoescape; data for the script is JSON with `<`, `>` and `&`
escaped. The page's content security policy forbids every network access. The charts' library
(Vega) is in the file once, compressed, for all charts; tables and points are compressed where
there are many.
"""

from __future__ import annotations

import base64
import gzip
import json
from importlib import resources
from typing import TYPE_CHECKING

import jinja2
import vl_convert
from markupsafe import Markup

from axiometer.present import drawing

if TYPE_CHECKING:
    import altair as alt

Specs = list[dict[str, object]]
"""Charts of a page, as the browser draws them."""


def render(template: str, specs: Specs, *, pack: bool = False, **variables: object) -> str:
    """The page of a file in `templates`, with the charts that `chart` put into `specs`.

    pack: the template's parts are compressed, and the browser unpacks them first. Such a page is a
    tenth as large and shows none of its parts without JavaScript.
    """
    drawing.check()
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    parts = _Parts(pack)
    environment.filters["part"] = parts.take
    text: str = environment.from_string(_read(template)).render(
        css=Markup(_read("report.css")),
        script=Markup(_read("filters.js") + _read("report.js")),
        library=_compressed(vl_convert.javascript_bundle()),
        specs=json_of(specs),
        parts=parts,
        **variables,
    )
    return text


def _read(name: str) -> str:
    here = resources.files("axiometer.present") / "templates"
    return (here / name).read_text(encoding="utf-8")


class _Parts:
    """Parts of a page by their number, where they are packed. In a template, `{{ parts.place() }}`
    is in the tag around a part, and `{% filter part %}` around its content."""

    def __init__(self, pack: bool) -> None:
        self.pack = pack
        self._kept: list[str] = []

    def place(self) -> Markup:
        return Markup(f' data-part="{len(self._kept)}"' if self.pack else "")

    def take(self, text: str) -> Markup:
        if not self.pack:
            return Markup(text)
        self._kept.append(str(text))
        return Markup("")

    def packed(self) -> str:
        """All parts, for the page's end: a compressed JSON list of texts."""
        return _compressed(json.dumps(self._kept, ensure_ascii=False))


def _compressed(text: str) -> str:
    """In base64; the browser unpacks it faster than it reads the rest."""
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")


def asked(figure: str, point: str, link: str) -> str:
    """A rate that leads to its point's question on the web page; without a link the rate alone."""
    label = f"{figure} MB/s, {point}: ask it in the browser"
    made = Markup('<a href="{}" aria-label="{}">{}</a>')
    return made.format(link, label, figure) if link else figure


def json_of(value: object) -> Markup:
    """JSON that is safe inside a script element, whatever its texts."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def chart(
    specs: Specs, prefix: str, made: alt.TopLevelMixin, *, lazy: bool = False, lanes: bool = False
) -> str:
    """Register a chart's specification; returns the id of its element. A lazy chart is drawn when
    it comes near the window; a chart with lanes has a point in each."""
    spec = made.properties(width="container").to_dict()
    spec.pop("config", None)
    spec["autosize"] = {"type": "fit-x", "contains": "padding"}
    name = f"{prefix}{len(specs)}"
    marks = {word: True for word, is_so in (("lazy", lazy), ("lanes", lanes)) if is_so}
    specs.append({"id": name, "spec": spec, **marks})
    return name
