"""Every kind of page against the rules of axe-core: contrast, names, order, keyboard.

In light and dark, wide and on a telephone. Needs chromium and playwright; skipped without them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import browser_kit
import design_kit
import present_fake as fake
from axiometer.__main__ import main

axe = pytest.importorskip(
    "axe_playwright_python", reason="axe is not installed: pip install 'axiometer[test]'"
)
RULES = Path(axe.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
RUNS = {
    "convolution": ["ultra96-convolution"],
    "masters": ["zedboard-masters"],
    "packets": ["zedboard-zero-copy"],
    "mixed": ["ultra96-mixed", "--set", "ports=HP0,HP0+HP1", "--set", "burst_bytes=64,256"],
    "ports": ["zybo-hp-bandwidth", "--set", "ports=HP0,HP0+HP1", "--set", "transfer_bytes=1MiB"],
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """Names of kinds of pages, and their files."""
    from axiometer.present import html

    folder = tmp_path_factory.mktemp("pages")
    store = ["--store", str(folder / "runs.db")]
    made = {"fake": folder / "fake.html"}
    curve = fake.view(fake.curve_rows(), title="Bandwidth against transfer size", run_id="c-0001")
    made["fake"].write_text(html.page([fake.view(), curve]), encoding="utf-8")
    for name, words in RUNS.items():
        made[name] = folder / f"{name}.html"
        assert main(["run", *words, "--repeats", "1", "--quiet", "--jobs", "1", *store]) == 0
        assert main(["report", words[0], *store, "-o", str(made[name])]) == 0
    for board in ("zybo", "ultra96"):  # a run of all figures, and the board's own page
        made[board] = folder / f"board-{board}.html"
        assert main(["report", "--board", board, *store, "-o", str(made[board])]) == 0
    made["survey"] = folder / "survey.html"  # of a board that was not run
    words = ["report", "--board", "arria5-socdk", *store, "-o", str(made["survey"])]
    assert main(words) == 0
    made["design"] = folder / "design.html"
    words = ["report", str(_design(folder)), "--board", "zedboard", "-o", str(made["design"])]
    assert main(words) == 0
    return made


def _design(folder):
    reader = design_kit.module("r", design_kit.DMA, design_kit.reads("M_AXI_MM2S", "e", 32))
    writer = design_kit.module("w", design_kit.DMA, design_kit.writes("M_AXI_S2MM", "f", 32))
    shared = design_kit.interconnect("ic", [("e", 32), ("f", 32)], "hp0")
    return design_kit.saved(folder, reader, writer, shared, design_kit.zynq(("S_AXI_HP0", "hp0")))


def opened(browser, path, width, scheme):
    """A page with all its charts drawn."""
    viewport = {"width": width, "height": 900}
    page = browser_kit.opened(browser, path, viewport=viewport, color_scheme=scheme)
    browser_kit.draw_all(page)
    return page


def violations(page):
    """What axe objects to: its rule, and the first element."""
    page.evaluate(RULES)  # which look at what is there and fetch nothing
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], preload: false})")
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found["violations"]]


@pytest.mark.parametrize(
    ("width", "scheme", "only"),
    [(1280, "light", None), (390, "dark", None), (1280, "dark", "fake"), (390, "light", "fake")],
)
def test_no_page_breaks_a_rule(browser, pages, width, scheme, only):
    """Every page at each width and in each scheme; the one with every kind of chart in all four
    pairs, as colours do not depend on the width."""
    found = {}
    for name, path in pages.items():
        if only not in (None, name):
            continue
        page = opened(browser, path, width, scheme)
        found[name] = violations(page)
        if page.evaluate("document.documentElement.scrollWidth > window.innerWidth"):
            found[name].append("something is wider than the window")
        page.context.close()
    assert found == dict.fromkeys([only] if only else pages, [])


@pytest.mark.parametrize(
    ("spoil", "rule"),
    [
        ("document.querySelector('.chart summary').removeAttribute('aria-label')", "summary-name"),
        ("document.querySelector('.badge').style.color = '#9ab8f0'", "color-contrast"),
        ("document.documentElement.removeAttribute('lang')", "html-has-lang"),
    ],
)
def test_a_planted_fault_is_found(browser, pages, spoil, rule):
    page = opened(browser, pages["fake"], 1280, "light")
    page.evaluate(spoil)
    assert [line.partition(":")[0] for line in violations(page)] == [rule]
    page.context.close()
