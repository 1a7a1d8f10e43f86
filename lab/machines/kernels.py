"""Bootable kernels and the places where their modules are built: Debian's and our own.

A kernel of our own is Debian's source with `tinyconfig` and fragments of
drivers/linux/tests/kernels/. It is built once and cached by the hash of its inputs.
"""

from __future__ import annotations

import hashlib
import lzma
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiometer.base import processors
from axiometer.base.errors import AxiometerError
from axiometer.base.standard_streams import tell
from machines import TREE, packages
from machines.packages import Folder

CONFIGS = "drivers/linux/tests/kernels"
BUILT, SOURCE = "/kernel", "/source"  # in the root
MODULES = "CONFIG_MODULES=y\n"
MINUTES = 15
# Mainline's drivers, in drivers/ of a kernel's source.
DMA = ("dma/dmaengine.h", "dma/xilinx/xilinx_dma.c", "dma/altera-msgdma.c", "dma/dmatest.c")
UIO = ("uio/uio_pdrv_genirq.c",)


def names() -> list[str]:
    """The kernels; the first is the default."""
    return list(packages.listed()["kernels"])


def needed(name: str) -> list[Folder]:
    """The folders of packages for a kernel, its modules and its guest."""
    table, sources = _table(name), packages.listed()["sources"]
    folders = [packages.root("tools"), packages.root(table["root"])]
    folders += [packages.guest(table["architecture"]), *_images(name)]
    if "kbuild" in table:  # the programs that build its modules, where the root has others
        folders.append(Folder.of(f"kbuild-{name}", table | {"packages": [table["kbuild"]]}))
    if table.get("source") in sources:
        folders.append(packages.root(sources[table["source"]]))
    return list(dict.fromkeys(folders))


def missing(name: str) -> list[Folder]:
    return [folder for folder in needed(name) if not folder.there]


def fetch(name: str) -> None:
    """Fetch what is missing for a kernel. AxiometerError if that fails."""
    for folder in needed(name):
        packages.get(folder)
    if (wanted := _table(name).get("source")) is not None:
        source(wanted)


def _table(name: str) -> dict[str, Any]:
    return packages.listed()["kernels"][name]


def _images(name: str) -> list[Folder]:
    """Image and headers of a kernel of Debian."""
    table = _table(name)
    return [Folder.of(f"linux-{name}", table, table["architecture"])] if "packages" in table else []


def _architecture(name: str) -> dict[str, str]:
    return packages.listed()["architectures"][_table(name)["architecture"]]


