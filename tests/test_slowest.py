"""The list of slowest tests at the end of `make test`."""

import sys

import pytest

import kit

sys.path.insert(0, str(kit.ROOT / "tools"))
import slowest


def report(path, times):
    cases = "".join(
        f'<testcase classname="a" name="t{n}" time="{t}"/>' for n, t in enumerate(times)
    )
    path.write_text(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    return path


def test_slowest_come_first(tmp_path):
    one = report(tmp_path / "python.xml", [0.5, 30, *[0.1] * 30])
    two = report(tmp_path / "formal.xml", [100])
    head, *lines = slowest.summary([one, two]).splitlines()
    assert "33 tests" in head and "formal 100 s" in head
    assert [line.split() for line in lines[:3]] == [
        ["100.0", "s", "a::t0"],
        ["30.0", "s", "a::t1"],
        ["0.5", "s", "a::t0"],
    ]
    assert len(lines) == slowest.SHOWN


def test_texts_that_are_no_report(tmp_path):
    for text in ("", "<testsuite><testcase/></testsuite>"):
        (tmp_path / "broken.xml").write_text(text)
        with pytest.raises(SystemExit, match="is not a test report"):
            slowest.summary([tmp_path / "broken.xml"])
    with pytest.raises(SystemExit, match="is not a test report"):
        slowest.summary([tmp_path / "missing.xml"])
