"""What the block says is checked with its top: rtl/tops/tests/test_vendor_top.py."""

import pytest
from flow import area, tools

SOURCES = tools.sources("vendor")


@pytest.mark.parametrize("values", [{}, {"LINES": 8, "DATA_W": 32}])
def test_lint(values):
    assert tools.lint("axm_vendor", SOURCES, values) == ""


def test_area():
    assert area.deviations("vendor") == []
