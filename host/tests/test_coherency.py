"""That no cache maintenance, barrier or shareable attribute is missing, and that each is needed.

The library runs on memory that loses what is not maintained (host/hal/test.h), over models of all
engines. Then each call of clean, invalidate and barrier in host/src/ is left out, one at a time:
some engine must get a byte wrong.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import build
import pytest

ROOT = build.HOST.parent
OWN = ("axm", "axm-ring")
VENDORS = ("axi-dma", "axi-dma-sg", "axi-cdma", "axi-cdma-sg", "msgdma", "axi-traffic-gen")
ENGINES = (*OWN, *VENDORS, "pl330")
MODES = ("cached", "coherent")
SOURCES = sorted((build.HOST / "src").rglob("*.c"))
CALL = re.compile(
    r"[\w>.-]*hal->(?P<what>clean|invalidate|barrier)\("
    r"|(?<!status )\b(?P<own>clean|invalidate)\((?=channel)"
)
# Calls whose absence does no harm here, and why they stay.
NEEDED_ELSEWHERE = {
    ("engines/mailbox.c", "hal->barrier(hal->self);"): (
        "the other end may be another processor's: it must not see the count before the packet; "
        "here both ends are one, and the word is a register's"
    ),
}

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")


class Bench:
    """The program without the library's file that a test compiles anew."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        includes, files = build.listed()
        own = [f"-I{path}" for path in (build.HOST / "tests", build.ENGINES)]
        self.options = [*includes, *own, "-O1", "-Wno-unused"]
        library = [path for path in files if path.parent != build.HOST / "agent"]
        desk = [*build.ON_THE_DESK, "tests/fake_pl330.c", "tests/engine_model.c"]
        desk.append("tests/coherency.c")
        sources = [p for p in library if p.name != "sim.c"] + [build.HOST / name for name in desk]
        self.objects = {path: self.compiled(path) for path in sources}
        self.models = build.engines(["-O1"])
        self.program = self.linked(self.objects)

    def run(self, command: list[str | Path], folder: Path | None = None) -> None:
        words = [str(word) for word in command]
        done = subprocess.run(words, capture_output=True, text=True, cwd=folder)
        assert done.returncode == 0, done.stderr

    def compiled(self, source: Path, text: str | None = None) -> Path:
        """The object of a file, or of `text` in its place."""
        name = str(source.relative_to(build.HOST)).replace("/", "-")
        target = self.folder / (name + (".mutant.o" if text else ".o"))
        if text is not None:
            source = self.folder / name
            source.write_text(text)
        self.run([build.compiler(), "-std=c11", *self.options, "-c", source, "-o", target])
        return target

    def linked(self, objects: dict[Path, Path], name: str = "coherency") -> Path:
        self.run(["g++", *objects.values(), *self.models, "-o", self.folder / name])
        return self.folder / name

    def mutant(self, source: Path, text: str) -> Path:
        return self.linked({**self.objects, source: self.compiled(source, text)}, "mutant")


@pytest.fixture(scope="module")
def bench(tmp_path_factory) -> Bench:
    return Bench(tmp_path_factory.mktemp("coherency"))


def tried(program: Path, engine: str, mode: str) -> str:
    """What is wrong; empty if nothing is."""
    done = subprocess.run([program, engine, mode], capture_output=True, text=True, timeout=120)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


def sites() -> list[tuple[Path, re.Match[str]]]:
    return [(path, call) for path in SOURCES for call in CALL.finditer(path.read_text())]


def without(text: str, call: re.Match[str]) -> str:
    """The file without a call: a barrier's is nothing, the others' say that all went well."""
    instead = "(void)(" if call["what"] == "barrier" else "axm_lost("
    return f"#define axm_lost(...) AXM_OK\n{text[: call.start()]}{instead}{text[call.end() :]}"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("engine", ENGINES)
def test_every_byte_comes_right(bench, engine, mode):
    assert tried(bench.program, engine, mode) == ""


@pytest.mark.parametrize("engine", ENGINES)
def test_memory_that_is_not_shareable_is_not_coherent(bench, engine):
    assert tried(bench.program, engine, "private") != ""


def test_each_call_is_needed(bench):
    lost, found = [], {}
    for path, call in sites():
        text = path.read_text()
        name = str(path.relative_to(build.HOST / "src"))
        line = text[text.rfind("\n", 0, call.start()) + 1 : text.find("\n", call.end())].strip()
        mutant = bench.mutant(path, without(text, call))
        runs = ((engine, mode) for mode in MODES for engine in ENGINES)
        says = next((said for run in runs if (said := tried(mutant, *run))), "")
        found[name, line] = says
        if not says and (name, line) not in NEEDED_ELSEWHERE:
            lost.append(f"{name}: {line}")
    assert not lost, "nothing goes wrong without these:\n" + "\n".join(lost)
    assert not [site for site in NEEDED_ELSEWHERE if found.get(site, "it is not there")]
