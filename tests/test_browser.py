"""The static page (`make browser`): its model computes the same bits as here, commands say the
same, and what is shipped is small and named.

Tests of the page itself run over both its ends: serve/tests/test_serve_page.py.
"""

from __future__ import annotations

import gzip
import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

import browser_digest
import kit
import serve_kit
from axiometer.serve import here

SEEDS = 40
MOST_BYTES = 9_000_000
# Commands that answer in a browser; further words are options of all.
COMMANDS = (kit.ROOT / "tests" / "browser_commands.txt").read_text(encoding="utf-8").splitlines()
IN_NODE = """
import { readFileSync } from "node:fs";
const [folder, tests, script] = process.argv.slice(1);
const { loadPyodide } = await import(`${folder}/pyodide.mjs`);
const python = await loadPyodide();
const [wheel] = JSON.parse(process.env.FILES);
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
python.FS.mkdir("/tests");
python.FS.mount(python.FS.filesystems.NODEFS, { root: tests }, "/tests");
console.log(await python.runPythonAsync(`import sys\\nsys.path.append("/tests")\\n${script}`));
"""
ASKED = """
import contextlib, io, json, shlex
def asked(line):
    from axiometer.__main__ import main
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        try:
            status = main(shlex.split(line))
        except SystemExit as error:
            status = error.code
    return [status, out.buffer.getvalue().decode()]
"""


@pytest.fixture(scope="module")
def site():
    with serve_kit.static() as of:
        yield of


def in_node(site, script):
    """What a Python expression, the last line of a script, is in Pyodide."""
    import browser

    (wheel,) = (site.folder / "browser").glob("*.whl")
    done = subprocess.run(
        [browser.node(), "--input-type=module", "--eval", IN_NODE, site.folder / browser.PYODIDE,
         kit.ROOT / "tests", script],
        env=kit.environment(FILES=json.dumps([str(wheel)])),
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_model_computes_the_same_bits(site):
    script = f"import browser_digest, json\njson.dumps(browser_digest.digests({SEEDS}))"
    assert json.loads(in_node(site, script)) == browser_digest.digests(SEEDS)
    assert browser_digest.digests(1) != browser_digest.digests(2)


def same(one, other):
    """Whether two documents are equal, numbers to 1e-6."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) or isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-9)
    return one == other


def test_commands_say_the_same(site, tmp_path):
    script = f"{ASKED}\njson.dumps([asked(line) for line in {COMMANDS!r}])"
    there = json.loads(in_node(site, script))
    for line, (status, text) in zip(COMMANDS, there, strict=True):
        done = subprocess.run(
            [sys.executable, "-c", f"{ASKED}\nprint(json.dumps(asked({line!r})))"],
            capture_output=True, text=True, env=kit.environment(), cwd=tmp_path,
        )  # fmt: skip
        native = json.loads(done.stdout)
        if "--json" in line:
            assert status == native[0] and same(json.loads(text), json.loads(native[1])), line
        else:
            assert [status, text] == native, line
    assert not same({"a": [1.0]}, {"a": [1.00001]}) and same({"a": [1.0]}, {"a": [1.0000001]})


def points():
    """Questions of the page: boards, ports, masters, settings, curves."""
    yield "/api/boards", {}
    for board, keys in (
        ("zybo", {"ports": "HP0+HP1"}), ("zybo", {"ports": "HP0", "transfer_bytes": 4096}),
        ("zedboard", {"ports": "ACP"}), ("zedboard", {"ports": "HP0", "mode": "read"}),
        ("zedboard", {"ports": "GP0", "master": "cpu"}), ("de1-soc", {"ports": "F2S"}),
        ("ultra96", {"ports": "HP0+HP3"}), ("zcu102", {"ports": "HP0+HP1"}),
        ("zcu102", {"ports": "HPM0_FPD"}), ("kv260", {"ports": "HPC0", "burst_beats": 4}),
    ):  # fmt: skip
        yield "/api/point", {"board": board, "keys": keys, "whole": True}
    tables = [{"name": "in", "kind": "engine", "port": "HP0", "direction": "write"},
              {"name": "out", "kind": "engine", "port": "HP2", "rate_mbs": 300}]  # fmt: skip
    for more in ([], ["controller.starve_clocks=16"]):
        yield "/api/point", {"board": "zybo", "masters": tables, "more": more, "whole": True}
    for along, at in (("burst_beats", [1, 16]), ("pl_mhz", [50, 125]), ("load", [0, 64])):
        for board, ports in (("zybo", "HP0"), ("zcu102", "HP1")):
            asked = {"board": board, "keys": {"ports": ports}, "along": along, "at": at}
            yield "/api/curve", asked
    yield "/api/point", {"board": "zybo", "keys": {"ports": "HP9"}}


def test_the_page_has_the_answers_of_the_program(site, browser):
    page = browser.new_page()
    page.goto(f"{site.url}#board=zybo")
    page.wait_for_selector("#answer .state.whole", timeout=60_000)
    for path, asked in points():
        there = page.evaluate(
            "([path, asked]) => import('./ask.js').then((one) => one.ask(path, asked))",
            [path, asked],
        )
        native = json.loads(here.answer(lambda: False, path, json.dumps(asked)))
        assert same(there, native), (path, asked)
        assert ("error" in native) == ("HP9" in str(asked))
    page.close()


def shipped(folder: Path) -> int:
    """Bytes of the files of a site, as a server sends them packed."""
    return sum(len(gzip.compress(path.read_bytes(), 6)) for path in folder.glob("*/*"))


def test_what_is_shipped_is_small_and_has_its_licences(site):
    assert 5_000_000 < shipped(site.folder) <= MOST_BYTES
    notices = (site.folder / "browser" / "NOTICES.txt").read_text(encoding="utf-8")
    for name in ("Pyodide: MPL-2.0", "CPython: PSF-2.0", "nanobind: BSD-3-Clause", "SQLite"):
        assert name in notices
    assert (site.folder / "browser" / "LICENSE").read_text() == (kit.ROOT / "LICENSE").read_text()
