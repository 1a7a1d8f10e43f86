"""The tool of mutation testing (lab/mutation): planted faults are caught, equivalents survive."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("tree_sitter_cpp", reason="tree-sitter-cpp is missing: run `make .venv/.tools`")

from mutation import cpp_places, mutants, python_places, run, subject, tree  # noqa: E402

HERE = Path(__file__).resolve().parent

CPP = b"""\
#include "axiometer/model/mutation_switch.hpp"
#include <array>
constexpr int kTerms = 4;
static_assert(kTerms < 5);
int sum(int n) {
  int s = 0;
  for (int i = 0; i < n; i = i + 1)
    s += i;
  return s;
}
int main() { std::array<int, 3> unused; return sum(kTerms) == 6 ? int(unused.size()) : 9; }
"""

PYTHON = b'''\
"""Sums."""

START = 0


def total(n: int | None) -> int:
    i, s = 0, START
    while i < n:
        s, i = s + i, i + 1
    return s


def unused(n):
    return n > 5
'''

PYTHON_TESTS = """\
import sums

def test_total():
    assert sums.total(4) == 6

def test_other():
    assert sums.__doc__
"""


def places(finder, source):
    return mutants.numbered(finder("f", source))


def test_what_must_be_constant_is_left_out():
    lines = {m.text for m in places(cpp_places.places, CPP)}
    assert lines == {line.strip() for line in CPP.decode().splitlines()[5:8]} | {
        CPP.decode().splitlines()[-1]
    }
    assert {m.text for m in places(python_places.places, PYTHON)} == {
        "START = 0", "i, s = 0, START", "while i < n:", "s, i = s + i, i + 1", "return n > 5",
    }  # fmt: skip
    [last] = [m for m in places(cpp_places.places, CPP) if m.was == "9" and "+" in m.now]
    assert last.now == "9 + 1"


def test_a_draw_stays_when_other_lines_change():
    before = mutants.drawn(places(cpp_places.places, CPP), 1)
    changed = b"// A comment\n" + CPP.replace(b"return s;", b"return s + 0;")
    after = mutants.drawn(places(cpp_places.places, changed), 1)
    assert [m.key for m in after if "return s + 0" not in m.text] == [m.key for m in before]
    assert [m.key for m in mutants.drawn(before, 2)] != [m.key for m in before]


def test_switches_in_switches():
    draw = dict(
        enumerate(mutants.drawn(places(python_places.places, b"x = a + b * (c - 2)\n"), 1), 1)
    )
    text = mutants.with_switches(b"x = a + b * (c - 2)\n", draw, tree._python_choice)
    values = []
    for number in range(len(draw) + 1):
        scope = {"a": 7, "b": 3, "c": 5, "_axm_m": lambda n, number=number: n == number}
        exec(text, scope)
        values.append(scope["x"])
    assert len(draw) == 4
    assert values[0] == 16
    assert set(values[1:]) < {-2, 8, 10, 28, 13, 19} and len(set(values)) == 5


def test_cpp_mutants_are_caught_and_an_equivalent_one_survives(tmp_path):
    compiler = os.environ.get("CXX") or shutil.which("g++") or shutil.which("c++")
    found = [m for m in places(cpp_places.places, CPP) if 5 < m.line < 9 and m.now != "i - 1"]
    draw = dict(enumerate(mutants.drawn(found, 1), 1))
    header = tmp_path / "axiometer" / "model" / "mutation_switch.hpp"
    header.parent.mkdir(parents=True)
    shutil.copy(HERE / "switch.hpp", header)
    (tmp_path / "main.cpp").write_text(mutants.with_switches(CPP, draw, tree._cpp_choice))
    sources = [str(tmp_path / "main.cpp"), str(HERE / "switch.cpp")]
    program, state = tmp_path / "program", tmp_path / "state"
    command = [compiler, "-std=c++20", "-I", str(tmp_path), "-o", str(program), *sources]
    subprocess.run(command, check=True)
    ended = {}
    for number in range(len(draw) + 1):
        state.write_bytes(number.to_bytes(4, "little") + bytes(4 * tree.WORDS - 4))
        try:
            done = subprocess.run(
                [program], env=os.environ | {"AXIOMETER_MUTATION": str(state)}, timeout=2
            )
            ended[number] = done.returncode
        except subprocess.TimeoutExpired:
            ended[number] = "hung"
        assert state.read_bytes()[4:8] == b"\1\0\0\0"  # the place was reached
    assert ended.pop(0) == 3
    survived = [draw[n] for n, status in ended.items() if status == 3]
    # The sum may as well begin with its second term, as its first is 0.
    assert [(m.text[:14], m.was, m.now) for m in survived] == [("for (int i = 0", "0", "1")]


def test_python_mutants_are_caught_and_an_equivalent_one_survives(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (tmp_path / "test_sums.py").write_text(PYTHON_TESTS)
    shutil.copy(HERE / "switch.py", site / "switch_of_sums.py")
    draw = dict(enumerate(mutants.drawn(places(python_places.places, PYTHON), 1), 1))
    text = mutants.with_switches(PYTHON, draw, tree._python_choice)
    (site / "sums.py").write_text(text.replace('"""Sums."""', '"""Sums."""\nimport switch_of_sums'))
    mutated = tree.Tree(tmp_path, lambda text: None)
    (tmp_path / "mutated.txt").write_text("")
    session = run.Session(mutated, [str(tmp_path / "test_sums.py")], tmp_path)
    answers = session.tried(draw, session.measured(False), 30)
    outcomes = {draw[a["mutant"]].key: a["outcome"] for a in answers}
    assert len(outcomes) == len(draw) == 8
    # What no test reaches survives.
    unused = [key for key in outcomes if "return n > 5" in key]
    assert [outcomes.pop(key) for key in unused] == ["survived"] * 2
    assert outcomes.pop("f: i, s = 0, START @7: 0 -> 1") == "survived"
    assert set(outcomes.values()) == {"failed", "hung"}
    [constant] = [a for a in answers if draw[a["mutant"]].text == "START = 0"]
    assert constant["test"] == "test_sums.py::test_total"


def test_the_subject_is_there():
    for language in subject.FINDERS:
        names = subject.files(language)
        assert len(names) > 15
        assert not any("plain" in name for name in names)
        for pattern in subject.table(language)["files"]:
            assert any(subject.ROOT.glob(pattern)), f"{pattern} names no file"


def test_the_tests_that_look_for_mutants_are_there():
    named = [*run.tests(), *(name.partition("::")[0] for name in run.left_out())]
    assert [name for name in named if not (HERE.parent.parent / name).is_file()] == []
