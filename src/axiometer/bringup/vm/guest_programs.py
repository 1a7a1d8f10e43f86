"""Builds the module and the test programs of the driver for the guest."""

from __future__ import annotations

import dataclasses
import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from axiometer.bringup.vm import driver_source, kernels
from axiometer.runs.cosim import build

STRICT = ("-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-pthread")
PLACE = "/driver"  # of the build's folder, in the kernel's root


@dataclass(frozen=True)
class Programs:
    """tests: by name. log: output of the compilers; empty if it was built before."""

    module: Path
    tests: dict[str, Path]
    log: str


def built(kernel: kernels.Kernel, say: Callable[[str], None], check: bool = False) -> Programs:
    """The programs for `kernel`. `check`: rebuild with sparse, whose warnings are in `log`.

    AxiometerError if they do not compile.
    """
    files = driver_source.files()
    mark = hashlib.sha256(b"".join(path.read_bytes() + place.encode() for path, place in files))
    mark.update(kernel.release.encode() + str(kernel.image).encode())
    name = f"{kernel.name}-{mark.hexdigest()[:16]}"
    folder = build.cache() / "vm" / "driver" / name
    names = [Path(place).stem for _, place in files if _is_test(place)]
    log = ""
    if check or not folder.is_dir():
        # Concurrent builds each use a temporary folder, which is then renamed.
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as work:
            say(f"building the driver for Linux {kernel.release}")
            mine = Path(work) / "mine"
            for path, place in files:
                target = mine / place
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
            log = _build(kernel, mine, names, check)
            if folder.is_dir():
                folder.rename(Path(work) / "other")
            mine.rename(folder)
    driver = folder / driver_source.DRIVER
    tests = {name: driver / "tests" / f"{name}.out" for name in names}
    return Programs(driver / "axiometer.ko", tests, log)


def _build(kernel: kernels.Kernel, folder: Path, tests: list[str], check: bool) -> str:
    """Build and return the output of the compilers."""
    driver = folder / driver_source.DRIVER
    here = dataclasses.replace(kernel, places={**kernel.places, PLACE: folder})
    inside = f"{PLACE}/{driver_source.DRIVER}"
    checks = ["C=2", "CHECK=sparse"] if check else []
    log = here.make(inside, f"KDIR={kernel.headers}", "W=1", *checks, "modules")
    for test in tests:
        program = f"{inside}/tests/{test}"
        parts = sorted((driver / "tests" / test).glob("*.c"))
        sources = [f"{program}.c", *(f"{program}/{part.name}" for part in parts)]
        includes = ("-I", inside, "-I", f"{PLACE}/regs")
        log += here.compile(*STRICT, *includes, "-o", f"{program}.out", *sources)
    return log


def _is_test(place: str) -> bool:
    """Whether `place` is a program's main file; others are in a folder of its name."""
    return re.fullmatch(rf"{driver_source.DRIVER}/tests/\w+\.c", place) is not None
