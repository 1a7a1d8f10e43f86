"""The source tree with all drawn mutants in it, compiled once: package, binding and unit tests.

A mutant that does not compile is dropped and the next of the draw takes its place.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from mutation.mutants import Mutant, with_switches
from mutation.subject import HERE, ROOT

# What the package reads beside its code.
ROOMS = (
    *("boards", "chips", "experiments", "reference"),
    *("rtl", "host", "cosim", "model"),
)
WORDS = 4096  # of the state file, and so the greatest number of a mutant


class Tree:
    """`model/` and `site/axiometer` in a folder of their own."""

    def __init__(self, folder: Path, say: Callable[[str], None] = print):
        self.folder, self.say = folder, say
        self.site = folder / "site"
        self.tests = folder / "compiled" / "tests"

    def made(self, draw: list[Mutant], count: int) -> tuple[dict[int, Mutant], list[Mutant]]:
        """The first `count` mutants of `draw` that compile, by number; and those that do not."""
        self._copied()
        # Remembered, so that a run does not begin with what the last one found out.
        path = self.folder / "dropped.json"
        dropped = set(json.loads(path.read_text())) if path.exists() else set()
        while True:
            kept = [m for m in draw if m.key not in dropped][:count]
            numbers = self._numbered(kept)
            where = self._spliced(numbers)
            failed = self._compiled(where)
            if not failed:
                return numbers, [m for m in draw if m.key in dropped]
            self.say(f"{len(failed)} mutants do not compile; others take their place")
            dropped |= {numbers[n].key for n in failed}
            path.write_text(json.dumps(sorted(dropped), indent=0))

    def _numbered(self, kept: list[Mutant]) -> dict[int, Mutant]:
        """A mutant keeps its number, so that a file without a change is not compiled again."""
        path = self.folder / "numbers.json"
        known = json.loads(path.read_text()) if path.exists() else {}
        free = (n for n in range(1, WORDS) if n not in set(known.values()))
        for m in kept:
            if m.key not in known:
                known[m.key] = next(free)
        path.write_text(json.dumps(known, indent=0))
        return {known[m.key]: m for m in kept}

    def environment(self, state: Path) -> dict[str, str]:
        """For processes that run the mutated package with the switch in `state`."""
        paths = [str(self.site), str(ROOT / "lab"), str(ROOT / "tests")]
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "AXIOMETER_MUTATION": str(state),
        }

    def _copied(self) -> None:
        """Write only files that differ, so that the compiler does not rebuild the others."""
        for source, target in [("model", "model"), ("src/axiometer", "site/axiometer")]:
            for path in sorted((ROOT / source).rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    _write(
                        self.folder / target / path.relative_to(ROOT / source), path.read_bytes()
                    )
        data = self.site / "axiometer" / "data"
        data.mkdir(exist_ok=True)
        for name in ROOMS:
            _link(data / name, ROOT / name)
        _link(data / "regs", ROOT / "regs" / "generated")
        include = self.folder / "model/include/axiometer/model"
        _write(include / "mutation_switch.hpp", (HERE / "switch.hpp").read_bytes())
        _write(self.folder / "model/src/mutation_switch.cpp", (HERE / "switch.cpp").read_bytes())
        lists = (ROOT / "model/CMakeLists.txt").read_text()
        lists = lists.replace(
            "OBJECT src/config.cpp", "OBJECT src/mutation_switch.cpp src/config.cpp"
        )
        # Optimizing across files would take minutes.
        lists = lists.replace("set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ${axiometer_ipo})", "")
        _write(self.folder / "model/CMakeLists.txt", lists.encode())
        package = self.site / "axiometer"
        _write(package / "_mutation_switch.py", (HERE / "switch.py").read_bytes())
        init = (ROOT / "src/axiometer/__init__.py").read_text()
        _write(package / "__init__.py", (init + "\nimport axiometer._mutation_switch\n").encode())

    def _spliced(self, numbers: dict[int, Mutant]) -> dict[Path, dict[int, set[int]]]:
        """Writes the mutated files. Of each C++ file: the mutants on each line."""
        where: dict[Path, dict[int, set[int]]] = {}
        for file in sorted({m.file for m in numbers.values()} | self._were_mutated()):
            mine = {n: m for n, m in numbers.items() if m.file == file}
            source = (ROOT / file).read_bytes()
            if file.endswith(".py"):
                target = self.site / Path(file).relative_to("src")
                text = with_switches(source, mine, _python_choice)
                compile(text, str(target), "exec")  # or the finder is wrong
            else:
                target = self.folder / file
                text = with_switches(source, mine, _cpp_choice)
                if mine:
                    # On the first line, so that all lines keep their numbers.
                    text = '#include "axiometer/model/mutation_switch.hpp" // ' + text
                    if not source.startswith(b"//"):
                        text = text.replace(" // ", "\n", 1)
                lines = where[target] = {}
                for number, line in enumerate(text.splitlines(), 1):
                    for hit in re.findall(r"axm_m\((\d+)\)", line):
                        lines.setdefault(number, set()).add(int(hit))
            _write(target, text.encode())
        names = sorted({m.file for m in numbers.values()})
        _write(self.folder / "mutated.txt", "\n".join(names).encode())
        return where

    def _were_mutated(self) -> set[str]:
        """Files that the last draw mutated, and this one perhaps does not."""
        path = self.folder / "mutated.txt"
        names = path.read_text().split() if path.exists() else []
        return {name for name in names if (ROOT / name).exists()}

    def _compiled(self, where: dict[Path, dict[int, set[int]]]) -> set[int]:
        """Compiles everything; the mutants that the compiler's errors name."""
        build = self.folder / "compiled"
        bin_ = Path(sys.executable).parent
        nanobind = subprocess.check_output(
            [sys.executable, "-m", "nanobind", "--cmake_dir"], text=True
        ).strip()
        if not (build / "build.ninja").exists():
            _quiet([
                str(bin_ / "cmake"), "-S", str(self.folder / "model"), "-B", str(build),
                "-G", "Ninja",
                f"-DCMAKE_MAKE_PROGRAM={bin_ / 'ninja'}", "-DCMAKE_BUILD_TYPE=Mutation",
                "-DAXIOMETER_PYTHON=ON", "-DAXIOMETER_TESTS=ON", "-DSKBUILD=ON",
                f"-Dnanobind_DIR={nanobind}", f"-DPython_EXECUTABLE={sys.executable}",
                "-DCMAKE_CXX_FLAGS=-O1 -DNDEBUG -w", "--log-level=WARNING",
                *(["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []),
            ])  # fmt: skip
        done = subprocess.run(
            [str(bin_ / "ninja"), "-C", str(build), "-k", "0", "-j", os.environ.get("JOBS", "2")],
            capture_output=True,
            text=True,
        )
        if done.returncode == 0:
            [module] = build.glob("_model*.so")
            shutil.copy2(module, self.site / "axiometer" / module.name)
            return set()
        failed = set()
        for name, line in re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", done.stdout, re.M):
            failed |= where.get((build / name).resolve(), {}).get(int(line), set())
        # An error inside a header that is not ours: what it was required from.
        if not failed:
            for name, line in re.findall(r"^(\S+?):(\d+):\d+:", done.stdout, re.M):
                failed |= where.get((build / name).resolve(), {}).get(int(line), set())
        if not failed:
            raise SystemExit(f"the mutated tree does not compile:\n{done.stdout[-4000:]}")
        return failed


def _cpp_choice(number: int, mutated: str, original: str) -> str:
    return f"(axm_m({number}) ? ({mutated}) : ({original}))"


def _python_choice(number: int, mutated: str, original: str) -> str:
    return f"(({mutated}) if _axm_m({number}) else ({original}))"


def _write(path: Path, content: bytes) -> None:
    if path.is_file() and path.read_bytes() == content:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _link(path: Path, target: Path) -> None:
    if not path.is_symlink():
        path.symlink_to(target)


def _quiet(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
