"""Where the Linux driver's sources are: in a source tree, as the package does not carry them."""

from __future__ import annotations

from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import AxiometerError

DRIVER = "drivers/linux"


def tree() -> Path:
    """The tree that holds the driver: the one this runs from, or the directory one is in.

    The driver has a licence of its own, and the package does not carry it: AxiometerError if
    neither has it.
    """
    for root in (data.checkout(), Path.cwd()):
        if root is not None and (root / DRIVER / "Kbuild").is_file():
            return root
    raise AxiometerError(
        "a virtual machine needs the Linux driver, which is not part of the package",
        remedy="go to the root of a source tree (git clone), where it is in drivers/linux",
    )


def files() -> list[tuple[Path, str]]:
    """The driver's files and what it includes, with their places below the folder of a build."""
    root = tree()
    return [
        (path, path.relative_to(root).as_posix())
        for room in (DRIVER, "regs/generated", "host/include")
        for path in sorted((root / room).rglob("*"))
        if path.suffix in (".c", ".h") or path.name in ("Kbuild", "Makefile")
    ]
