"""Measures the page in Chromium, of `axiometer serve` and as static files: visits, and answers
while one drags.

Skipped without playwright and chromium.
"""

from __future__ import annotations

import gzip
import shutil
import tempfile
import time
from pathlib import Path

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
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:

        def visitor(name):
            """A browser that keeps what a user's keeps from visit to visit."""
            place, size = Path(folder) / name, {"width": 1280, "height": 1000}
            return playwright.chromium.launch_persistent_context(
                place, executable_path=chromium, args=["--no-sandbox"], viewport=size
            )

        for name, opened in (("serve", serve_kit.running), ("static page", serve_kit.static)):
            with visitor(name) as context:
                with opened() as end:
                    for visit in ("first visit", "later visit"):
                        found += _visit(context, f"{name}, {visit}", end.url)
                    found += _dragged(context, name, end.url)
                    if name == "static page":
                        found += [_stopped(context, end.url), _size(end.folder)]
                if name == "static page":
                    found += _visit(context, f"{name}, its server gone", end.url)
    return found


def _visit(context, name, url):
    """How long the first paint, the first look and the whole answer take."""
    link, _ = LINKS["zybo HP0+HP1, clock"]
    page, begun = context.new_page(), time.perf_counter()
    page.goto(url + link)
    times = {}
    for what, state in (("first look", ".quick, #answer .whole"), ("whole answer", ".whole")):
        page.wait_for_selector(f"#answer {state}", timeout=120_000)
        times[what] = time.perf_counter() - begun
    painted = page.evaluate(_PAINT) / 1e3
    page.close()
    return [
        Figure(f"{name}: first paint", painted, "s", 1, True),
        *(Figure(f"{name}: {what}", value, "s") for what, value in times.items()),
    ]


def _dragged(context, end, url):
    found = []
    for name, (link, key) in LINKS.items():
        page = context.new_page()
        page.goto(url + link)
        page.reload()  # of a page that is open already, another part after # loads nothing
        page.wait_for_selector("#answer .state.whole", timeout=120_000)
        page.evaluate(_WATCH)
        _drag(page, key)
        page.wait_for_timeout(1000)
        waits = page.evaluate(_WAITS)
        bar = 0.5 if end == "serve" else 1
        how = f"longest of {len(waits)} moves; mean {sum(waits) / len(waits):.0f} ms"
        found.append(Figure(f"{end}, dragged: {name}", max(waits) / 1e3, "s", bar, True, how=how))
        page.close()
    return found


def _stopped(context, url):
    """How long another question waits while a long answer is computed."""
    page = context.new_page()
    page.goto(f"{url}#board=zedboard&ports=HP0,HP1,HP2,HP3&set=pattern%3Drandom")
    page.wait_for_selector("#answer .state.quick", timeout=120_000)
    page.wait_for_timeout(300)
    begun = time.perf_counter()
    page.locator("#ports input[value=HP3]").uncheck()
    page.wait_for_function("/HP0\\+HP1\\+HP2,/.test(document.querySelector('#answer').innerText)")
    waited = time.perf_counter() - begun
    page.close()
    return Figure("static page: another question while a long answer runs", waited, "s", 2, True)


def _size(folder):
    packed = sum(len(gzip.compress(path.read_bytes(), 6)) for path in folder.glob("*/*"))
    return Figure("static page: all files, packed by gzip", packed / 1e6, "MB", 9, True)


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
