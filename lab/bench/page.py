"""Measures the page in Chromium, of `axiometer serve` and as static files: visits, and answers
while one drags.

Skipped without playwright and chromium.
"""

from __future__ import annotations

import shutil
import time

import serve_kit
from figures import Figure

LINKS = {
    "zybo HP0+HP1, clock": ("#board=zybo&ports=HP0,HP1", "pl_mhz"),
    "zybo four ports, clock": ("#board=zybo&ports=HP0,HP1,HP2,HP3", "pl_mhz"),
    "zcu102 four ports, burst": ("#board=zcu102&ports=HP0,HP1,HP2,HP3", "burst_beats"),
    "zcu102 HPM0_FPD, clock": ("#board=zcu102&ports=HPM0_FPD", "pl_mhz"),
}
STEPS, STEP_MS = 30, 30
_WATCH = """() => {
  window.moved = []; window.answered = [];
  for (const slider of document.querySelectorAll('.slider input'))
    slider.addEventListener('input', () => moved.push(performance.now()));
  const seen = () => answered.push(performance.now());
  new MutationObserver(seen).observe(document.querySelector('#answer .shown'), {childList: true});
}"""
# For each move of the slider the time to the next answer on the page.
_WAITS = """() => moved.map(at => answered.find(one => one > at) - at).filter(ms => ms > 0)"""
_PAINT = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def measure() -> list[Figure]:
    """All figures; none where there is no browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return []
    if chromium is None:
        return []
    found = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, opened in (("serve", serve_kit.running), ("static page", serve_kit.static)):
            visitor = browser.new_context(viewport={"width": 1280, "height": 1000})
            with opened() as end:
                found += _visit(visitor, f"{name}, first visit", end.url)
                found += _visit(visitor, f"{name}, later visit", end.url)
                found += [_dragged(visitor, name, end.url, about) for about in LINKS]
            if name == "static page":
                found += _visit(visitor, f"{name}, its server gone", end.url)
        browser.close()
    return found


def _visit(visitor, name, url):
    """How long the first paint, the first look and the whole answer take."""
    page, begun = visitor.new_page(), time.perf_counter()
    page.goto(f"{url}#board=zybo&ports=HP0,HP1")
    times = {}
    for what in ("quick", "whole"):
        page.wait_for_selector(f"#answer .{what}, #answer .whole", timeout=120_000)
        times[what] = time.perf_counter() - begun
    painted = page.evaluate(_PAINT) / 1e3
    page.close()
    figures = [Figure(f"{name}: {what} answer", value, "s") for what, value in times.items()]
    return [Figure(f"{name}: first paint", painted, "s", 1, True), *figures]


def _dragged(visitor, end, url, about):
    link, key = LINKS[about]
    page = visitor.new_page()
    page.goto(url + link)
    page.wait_for_selector("#answer .state.whole", timeout=120_000)
    page.evaluate(_WATCH)
    _drag(page, key)
    page.wait_for_timeout(1000)
    waits = page.evaluate(_WAITS)
    page.close()
    how = f"longest of {len(waits)} moves; mean {sum(waits) / len(waits):.0f} ms"
    bar = 0.5 if end == "serve" else 1
    return Figure(f"{end}, dragged: {about}", max(waits) / 1e3, "s", bar, True, how=how)


def _drag(page, key):
    """Drag a slider over most of its way and let go."""
    box = page.locator(f"#slider-{key}").bounding_box()
    x, width, y = box["x"] + 10, box["width"] - 20, box["y"] + box["height"] / 2
    slider = page.locator(f"#slider-{key}")
    part = int(slider.input_value()) / int(slider.get_attribute("max"))
    page.mouse.move(x + width * part, y)
    page.mouse.down()
    for step in range(STEPS):
        page.mouse.move(x + width * (0.1 + 0.8 * step / STEPS), y)
        page.wait_for_timeout(STEP_MS)
    page.mouse.up()
