"""Pictures against checked ones; no text is cut or covered. A missing extra, and a drawing library
that dies of a memory limit, are reported."""

import resource
import subprocess
import sys

import pytest

import kept_pictures as kept
import kit
from axiometer.__main__ import main
from validate import board_errors, marks, tables

# Of texts that can be seen, in pixels: outside of the picture; one over another.
FAULTS = """() => {
  const svg = document.querySelector('svg').getBoundingClientRect();
  const all = [...document.querySelectorAll('svg text')]
    .map((t) => [t.textContent, t.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
  const cut = all.filter(([, r]) => r.left < svg.left - 1 || r.right > svg.right + 1
    || r.top < svg.top - 1 || r.bottom > svg.bottom + 1).map(([t]) => 'cut: ' + t);
  const over = all.flatMap(([t, a], i) => all.slice(i + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 3
      && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
    .map(([u]) => 'covered: ' + t + ' by ' + u));
  return [...cut, ...over];
}"""


@pytest.fixture(scope="module")
def drawn():
    return {name: kept.drawn(name) for name in kept.PICTURES}


@pytest.fixture(scope="module")
def page(browser):
    return browser.new_page()


def faults(page, svg):
    page.set_content(svg)
    return page.evaluate(FAULTS)


@pytest.mark.parametrize("name", kept.PICTURES)
def test_it_is_the_picture_that_was_looked_at(name, drawn):
    """Where it is right that it is another: look at it, then run kept_pictures.py."""
    before = (kept.KEPT / f"{name}.txt").read_text(encoding="utf-8")
    assert kept.differences(before, kept.written(drawn[name])) == []


@pytest.mark.parametrize("name", kept.PICTURES)
def test_no_text_is_cut_or_covered(name, drawn, page):
    assert faults(page, drawn[name]) == []


def test_the_picture_of_readme_shows_the_errors_of_the_page():
    """Both are written by one command: `python -m validate tables --write`."""
    readme = (kit.ROOT / "README.md").read_text(encoding="utf-8")
    assert f"({tables.PICTURE.relative_to(kit.ROOT).as_posix()})" in readme
    shown = [text for *_, text in kept.texts(tables.PICTURE.read_text(encoding="utf-8"))]
    page = marks.claimed("tables", "accuracy.md")
    (part,) = (part for part in page.split("\n### ") if f"\n`{tables.DRAWN}`, " in part)
    rows = board_errors.table(part)
    errors = [float(row["error %"]) for row in rows]
    drawn = [float(text.removesuffix(" %")) for text in shown if text.endswith(" %")]
    assert drawn == pytest.approx(errors, abs=0.06)  # of one digit and of two
    assert {row["ports"] for row in rows} <= set(shown) and len(rows) == 30


def test_a_cut_label_and_a_covered_one_are_found(drawn, page):
    svg = drawn["table"]
    assert any(
        one.startswith("cut") for one in faults(page, svg.replace(">HP0<", f">{'HP0' * 60}<", 1))
    )
    short = svg.replace('viewBox="0 0 ', 'viewBox="60 0 ', 1)
    assert any(one.startswith("cut") for one in faults(page, short))
    wide = svg.replace(">1,000<", ">1,000,000,000,000,000,000<")
    assert any(one.startswith("covered") for one in faults(page, wide))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (">HP0+HP1+HP2+HP3<", ">HP0+HP1+H…<"),
        ("translate(133,", "translate(140,"),
        ("<line ", "<rect "),
    ],
)
def test_a_picture_that_has_changed_is_found(drawn, old, new):
    svg = drawn["table"]
    assert old in svg
    changed = kept.written(svg.replace(old, new))
    assert kept.differences(kept.written(svg), changed)


LIMIT = 8 * 2**30  # far more than anything needs, and less than the library reserves


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    path = tmp_path_factory.mktemp("drawn") / "runs.db"
    words = ["run", "zybo-hp-bandwidth", "--quiet", "--jobs", "1", "--repeats", "1"]
    words += ["--set", "ports=HP0", "--set", "mode=read", "--set", "transfer_bytes=4KiB"]
    assert main([*words, "--store", str(path)]) == 0
    return path


@pytest.mark.parametrize(
    "words",
    [
        ["report", "-o", "out"],
        ["report", "--board", "zybo", "-o", "out"],
        ["show", "--svg", "o.svg"],
    ],
    ids=" ".join,
)
def test_a_limit_of_memory_is_reported(words, store, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "axiometer", *words, "--store", str(store)],
        env=kit.environment(), cwd=tmp_path, capture_output=True, text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (1, "")
    told = kit.flat(done.stderr)
    assert "drawing library (vl-convert) cannot run within this shell's memory limit" in told
    assert "ulimit -v unlimited" in told
    assert "SIGTRAP" in told or "ended by" in told or "exit status" in told
    assert list(tmp_path.iterdir()) == []


def test_without_a_limit_nothing_is_tried(store, tmp_path, monkeypatch):
    from axiometer.present import drawing

    drawing.check.cache_clear()
    free = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: free)
    monkeypatch.setattr(drawing, "_TRIAL", "raise SystemExit(3)")
    drawing.check()
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (LIMIT, LIMIT))
    drawing.check.cache_clear()
    with pytest.raises(Exception, match="exit status 3"):
        drawing.check()
    drawing.check.cache_clear()


@pytest.mark.parametrize("missing", ["altair", "jinja2", "vl_convert"])
@pytest.mark.parametrize("words", [["report"], ["show", "--svg", "o.svg"]], ids=" ".join)
def test_a_missing_extra_is_named(words, missing, store, tmp_path, monkeypatch, capsys):
    from axiometer.present import drawing

    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(sys.modules, missing, None)  # as where it is not installed
    drawing.check.cache_clear()
    assert main([*words, "--store", str(store)]) == 1
    told = kit.flat(capsys.readouterr().err)
    assert f"pictures and reports need {missing}, not installed here" in told
    assert "pip install 'axiometer[plot]'" in told
    assert list(tmp_path.iterdir()) == []
