"""The report in a real browser, offline: it draws, answers, and requests nothing.

Needs Debian's chromium and playwright; skipped with a message without them.
"""

from __future__ import annotations

import pytest

import browser_kit
import present_fake as fake

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'axiometer[test]'"
)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    from axiometer.present import html

    path = tmp_path_factory.mktemp("report") / "report.html"
    curve = fake.view(
        fake.curve_rows(),
        title="Bandwidth against transfer size",
        run_id="curve-0001",
        citation="a_dataset_with_a_very_long_file_name_without_any_blank_in_it_at_all_64bit.csv",
    )
    path.write_text(html.page([fake.view(), curve]), encoding="utf-8")
    return path


@pytest.fixture(params=[(1280, "light"), (400, "dark")], ids=["wide-light", "narrow-dark"])
def opened(request, browser, report):
    """The page at one width and colour scheme, with what it said and asked for."""
    width, scheme = request.param
    viewport = {"width": width, "height": 900}
    page = browser_kit.opened(browser, report, viewport=viewport, color_scheme=scheme)
    page.wait_for_selector("html[data-ready=yes]", timeout=30_000)
    yield page
    page.context.close()


def test_the_report_draws_and_is_silent(opened):
    page = opened
    assert page.said == []
    local = [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))]
    assert local == []
    charts = page.locator(".chart")
    assert charts.count() == 10
    for i in range(charts.count()):
        chart = charts.nth(i)
        assert chart.get_attribute("data-drawn") == "yes"
        assert chart.locator("svg path").count() > 3
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0
    cut = page.evaluate(
        "[...document.querySelectorAll('.chart svg')].filter(s =>"
        " s.getBoundingClientRect().right > s.closest('.card').getBoundingClientRect().right + 1)"
        ".length"
    )
    assert cut == 0
    # Nor is any text: a legend of many series once left the chart.
    clipped = page.evaluate(
        "[...document.querySelectorAll('.chart svg text')].filter(t => {"
        "  const svg = t.ownerSVGElement.getBoundingClientRect(), own = t.getBoundingClientRect();"
        "  return own.width && (own.right > svg.right + 1 || own.left < svg.left - 1);"
        "}).map(t => t.textContent)"
    )
    assert clipped == []


def test_the_rate_follows_the_point_on_a_telephone(opened):
    heads = opened.locator("#r0-table th:visible").all_inner_texts()
    swept = 1 if opened.viewport_size["width"] < 760 else heads.index("average")
    assert heads[swept] == "average"
    first = "document.querySelector('.headline').compareDocumentPosition"
    assert opened.evaluate(f"{first}(document.querySelector('.verdict')) & 4")
    assert opened.evaluate(f"{first}(document.querySelector('.tiles')) & 4")
    assert (
        " MB/s simulated at 30 points; fastest: " in opened.locator(".headline").first.inner_text()
    )


def test_marks_have_tooltips_and_open_their_point(opened):
    page = opened
    mark = page.locator("#r0-bw0 .mark-symbol path[aria-roledescription=point]").last
    mark.scroll_into_view_if_needed()
    mark.hover(force=True)
    tooltip = page.locator("#vg-tooltip-element.visible")
    tooltip.wait_for(timeout=5_000)
    assert "mean, MB/s" in tooltip.inner_text()
    assert page.locator("details[open].point, .times details[open]").count() == 0
    mark.click(force=True)
    opened_point = page.locator(".times details[open]")
    opened_point.wait_for(timeout=5_000)
    assert opened_point.count() == 1


def test_the_map_names_the_limit_of_a_point_and_opens_it(opened):
    page = opened
    cells = page.locator("#r0-limits .mark-rect path")
    sync_api.expect(cells).to_have_count(30)
    cells.nth(7).click(force=True)
    opened_point = page.locator(".times details[open]")
    opened_point.wait_for(timeout=5_000)
    cause = opened_point.locator(".cause").inner_text()
    assert cause in page.locator("#r0-limits .key").inner_text()


