"""The web site: every page exists, every link has a target, and the first page answers."""

from __future__ import annotations

import re
import shutil
import sys
from html.parser import HTMLParser

import pytest

import kit

sys.path.insert(0, str(kit.ROOT / "tools"))
import web_site

from axiometer.present import boards
from axiometer.published import catalogue


class Page(HTMLParser):
    """What a page has: names of elements, links, headings, whatever a browser would complain of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.tags: list[str] = []
        self.without_text: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        self.tags.append(tag)
        self.ids += [said["id"]] if "id" in said else []
        self.links += [said[key] for key in ("href", "src") if said.get(key)]
        if tag == "img" and not said.get("alt"):
            self.without_text.append(said["src"])


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    output = tmp_path_factory.mktemp("web") / "site"
    names = web_site.write(output, web_site.landing())
    return output, {name: Page((output / name).read_text(encoding="utf-8")) for name in names}


def broken(output, pages: dict[str, Page]) -> list[str]:
    """Links to files or places in a page that are not there."""
    found = []
    for name, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:", link):
                continue
            target, _, anchor = link.partition("#")
            place = (output / name).parent / target if target else output / name
            if not place.is_file():
                found.append(f"{name}: {link}")
                continue
            other = pages.get(place.resolve().relative_to(output.resolve()).as_posix())
            if anchor and other and anchor not in other.ids:
                found.append(f"{name}: {link}")
    return found


def test_every_link_leads_somewhere(site):
    assert not broken(*site)


def test_a_broken_link_is_found(site):
    output, pages = site
    for link in ("nowhere.html", "docs/guide.html#no-such-heading", "#nor-this"):
        assert broken(output, {**pages, "index.html": Page(f'<a href="{link}">x</a>')})


def test_a_page_that_leads_nowhere_is_refused(tmp_path):
    (tmp_path / "README.md").write_text("# It\n\n[there](docs/none.md)\n")
    with pytest.raises(SystemExit, match="README.md: docs/none.md"):
        web_site.sources(root=tmp_path)


def test_every_document_is_there(site):
    _, pages = site
    documents = {path.relative_to(kit.ROOT) for path in (kit.ROOT / "docs").glob("*.md")}
    assert {path.with_suffix(".html").as_posix() for path in documents} <= set(pages)
    assert {"CHANGELOG.html", "CONTRIBUTING.html", "chips/README.html"} <= set(pages)
    for _, target in web_site.MENU:
        assert target in pages


def test_every_page_can_be_found_one_s_way_in(site):
    for name, page in site[1].items():
        assert page.tags.count("h1") == 1, name
        assert page.tags.count("title") == page.tags.count("main") == 1, name
        assert not page.without_text, name
        assert len(set(page.ids)) == len(page.ids), name


def test_the_first_page_has_every_board_and_every_error(site):
    text = (site[0] / "index.html").read_text(encoding="utf-8")
    for board in boards.documents(catalogue.chips()):
        assert f"<code>{board['name']}</code>" in text
        for error in board["chip_error_percent"].values():
            assert f"{error['mean']:.1f} ({error['nine_of_ten_within']:.1f})" in text
    assert re.search(r"\d+ MB/s measured \(", text)


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed: apt-get install chromium")
def test_in_a_browser(site):
    """Nothing is asked of the network, nothing fails, nothing is wider than a telephone, and the
    list of boards follows what is typed."""
    sync_api = pytest.importorskip("playwright.sync_api")
    output, _ = site
    faults: list[str] = []
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 800})
        page.on("console", lambda message: faults.append(message.text))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith(("file:", "data:")) else faults.append(request.url)
            ),
        )
        for name in ("index.html", "docs/guide.html", "docs/boards.html", "CHANGELOG.html"):
            page.goto((output / name).as_uri())
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= 390, (name, wide)
        page.goto((output / "index.html").as_uri())
        page.fill("#filter", "zynq-7000 measured")
        shown = page.locator("#of-boards tbody tr:visible")
        assert 0 < shown.count() < 20
        assert page.locator("#count").inner_text().startswith(f"{shown.count()} of ")
        page.fill("#filter", "no such board")
        assert shown.count() == 0
        page.fill("#filter", "")
        assert shown.count() == len(boards.documents(catalogue.chips()))
        browser.close()
    assert not faults
