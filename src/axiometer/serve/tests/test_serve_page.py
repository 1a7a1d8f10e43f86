"""The page in a real browser: answers, dragging, links, a dropped design, accessibility.

Needs chromium and playwright; skipped without them.
"""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

import axiometer as axm
import design_kit
import serve_kit
from axiometer.serve import server

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'axiometer[test]'"
)
axe = pytest.importorskip(
    "axe_playwright_python", reason="axe is not installed: pip install 'axiometer[test]'"
)
RULES = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
TWO_PORTS = "#board=zybo&ports=HP0,HP1&mode=read&transfer_bytes=1048576"
MASTERS = "#board=zybo&with=name:dma,kind:engine,port:HP0&with=name:video,kind:engine,port:HP1"


@pytest.fixture(scope="module")
def visitor(browser, end):
    """A browser with its caches, as a user has it over several visits."""
    context = browser.new_context()
    yield context
    context.close()


@pytest.fixture
def opened(end, visitor):
    """A function that opens the page with a link, in a window and scheme, answered."""
    pages = []

    def page_at(link="", width=1280, scheme="light"):
        page = visitor.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.said, page.asked = [], []
        page.on("console", lambda message: page.said.append(message.text))
        page.on("pageerror", lambda error: page.said.append(str(error)))
        page.on("request", lambda request: page.asked.append(request.url))
        page.goto(end.url + link)
        answered(page)
        return page

    yield page_at
    for page in pages:
        page.close()


def answered(page):
    """Waits for the whole answer, or an error."""
    page.wait_for_selector("#answer .state.whole, #answer .wrong", timeout=30_000)


def has_link(page, part):
    """Waits until the address has this part."""
    sync_api.expect(page).to_have_url(re.compile(re.escape(part)))


def rate(page):
    return page.locator("#answer .rate b").inner_text()


@pytest.mark.parametrize(
    ("link", "width", "scheme"),
    [(TWO_PORTS, 1280, "light"), (MASTERS, 1280, "dark"), (TWO_PORTS, 390, "dark"),
     (MASTERS, 390, "light")],
)  # fmt: skip
def test_the_page_answers_breaks_no_rule_and_asks_nobody_else(opened, end, link, width, scheme):
    page = opened(link, width, scheme)
    page.wait_for_selector("#curve circle.dot")
    assert page.said == []
    assert [url for url in page.asked if not url.startswith(end.root)] == []
    assert page.locator("#answer .badge").first.inner_text() == "simulated"
    assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    page.evaluate(RULES)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found["violations"]] == []


def test_dragging_shows_a_first_look_and_letting_go_the_answer_of_python(opened):
    page = opened(TWO_PORTS)
    before = rate(page)
    slider = page.locator("#slider-burst_beats")
    box = slider.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + 11, box["y"] + box["height"] / 2, steps=6)
    page.wait_for_selector("#answer .state.quick")
    sync_api.expect(page.locator("output[for=slider-burst_beats]")).to_have_text("1 beat, 8 B")
    page.mouse.up()
    answered(page)
    of = axm.expect("zybo", ports="HP0+HP1", mode="read", transfer_bytes=1048576, burst_beats=1)
    assert rate(page) == f"{of.total:.0f}" != before
    assert f"Limit: {of.bottleneck}." in page.locator("#answer .cause").inner_text()
    assert "burst_beats=1" in page.url
    assert "--burst-beats 1" in page.locator("#answer .line code").first.inner_text()


def test_the_keyboard_moves_a_slider_and_keeps_its_focus(opened):
    page = opened(TWO_PORTS)
    page.locator("#slider-pl_mhz").focus()
    page.keyboard.press("ArrowRight")
    has_link(page, "pl_mhz=101")
    answered(page)
    assert page.evaluate("document.activeElement.id") == "slider-pl_mhz"
    assert page.locator("#slider-pl_mhz").get_attribute("aria-valuetext") == "101 MHz"
    before = page.url
    page.locator(".skip").press("Enter")
    assert (page.url, page.evaluate("document.activeElement.id")) == (before, "answer")


def test_a_link_restores_the_page(opened):
    page = opened(TWO_PORTS + "&along=load")
    page.locator("#ports input[value=HP2]").check()
    has_link(page, "HP2")
    answered(page)
    again = opened("#" + page.url.partition("#")[2])
    assert rate(again) == rate(page)
    on = again.locator("#ports input:checked")
    assert [box.get_attribute("value") for box in on.all()] == ["HP0", "HP1", "HP2"]
    assert again.locator("#along [aria-pressed=true]").inner_text() == "Latency under load"


def test_a_bad_link_says_what_is_wrong_and_the_rest_works(opened):
    page = opened("#board=zybx&foo=1&%E0%A4%A=2")
    said = page.locator("#messages").inner_text()
    assert "zybx" in said and "foo=1" in said
    assert page.locator("#board").input_value() == "zybo" and rate(page)
    page = opened("#board=ZCU-104&ports=HP0")
    assert page.locator("#messages").inner_text() == "" and "board=zcu104" in page.url
    page = opened("#board=zybo&pl_mhz=9999&ports=HP0")
    assert "pl_mhz = 9999 left out" in page.locator("#messages").inner_text() and rate(page)
    page = opened("#board=zybo&ports=HP9")
    assert "no port 'HP9'" in page.locator("#answer .wrong").inner_text()
    page = opened("#board=zybo&ports=<img src=x onerror=alert(1)>")
    assert page.locator("img").count() == 0 and page.said == []


