"""FreeRTOS's kernel for images: the user's copy (FREERTOS_PATH), or a fetched copy.

No package of pip or Debian contains it; a crate of Rust's registry does, unchanged.
"""

from __future__ import annotations

import os
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.runs.cosim import build
from machines import TREE, packages

VARIABLE = "FREERTOS_PATH"
FETCH = f"{packages.FETCH} freertos"
KERNEL = "tasks.c"  # a file that identifies its folder
APPS = TREE / "host" / "freertos" / "apps"


def apps() -> list[str]:
    """Programs: those of host/apps/, and those that need an operating system."""
    return sorted({p.stem for p in (*APPS.glob("*.c"), *(TREE / "host" / "apps").glob("*.c"))})


def source(app: str) -> str:
    """The program's file, from host/freertos/."""
    return f"apps/{app}.c" if (APPS / f"{app}.c").is_file() else f"../apps/{app}.c"


def fetched() -> Path:
    """The folder of the fetched copy, whether it is there or not."""
    return build.cache() / "freertos" / packages.listed()["freertos"]["sha256"][:16]


def require() -> Path:
    """The folder of the kernel, fetched if necessary. AxiometerError if that fails, or if
    FREERTOS_PATH is not such a folder."""
    if not (named := os.environ.get(VARIABLE)):
        return packages.fetched(packages.listed()["freertos"], fetched()) / "FreeRTOS-Kernel"
    if not (Path(named) / KERNEL).is_file():
        raise AxiometerError(
            f"{VARIABLE} names {named}, which has no {KERNEL}",
            remedy="set it to the folder FreeRTOS-Kernel of a release (V11), or unset it",
        )
    return Path(named).resolve()
