"""Runs programs of Debian's packages in their own root, with their own files."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError

# $0: the root; then pairs of a folder and its place in the root, a dot, and the command.
MOUNTS = """root=$0
mount --bind /dev/null "$root/dev/null" || exit
while [ "$1" != . ]; do mount --bind "$1" "$root$2" || exit; shift 2; done
shift
exec chroot "$root" "$@"
"""


def run(root: Path, places: Mapping[str, Path], *command: str) -> str:
    """The output of `command` in `root`, with outside folders mounted at `places`.

    Needs user name spaces or root. AxiometerError if it fails.
    """
    (root / "dev").mkdir(exist_ok=True)
    (root / "dev" / "null").touch()
    pairs: list[str] = []
    for place, folder in places.items():
        (root / place.lstrip("/")).mkdir(parents=True, exist_ok=True)
        pairs += [str(folder), place]
    space = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]  # all of them end at once
    if os.geteuid() != 0:
        space += ["--user", "--map-root-user"]
    words = [*space, "sh", "-c", MOUNTS, str(root), *pairs, "."]
    words += ["/usr/bin/env", "-i", "PATH=/usr/bin:/bin", "HOME=/", "LC_ALL=C"]
    whole = children.tied([*words, *command])
    done = subprocess.run(whole, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr)[-1500:]
        raise AxiometerError(
            f"{command[0]} ended with status {done.returncode}:\n{said}",
            status=RUN_FAILED,
        )
    return done.stdout + done.stderr
