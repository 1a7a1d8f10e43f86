"""The notebooks: each runs from top to bottom and gives its saved output."""

import importlib.util
import json
import sys

import pytest

import kit

NOTEBOOKS = sorted((kit.ROOT / "notebooks").glob("*.ipynb"))


def runner():
    spec = importlib.util.spec_from_file_location("notebooks", kit.ROOT / "tools" / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tool = runner()


def test_there_are_three_and_their_page_names_them():
    page = (kit.ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert len(NOTEBOOKS) == 3
    assert all(f"({path.name})" in page for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_gives_its_saved_output(path):
    kept = tool.read(path)
    again = tool.executed(kept)
    assert tool.words(kept) == tool.words(again)
    assert any("image/png" in output.get("data", {}) for cell in again["cells"]
               for output in cell.get("outputs", ()))  # fmt: skip


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_has_the_form_of_a_notebook(path):
    """The parts of a notebook that are used here obey nbformat 4.5."""
    notebook = tool.read(path)
    assert set(notebook) == {"cells", "metadata", "nbformat", "nbformat_minor"}
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert notebook["metadata"]["kernelspec"]["name"] == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    for cell in notebook["cells"]:
        own = {"code": {"execution_count", "outputs"}, "markdown": set()}[cell["cell_type"]]
        assert set(cell) == {"cell_type", "id", "metadata", "source"} | own
        for output in cell.get("outputs", ()):
            shown = {"data", "execution_count", "metadata"}
            fields = {"stream": {"name", "text"}, "execute_result": shown}
            assert set(output) == {"output_type"} | fields[output["output_type"]]


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


def printed(cells):
    """What each cell prints; a kernel may send it in pieces."""
    return ["".join("".join(o["text"]) for o in c.get("outputs", ()) if "text" in o) for c in cells]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_in_a_kernel_of_jupyter(path, tmp_path):
    """The same with what a reader has, where that is installed."""
    need = "nbclient or ipykernel is not installed: pip install nbclient ipykernel"
    nbclient = pytest.importorskip("nbclient", reason=need)
    pytest.importorskip("ipykernel", reason=need)
    nbformat = pytest.importorskip("nbformat", reason=need)
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    where = {"metadata": {"path": str(tmp_path)}}
    ran = nbclient.NotebookClient(notebook, timeout=120, resources=where).execute()
    assert printed(ran.cells) == printed(tool.read(path)["cells"])
