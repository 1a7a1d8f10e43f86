import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from axiometer.base.errors import AxiometerError
from axiometer.base.toml_source import TomlSource

DOCUMENT = '''\
# a comment with [brackets] and "quotes
top = "a = 1 # not a comment"

[table]
plain = 1  # [not.a.table]
"quoted key" = 2
a.b."c.d" = 3
inline = { x = 1, y = { z = "}" } }
list = [
  1,  # ]
  [2, 3],
  "four",
]
text = """
fake = 1
[fake]
"""
literal = \'\'\'
x = """ \'\'\'
after = 2024-05-27 07:32:00

[[point]]
p = 1
[[point]]
p = 2
[point.sub]
q = 3
[[point.deep]]
r = 4
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 2),
        (("table",), 4),
        (("table", "plain"), 5),
        (("table", "quoted key"), 6),
        (("table", "a", "b", "c.d"), 7),
        (("table", "inline", "y", "z"), 8),
        (("table", "list"), 9),
        (("table", "list", 0), 10),
        (("table", "list", 1, 1), 11),
        (("table", "list", 2), 12),
        (("table", "text"), 14),
        (("table", "literal"), 18),
        (("table", "after"), 20),
        (("point", 0, "p"), 23),
        (("point", 1, "p"), 25),
        (("point", 1, "sub", "q"), 27),
        (("point", 1, "deep", 0, "r"), 29),
        (("table", "no such key"), 4),
        (("nothing",), 1),
    ],
)
def test_every_key_is_found_on_its_line(path, line):
    assert TomlSource(DOCUMENT, "f").line(*path) == line
    assert TomlSource(DOCUMENT.replace("\n", "\r\n"), "f").line(*path) == line


_keys = st.text(min_size=1, max_size=8).filter(lambda s: s.isprintable())
_texts = st.text(max_size=12).filter(lambda s: all(c.isprintable() for c in s))


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


_scalars = st.one_of(
    st.integers(-1000, 1000).map(str),
    st.booleans().map(lambda b: str(b).lower()),
    _texts.map(_quote),
    st.text('abc #[]{}=,"', max_size=8).map(lambda s: f"'{s}'"),
)
_values = st.recursive(
    _scalars,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(lambda items: "[ " + ", ".join(items) + " ]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda items: "[\n" + ",\n".join(items) + "]"),
        st.dictionaries(_keys.map(_quote), st.shared(_scalars), max_size=3).map(
            lambda d: "{ " + ", ".join(f"{k} = {v}" for k, v in d.items()) + " }"
        ),
    ),
    max_leaves=6,
)


@given(st.dictionaries(_keys, _values, max_size=6), st.lists(st.sampled_from(["", "# [x]"])))
def test_lines_of_generated_documents(pairs, filling):
    text, expected = "", {}
    for name, value in pairs.items():
        text += "".join(f"{line}\n" for line in filling)
        expected[name] = text.count("\n") + 1
        text += f"{_quote(name)} = {value}\n"
    source = TomlSource(text, "f")
    assert source.data == tomllib.loads(text)
    assert {name: source.line(name) for name in pairs} == expected


@pytest.mark.parametrize(
    ("text", "line"),
    [("a = 1\nb = \n", 2), ("a = 1\na = 2", 2), ("[x\n", 1), ("\n\nwhat", 3), ('a = "x', 1)],
)
def test_a_syntax_error_names_its_line(text, line):
    with pytest.raises(AxiometerError) as caught:
        TomlSource(text, "bad.toml")
    assert str(caught.value).startswith(f"bad.toml:{line}: not valid TOML: ")
    assert caught.value.remedy


def test_files_that_are_not_text(tmp_path):
    path = tmp_path / "x.toml"
    path.write_bytes(b'a = 1\nb = "\xff"\n')
    with pytest.raises(AxiometerError, match=r"x.toml:2: not a text file in UTF-8"):
        TomlSource.read(path)
    with pytest.raises(AxiometerError, match="cannot be read"):
        TomlSource.read(tmp_path)
