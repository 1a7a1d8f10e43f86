"""The files of a folder of clones: every export of a kind that is read, once for each content."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_BYTES = 8 * 2**20
MAX_OF_A_KIND = 40
"""Files of one kind that are read of one repository: more show the same."""
_KINDS = {
    "script": re.compile(r"\.tcl$"),
    "component": re.compile(r"(^|/)component\.xml$"),
    "core": re.compile(r"(^|/)ip/(\w+)/\2\.xml$"),
    "tree": re.compile(r"\.(dtsi|dtso|dts)$"),
}


@dataclass(frozen=True)
class Export:
    """A file: its content, and that of the .xci of a core's."""

    repository: str
    commit: str
    path: str
    kind: str
    content: bytes
    beside: bytes = b""


def read(folder: Path) -> Iterator[Export]:
    """Every export below `folder`, clone by clone in the order of their names."""
    for place in sorted(folder.iterdir(), key=lambda path: path.name.lower()):
        git = next((p for p in (place / ".git", place) if (p / "objects").is_dir()), None)
        if git is not None:
            yield from _clone(place.name.replace("+", "/", 1), git)


def _clone(repository: str, git: Path) -> Iterator[Export]:
    commit = _git(git, "rev-parse", "HEAD").decode().strip()
    blobs: dict[str, tuple[str, int]] = {}
    for line in (
        _git(git, "ls-tree", "-r", "-l", "-z", "HEAD").decode("utf-8", "replace").split("\0")
    ):
        about, _, path = line.partition("\t")
        if path and about.split()[1] == "blob" and about.split()[3].isdigit():
            blobs[path] = (about.split()[2], int(about.split()[3]))
    seen: set[str] = set()
    taken = dict.fromkeys(_KINDS, 0)
    for path, (blob, size) in sorted(blobs.items(), key=lambda each: _order(each[0])):
        kind = next((kind for kind, name in _KINDS.items() if name.search(path)), None)
        if kind is None or blob in seen or size > MAX_BYTES or taken[kind] >= MAX_OF_A_KIND:
            continue
        seen.add(blob)
        content = _git(git, "cat-file", "blob", blob)
        if content.startswith(b"version https://git-lfs"):
            continue
        own = f"{path.removesuffix('.xml')}.xci"
        # Since 2020.2 what is generated lies apart from what it is generated of.
        beside = blobs.get(own) or blobs.get(own.replace(".gen/", ".srcs/"))
        if kind == "core" and beside is None:
            continue
        taken[kind] += 1
        also = _git(git, "cat-file", "blob", beside[0]) if beside and kind == "core" else b""
        yield Export(repository, commit, path, kind, content, also)


def _order(path: str) -> tuple[bool, str]:
    """Scripts that build come first: they are fewer."""
    return re.search(r"build|run|project|impl|synth", path.rpartition("/")[2]) is None, path


def _git(git: Path, *words: str) -> bytes:
    done = subprocess.run(
        ["git", f"--git-dir={git}", *words], capture_output=True, check=True, timeout=120
    )
    return done.stdout
