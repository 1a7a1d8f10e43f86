"""Provenance of a run: decides whether another run can be compared with it or continue it."""

from __future__ import annotations

import platform as python_platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from axiometer import __version__
from axiometer.base import data
from axiometer.experiment import Experiment


def commit() -> tuple[str | None, bool]:
    """The commit of the source checkout of this package, and whether files differ from it;
    (None, False) outside a checkout or without git."""
    root = data.checkout()
    if root is None or not (root / ".git").exists():
        return None, False
    head = _git(root, "rev-parse", "HEAD")
    if head is None:
        return None, False
    return head, bool(_git(root, "status", "--porcelain", "--untracked-files=no"))


def collect(experiment: Experiment, backend: str, seed: int, jobs: int) -> dict[str, object]:
    """The provenance of a run that starts now. `started_at` is UTC, to the second."""
    head, dirty = commit()
    return {
        "axiometer": __version__,
        "commit": head,
        "dirty": dirty,
        "platform_sha256": experiment.platform.sha256,
        "experiment_sha256": experiment.sha256,
        "seed": seed,
        "backend": backend,
        "python": python_platform.python_version(),
        "started_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "jobs": jobs,
    }


def _git(root: Path, *arguments: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=10
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
