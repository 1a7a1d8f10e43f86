"""Written files: LaTeX, CSV, Parquet, pictures."""

from __future__ import annotations

import csv
import importlib
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kit
import present_fake as fake
from axiometer.base.errors import AxiometerError
from axiometer.present import flat, latex, pictures


@pytest.mark.parametrize(
    ("plain", "tex"),
    [
        ("50 % & more_of #1", r"50 \% \& more\_of \#1"),
        (r"C:\dir {x} $y$", r"C:\textbackslash{}dir \{x\} \$y\$"),
        ("~^<>|", r"\textasciitilde{}\textasciicircum{}\textless{}\textgreater{}\textbar{}"),
        ('"a" – b', "''a'' -- b"),
        ("Göbel, 3 × σ", r"Göbel, 3 $\times$ $\sigma$"),
        ("line\nend\x00\u2603", r"line end ?"),
    ],
)
def test_latex_prints_text_unchanged(plain, tex):
    assert latex.escape(plain) == tex


@given(st.text())
def test_no_text_can_break_out_of_a_latex_cell(text):
    escaped = latex.escape(text)
    bare = re.sub(r"\\(text[a-z]+|ldots|times|cdot|sigma|mu|pm|to|l?g?eq|[{}$&#%_,])", "", escaped)
    assert not set("\\&#%_~^\n") & set(bare.replace("~", "", escaped.count("~")))
    assert "\n" not in escaped
    assert escaped.count("{") == escaped.count("}") or "{" in text or "}" in text


def test_the_latex_table_has_a_cell_for_every_column():
    view = fake.view(title="50 % of {everything} & more")
    lines = latex.document(view).splitlines()
    columns = re.search(r"begin\{tabular\}\{([lr]+)\}", "\n".join(lines))[1]
    body = [line for line in lines if line.endswith(r"\\")]
    assert len(body) == 31
    for line in body:
        assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1
    for rule in ("toprule", "midrule", "bottomrule"):
        assert sum(rule in line for line in lines) == 1
    assert sum("addlinespace" in line for line in lines) == 1
    assert r"50 \% of \{everything\} \& more" in "\n".join(lines)
    assert "simulated by Axiometer" in "\n".join(lines)


def test_an_incomplete_run_says_so_in_its_latex_table():
    view = fake.view([fake.row(0), fake.row(1, {"ports": "HP1"}, repeats=0)], complete=False)
    text = latex.document(view)
    assert "Incomplete: 1 of 2 points" in text
    assert "HP1 & 1600.00 & -- & -- & -- & -- & --" in text


def test_csv_has_one_row_a_point_and_reads_back():
    view = fake.view()
    rows = list(csv.DictReader(io.StringIO(flat.to_csv(flat.points(view)))))
    assert len(rows) == 30
    assert rows[16]["ports"] == "HP0+HP1"
    assert float(rows[16]["total_MBps_mean"]) == view.rows[16].mean
    assert float(rows[16]["error_pct"]) == pytest.approx(view.rows[16].error_pct)
    assert {row["row_role"] for row in rows} == {"fitted", "predicted"}


def test_raw_csv_has_one_row_a_repeat_and_empty_cells_where_a_port_is_missing():
    view = fake.view([fake.row(0), fake.shared_path(1)])
    for r in view.rows[0].records:
        r["latency_cycles"]["hist"] = {"20": 3}
    rows = list(csv.DictReader(io.StringIO(flat.to_csv(flat.repeats(view)))))
    assert len(rows) == 6
    assert rows[0]["HP1_read_MBps"] == ""
    assert "latency_cycles_hist" not in rows[0]
    classes = [k for k in rows[0] if k.startswith("dram_") and k.endswith("_s")]
    assert sum(float(rows[0][k]) for k in classes) == pytest.approx(float(rows[0]["elapsed_s"]))


def test_parquet_reads_back(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    view = fake.view([fake.row(0, {"x": 1}), fake.row(1, {"x": "auto"}), fake.row(2, {})])
    path = tmp_path / "run.parquet"
    flat.to_parquet(flat.points(view), path)
    table = parquet.read_table(path).to_pydict()
    assert table["x"] == ["1", "auto", None]
    assert table["total_MBps_mean"] == [row.mean for row in view.rows]


def test_parquet_without_pyarrow_names_the_package_to_install(tmp_path, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    with kit.refuses(remedy="pip install 'axiometer[parquet]'"):
        flat.to_parquet([], tmp_path / "x.parquet")


def test_png_is_drawn_at_twice_the_size(tmp_path):
    chart = pictures.of_run(fake.view([fake.row(0)]))
    pictures.write(chart, tmp_path / "a.svg")
    pictures.write(chart, tmp_path / "a.png")
    width = float(re.search(r'width="([\d.]+)"', (tmp_path / "a.svg").read_text())[1])
    data = (tmp_path / "a.png").read_bytes()
    assert int.from_bytes(data[16:20], "big") == pytest.approx(2 * width, abs=2)


def test_a_place_that_cannot_be_written_is_an_error(tmp_path):
    chart = pictures.of_run(fake.view([fake.row(0)]))
    with pytest.raises(AxiometerError, match="cannot be written"):
        pictures.write(chart, tmp_path / "none" / "a.svg")


def test_a_run_without_a_finished_point_cannot_be_drawn():
    with pytest.raises(AxiometerError, match="no finished point"):
        pictures.of_run(fake.view([fake.row(0, repeats=0)], complete=False))
