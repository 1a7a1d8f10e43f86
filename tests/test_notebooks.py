"""The notebooks: each runs from top to bottom and gives its saved output."""

import json
import sys

import pytest

import kit
import notebooks as tool

NOTEBOOKS = sorted((kit.ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_gives_its_saved_output(path):
    kept = tool.read(path)
    again = tool.executed(kept)
    assert tool.words(kept) == tool.words(again)
    assert any("image/png" in output.get("data", {}) for cell in again["cells"]
               for output in cell.get("outputs", ()))  # fmt: skip


def test_a_figure_that_has_moved_is_seen(tmp_path, capsys, monkeypatch):
    notebook = tool.read(NOTEBOOKS[0])
    code = {"cell_type": "code", "execution_count": 1, "id": "a", "metadata": {}}
    notebook["cells"] = [{**code, "outputs": [], "source": ["print(1)\n", "2 + 2"]}]
    path = tmp_path / "one.ipynb"
    path.write_text(json.dumps(tool.executed(notebook)), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["notebooks.py", str(path)])
    assert tool.main() == 0
    path.write_text(path.read_text(encoding="utf-8").replace('"4"', '"5"'), encoding="utf-8")
    assert tool.main() == 1
    assert "the outputs are outdated" in capsys.readouterr().out
