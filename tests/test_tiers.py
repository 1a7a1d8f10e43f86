"""The tier of each test, and the order in which workers take files of tests."""

import fnmatch
import re

import pytest

import kit

LONGEST = [
    line
    for line in (kit.ROOT / "tests" / "longest.txt").read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.fixture
def first(request):
    """The conftest.py of all tests."""
    return request.config.pluginmanager.get_plugin(str(kit.ROOT / "conftest.py"))


def test_lines_name_a_tier_and_files_that_are_there(first):
    assert {tier for tier, _ in first.tiers()} <= first.TIERS.keys()
    files = [path.relative_to(kit.ROOT).as_posix() for path in kit.ROOT.glob("*/**/test_*.py")]
    patterns = {of.partition("::")[0] for _, of in first.tiers()}
    assert [of for of in patterns if not fnmatch.filter(files, of)] == []
    assert len(set(LONGEST)) == len(LONGEST) > 0
    assert set(LONGEST) <= set(files)


def test_lines_name_tests_that_are_there(first):
    tests = {
        f"{path.relative_to(kit.ROOT).as_posix()}::{name}"
        for path in kit.ROOT.glob("*/**/test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    # What stands behind the name of a function chooses among its values.
    functions = {re.sub(r"(::test_\w+)\*.*", r"\1*", of) for _, of in first.tiers() if "::" in of}
    assert [of for of in functions if not fnmatch.filter(tests, of)] == []


def test_no_test_of_a_commit_starts_a_browser(request):
    marked = [item for item in request.session.items if item.get_closest_marker("check")]
    assert [item.nodeid for item in marked if "browser" in item.fixturenames] == []


def test_the_longest_come_first(request):
    """Of those that this session runs."""
    seen = [item.path.relative_to(kit.ROOT).as_posix() for item in request.session.items]
    ran = list(dict.fromkeys(seen))
    listed = [line for line in LONGEST if line in ran]
    assert ran[: len(listed)] == listed
