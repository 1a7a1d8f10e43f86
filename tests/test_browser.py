"""The static page (`make browser`): its model computes the same bits as here, commands say the
same, and what is shipped is small and named.

Tests of the page itself run over both its ends: serve/tests/test_serve_page.py.
"""

from __future__ import annotations

import gzip
import json
import math
import re

import pytest

import browser_digest
import kit
import serve_kit

SEEDS = 40
MOST_BYTES = 9_000_000
# Commands that answer in a browser.
COMMANDS = (kit.ROOT / "tests" / "browser_commands.txt").read_text(encoding="utf-8").splitlines()
THERE = """async ([python, wheel, tests, script]) => {
  const {loadPyodide} = await import(`../${python}/pyodide.mjs`);
  const started = await loadPyodide();
  started.unpackArchive(await (await fetch(wheel)).arrayBuffer(), "wheel");
  for (const [name, text] of Object.entries(tests)) started.FS.writeFile(name, text);
  return JSON.parse(started.runPython(script));
}"""


@pytest.fixture(scope="module")
def site():
    with serve_kit.static() as of:
        yield of


@pytest.fixture
def there(site, browser):
    """A function that runs a script over browser_digest.py, `found`, in the site's own Python."""
    (wheel,) = site.folder.glob("browser/*.whl")
    (python,) = site.folder.glob("pyodide-*")
    names = ("browser_digest", "fuzz_model", "fuzz_usp", "fuzz_processor", "shrink")
    texts = {f"{name}.py": (kit.ROOT / "tests" / f"{name}.py").read_text() for name in names}

    def run(script):
        page = browser.new_page()
        page.goto(f"{site.url}NOTICES.txt")
        script = f"import json, browser_digest\njson.dumps({script})"
        return page.evaluate(THERE, [python.name, wheel.name, texts, script])

    return run


def test_the_model_computes_the_same_bits(there):
    assert there(f"browser_digest.digests({SEEDS})") == browser_digest.digests(SEEDS)
    assert browser_digest.digests(1) != browser_digest.digests(2)


def same(one, other):
    """Whether two documents are equal, numbers to 1e-6."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return one == other


def test_commands_say_the_same(there, capfd):
    found = there(f"[browser_digest.said(line) for line in {COMMANDS!r}]")
    for line, text in zip(COMMANDS, found, strict=True):
        native = browser_digest.said(line)
        if "--json" in line:
            text, native = json.loads(text), json.loads(native)
        assert same(text, native), line
    assert not same({"a": [1.0]}, {"a": [1.00001]}) and same({"a": [1.0]}, {"a": [1.0000001]})


def test_what_is_shipped_is_small_and_has_its_licences(site):
    packed = [len(gzip.compress(path.read_bytes(), 6)) for path in site.folder.glob("*/*")]
    assert 5_000_000 < sum(packed) <= MOST_BYTES
    notices = (site.folder / "browser" / "NOTICES.txt").read_text(encoding="utf-8")
    for name in ("Pyodide: MPL-2.0", "CPython: PSF-2.0", "nanobind: BSD-3-Clause", "SQLite"):
        assert name in notices
    assert (site.folder / "browser" / "LICENSE").read_text() == (kit.ROOT / "LICENSE").read_text()


def test_a_new_version_takes_over_whole_and_is_kept(browser):
    """Each visit is of one version: of the old one when a new one has just come, then of the new
    one, also without a server."""
    visitor = browser.new_context()
    with serve_kit.static() as site:

        def visit():
            page = visitor.new_page()
            page.goto(f"{site.url}#board=zybo")
            page.wait_for_selector("#answer .whole", timeout=120_000)
            versions = page.evaluate("[document.body.dataset.of, self.of]")
            page.wait_for_timeout(1000)
            page.close()
            return versions

        for version in "12":
            for name, pattern, text in (
                ("index.html", "<body.*?>", f'<body data-of="{version}">'),
                ("app.js", r"^(self.of = .;)?", f"self.of = {version};"),
                ("sw.js", "const KEPT = .*", f"const KEPT = `${{NAME}}{version}`;"),
            ):
                file = site.folder / "browser" / name
                file.write_text(re.sub(pattern, text, file.read_text(), count=1))
            old = visit()
        assert old == ["1", 1]
    assert visit() == ["2", 2]
    visitor.close()
