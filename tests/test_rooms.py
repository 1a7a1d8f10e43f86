"""Rooms of the Python package: data flows one way, so no two of them need one another."""

import ast
import fnmatch
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

import kit

SOURCE = kit.ROOT / "src" / "axiometer"
OF_ONE_SYSTEM = """
import builtins, os, pkgutil, signal, select, sys
import importlib
usual, lacking = builtins.__import__, {"fcntl", "grp", "pty", "pwd", "resource", "termios", "tty"}
def without(name, globals=None, locals=None, fromlist=(), level=0):
    if name in lacking and (globals or {}).get("__name__", "").startswith("axiometer"):
        raise ImportError(name)
    return usual(name, globals, locals, fromlist, level)
builtins.__import__ = without
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in lacking else found(name, *more)
for module, names in ((os, ("sched_getaffinity", "geteuid", "getuid", "mkfifo", "uname")),
                      (signal, ("SIGHUP", "SIGKILL", "SIGALRM")), (select, ("PIPE_BUF", "poll"))):
    for name in names:
        delattr(module, name)
import axiometer
for module in pkgutil.walk_packages(axiometer.__path__, "axiometer."):
    if ".tests" not in module.name and not module.name.endswith("__main__"):
        importlib.import_module(module.name)
from axiometer.__main__ import main
sys.exit(main(sys.argv[1:]))
"""
"""A Windows of a kind: without modules and names that only POSIX systems or Linux have."""


