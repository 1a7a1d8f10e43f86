"""The source distribution: the same bytes from another place, time and user; no strays; a package
that is built from it is the installed one, and works in an empty environment."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

import kit
import requirements

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "out", "dist", "__pycache__", ".*_cache"
)
STRAYS = ["rtl/dma/core.o", "model/src/notes.txt", "src/axiometer/__pycache__/x.pyc", "TODO.md"]
TRY = kit.ROOT / "tools" / "try_wheel.py"


def copied(directory: Path) -> Path:
    """A copy of the source tree, which git knows nothing of."""
    return Path(shutil.copytree(kit.ROOT, directory, ignore=LEFT_OUT))


def ran(*words: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        list(map(str, words)), capture_output=True, text=True, timeout=900, **options
    )


def built(root: Path, umask: int = 0o022) -> Path:
    """The source distribution that the tool in a tree makes of it."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    tool = root / "tools" / "sdist.py"
    done = ran(sys.executable, tool, env=environment, umask=umask, cwd=root.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return built(copied(tmp_path_factory.mktemp("one") / "tree"))


def test_same_bytes_from_another_place_and_others_of_another_source(archive, tmp_path):
    other = copied(tmp_path / "a" / "longer path" / "tree")
    for stray in STRAYS:
        (other / stray).parent.mkdir(exist_ok=True)
        (other / stray).write_text("not part of the package")
    for path in other.rglob("*"):
        if path.is_file():
            os.utime(path, (1, 1))
            path.chmod(0o600)
    again = built(other, umask=0o077)
    assert again.name == archive.name
    assert again.read_bytes() == archive.read_bytes()
    with (other / "rtl" / "dma" / "sources.txt").open("a") as listing:
        listing.write("# one line more\n")
    assert built(other).read_bytes() != archive.read_bytes()


def test_holds_no_tests_and_no_tools(archive):
    with tarfile.open(archive) as tar:
        names = [name.partition("/")[2] for name in tar.getnames()]
    for name in names:
        first = name.partition("/")[0]
        assert first not in ("tests", "tools", "docs", "formal", "lab", ".ci"), name
        assert "/tests/" not in name and not name.endswith((".pyc", ".so", ".o")), name


@pytest.mark.skipif(not (kit.ROOT / ".git").exists(), reason="this source tree is no git clone")
def test_refuses_untracked_files(tmp_path):
    """A source file that was never added would be missing in every clone."""
    other = copied(tmp_path / "tree")
    git = ["git", "-C", other, "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init"], ["add", "."], ["commit", "--message", "all"]):
        assert ran(*git, *words).returncode == 0
    (other / "rtl" / "dma" / "forgotten.sv").write_text("module forgotten; endmodule\n")
    done = ran(sys.executable, other / "tools" / "sdist.py")
    assert done.returncode == 1
    assert "are not in git" in done.stderr and "rtl/dma/forgotten.sv" in done.stderr
    assert not list((other / "dist").glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(archive, tmp_path_factory):
    """The wheel that pip makes of the source distribution, with the build tools that are here."""
    for name in ("scikit_build_core", "nanobind", "cmake", "ninja"):
        pytest.importorskip(name, reason=f"{name} is not installed: no wheel can be built here")
    if shutil.which(os.environ.get("CXX") or "c++") is None:
        pytest.skip("no C++ compiler: no wheel can be built here")
    work = tmp_path_factory.mktemp("wheel")
    with tarfile.open(archive) as tar:
        tar.extractall(work, filter="data")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", work]
    pip = [sys.executable, "-m", "pip", "wheel", *options]
    done = ran(*pip, next(work.iterdir()), env={**os.environ, "PATH": path})
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return next(work.glob("*.whl"))


def test_the_wheel_has_the_files_that_are_installed(wheel):
    ours = {
        file.as_posix(): file.locate().read_bytes()
        for file in metadata.files("axiometer")
        if file.parts[0] == "axiometer" and file.suffix not in (".so", ".pyc")
    }
    with zipfile.ZipFile(wheel) as of:
        names = [name for name in of.namelist() if name.startswith("axiometer/")]
        theirs = {name: of.read(name) for name in names if not name.endswith((".so", "/"))}
        about = next(name for name in of.namelist() if name.endswith("dist-info/METADATA"))
        said = of.read(about).decode()
    assert {name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name)} == set()
    assert any(re.fullmatch(r"axiometer/_model\..*\.so", name) for name in names)
    assert sum(name.startswith("axiometer/data/") for name in names) > 200
    assert "axiometer/py.typed" in names
    assert not [name for name in names if name.endswith(".pyc") or "/tests/" in name]
    for line in requirements.project()["project"]["optional-dependencies"]["plot"]:
        name, ranges = re.fullmatch(r"([\w-]+)(.*)", line).groups()
        found = re.search(rf"^Requires-Dist: {name} ?(.*); extra == .plot.$", said, re.MULTILINE)
        assert set(found[1].strip(" ()").split(",")) == set(ranges.split(","))


def test_the_wheel_works_in_an_empty_environment(wheel, tmp_path):
    """Installed by pip without an index where nothing else is, and asked: what answers needs no
    other package. `make wheels` asks with what it needs for pictures and pages, too."""
    venv.create(tmp_path / "clean", with_pip=False)
    python = tmp_path / "clean" / "bin" / "python"
    site = next((tmp_path / "clean" / "lib").glob("python*/site-packages"))
    install = ["install", "--no-index", "--no-deps", "--target", site, wheel]
    assert ran(sys.executable, "-m", "pip", *install).returncode == 0
    alone = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    done = ran(python, TRY, cwd=tmp_path, env=alone)
    assert done.returncode == 0, done.stderr
    assert "boards" in done.stdout


def test_the_source_tree_is_no_wheel():
    """The trial of a wheel notices that it was given the source tree."""
    done = ran(sys.executable, TRY, env={**os.environ, "PYTHONPATH": str(kit.ROOT / "src")})
    assert done.returncode == 1
    assert "is in the source tree" in done.stderr
