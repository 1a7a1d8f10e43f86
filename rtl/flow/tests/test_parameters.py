"""Every check of a parameter stops elaboration with a message, in three readers.

`rtl/parameters.toml` has a wrong value for each check of each module; the message must be that of
the module's file. No block can be built that may have no burst in flight: it would wait for ever.
"""

import re
import tomllib

import pytest
from flow import readers, subset, tools
from flow.tests.test_readers import read

TABLE = tomllib.loads((tools.RTL / "parameters.toml").read_text())
WRONG = TABLE["wrong"]
FILES = {path.stem: path for path in subset.files()}
# What each module is found with: its room's files, or for a top the list of that top.
SOURCES = {top: sources for top, (sources, _) in readers.DESIGNS.items()}


def sources_of(top):
    if top == "axm_dma_port":
        return SOURCES["axm_dma_top"]
    return SOURCES.get(top) or tools.sources(FILES[top].parent.name)


def checks(path):
    return re.findall(r"^\s*(axm_error_\w+) u_error", path.read_text(), re.M)


def test_each_check_has_a_wrong_value():
    there = {path.stem: len(checks(path)) for path in FILES.values() if checks(path)}
    assert {top: len(cases) for top, cases in WRONG.items()} == there


@pytest.mark.parametrize("reader", ["verilator", "icarus", "yosys"])
@pytest.mark.parametrize("top", WRONG)
def test_wrong_parameters_are_refused(reader, top):
    for values, name in zip(WRONG[top], checks(FILES[top]), strict=True):
        said = read(reader, top, sources_of(top), values)
        assert name in said, f"{values}: {said[-600:]}"


@pytest.mark.parametrize("block", TABLE["none_in_flight"], ids=lambda block: block["top"])
def test_none_in_flight_is_refused(block):
    wrong = {block["parameter"]: 0, **block.get("values", {})}
    said = tools.fault(block["top"], tools.sources(block["room"]), wrong)
    assert f"{block['parameter']}_must_be" in said
