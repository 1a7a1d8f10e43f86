"""Finds the Linux driver's sources in a source tree; the package does not contain them."""

from __future__ import annotations

from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import AxiometerError

DRIVER = "drivers/linux"


def tree() -> Path:
    """The tree with the driver: the one that this package runs from, or the working directory.

    The driver has its own licence and is not in the package: AxiometerError if neither tree has it.
    """
    for root in (data.checkout(), Path.cwd()):
        if root is not None and (root / DRIVER / "Kbuild").is_file():
            return root
    raise AxiometerError(
        "a virtual machine needs the Linux driver, which is not part of the package",
        remedy="run this in the root of a source tree (git clone), which has drivers/linux",
    )


def files() -> list[tuple[Path, str]]:
    """The driver's files and included files, with their paths in the folder of a build."""
    root = tree()
    return [
        (path, path.relative_to(root).as_posix())
        for room in (DRIVER, "regs/generated", "host/include")
        for path in sorted((root / room).rglob("*"))
        if path.suffix in (".c", ".h") or path.name in ("Kbuild", "Makefile")
    ]
