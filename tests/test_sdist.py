"""The source distribution: the same bytes from another place, time and user; no strays.

That a package built from it works is shown by `lab/validate/sdist.py`, which has to compile it.
"""

import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

import kit

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "out", "dist", "__pycache__", ".*_cache"
)
STRAYS = ["rtl/dma/core.o", "model/src/notes.txt", "src/axiometer/__pycache__/x.pyc", "TODO.md"]


def copied(directory: Path) -> Path:
    """A copy of the source tree, which git knows nothing of."""
    return Path(shutil.copytree(kit.ROOT, directory, ignore=LEFT_OUT))


def built(root: Path, umask: int = 0o022) -> Path:
    """The source distribution that the tool in a tree makes of it."""
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1700000000"}
    done = subprocess.run(
        [sys.executable, root / "tools" / "sdist.py"],
        env=environment, umask=umask, capture_output=True, text=True, cwd=root.parent, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return Path(done.stdout.splitlines()[-1])


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    return built(copied(tmp_path_factory.mktemp("one") / "tree"))


def members(archive: Path) -> set[str]:
    with tarfile.open(archive) as tar:
        return {name.partition("/")[2] for name in tar.getnames()}


def test_same_bytes_from_another_place(archive, tmp_path):
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


def test_changed_source_gives_other_bytes(archive, tmp_path):
    other = copied(tmp_path / "tree")
    with (other / "rtl" / "dma" / "sources.txt").open("a") as listing:
        listing.write("# one line more\n")
    assert built(other).read_bytes() != archive.read_bytes()


def test_holds_what_the_package_carries(archive):
    """All data files of the installed package, at their place in the source tree, but for the
    index, which the build makes."""
    import axiometer

    package = Path(axiometer.__file__).parent
    files = {path.relative_to(package / "data") for path in (package / "data").rglob("*.*")}
    wanted = {path.as_posix() for path in files if path.suffix != ".pyc"}
    wanted.discard("index.json")
    assert len(wanted) > 200
    assert wanted <= members(archive)


def test_holds_no_tests_and_no_tools(archive):
    for name in members(archive):
        first = name.partition("/")[0]
        assert first not in ("tests", "tools", "docs", "formal", "lab", ".ci"), name
        assert "/tests/" not in name and not name.endswith((".pyc", ".so", ".o")), name


@pytest.mark.skipif(not (kit.ROOT / ".git").exists(), reason="this source tree is no git clone")
def test_refuses_untracked_files(tmp_path):
    """A source file that was never added would be missing in every clone."""
    other = copied(tmp_path / "tree")
    git = ["git", "-C", other, "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "all"], check=True)
    (other / "rtl" / "dma" / "forgotten.sv").write_text("module forgotten; endmodule\n")
    done = subprocess.run(
        [sys.executable, other / "tools" / "sdist.py"], capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1
    assert "are not in git" in done.stderr and "rtl/dma/forgotten.sv" in done.stderr
    assert not list((other / "dist").glob("*.tar.gz"))