@pytest.mark.parametrize("words", [
    ["run", "zybo-hp-bandwidth", "--set", "ports=HP0", "--set", "transfer_bytes=4KiB",
     "--repeats", "1", "--store", "runs.db", "--quiet"],
    ["curve", "zybo", "HP0", "--gaps", "0,64", "--svg", "curve.svg"],
])  # fmt: skip
def test_what_one_system_has_is_imported_where_it_is_used(words, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", OF_ONE_SYSTEM, *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def room(module: str) -> str:
    """`a` of `axiometer.a.b`."""
    return (module.split(".") + [""])[1]


def imported(path: Path, checks: bool) -> Iterator[str]:
    """What a file imports, wherever: `a.b` of `import a.b`, `a.b.c` of `from a.b import c`.
    `checks`: for type checks, too."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    branches = (node for node in ast.walk(tree) if isinstance(node, ast.If))
    of_checks = [node for node in branches if "TYPE_CHECKING" in ast.dump(node.test)]
    left_out = {id(inner) for node in of_checks for inner in ast.walk(node) if not checks}
    for node in ast.walk(tree):
        if id(node) in left_out:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def needs(source: Path) -> dict[str, set[str]]:
    """The rooms that each room imports anything from, those of type checks too."""
    found: dict[str, set[str]] = {}
    for path in kit.code(source):
        inside = path.relative_to(source).with_suffix("").parts
        own = room(".".join((source.name, *inside)))
        into = found.setdefault(own, set())
        names = imported(path, checks=True)
        into.update(room(name) for name in names if name.startswith(f"{source.name}."))
        into.discard(own)
    return found


def circles(needed: dict[str, set[str]]) -> set[frozenset[str]]:
    """Sets of rooms of which each needs, over whatever others, every other."""

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        left = [start]
        while left:
            for other in needed.get(left.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
        return seen

    reach = {name: reached(name) for name in needed}
    return {
        frozenset({a} | {b for b in reach[a] if a in reach.get(b, ())})
        for a in needed
        if a in reach[a]
    }


def test_no_rooms_import_one_another():
    assert circles(needs(SOURCE)) == set()


def files(source: Path) -> dict[str, set[str]]:
    """The modules that each module imports anything from, but for type checks."""
    names = {}
    for path in kit.code(source):
        inside = path.relative_to(source.parent).with_suffix("").parts
        names[".".join(inside).removesuffix(".__init__")] = path
    found = {}
    for name, path in names.items():
        each = [(whole, whole.rpartition(".")[0]) for whole in imported(path, checks=False)]
        found[name] = {whole if whole in names else around for whole, around in each}
        found[name] = (found[name] & names.keys()) - {name}
    return found


def test_no_files_import_one_another(tmp_path):
    """Not even within a function."""
    assert circles(files(SOURCE)) == set()
    source = tmp_path / "pkg"
    source.mkdir()
    (source / "a.py").write_text("from pkg import b\n")
    (source / "b.py").write_text("def f():\n    from pkg.a import g\n")
    assert circles(files(source)) == {frozenset({"pkg.a", "pkg.b"})}


def test_what_is_shown_computes_nothing_and_is_needed_by_nothing_that_does():
    needed = needs(SOURCE)
    assert "present" not in needed["answer"]
    assert not needed["present"] & {"runs", "advice", "api"}


def test_the_tests_beside_the_code_do_not_shadow_the_installed_package():
    """Collecting them imports no package of the checkout (conftest.py)."""
    assert str(SOURCE.parent) not in sys.path


def of_the_tree(source: Path) -> set[str]:
    """Files of the package that import what is only in the source tree."""
    roots = (kit.ROOT, kit.ROOT / "lab")
    tops = {path.name for root in roots for path in root.iterdir() if path.is_dir()}
    return {
        path.relative_to(source).as_posix()
        for path in kit.code(source)
        if tops & {name.split(".")[0] for name in imported(path, checks=True)}
    }


def test_the_package_needs_nothing_that_is_not_in_it(tmp_path):
    assert of_the_tree(SOURCE) == set()
    (tmp_path / "a.py").write_text("def f():\n    from project_proof import vivado\n")
    (tmp_path / "b.py").write_text("from axiometer.bringup import projects\n")
    assert of_the_tree(tmp_path) == {"a.py"}


def of_machines(texts: dict[str, str]) -> list[str]:
    """The files that name a machine of the model."""
    from axiometer import _model as model

    names = [re.compile(rf"""["']{re.escape(name)}["']""") for name in model.machine_parts()]
    return [path for path, text in texts.items() if any(name.search(text) for name in names)]


def test_no_file_names_the_machine_of_a_chip():
    """The model knows the parts of a machine (`simulate/machine.py`); only generated files name
    them."""
    texts = {str(p): p.read_text(encoding="utf-8") for p in kit.code(SOURCE)}
    made = [str(SOURCE / "platform" / "model_limits.py")]
    assert of_machines(texts) == made and "Made by `tools/" in texts[made[0]]
    assert of_machines({"a.py": "if policy == 'usp-ddrc': pass"}) == ["a.py"]


OPENS = ("Store", "Database", "connect")
HANDED = {"RunData", "RunInfo", "PointData"}


def openings(source: Path) -> set[str]:
    """Files outside `records` that open the store: by a call, or, in files that receive stored
    runs, by an import of more than their types."""
    found = set()
    for path in kit.code(source):
        inside = path.relative_to(source)
        if inside.parts[0] == "records":
            continue
        calls = (
            n.func for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)
        )
        called = {getattr(f, "id", None) or getattr(f, "attr", None) for f in calls}
        stored = "axiometer.records.store."
        taken = {n.removeprefix(stored) for n in imported(path, True) if n.startswith(stored)}
        if called & set(OPENS) or (inside.parts[0] in ("answer", "present") and taken - HANDED):
            found.add(inside.as_posix())
    return found


def test_the_store_is_opened_in_one_place(tmp_path):
    assert openings(SOURCE) == set()
    mutants = {
        "api/a.py": "from axiometer.records.store import Store\nwith Store(path) as opened: pass\n",
        "runs/b.py": "import sqlite3\n\ndef f():\n    return sqlite3.connect(path)\n",
        "present/c.py": "from axiometer.records.store import opened\nrun = opened.load(ref)\n",
        "cli/right.py": "from axiometer.records.store import opened\nrun = opened.load(ref)\n",
        "answer/right.py": "from axiometer.records.store import RunData\n",
        "records/right.py": "with Store(path) as store: pass\n",
    }
    for name, text in mutants.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert openings(tmp_path) == {"api/a.py", "runs/b.py", "present/c.py"}


def tracked() -> list[str]:
    """Paths of all files under version control, from the root."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=kit.ROOT, capture_output=True, text=True, check=True
    )
    return listed.stdout.split()


def readmes() -> list[Path]:
    """A README each: of the package, its rooms, and the folders of the top two levels."""
    folders = set()
    for parts in (Path(line).parent.parts for line in tracked()):
        if parts and not parts[0].startswith("."):
            folders |= {kit.ROOT / parts[0], kit.ROOT.joinpath(*parts[:2])}
    rooms = {path.parent for path in SOURCE.glob("*/__init__.py")}
    return [folder / "README.md" for folder in sorted(folders | rooms)]


def stale(text: str, paths: Iterable[str]) -> list[str]:
    """Files and folders that a README names and that no path ends with. Names with a word in
    capitals (`ROOM/tests/`) and names of build output (`build/`) are ignored."""
    names = re.findall(r"`(?:\.\./)*([\w./*-]+(?:/|\.(?:py|toml|md|csv|sv|hpp|cpp|h|c)))`", text)
    names = [name for name in names if not re.search(r"[A-Z]{3}|^build/", name)]
    there = {f"/{path}" for path in paths}
    there |= {f"/{folder}/" for path in paths for folder in Path(path).parents}
    return [name for name in names if not fnmatch.filter(there, f"*/{name}")]


@pytest.mark.parametrize("readme", readmes(), ids=lambda p: str(p.parent.relative_to(kit.ROOT)))
def test_each_folder_states_its_purpose(readme):
    text = readme.read_text(encoding="utf-8")
    assert len(text.splitlines()) >= 3
    assert stale(text, tracked()) == []


def importers(text: str) -> set[str] | None:
    """The rooms that may import one, as its README says; None: every one but those."""
    (said,) = re.findall(r"^Imported by: (.*)$", text, re.MULTILINE)
    known = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    named = known & set(re.findall(r"\w+", said))
    return known - named if said.startswith("every room") else named


def test_rooms_are_imported_by_those_whom_their_readmes_name():
    needed = needs(SOURCE)
    for readme in SOURCE.glob("*/README.md"):
        own = readme.parent.name
        found = {name for name, others in needed.items() if own in others and name in needed}
        found &= {path.parent.name for path in SOURCE.glob("*/__init__.py")}
        assert found <= importers(readme.read_text(encoding="utf-8")), own


def test_a_readme_that_names_missing_files_is_found():
    paths = ["src/axiometer/base/errors.py", "tests/test_rooms.py", "rtl/lib/axm_fifo.sv"]
    assert (
        stale("`errors.py`, `../base/`, `tests/test_rooms.py`, `*.sv`, `no-file.txt`", paths) == []
    )
    named = "`gone.py`, `gone/`, `*.gone.toml`, `ooms.py`, `ROOM/tests/`, `build/x/`"
    assert stale(named, paths) == ["gone.py", "gone/", "*.gone.toml", "ooms.py"]
    assert importers("Imported by: api, cli.\n") == {"api", "cli"}
    assert "base" not in importers("Imported by: every room but base.\n")
