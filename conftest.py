"""For all tests: where the public datasets are; fixtures of the package's tests.

Datasets that lie beside the checkout, in `shared/reference`, are read if AXIOMETER_REFERENCE names
no others: the tests run the installed package, which does not know where the checkout is.
"""

import fnmatch
import os
import re
import shutil
import sys
from pathlib import Path

import hypothesis
import pytest

# A busy machine is slow; `timeout` in pyproject.toml ends what hangs.
hypothesis.settings.register_profile("without a clock", deadline=None)
hypothesis.settings.load_profile("without a clock")

ROOT = Path(__file__).resolve().parent
DATASETS = Path(__file__).resolve().parent.parent / "shared" / "reference"


TIERS = {
    "check": "for each commit: no RTL build, no browser, no machine",
    "test": "what a fresh clone must pass",
    "validate": "depth, and what proves the tests: hours",
}


def pytest_configure(config):
    for name, words in TIERS.items():
        config.addinivalue_line("markers", f"{name}: {words}")
    if DATASETS.is_dir():
        os.environ.setdefault("AXIOMETER_REFERENCE", str(DATASETS))


def tiers() -> list[tuple[str, str]]:
    """The lines of tests/tiers.txt: (tier, pattern)."""
    lines = (ROOT / "tests" / "tiers.txt").read_text(encoding="utf-8").splitlines()
    return [(line.split()[0], line.split()[1]) for line in lines if line and line[0] != "#"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Each test gets the marker of its tier. Files of tests/longest.txt come first, in its order;
    the rest, and tests of a file, as usual."""
    lines = (ROOT / "tests" / "longest.txt").read_text(encoding="utf-8").splitlines()
    place = {ROOT / line: n for n, line in enumerate(lines)}
    items.sort(key=lambda item: place.get(item.path, len(place)))
    known = [(tier, re.compile(fnmatch.translate(of.replace("[", "[[]")))) for tier, of in tiers()]
    for item in items:
        name = f"{item.path.relative_to(ROOT).as_posix()}::{item.nodeid.partition('::')[2]}"
        item.add_marker(next((tier for tier, of in reversed(known) if of.match(name)), "check"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """Each test says how many results it took from the cache (rtl/flow/kept.py)."""
    report = yield
    kept = sys.modules.get("flow.kept")
    if kept is not None and report.when == "call":
        report.user_properties.append(("kept", len(kept.taken)))
        kept.taken.clear()
    return report


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter):
    reports = terminalreporter.getreports("passed") + terminalreporter.getreports("failed")
    kept = sum(n for report in reports for name, n in report.user_properties if name == "kept")
    if kept:
        terminalreporter.write_line(
            f"{kept} results were kept from before; AXIOMETER_KEPT=0 makes them anew"
        )


def pytest_collect_directory(path, parent):
    """Tests beside the code are found in plain directories: a package's `__init__` would be
    imported from the checkout, and hide the installed package, which has the compiled model."""
    return pytest.Dir.from_parent(parent, path=path) if path.is_relative_to(ROOT / "src") else None


@pytest.fixture(autouse=True)
def _own_store(tmp_path, monkeypatch):
    """No test sees or touches the user's own runs, and the width is none of the user's."""
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setenv("AXIOMETER_STORE", str(tmp_path / "default.db"))
    for name in ("CALIBRATION", "DESIGNS"):
        monkeypatch.setenv(f"AXIOMETER_{name}", str(tmp_path / name.lower()))


@pytest.fixture(autouse=True, scope="session")
def _assertions_of_the_rtl(request):
    """Co-simulations of the package's tests check what the RTL asserts of itself
    (rtl/*/checks)."""
    homes = (ROOT / "tests", ROOT / "src")
    with pytest.MonkeyPatch.context() as patch:
        if any(item.path.is_relative_to(home) for item in request.session.items for home in homes):
            patch.setenv("AXIOMETER_ASSERT", "1")
        yield


@pytest.fixture
def experiment(tmp_path):
    """The path of a small experiment with its platform beside it."""
    import kit

    return kit.write(tmp_path)


@pytest.fixture
def cli(capsys):
    """Runs the command in this process, and gives what it prints (kit.Axiometer)."""
    import kit

    return kit.Axiometer(capsys)


@pytest.fixture(scope="module")
def browser():
    """Chromium; a test is skipped where it or playwright is not installed."""
    reason = "playwright is not installed: pip install 'axiometer[test]'"
    sync_api = pytest.importorskip("playwright.sync_api", reason=reason)
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()
