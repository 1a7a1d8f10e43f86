"""The end of `make test` lists skipped tests and the reasons."""

import subprocess
import sys

import kit

MADE_UP = """
import pytest
def test_good(): pass
@pytest.mark.skip(reason="the dataset is not here: set AXIOMETER_REFERENCE")
def test_left_out(): pass
def test_left_out_later(): pytest.skip("one.csv is not here: set AXIOMETER_REFERENCE")
"""


def test_skipped_tests_are_reported(tmp_path):
    (tmp_path / "conftest.py").write_text((kit.ROOT / "conftest.py").read_text())
    (tmp_path / "test_made_up.py").write_text(MADE_UP)
    summary = tmp_path / "summary"
    env = kit.environment(AXIOMETER_TEST_SUMMARY=str(summary), PYTEST_ADDOPTS="")
    for more in ([], ["-n", "2"]):
        words = [sys.executable, "-m", "pytest", "-q", *more, "test_made_up.py"]
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
    show = [sys.executable, kit.ROOT / "tools" / "test_summary.py", summary]
    shown = subprocess.run(show, capture_output=True, text=True, check=True).stdout
    assert shown.count("test_made_up.py: 1 passed, 2 skipped") == 2
    assert "together: 2 passed, 4 skipped" in shown
    assert "4 x a data file is not here: set AXIOMETER_REFERENCE" in shown
