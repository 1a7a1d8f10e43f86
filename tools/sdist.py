"""Builds the source distribution, the same bytes for the same commit.

Usage: python tools/sdist.py [--output DIRECTORY]     (default: dist/)
pyproject.toml, [tool.scikit-build], lists the contents. All files get the time of the last commit
(SOURCE_DATE_EPOCH overrides it; without git a fixed time is used), no owner, and one of two
permissions. Compression is Python's zlib, whose versions may give different bytes. Refuses files
that are not in git, because a clean clone lacks them.
"""

import argparse
import os
import subprocess
import sys
import tarfile
from pathlib import Path

from scikit_build_core.build import build_sdist

ROOT = Path(__file__).resolve().parent.parent


def git(*arguments: str) -> str | None:
    """The output of a git command; None without a clone or without git."""
    if not (ROOT / ".git").exists():
        return None
    try:
        command = ["git", "-C", ROOT, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout


def strangers(archive: Path, known: list[str]) -> list[str]:
    """Files in a source distribution that are not in `known`, except PKG-INFO."""
    with tarfile.open(archive) as tar:
        names = [name.partition("/")[2] for name in tar.getnames()]
    return sorted(set(names) - set(known) - {"PKG-INFO"})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "dist", metavar="DIRECTORY")
    options = parser.parse_args()
    output = options.output.resolve()
    if "SOURCE_DATE_EPOCH" not in os.environ and (when := git("log", "-1", "--format=%ct")):
        os.environ["SOURCE_DATE_EPOCH"] = when.strip()
    os.chdir(ROOT)  # The build backend builds the project of the working directory.
    archive = output / build_sdist(str(output))
    tracked = git("ls-files", "-z")
    if tracked is not None and (extra := strangers(archive, tracked.split("\0"))):
        archive.unlink()
        sys.exit(
            "these files would be in the source distribution but are not in git; "
            "add them to git or remove them:\n  " + "\n  ".join(extra)
        )
    print(archive)


if __name__ == "__main__":
    main()
