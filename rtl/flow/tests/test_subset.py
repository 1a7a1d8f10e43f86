"""The RTL keeps to the subset that old tools read; each rule catches what it is for."""

import pytest
from flow import subset, tools


def test_all_files_keep_to_it():
    assert len(subset.files()) > 80
    found = [
        f"{path.relative_to(tools.ROOT)}:{what}"
        for path in subset.files()
        for what in subset.violations(path.read_text())
    ]
    assert found == []


@pytest.mark.parametrize("rule", subset.RULES, ids=lambda rule: rule["name"])
def test_a_planted_violation_is_found(rule):
    assert any(f": {rule['name']}: " in what for what in subset.violations(rule["example"]))


def test_a_loop_outside_of_a_region_is_found():
    loop = "  for (k = 0; k < 4; k++) begin : g_k\n  end\n"
    assert "generate-region" in subset.violations(loop)[0]
    assert subset.violations(f"  generate\n{loop}  endgenerate\n") == []


def test_comments_and_assertions_are_not_read():
    assert subset.violations("// a struct inside of it\n") == []
    only = '`ifndef SYNTHESIS\n  assert (a) else $error("b");\n`endif\n'
    hidden = f"// synthesis translate_off\n{only}// synthesis translate_on\n"
    assert subset.violations(hidden) == []
    assert subset.violations(only) != []  # Quartus does not define SYNTHESIS
