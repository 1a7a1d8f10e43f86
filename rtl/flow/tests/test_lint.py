"""Verilator, all warnings on, has none of any block at the parameters of lint.toml."""

import tomllib

import pytest
from flow import tools

BLOCKS = tomllib.loads((tools.RTL / "lint.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("top", BLOCKS)
def test_lint(top):
    of = BLOCKS[top]["sources"]
    sources = tools.sources(of) if isinstance(of, str) else [tools.RTL / file for file in of]
    for values in BLOCKS[top]["sets"]:
        assert tools.lint(top, sources, values) == "", values


def test_every_top_is_linted():
    tops = {path.stem for path in (tools.RTL / "tops").glob("axm_*_top.sv")}
    assert tops <= BLOCKS.keys()
