"""The HTML report as text: escaped, self-contained, small enough, complete."""

from __future__ import annotations

import base64
import gzip
import json
import re
from html.parser import HTMLParser

import pytest

import present_fake as fake
from axiometer.base.errors import AxiometerError
from axiometer.present import html
from present_fake import EVIL

MAX_BYTES = 1_500_000


class Tags(HTMLParser):
    """Collects what could load or run something."""

    VOID = ("meta", "link", "br", "img", "input")

    def __init__(self, text):
        super().__init__()
        self.leads, self.loads, self.scripts, self.open, self.wrong = [], [], 0, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        named = [v for k, v in attrs if k in ("src", "href", "srcset", "action")]
        leads = tag == "a" and not named[0].startswith("#")
        (self.leads if leads else self.loads).extend(named)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


@pytest.fixture(scope="module")
def page():
    curve = fake.view(fake.curve_rows(), title="Stream size", run_id="curve-0001")
    return html.page([fake.view(), curve])


def test_nothing_is_loaded_from_anywhere(page):
    tags = Tags(page)
    assert all(link.startswith(("#", "data:,")) for link in tags.loads)
    assert "default-src 'none'" in page
    assert tags.wrong == []
    assert tags.open == []


def test_it_is_small_and_has_the_library_once(page):
    assert len(page.encode()) < MAX_BYTES
    (packed,) = re.findall(r'<script type="text/plain" id="library">(.*?)</script>', page, re.S)
    assert b"window.vegaEmbed=" in gzip.decompress(base64.b64decode(packed))


def test_it_tells_what_it_must(page):
    for words in (
        "simulated",
        "HP port bandwidth, fake board",
        "Stream size",
        "A. Author, A paper, 2020, Table 3",
        "1 cited, 0 from a register, 1 fitted, 1 selected, 1 assumed.",
        "fitted on",
        "selected because",
        "128 is worse (table3.csv)",
        "path.hp01.inflight_bytes_read",
        "4200 MB/s",
        "▼",
        "error of predicted rows",
        "error of fitted rows",
    ):
        assert words in page, words


def test_every_chart_has_its_element(page):
    raw = re.search(r'<script type="application/json" id="specs">(.*?)</script>', page, re.S)[1]
    specs = json.loads(raw)
    assert len(specs) == 6 + 1 + 1 + 1 + 1
    for entry in specs:
        assert page.count(f'id="{entry["id"]}"') == 1


def test_text_cannot_become_markup():
    row = fake.row(0, {"pattern": EVIL, "ports": "HP0"}, ports=["HP0"])
    other = fake.row(1, {"pattern": "b", "ports": "HP0"})
    row = type(row)(**(vars(row) | {"published": fake.around(1500), "role": "predicted"}))
    view = fake.view(
        [row, other],
        title=EVIL,
        citation=EVIL,
        source=EVIL,
        run_id=EVIL,
        provenance={EVIL: {EVIL: EVIL}},
        parameters=[html_parameter()],
    )
    clean = Tags(html.page([fake.view([fake.row(0)])]))
    evil = Tags(page := html.page([view]))
    assert "alert(1)</script>" not in page
    # One more list of parameters or chart must not matter: count scripts only.
    assert evil.scripts == clean.scripts
    assert evil.wrong == []


def html_parameter():
    from axiometer.answer.analysis.results import Parameter

    return Parameter(EVIL, EVIL, "fitted", EVIL, EVIL)


def test_an_incomplete_run_says_so():
    view = fake.view([fake.row(0), fake.row(1, {"ports": "HP1"}, repeats=0)], complete=False)
    text = html.page([view])
    assert "incomplete: 1 of 2 points" in text
    assert Tags(text).leads == [view.link(view.rows[0])]


def test_rates_lead_to_their_questions_where_there_are_links():
    view, without = fake.view(), fake.view(link=lambda row: "")
    assert Tags(html.page([view])).leads == [view.link(row) for row in view.rows]
    assert Tags(html.page([without])).leads == []


def test_an_empty_run_is_an_error():
    view = fake.view([fake.row(0, repeats=0)], complete=False)
    with pytest.raises(AxiometerError, match="no finished point"):
        html.page([view])


def test_a_run_without_reference_says_why():
    view = fake.view([fake.row(0)], citation=None, no_reference="it names no published figures")
    text = html.page([view])
    assert "Nothing published to compare with: it names no published figures." in text
    assert "Error against published" not in text
