"""Links to the web page: those of README and docs show the numbers that their texts claim, and that
of a point asks its question."""

from __future__ import annotations

import json
import re

import pytest

import axiometer as axm
import kit
import serve_kit
from axiometer.base import data
from axiometer.base.units import short_rate
from axiometer.experiment import Experiment, question_link
from axiometer.serve import question

PAGES = [kit.ROOT / "README.md", *sorted((kit.ROOT / "docs").glob("*.md"))]
TEXT = "".join(page.read_text(encoding="utf-8") for page in PAGES)
LINKS = re.findall(rf"\[([^]]+)\]\({re.escape(question_link.ADDRESS)}(#[^)\s]+)\)", TEXT)


@pytest.fixture(scope="module")
def page(browser):
    with serve_kit.running() as served:
        page = browser.new_page()
        page.goto(served.url)
        yield page
        page.close()


def shown(page, link):
    """The question of a link as the page understood it, and its whole answer."""
    page.evaluate("""link => {
      delete document.documentElement.dataset.whole;
      document.querySelector("#answer .shown").replaceChildren();
      history.replaceState(null, "", link);
      dispatchEvent(new HashChangeEvent("hashchange"));
    }""", link)  # fmt: skip
    page.wait_for_selector("html[data-whole], #answer .wrong", timeout=60_000)
    asked = page.evaluate("document.documentElement.dataset.whole ?? null")
    notes = page.locator("#messages").inner_text()
    answer = page.locator("#answer").text_content()
    assert asked and not notes, (notes, answer)
    return json.loads(asked), answer


def missing(text, answer):
    """The numbers of a link's text that the answer lacks."""
    numbers = re.findall(r"\d+(?:\.\d+)?", text)
    assert numbers, f"no number in the link {text!r}"
    return [n for n in numbers if not re.search(rf"(?<!\d)(?<!\d\.){n}(?!\.?\d)", answer)]


@pytest.mark.parametrize(("text", "link"), LINKS, ids=[text for text, _ in LINKS])
def test_the_answer_has_the_numbers_of_the_link(page, text, link):
    _, answer = shown(page, link)
    assert missing(text, answer) == [], answer


def test_no_link_is_overlooked():
    assert TEXT.count(f"{question_link.ADDRESS}#") == len(LINKS) > 14


def test_a_wrong_number_and_a_wrong_link_are_found(page):
    link = "#board=zybo&ports=HP0&mode=read&transfer_bytes=4096"
    _, answer = shown(page, link)
    rate = round(axm.expect("zybo", ports="HP0", mode="read", transfer_bytes=4096).total)
    assert missing(f"{rate} MB/s, not {rate + 1} or 1{rate}", answer) == [f"{rate + 1}", f"1{rate}"]
    with pytest.raises(AssertionError, match="port=HP0"):
        shown(page, f"{link}&port=HP0")


# ---- the link of a point -------------------------------------------------------------------------

MASTERS = [
    {"name": "in", "kind": "axi_vdma", "port": "HP0", "direction": "read", "frame": "1080p60"},
    {"name": "out", "kind": "axi_dma", "port": "HP2", "direction": "write", "width_bits": 32},
]
RING = {"kind": "axi_dma", "port": "HP0", "direction": "write", "scatter_gather": True}
POINTS = [
    ("zybo", {"ports": "HP0+HP1", "mode": "write", "width_bits": 32, "pl_mhz": 150.5,
              "transfer_bytes": "64KiB", "set": {"controller.starve_clocks": 32}}),
    ("zedboard", {"ports": "GP0", "master": "ps_dma", "os": "linux", "transfer_bytes": "1KiB"}),
    ("zcu102", {"ports": "HP0", "pattern": "stride:4096", "duration": "200us", "burst_bytes": 272,
                "background": "DisplayPort=1000", "qos": "best_effort", "placement": "packed"}),
    ("zybo", {"masters": MASTERS, "duration": "1ms", "set": {"mapping": "bank-row-column"}}),
    ("zybo", {"masters": [RING], "transfer_bytes": 4096}),
]  # fmt: skip


def same(asked, platform, point):
    """Whether a question of the page is that of a point."""
    of = question.settled(question.read(asked))
    free = {"repeats": None, "seed": None}
    equal = {**of.point.values, **free} == {**point.values, **free}
    return equal and of.platform.overrides == platform.overrides and not of.notes


@pytest.mark.parametrize(("board", "keys"), POINTS)
def test_the_link_of_a_point_has_its_rate(page, board, keys):
    of = axm.expect(board, **keys)
    link = question_link.link(of.platform, of.point.values)
    asked, answer = shown(page, link.removeprefix(question_link.ADDRESS))
    assert same(asked, of.platform, of.point)
    assert f"{short_rate(of.total)} MB/s" in answer


def test_the_links_of_experiments_ask_their_points(page):
    points = [
        (experiment.platform, point)
        for experiment in map(Experiment.load, data.names("experiments"))
        for point in experiment.points()[:: max(1, len(experiment.points()) // 4)]
    ]
    links = [question_link.link(platform, point.values) for platform, point in points]
    read = """async links => {
      const { read } = await import("/link.js");
      return links.map((link) => read(link.slice(link.indexOf("#"))));
    }"""
    found = [of for of in zip(links, page.evaluate(read, links), points, strict=True) if of[0]]
    for link, state, of in found:
        assert not state["odd"] and same(state["state"], *of), link
    assert len(found) > 100


def test_what_the_page_cannot_ask_has_no_link(experiment):
    own = Experiment.load(str(experiment))
    slept = axm.Experiment.load("de1-soc-stream-size")
    for of in (own, slept):
        assert question_link.link(of.platform, of.points()[0].values) == ""
