"""Builds the module and the test programs of the driver for the guest."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.bringup.vm import packages

DRIVER = "drivers/linux"
PREFIX = "aarch64-linux-gnu-"
STRICT = ("-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-static")


@dataclass(frozen=True)
class Programs:
    module: Path
    test: Path
    log: str
    """What the compilers said; empty if it was built before."""


def source_tree() -> Path:
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


def sources() -> list[tuple[Path, str]]:
    """The driver's files and what it includes, with their places below the folder of a build."""
    root = source_tree()
    return [
        (path, path.relative_to(root).as_posix())
        for room in (DRIVER, "regs/generated", "host/include")
        for path in sorted((root / room).rglob("*"))
        if path.suffix in (".c", ".h") or path.name in ("Kbuild", "Makefile")
    ]


def built(kernel: str, say: Callable[[str], None], check: bool = False) -> Programs:
    """The programs for `kernel`. `check`: anew, and with sparse, whose complaints are in `log`.

    AxiometerError if they do not compile.
    """
    files = sources()
    mark = hashlib.sha256(b"".join(path.read_bytes() + place.encode() for path, place in files))
    name = f"axm-{kernel}-{mark.hexdigest()[:16]}"
    folder = packages.tools().path / "build" / name
    driver = folder / "drivers" / "linux"
    module, test = driver / "axiometer.ko", driver / "tests" / "axm_test"
    if module.is_file() and test.is_file() and not check:
        return Programs(module, test, "")
    shutil.rmtree(folder, ignore_errors=True)
    for path, place in files:
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    say(f"building the driver for Linux {packages.release(kernel)}")
    headers = f"/usr/src/linux-headers-{packages.release(kernel)}"
    inside = f"/build/{name}/drivers/linux"
    log = _inside(
        "make", "-C", inside, f"KDIR={headers}", "ARCH=arm64", f"CROSS_COMPILE={PREFIX}",
        f"CC={PREFIX}gcc", "W=1", *(["C=2", "CHECK=sparse"] if check else []), "modules",
    )  # fmt: skip
    log += _inside(
        f"{PREFIX}gcc", *STRICT, "-I", inside, "-o", f"{inside}/tests/axm_test",
        f"{inside}/tests/axm_test.c",
    )  # fmt: skip
    return Programs(module, test, log)


def _inside(*command: str) -> str:
    """Runs a command of the tools in their own root; needs user name spaces, or to be root."""
    root = packages.tools().path
    (root / "dev").mkdir(exist_ok=True)
    if not (root / "dev" / "null").exists():
        (root / "dev" / "null").touch()
    space = ["unshare", "--mount"]
    if os.geteuid() != 0:
        space += ["--user", "--map-root-user"]
    script = 'root=$0; mount --bind /dev/null "$root/dev/null" && exec chroot "$root" "$@"'
    words = [*space, "sh", "-c", script, str(root), "/usr/bin/env", "-i", "PATH=/usr/bin:/bin"]
    done = subprocess.run([*words, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr)[-1500:]
        raise AxiometerError(
            f"{command[0]} ended with status {done.returncode}:\n{said}",
            status=RUN_FAILED,
        )
    return done.stdout + done.stderr
