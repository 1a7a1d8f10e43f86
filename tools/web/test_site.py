"""The web site: a broken link fails the build, every page is in it, search and versions work.

`make test-site` runs this; it needs the tools of requirements/site.txt.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import kit
from axiometer.present import boards
from axiometer.published import catalogue

sys.path.insert(0, str(kit.ROOT / "tools" / "web"))
import versions

WEB = Path(__file__).resolve().parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
)


def build(source: Path, output: Path, builder: str = "html", **more: str) -> str:
    """Build the site of a folder with the project's settings; its warnings and errors."""
    words = [
        "-m",
        "sphinx",
        "--quiet",
        "--jobs",
        "auto",
        "--no-color",
        "-b",
        builder,
        "-c",
        WEB,
        source,
        output,
    ]
    environment = kit.environment(**more)
    done = subprocess.run(
        [sys.executable, *words], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    output = tmp_path_factory.mktemp("site")
    hosted = {"GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "some/axiometer"}
    assert build(kit.ROOT, output, AXIOMETER_SITE_VERSION="", **hosted) == ""
    return output


def small(folder: Path, text: str) -> Path:
    """A folder with the pages that the settings ask for."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "README.md").write_text(
        f"# All\n\n## Pages\n[guide.md](guide.md)\n\n{text}\n", encoding="utf-8"
    )
    (folder / "docs" / "guide.md").write_text("# Guide\n\n## A part\nText.\n", encoding="utf-8")
    return folder


BROKEN = {  # what a warning must name
    "[x](nowhere.md)": "nowhere.md",
    "[x](guide.md#no-part)": "'no-part'",
    "[x](#nor-this)": "'nor-this'",
    "[x](../data/none.toml)": "none.toml",
    "![x](none.png)": "none.png",
}


def test_every_broken_link_is_found(tmp_path):
    source = small(tmp_path / "source", "\n\n".join(BROKEN))
    lines = build(source, tmp_path / "out", "dummy").splitlines()
    for name in BROKEN.values():
        assert [line for line in lines if name in line and "README.md:" in line], (name, lines)


def test_a_link_to_a_heading_is_none(tmp_path):
    source = small(tmp_path / "source", "[x](guide.md#a-part)")
    assert build(source, tmp_path / "out", "dummy") == ""


def test_every_document_is_there_and_in_the_contents_list(site):
    first = (site / "docs" / "README.html").read_text(encoding="utf-8")
    contents = first.partition('aria-label="Contents"')[2].partition("</nav>")[0]
    for path in sorted((kit.ROOT / "docs").rglob("*.md")):
        page = path.relative_to(kit.ROOT / "docs").with_suffix(".html").as_posix()
        assert (site / "docs" / page).is_file()
        assert f'href="{page}"' in contents or page.endswith("README.html"), page
    for name in ("README", "CHANGELOG", "CONTRIBUTING", "chips/README"):
        assert (site / f"{name}.html").is_file()


def test_the_landing_page_has_every_board_and_every_error(site):
    text = (site / "index.html").read_text(encoding="utf-8")
    for board in boards.documents(catalogue.chips()):
        assert f"<code>{board['name']}</code>" in text
        for error in board["chip_error_percent"].values():
            assert f"{error['mean']:.1f} ({error['nine_of_ten_within']:.1f})" in text
    assert re.search(r"\d+ MB/s measured \(", text)
    assert text.count("<svg") == 1 and text.count("<h1") == 1
    assert text.count("<h3") >= 8, "the README's table of questions"
    assert "pip install git+https://example.org/some/axiometer" in text
    for link in re.findall(r'(?:href|src)="(?!https:)([^":#?]+)', text):
        assert (site / link).is_file(), link


@pytest.fixture(scope="module")
def browser():
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@needs_chromium
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_breaks_a_rule_or_asks_the_network(browser, site, width, scheme):
    from test_accessible import opened, violations

    for name in ("index", "docs/README", "docs/guide", "docs/boards", "docs/accuracy", "search"):
        page = opened(browser, site / f"{name}.html", width, scheme)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert violations(page) == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        loaded = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
        assert [url for url in loaded if not url.startswith(("file:", "data:"))] == []
        page.context.close()


@needs_chromium
def test_the_list_of_boards_follows_what_is_typed(browser, site):
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    page.fill("#filter", "zynq-7000 measured")
    shown = page.locator("#of-boards tbody tr:visible")
    assert 0 < shown.count() < 20
    assert page.locator("#count").inner_text().startswith(f"{shown.count()} of ")
    page.fill("#filter", "no such board")
    assert shown.count() == 0
    page.fill("#filter", "")
    assert shown.count() == len(boards.documents(catalogue.chips()))


@needs_chromium
@pytest.mark.parametrize(
    ("name", "scheme"), [("index", "light"), ("docs/boards/zybo", "dark"), ("docs/guide", "light")]
)
def test_search_needs_no_server(browser, site, name, scheme):
    from test_accessible import violations

    page = browser.new_page(color_scheme=scheme)
    page.goto((site / f"{name}.html").as_uri())
    page.keyboard.press("Control+k")
    page.keyboard.type("QoS", delay=20)
    results = page.locator("#search-results .search li a:visible")
    results.first.wait_for()
    assert results.count() >= 3
    assert violations(page) == []
    target = results.first.get_attribute("href")
    results.first.click()
    page.wait_for_function("!document.querySelector('#pst-search-dialog').open")
    assert "qos" in page.content().lower() and Path(target.partition("?")[0]).suffix == ".html"


@needs_chromium
def test_copy_buttons_copy_commands_without_their_prompt(browser, site):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto((site / "docs" / "guide.html").as_uri())
    block = page.locator("div.highlight", has_text="$ axiometer expect zybo").first
    block.hover()
    block.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("axiometer expect zybo") and "MB/s" not in copied
    page.goto((site / "index.html").as_uri())
    assert page.locator(".hero button.copybtn").count() == 1
    context.close()


@needs_chromium
def test_the_menu_of_versions_leads_to_the_same_page_of_another(browser, tmp_path):
    source = small(tmp_path / "source", "")
    (tmp_path / "www").mkdir()
    for name in ("latest", "v1.0.0"):
        build(source, tmp_path / "www" / name, AXIOMETER_SITE_VERSION=name)
    versions.write(tmp_path / "www", "/")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path / "www")
    handler.log_message = lambda *_: None
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/latest/docs/guide.html")
        page.locator(".version-switcher__button:visible").click()
        menu = page.locator(".version-switcher__menu:visible a")
        assert menu.all_inner_texts() == ["latest", "v1.0.0"]
        menu.last.click()
        page.wait_for_url("**/v1.0.0/docs/guide.html")
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        page.wait_for_url("**/v1.0.0/")
        server.shutdown()


def test_versions_are_in_order(tmp_path):
    for name in ("v1.9.0", "v1.10.0", "latest", "v1.10.0-rc1"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").touch()
    (tmp_path / "images").mkdir()
    versions.write(tmp_path, "/axiometer/")
    menu = json.loads((tmp_path / "versions.json").read_text(encoding="utf-8"))
    assert [item["version"] for item in menu] == ["latest", "v1.10.0", "v1.10.0-rc1", "v1.9.0"]
    assert menu[0]["url"] == "/axiometer/latest/"
    assert 'href="v1.10.0/"' in (tmp_path / "index.html").read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="has no version"):
        versions.write(tmp_path / "images", "/")


def test_publishing_keeps_the_other_versions(tmp_path):
    """Twice into a repository without gh-pages: both versions are there."""

    def git(*words: object) -> str:
        return subprocess.run(
            ["git", *words], cwd=tmp_path / "work", check=True, capture_output=True, text=True
        ).stdout

    (tmp_path / "work" / "tools" / "web").mkdir(parents=True)
    for name in ("publish.sh", "versions.py"):
        shutil.copy(WEB / name, tmp_path / "work" / "tools" / "web")
    (tmp_path / "work" / "dist" / "site").mkdir(parents=True)
    (tmp_path / "work" / "dist" / "site" / "index.html").write_text("site")
    git("init", "--quiet")
    git("init", "--quiet", "--bare", tmp_path / "origin")
    git("remote", "add", "origin", tmp_path / "origin")
    git("add", "tools")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "a")
    for version in ("latest", "v1.0.0", "latest"):
        command = ["sh", "tools/web/publish.sh", version, "/axiometer/"]
        subprocess.run(command, cwd=tmp_path / "work", check=True)
    git("fetch", "--quiet", "origin", "gh-pages")
    there = git("ls-tree", "-r", "--name-only", "FETCH_HEAD").split()
    assert there == [
        ".nojekyll", "index.html", "latest/index.html", "v1.0.0/index.html", "versions.json",
    ]  # fmt: skip