@dataclass(frozen=True)
class Kernel:
    """image: the bootable file. release: the full version. headers: their path in the root of its
    tools, with the mounted folders `places`."""

    name: str
    image: Path
    release: str
    headers: str
    places: Mapping[str, Path]

    @property
    def table(self) -> dict[str, Any]:
        """What packages.toml has of it."""
        return _table(self.name)

    @property
    def architecture(self) -> dict[str, str]:
        return _architecture(self.name)

    def run(self, more: Mapping[str, Path], *words: str) -> str:
        """Runs a program in the root of its tools, with the folders `more`."""
        root = packages.root(self.table["root"]).path
        return packages.run(root, {**self.places, **more}, *words)

    def make(self, more: Mapping[str, Path], folder: str, *words: str) -> str:
        """Runs make for this architecture in `folder`."""
        return self.run(more, "make", "-C", folder, *_target(self.name), *words)

    def compile(self, more: Mapping[str, Path], *words: str) -> str:
        """Runs the compiler of the guest's programs."""
        return self.run(more, f"{self.architecture['compiler']}gcc", *words)

    def module(self, name: str) -> Path:
        """A module of Debian's kernel, unpacked."""
        found = [path for f in _images(self.name) for path in f.path.rglob(f"{name}.ko.xz")]
        if not found:
            raise AxiometerError(
                f"Linux {self.name} lacks the module {name}", remedy="use --kernel 6.12"
            )

        def unpack(folder: Path) -> None:
            (folder / f"{name}.ko").write_bytes(lzma.decompress(found[0].read_bytes()))

        folder = packages.store() / "modules" / f"{self.release}-{name}"
        return packages.made(folder, unpack) / f"{name}.ko"

    def mainline(self, drivers: Sequence[str], own: Sequence[str]) -> dict[str, Path]:
        """Mainline's `drivers`, which this kernel lacks, and our files `own` as modules, by name.
        AxiometerError if the source has another version."""
        if not self.release.startswith("6.12."):
            raise AxiometerError(
                f"there is no source of mainline's drivers for Linux {self.release}",
                remedy="use --kernel 6.12",
            )
        tree = source("linux-source-6.12") / "drivers"
        files = [tree / name for name in drivers] + [TREE / name for name in own]
        names = [path.stem for path in files if path.suffix == ".c"]

        def build(folder: Path) -> None:
            tell(f"building mainline's drivers for Linux {self.release}")
            (folder / "modules").mkdir()
            for path in files:  # drivers of a vendor look for headers above their folder
                shutil.copy(path, folder / "modules")
                if path.suffix == ".h":
                    shutil.copy(path, folder)
            objects = " ".join(f"{name}.o" for name in names)
            (folder / "modules" / "Kbuild").write_text(f"obj-m := {objects}\n", encoding="utf-8")
            words = ("M=/mainline/modules", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules")
            self.make({"/mainline": folder}, self.headers, *words)

        mark = packages.mark(files, self.release, str(self.image))
        folder = packages.made(packages.store() / "mainline" / f"{self.name}-{mark}", build)
        return {f"{name}.ko": folder / "modules" / f"{name}.ko" for name in names}


def find(name: str) -> Kernel:
    """The kernel `name`, fetched or built if necessary. AxiometerError if that fails."""
    fetch(name)
    table = _table(name)
    if "packages" not in table:
        return _own(name)
    (folder,) = _images(name)
    # Since Linux 7 Debian has the image beside the modules.
    images = [*folder.path.glob("boot/vmlinuz-*"), *folder.path.glob("usr/lib/modules/*/vmlinuz")]
    image = images[0]
    release = image.name.removeprefix("vmlinuz-") if "-" in image.name else image.parent.name
    places = {"/usr/src": folder.path / "usr" / "src"}
    for other in (each for each in needed(name) if each.name == f"kbuild-{name}"):
        programs = next((other.path / "usr" / "lib").glob("linux-kbuild-*"))
        places[f"/usr/lib/{programs.name}"] = programs
    if "source" in table:
        # Debian's modpost for amd64 has the sizes of a 64-bit machine's tables.
        place = f"/usr/lib/linux-kbuild-{release.rpartition('-')[0]}/scripts/mod"
        built, _ = _prepared(name, MODULES, ["modules_prepare"])
        places[place] = built / "scripts" / "mod"
    return Kernel(name, image, release, f"/usr/src/linux-headers-{release}", places)


def _target(name: str) -> list[str]:
    target = _architecture(name)
    prefix = target["compiler"]
    return [f"ARCH={target['linux']}", f"CROSS_COMPILE={prefix}", f"CC={prefix}gcc"]


def source(name: str) -> Path:
    """The unpacked source of a kernel."""
    if (about := packages.listed()["archives"].get(name)) is not None:
        return packages.fetched(about, packages.store() / f"{name}-{about['sha256'][:8]}")
    root = packages.get(packages.root(packages.listed()["sources"][name]))
    archive = root / "usr" / "src" / f"{name}.tar.xz"
    folder = root.with_name(f"{name}-{root.name.rpartition('-')[2]}")
    return packages.made(folder, lambda place: packages.unpack(archive, place))


def _own(name: str) -> Kernel:
    target = _architecture(name)
    configs = [TREE / CONFIGS / f"{each}.config" for each in _table(name)["configs"]]
    fragment = "".join(path.read_text(encoding="utf-8") for path in configs)
    folder, places = _prepared(name, fragment, [target["image"], "modules"])
    image = folder / "arch" / target["linux"] / "boot" / target["image"]
    release = folder / "include" / "config" / "kernel.release"
    return Kernel(name, image, release.read_text(encoding="utf-8").strip(), BUILT, places)


def _prepared(name: str, fragment: str, goals: list[str]) -> tuple[Path, dict[str, Path]]:
    """The folder of Debian's source with `tinyconfig` and `fragment`, in which `goals` are built,
    and the places that it needs."""
    root = packages.root(_table(name)["root"]).path
    mark = hashlib.sha256(f"{fragment} {goals} {root.name} {_target(name)}".encode())
    places = {SOURCE: source(_table(name)["source"])}

    def build(folder: Path) -> None:
        tell(f"building {' and '.join(goals)} of Linux {name}: up to {MINUTES} minutes, once")

        def make(*words: str) -> None:
            # Reproducible: without the builder's name and machine.
            who = ["KBUILD_BUILD_USER=axiometer", "KBUILD_BUILD_HOST=axiometer"]
            whole = ["make", "-C", SOURCE, f"O={BUILT}", f"-j{processors.usable()}", *who]
            packages.run(root, places | {BUILT: folder}, *whole, *_target(name), *words)

        make("tinyconfig")
        config = folder / ".config"
        config.write_text(config.read_text(encoding="utf-8") + fragment, encoding="utf-8")
        make("olddefconfig")
        if lost := not_taken(fragment, config.read_text(encoding="utf-8")):
            raise AxiometerError(
                f"Linux {name} has no {', '.join(lost)}",
                remedy=f"add their dependencies to {CONFIGS}",
            )
        make(*goals)

    folder = packages.store() / f"kernel-{name}-{mark.hexdigest()[:16]}"
    return packages.made(folder, build), places | {BUILT: folder}


def not_taken(fragment: str, config: str) -> list[str]:
    """The lines of `fragment` that the configuration does not have; the last line of each symbol
    counts."""
    taken = dict(line.split("=", 1) for line in config.splitlines() if line.startswith("CONFIG_"))
    wanted = {s: v for s, _, v in (line.partition("=") for line in fragment.splitlines()) if v}
    return [f"{s}={value}" for s, value in wanted.items() if taken.get(s, "n") != value]
