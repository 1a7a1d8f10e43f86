"""The page of a run of 2000 points: small, a few screens long, and complete in a browser."""

import itertools

import pytest

import browser_kit
import present_fake as fake

sync_api = pytest.importorskip(
    "playwright.sync_api", reason="playwright is not installed: pip install 'axiometer[test]'"
)
COMBOS = ["HP0", "HP0+HP1", "HP0+HP2", "HP0+HP1+HP2", "HP0+HP1+HP2+HP3"]
SIZES = [1 << e for e in range(6, 26)] + [3 << e for e in range(6, 20)]
BEATS = [4, 16]
MODES = ("duplex", "ps_to_pl", "pl_to_ps")
WIDTHS = (32, 64)


def rows():
    made = []
    for width, mode, beats, ports, size in itertools.product(WIDTHS, MODES, BEATS, COMBOS, SIZES):
        key = {"width_bits": width, "mode": mode, "burst_beats": beats, "ports": ports}
        made.append(
            fake.row(
                len(made),
                {**key, "transfer_bytes": size},
                repeats=2,
                ports=ports.split("+"),
                mode=mode,
                width_bits=width,
                burst_beats=beats,
                transfer_bytes=size,
                efficiency=0.999 if len(ports) < 8 else 0.4 + beats / 100,
                launch=4.7e-6 / (4.7e-6 + size / 800e6),
            )
        )
    return made


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    from axiometer.present import html

    path = tmp_path_factory.mktemp("packed") / "report.html"
    path.write_text(html.page([fake.view(rows(), title="Two thousand points")]), encoding="utf-8")
    return path


def test_it_is_small(report):
    assert len(rows()) >= 2000
    assert report.stat().st_size <= 1_000_000


def test_it_is_whole_and_of_few_screens(browser, report):
    page = browser_kit.opened(browser, report, viewport={"width": 1280, "height": 900})
    page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
    count = len(rows())
    assert page.locator("#r0-table tbody tr").count() == count
    points = page.locator(".times details")
    assert points.count() == count
    assert page.evaluate("document.documentElement.scrollHeight") < 15_000
    drawn = page.locator(".chart[data-drawn=yes]")
    assert drawn.count() == page.locator(".chart").count() > 3
    # What filters and points do on any page.
    select = page.locator("form.filters select").nth(0)
    select.select_option(index=1)
    page.wait_for_timeout(200)
    assert page.locator("form.filters output").inner_text() == f"{count // 2} of {count} points"
    last = page.locator(".times details:visible").last
    last.locator("summary").click()
    sync_api.expect(last.locator(".srow")).to_have_count(
        4 * (2 if last.locator(".name").inner_text().count("duplex") else 1)
    )
    assert not page.get_by_text("it needs JavaScript").is_visible()
    assert page.said == []
    page.context.close()


def test_without_javascript_it_says_where_the_figures_are(browser, report):
    page = browser_kit.opened(browser, report, java_script_enabled=False)
    assert page.get_by_text("it needs JavaScript").is_visible()
    assert page.locator(".tile").count() >= 2
    page.context.close()
