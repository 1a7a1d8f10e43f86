"""Files that a module imports, directly or not."""

import pytest
from flow import imports


@pytest.fixture
def found(tmp_path):
    """The names of the files that a module `main` with such a text imports."""
    (tmp_path / "a").mkdir()
    (tmp_path / "package").mkdir()
    (tmp_path / "a" / "bench.py").write_text("import os\nfrom package import part")
    (tmp_path / "package" / "__init__.py").write_text("")
    (tmp_path / "package" / "part.py").write_text("import main")
    (tmp_path / "package" / "other.py").write_text("")

    def files(text):
        (tmp_path / "main.py").write_text(text)
        named = imports.files(["main"], [tmp_path, tmp_path / "a", tmp_path])
        return [path.relative_to(tmp_path).as_posix() for path in named]

    return files


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("import os, json", []),
        ("from bench import start as begin", ["a/bench.py", "package/part.py"]),
        ("def late():\n    import bench", ["a/bench.py", "package/part.py"]),
        ("import package.part as short", ["package/part.py"]),
        ("from package import *", []),
    ],
)
def test_what_is_imported(found, text, more):
    package = ["package/__init__.py"] if "package" in text or more else []
    assert found(text) == sorted(["main.py", *package, *more])


def test_a_name_in_two_folders_counts_in_both(found, tmp_path):
    (tmp_path / "bench.py").write_text("")
    assert {"bench.py", "a/bench.py"} < set(found("import bench"))


def test_what_cannot_be_followed_is_refused(found, tmp_path):
    with pytest.raises(ValueError, match="relative import"):
        found("from . import bench")
    with pytest.raises(ValueError, match="no module none"):
        imports.files(["none"], [tmp_path])
