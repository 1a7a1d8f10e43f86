"""FreeRTOS's kernel for images: the user's copy (FREERTOS_PATH), or a fetched copy.

No package of pip or Debian contains it; a crate of Rust's registry does, unchanged.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.cosim import build
from machines import TREE, packages

VARIABLE = "FREERTOS_PATH"
FETCH = f"{packages.FETCH} --freertos"
KERNEL = "tasks.c"  # a file that identifies its folder
APPS = TREE / "host" / "freertos" / "apps"


def apps() -> list[str]:
    """Programs: those of host/apps/, and those that need an operating system."""
    return sorted({p.stem for p in (*APPS.glob("*.c"), *(TREE / "host" / "apps").glob("*.c"))})


def source(app: str) -> str:
    """The program's file, from host/freertos/."""
    return f"apps/{app}.c" if (APPS / f"{app}.c").is_file() else f"../apps/{app}.c"


def _fetched() -> Path:
    return build.cache() / "freertos" / packages.listed()["freertos"]["sha256"][:16]


def require() -> Path:
    """The folder of the kernel. AxiometerError if there is none, with the command that fetches it,
    or if FREERTOS_PATH is not such a folder."""
    named = os.environ.get(VARIABLE)
    path = Path(named) if named else _fetched() / "FreeRTOS-Kernel"
    if (path / KERNEL).is_file():
        return path.resolve()
    if named:
        raise AxiometerError(
            f"{VARIABLE} names {path}, which has no {KERNEL}",
            remedy="set it to the folder FreeRTOS-Kernel of a release (V11), or unset it",
        )
    raise AxiometerError(
        "FreeRTOS's kernel is missing",
        remedy=f"fetch it with {FETCH} (1.5 MB), or set {VARIABLE} to a copy",
        status=RUN_FAILED,
    )


def fetch(say: Callable[[str], None]) -> None:
    """Fetch the kernel if it is missing. AxiometerError if that fails or its hash differs."""

    def unpack(folder: Path) -> None:
        words = ["tar", "-xz", "-C", str(folder), "--strip-components=1"]
        with packages.fetched("FreeRTOS", packages.listed()["freertos"], say) as file:
            subprocess.run(words, stdin=file, check=True)

    packages.made(_fetched(), unpack)
