"""Builds the module and the programs for a guest: the driver's tests, and those of host/."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.standard_streams import tell
from machines import TREE, machine, packages
from machines.kernels import UIO, Kernel

DRIVER = "drivers/linux"
ROOMS = (DRIVER, "regs/generated", "host/include")  # of the driver's files and included files
STRICT = ("-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-pthread")
COMPATIBLE = "generic-uio"
LOAD_UIO = f"insmod /uio.ko\ninsmod /uio_pdrv_genirq.ko of_id={COMPATIBLE}\n"
UIO_NODE = f'axiometer@{machine.WINDOW:x} {{ compatible = "{COMPATIBLE}"; {machine.PLACE} }};'
# Files of hal/ for the target Linux.
TARGET = (
    *("arena", "bus_error", "hugepage", "kept_memory", "linux"),
    *("linux_channel", "linux_environment", "linux_platform", "posix_line", "udmabuf"),
)


@dataclass(frozen=True)
class Driver:
    """tests: by place in the guest. log: output of the compilers; empty if it was built before."""

    module: Path
    tests: dict[str, Path]
    log: str


def driver(kernel: Kernel, check: bool = False) -> Driver:
    """The driver and its test programs for `kernel`. `check`: rebuild with sparse, whose warnings
    are in `log`. AxiometerError if they do not compile."""
    found = [path for room in ROOMS for path in sorted((TREE / room).rglob("*"))]
    named = ("Kbuild", "Makefile")
    files = [path for path in found if path.suffix in (".c", ".h") or path.name in named]
    tests = [path.stem for path in files if path.suffix == ".c" and path.parent.name == "tests"]
    mark = packages.mark(files, kernel.release, str(kernel.image))
    folder = packages.store() / "driver" / f"{kernel.name}-{mark}"
    log: list[str] = []

    def build(mine: Path) -> None:
        tell(f"building the driver for Linux {kernel.release}")
        for path in files:
            target = mine / path.relative_to(TREE)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        inside, places = f"/driver/{DRIVER}", {"/driver": mine}
        checks = ["C=2", "CHECK=sparse"] if check else []
        words = (f"KDIR={kernel.headers}", "W=1", *checks, "modules")
        log.append(kernel.make(places, inside, *words))
        for test in tests:
            program = f"{inside}/tests/{test}"
            parts = sorted((mine / DRIVER / "tests" / test).glob("*.c"))
            sources = [f"{program}.c", *(f"{program}/{part.name}" for part in parts)]
            includes = ("-I", inside, "-I", "/driver/regs")
            log.append(kernel.compile(places, *STRICT, *includes, "-o", f"{program}.out", *sources))

    if check:
        shutil.rmtree(folder, ignore_errors=True)
    room = packages.made(folder, build) / DRIVER
    programs = {f"bin/{name}": room / "tests" / f"{name}.out" for name in tests}
    return Driver(room / "axiometer.ko", programs, "".join(log))


def remarks(log: str) -> list[str]:
    """The warnings and errors about the driver's files in a compiler's output."""
    said = (re.search(r"(axm_\w+\.[ch].*(?:warning|error).*)", line) for line in log.splitlines())
    return [match[1] for match in said if match is not None]


def app(kernel: Kernel, name: str) -> Path:
    """A static program of host/apps/ for the guest, built if necessary."""
    own = [f"apps/{name}.c", f"apps/{name}_linux.c"]
    return _compiled(kernel, "axm-" + name.replace("_", "-"), own)


def agent(kernel: Kernel) -> Path:
    """The agent for the guest, built if necessary."""
    own = sorted(f"agent/{path.name}" for path in (TREE / "host" / "agent").glob("*.c"))
    return _compiled(kernel, "axiometer-agent", own)


def _compiled(kernel: Kernel, name: str, own: Sequence[str]) -> Path:
    """A static program from the library, the target Linux, and `own` files of host/."""
    rooms = [TREE / room for room in ("host", "regs", DRIVER)]  # the driver's axm_ioctl.h
    mark = packages.mark(
        (path for room in rooms for path in room.rglob("*.[ch]")), kernel.architecture["compiler"]
    )

    def build(folder: Path) -> None:
        tell(f"building {name}")
        places = {f"/apps/{room.relative_to(TREE)}": room for room in rooms} | {"/apps/out": folder}
        listed = (TREE / "host" / "sources.txt").read_text(encoding="utf-8").splitlines()
        files = [line for line in listed if line.startswith("src/")]
        files += [f"hal/{each}.c" for each in TARGET]
        files += own
        includes = [line.removeprefix("-I") for line in listed if line.startswith("-I")]
        words = [f"-I/apps/host/{each}" for each in (*includes, "apps")]
        words += [f"/apps/host/{each}" for each in files]
        kernel.compile(places, "-std=c11", *STRICT, *words, "-o", f"/apps/out/{name}")

    return packages.made(packages.store() / "apps" / f"{name}-{mark}", build) / name


def uio(kernel: Kernel) -> dict[str, Path]:
    """The modules that LOAD_UIO loads, by place."""
    return {"uio.ko": kernel.module("uio"), **kernel.mainline(UIO, [])}
