"""Our pages in a browser (the fixture `browser`): without a network, and what they say is kept."""


def opened(browser, path, **settings):
    """The page in a file, in a context of its own; `said` has what its scripts print."""
    page = browser.new_context(offline=True, **settings).new_page()
    page.said, page.asked = [], []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("request", lambda request: page.asked.append(request.url))
    page.goto(path.as_uri())
    return page


def draw_all(page):
    """Scrolls to each chart, and waits until it is drawn."""
    charts = page.locator(".chart")
    for n in range(charts.count()):
        charts.nth(n).scroll_into_view_if_needed()
        page.wait_for_selector(f"#{charts.nth(n).get_attribute('id')}[data-drawn=yes]")