def test_another_board_is_found_by_typing(opened):
    page = opened(TWO_PORTS)
    page.locator("#board").fill("ZCU 102")
    has_link(page, "board=zcu102")
    sync_api.expect(page.locator("#board-note")).to_contain_text("ZCU102")
    sync_api.expect(page.locator("#ports input[value=HPC0]")).to_be_visible()


def test_masters_are_added_and_removed(opened):
    page = opened(TWO_PORTS)
    page.locator("#differ").check()
    page.wait_for_selector("fieldset.master >> nth=1")
    page.locator("#add-master").click()
    page.locator("#master-2-rate_mbs").fill("100")
    page.locator("#master-2-rate_mbs").press("Enter")
    has_link(page, "rate_mbs:100")
    page.get_by_role("button", name="Remove master 1").click()
    sync_api.expect(page.locator("fieldset.master")).to_have_count(2)
    answered(page)
    command = page.locator("#answer .line code").first
    sync_api.expect(command).to_contain_text("rate_mbs=100")


def test_a_click_on_the_curve_sets_the_value(opened):
    page = opened(TWO_PORTS + "&along=burst_beats")
    sync_api.expect(page.locator("#curve circle.dot")).to_have_count(5)
    page.locator("#curve circle.hit").first.dispatch_event("click")  # it may just be drawn again
    has_link(page, "burst_beats=1")


def test_the_advised_change_is_made_by_a_button(opened):
    page = opened("#board=zybo&ports=HP0")
    page.get_by_role("button", name="Try it").click()
    has_link(page, "ports=HP0,HP2")
    sync_api.expect(page.locator("#ports input[value=HP2]")).to_be_checked()


@pytest.fixture
def hwh(tmp_path):
    reader = design_kit.module("r", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "e", 32))
    joined = design_kit.interconnect("ic", [("e", 32)], "hp0")
    return design_kit.saved(tmp_path, reader, joined, design_kit.zynq(("S_AXI_HP0", "hp0")))


def test_a_dropped_design_and_rows_are_answered_and_kept_over_visits(opened, hwh, tmp_path):
    page = opened("#board=zybo&ports=HP0&mode=read&transfer_bytes=1048576")
    page.on("dialog", lambda question: question.accept())
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], 'bd.hwh'));
          const init = {dataTransfer: data, bubbles: true, cancelable: true};
          document.body.dispatchEvent(new DragEvent('drop', init));
        }""",
        hwh.read_text(encoding="utf-8"),
    )
    page.wait_for_selector("#own-answer table", timeout=30_000)
    said = page.locator("#own-answer").inner_text()
    of = axm.Design.load(hwh, platform="zybo").expect()
    assert f"{of.total:.0f} MB/s" in said and f"Limit: {of.bottleneck}." in said
    assert "the nearest that this PLL makes" in said  # its second clock is not what was asked for
    (tmp_path / "mine.csv").write_bytes(serve_kit.ROWS)
    page.set_input_files("#file", str(tmp_path / "mine.csv"))
    measured = page.locator("#answer .measured")
    sync_api.expect(measured).to_contain_text("700 MB/s (mine, zybo)", timeout=30_000)
    page.reload()
    design, rows = (
        page.locator("#kept li", has_text=text) for text in ("bd.hwh", "rows at zybo: 1")
    )
    with page.expect_download() as download:
        rows.get_by_role("button", name="Export").click(timeout=30_000)
    assert "# board = zybo" in Path(download.value.path()).read_text()
    sync_api.expect(measured).to_contain_text("700 MB/s (mine, zybo)")
    design.get_by_role("button", name="Show").click()
    page.wait_for_selector("#own-answer table", timeout=30_000)
    assert page.locator("#own-answer").inner_text() == said
    page.evaluate(RULES)
    for width, scheme in ((1280, "light"), (390, "dark")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
        assert [v["id"] for v in found["violations"]] == []
        assert not page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    for item in (design, rows):
        item.get_by_role("button", name="Remove").click()
        sync_api.expect(item).to_have_count(0)
    sync_api.expect(measured).not_to_contain_text("mine", timeout=30_000)


def test_a_file_that_is_no_design_says_what_to_give(opened, tmp_path):
    page = opened(TWO_PORTS)
    for name, words in (("a.xsa", "a.xsa: "), ("a.txt", "a.txt is no export of a design")):
        (tmp_path / name).write_text("nonsense")
        page.set_input_files("#file", str(tmp_path / name))
        sync_api.expect(page.locator("#own-answer .wrong")).to_contain_text(words)
        assert page.locator("#own-answer .remedy").inner_text()


def test_a_server_that_has_ended_is_said(browser):
    with server.opened(0) as ends:
        thread = threading.Thread(target=ends.serve_forever, args=(0.01,))
        thread.start()
        context = browser.new_context()
        page = context.new_page()
        page.goto(ends.url + TWO_PORTS)
        answered(page)
        ends.shutdown()
        thread.join()
    page.locator("#ports input[value=HP2]").check()
    sync_api.expect(page.locator("#answer .wrong")).to_contain_text("axiometer serve")
    context.close()
