"""Measures the page of `axiometer serve` in Chromium: its first paint, and answers while one drags.

Skipped without playwright and chromium.
"""

from __future__ import annotations

import shutil
import threading

from axiometer.serve import server
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
    with server.opened(0) as served, sync_playwright() as playwright:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (link, key) in LINKS.items():
            page = browser.new_context(viewport={"width": 1280, "height": 1000}).new_page()
            page.goto(served.url + link)
            page.wait_for_selector("#answer .state.whole", timeout=60_000)
            if not found:
                painted = page.evaluate(_PAINT) / 1e3
                how = "of a server that has just begun"
                found.append(Figure("serve: first paint", painted, "s", 1, True, how=how))
            page.evaluate(_WATCH)
            _drag(page, key)
            page.wait_for_timeout(1000)
            waits = page.evaluate(_WAITS)
            how = f"longest of {len(waits)} moves; mean {sum(waits) / len(waits):.0f} ms"
            longest = max(waits) / 1e3
            found.append(Figure(f"serve, dragged: {name}", longest, "s", 0.5, True, how=how))
            page.context.close()
        browser.close()
        served.shutdown()
    return found


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