def test_a_point_shows_its_streams_its_sentence_and_its_advice(opened):
    page = opened
    point = page.locator("#r0-p16")
    point.locator("summary").click()
    rows = point.locator(".srow")
    sync_api.expect(rows).to_have_count(4)  # drawn once the browser tells that it is open
    for i in range(rows.count()):
        parts = (
            rows.nth(i)
            .locator(".stack i")
            .evaluate_all("parts => parts.reduce((sum, p) => sum + parseFloat(p.style.width), 0)")
        )
        assert abs(parts - 100) < 0.1
    assert point.locator(".says").inner_text().endswith(".")
    assert point.locator(".advice").is_visible()


def test_the_colours_follow_the_reader(opened):
    page = opened
    colour = "getComputedStyle(document.querySelector('#r0-bw0 svg text')).fill"
    before = page.evaluate(colour)
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    page.emulate_media(color_scheme="light" if dark else "dark")
    page.wait_for_function(f"{colour} !== '{before}'", timeout=10_000)
    assert page.said == []
    errors = page.evaluate(
        "[...document.querySelectorAll('#r0-bw0 .mark-text text')]"
        ".filter(e => e.textContent.includes('%')).map(e => e.getAttribute('fill'))"
    )
    soft = page.evaluate(
        "getComputedStyle(document.documentElement).getPropertyValue('--soft').trim()"
    )
    assert errors
    assert set(errors) == {soft}


def test_navigation_leads_to_its_section(opened):
    page = opened
    page.locator(".bar nav a").last.click()
    page.wait_for_function(
        "document.querySelector('#r1').getBoundingClientRect().top < 200", timeout=5_000
    )


def test_rows_without_a_publication_have_no_error(browser, tmp_path):
    from axiometer.present import html

    view = fake.view([fake.row(0), fake.row(1)], citation=None, no_reference="a design")
    (tmp_path / "report.html").write_text(html.page([view]), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "report.html").as_uri())
    page.wait_for_selector("html[data-ready=yes]", timeout=30_000)
    drawn = page.locator(".chart svg text").all_text_contents()
    assert "MB/s" in drawn
    assert "null" not in drawn
    page.close()


MARKS = (
    "document.querySelectorAll('.card:not([hidden]) .chart[data-run=r0]"
    " path[aria-roledescription=point]').length"
)


def choose(page, number, value):
    """The filter of that number on the page's first run; returns what is said of the points."""
    page.locator("form.filters").first.locator("select").nth(number).select_option(value)
    page.wait_for_timeout(200)
    return page.locator("form.filters output").first.inner_text()


def test_filters_drive_table_points_and_charts_and_stand_in_the_address(opened):
    page = opened
    form = page.locator("form.filters").first
    rows = page.locator("#r0-table tbody tr:visible")
    every = rows.count()
    selects = form.locator("select")
    assert selects.count() >= 2
    marks = page.evaluate(MARKS)
    assert form.locator("output").inner_text() == f"{every} of {every} points"
    names = [option.inner_text() for option in selects.nth(0).locator("option").all()]
    said = choose(page, 0, names[1])
    left = rows.count()
    assert 0 < left < every
    assert said == f"{left} of {every} points"
    assert page.locator("#r0-time details:visible, .times details:visible").count() >= left
    cells = page.locator("#r0-table tbody tr:visible td:first-child").all_inner_texts()
    assert set(cells) == {names[1]}
    # Marks of the run's charts are fewer, too, and come back.
    page.wait_for_function(f"{MARKS} < {marks}")
    # The same page from its address.
    other = page.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("html[data-ready=yes]", timeout=30_000)
    assert other.locator("form.filters output").first.inner_text() == said
    other.close()
    form.locator("button").click()
    assert rows.count() == every
    page.wait_for_function(f"{MARKS} == {marks}")
    assert "=" not in page.url
    assert page.said == []


def test_an_address_opens_its_point_and_one_of_another_page_does_no_harm(opened):
    page = opened
    first = page.locator(".times details").first.get_attribute("id")
    for words, count in ((f"point={first}", 1), ("r0.nothing=x&point=nobody&r9.mode=y", 0)):
        other = page.context.new_page()
        faults = []
        other.on("pageerror", lambda error, faults=faults: faults.append(str(error)))
        other.goto(page.url.partition("#")[0] + "#" + words)
        other.wait_for_selector("html[data-ready=yes]", timeout=30_000)
        assert other.locator(".times details[open]").count() == count
        assert faults == []
        other.close()
