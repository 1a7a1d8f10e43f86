"""The web site that `make site` has written in dist/site: broken links are found, every page is in
it, search works from files, numbers lead to answers, versions are published side by side."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

import kit
import serve_kit

WEB = kit.ROOT / "tools" / "web"
SITE = kit.ROOT / "dist" / "site"
BROKEN = {  # links, and what a warning must name
    "[x](nowhere.md)": "nowhere.md",
    "[x](guide.md#no-part)": "'no-part'",
    "[x](#nor-this)": "'nor-this'",
    "[x](../data/none.toml)": "none.toml",
    "![x](none.png)": "none.png",
}


def build(source: Path, output: Path, builder: str = "html", **more: str) -> str:
    """Build the site of a folder with the project's settings; its warnings."""
    words = ["--quiet", "--no-color", "--jobs", "auto", "-b", builder, "-c", WEB, source, output]
    hosted = {"GITHUB_SERVER_URL": "https://example.org", "GITHUB_REPOSITORY": "some/axiometer"}
    environment = kit.environment(**hosted, **{"AXIOMETER_SITE_VERSION": "", **more})
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *words], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0, done.stderr
    return done.stderr


def small(folder: Path, text: str) -> Path:
    """A folder with the pages that the settings ask for, and a text in one of them."""
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "README.md").write_text(f"# All\n\n## Pages\n[guide.md](guide.md)\n{text}\n")
    (folder / "docs" / "guide.md").write_text("# Guide\n\n## A part\nText.\n")
    return folder


@pytest.fixture(scope="module")
def served():
    """The address of `dist/`, from a plain server."""
    with serve_kit.serving(SITE.parent) as url:
        yield url


def test_every_broken_link_is_found(tmp_path):
    source = small(tmp_path / "bad", "\n\n".join(BROKEN))
    lines = build(source, tmp_path / "out", "dummy").splitlines()
    for name in BROKEN.values():
        assert [line for line in lines if name in line and "README.md:" in line], (name, lines)
    assert build(small(tmp_path / "good", "[x](guide.md#a-part)"), tmp_path / "2", "dummy") == ""


def test_every_document_is_in_the_contents_list():
    first = (SITE / "docs" / "README.html").read_text(encoding="utf-8")
    contents = first.partition('aria-label="Contents"')[2].partition("</nav>")[0]
    for path in (kit.ROOT / "docs").rglob("*.md"):
        page = path.relative_to(kit.ROOT / "docs").with_suffix(".html").as_posix()
        assert f'href="{page}"' in contents or page.endswith("README.html"), page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_page_breaks_a_rule_or_asks_the_network(browser, width, scheme):
    from test_accessible import opened, violations

    for name in ("docs/README", "docs/guide", "docs/boards", "docs/accuracy", "search"):
        page = opened(browser, SITE / f"{name}.html", width, scheme)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        loaded = page.evaluate("performance.getEntriesByType('resource').map((e) => e.name)")
        assert [url for url in loaded if not url.startswith(("file:", "data:"))] == []
        page.keyboard.press("Control+k")
        page.keyboard.type("QoS", delay=20)  # over a page in a folder, and over one that is not
        if name != "search":  # where results follow a click
            page.locator("#search-results .search li a:visible").nth(2).wait_for()
        assert violations(page) == [], name
        page.context.close()


def test_what_is_clicked_is_copied(browser):
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.goto((SITE / "docs" / "guide.html").as_uri())
    block = page.locator("div.highlight", has_text="$ axiometer expect zybo").first
    block.hover()
    block.locator("button.copybtn").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("axiometer expect zybo") and "MB/s" not in copied
    context.close()


def test_a_number_leads_to_its_answer_and_the_logo_to_the_first_page(browser, served):
    from test_accessible import violations

    page = browser.new_page()
    page.goto(f"{served}site/docs/guide.html")
    link = page.locator("article a", has_text=re.compile(r"^\d+ MB/s$")).first
    rate = link.inner_text()
    link.click()
    page.wait_for_url("**/site/index.html#board=*")
    page.wait_for_selector("#answer .state.whole", timeout=90_000)
    assert rate in page.locator("#answer .rate").inner_text()
    page.go_back()
    page.locator("a.navbar-brand").click()
    page.wait_for_url("**/site/index.html")
    page.wait_for_selector("#answer .state.whole", timeout=90_000)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert violations(page) == [], width
    links = page.locator("#site a:visible")
    assert links.count() == 6
    for of in links.all():
        assert (SITE / of.get_attribute("href")).is_file()
    links.first.click()
    page.wait_for_url("**/site/docs/guide.html")
    page.close()


def test_versions_are_published_side_by_side(browser, tmp_path):
    """The step of the workflow, into a repository that has no site; then the menu of versions."""
    jobs = yaml.safe_load((kit.ROOT / ".github/workflows/docs.yml").read_text(encoding="utf-8"))
    step = jobs["jobs"]["publish"]["steps"][-1]["run"]
    work, origin, www = (tmp_path / name for name in ("work", "origin", "www"))

    def run(*words: object, **more: str) -> None:
        subprocess.run(words, cwd=work, check=True, env=kit.environment(**more))

    source = small(work, "")
    for command in (["init", "--bare", origin], ["init"], ["remote", "add", "origin", origin]):
        run("git", *command)
    run("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--allow-empty", "-m", "a")
    for version in ("v1.9.0", "latest", "v1.10.0"):
        build(source, work / "dist" / "site", AXIOMETER_SITE_VERSION=version)
        (work / "dist" / "pyodide-1").mkdir(exist_ok=True)
        (work / "dist" / "pyodide-1" / "python").write_text(version)
        of_job = {"AXIOMETER_SITE_VERSION": version, "GITHUB_REPOSITORY": "some/axiometer"}
        run("bash", "-e", "-c", step, **of_job)
        run("git", "worktree", "remove", "--force", "build/pages")
    run("git", "clone", "--branch", "gh-pages", origin, www / "axiometer")
    menu = json.loads((www / "axiometer" / "versions.json").read_text(encoding="utf-8"))
    assert [item["version"] for item in menu] == ["latest", "v1.10.0", "v1.9.0"]
    (python,) = (www / "axiometer").glob("**/python")
    assert python.parent == www / "axiometer" / "pyodide-1" and python.read_text() == "v1.10.0"

    with serve_kit.serving(www) as url:
        page = browser.new_page()
        page.goto(f"{url}axiometer/")
        page.wait_for_url("**/latest/")
        page.goto(page.url + "docs/guide.html")
        page.locator(".version-switcher__button:visible").click()
        page.locator(".version-switcher__menu:visible a", has_text="v1.9.0").click()
        page.wait_for_url("**/axiometer/v1.9.0/docs/guide.html")
