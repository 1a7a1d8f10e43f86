"""Bootable kernels and the places where their modules are built: Debian's and our own.

A kernel of our own is Debian's source with `tinyconfig` and fragments of
drivers/linux/tests/kernels/. It is built once and cached by the hash of its inputs.
"""

from __future__ import annotations

import hashlib
import lzma
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axiometer.base import processors
from axiometer.base.errors import AxiometerError
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
    table, listed = _table(name), packages.listed()
    folders = [packages.root("tools"), packages.root(table["root"])]
    folders += [packages.guest(table["architecture"]), *_images(name)]
    if "kbuild" in table:  # the programs that build its modules, where the root has others
        folders.append(Folder.of(f"kbuild-{name}", table | {"packages": [table["kbuild"]]}))
    if table.get("source") in listed["sources"]:
        folders.append(packages.root(listed["sources"][table["source"]]))
    return list(dict.fromkeys(folders))


def missing(name: str) -> list[Folder]:
    return [folder for folder in needed(name) if not folder.there]


def _table(name: str) -> dict[str, Any]:
    return packages.listed()["kernels"][name]


def _images(name: str) -> list[Folder]:
    """Image and headers of a kernel of Debian."""
    table = _table(name)
    return [Folder.of(f"linux-{name}", table, table["architecture"])] if "packages" in table else []


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
    def architecture(self) -> dict[str, str]:
        return packages.listed()["architectures"][_table(self.name)["architecture"]]

    @property
    def debian(self) -> str:
        """Debian's name of the architecture."""
        return _table(self.name)["architecture"]

    @property
    def memory(self) -> str:
        return _table(self.name).get("memory", "512M")

    def _run(self, more: Mapping[str, Path], *words: str) -> str:
        root = packages.root(_table(self.name)["root"]).path
        return packages.run(root, {**self.places, **more}, *words)

    def make(self, more: Mapping[str, Path], folder: str, *words: str) -> str:
        """Runs make for this architecture in `folder` of its root, with the folders `more`."""
        return self._run(more, "make", "-C", folder, *_target(self.name), *words)

    def compile(self, more: Mapping[str, Path], *words: str) -> str:
        """Runs the compiler of the guest's programs in its root, with the folders `more`."""
        return self._run(more, f"{self.architecture['compiler']}gcc", *words)

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

    def mainline(
        self, drivers: Sequence[str], own: Sequence[str], say: Callable[[str], None]
    ) -> dict[str, Path]:
        """Mainline's `drivers`, which this kernel lacks, and our files `own` as modules, by name;
        built if necessary. AxiometerError if the source has another version or is missing."""
        if not self.release.startswith("6.12."):
            raise AxiometerError(
                f"there is no source of mainline's drivers for Linux {self.release}",
                remedy="use --kernel 6.12",
            )
        packages.require([packages.root("workshop")], "--sources")
        tree = source("linux-source-6.12", say) / "drivers"
        files = [tree / name for name in drivers] + [TREE / name for name in own]
        names = [path.stem for path in files if path.suffix == ".c"]

        def build(folder: Path) -> None:
            say(f"building mainline's drivers for Linux {self.release}")
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


def find(name: str, say: Callable[[str], None]) -> Kernel:
    """The kernel `name`; one of our own is built if necessary. AxiometerError if its packages are
    missing."""
    packages.require(needed(name), f"--kernel {name}")
    table = _table(name)
    if "packages" not in table:
        return _own(name, say)
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
        built, _ = _prepared(name, MODULES, ["modules_prepare"], say)
        places[place] = built / "scripts" / "mod"
    return Kernel(name, image, release, f"/usr/src/linux-headers-{release}", places)


def _target(name: str) -> list[str]:
    target = packages.listed()["architectures"][_table(name)["architecture"]]
    prefix = target["compiler"]
    return [f"ARCH={target['linux']}", f"CROSS_COMPILE={prefix}", f"CC={prefix}gcc"]


def fetch(name: str, say: Callable[[str], None]) -> None:
    """Fetch the missing files of the kernel `name`. AxiometerError if that fails."""
    packages.fetch(needed(name), say)
    of = _table(name).get("source", "")
    if (archive := packages.listed()["archives"].get(of)) is None or _folder(of).is_dir():
        return
    place = packages.store() / f"{of}.tar"
    with packages.fetched("the source of Linux", archive, say) as file, place.open("wb") as copy:
        shutil.copyfileobj(file, copy)
    try:
        _unpack(of, place, say)
    finally:
        place.unlink()


def source(name: str, say: Callable[[str], None]) -> Path:
    """The unpacked source of a kernel. AxiometerError if it has to be fetched first."""
    target = _folder(name)
    if not (target / packages.DONE).is_file():
        if name in packages.listed()["archives"]:
            raise AxiometerError(
                f"{name} is not in {target.parent}",
                remedy=f"fetch it with {packages.FETCH} --kernel and the kernel's name",
            )
        root = packages.root(packages.listed()["sources"][name]).path
        _unpack(name, root / "usr" / "src" / f"{name}.tar.xz", say)
    return target


def _folder(name: str) -> Path:
    if (archive := packages.listed()["archives"].get(name)) is not None:
        return packages.store() / f"{name}-{archive['sha256'][:8]}"
    root = packages.root(packages.listed()["sources"][name]).path
    return root.with_name(f"{name}-{root.name.rpartition('-')[2]}")


def _unpack(name: str, archive: Path, say: Callable[[str], None]) -> None:
    with packages.locked(target := _folder(name)) as wanted:
        if wanted:
            say(f"unpacking {name}")
            target.mkdir(parents=True)
            packages.run(
                packages.root("workshop").path, {SOURCE: target, "/archives": archive.parent},
                "tar", "-xf", f"/archives/{archive.name}", "-C", SOURCE, "--strip-components=1",
            )  # fmt: skip


def _own(name: str, say: Callable[[str], None]) -> Kernel:
    target = packages.listed()["architectures"][_table(name)["architecture"]]
    configs = [TREE / CONFIGS / f"{each}.config" for each in _table(name)["configs"]]
    fragment = "".join(path.read_text(encoding="utf-8") for path in configs)
    folder, places = _prepared(name, fragment, [target["image"], "modules"], say)
    image = folder / "arch" / target["linux"] / "boot" / target["image"]
    release = folder / "include" / "config" / "kernel.release"
    return Kernel(name, image, release.read_text(encoding="utf-8").strip(), BUILT, places)


def _prepared(
    name: str, fragment: str, goals: list[str], say: Callable[[str], None]
) -> tuple[Path, dict[str, Path]]:
    """The folder of Debian's source with `tinyconfig` and `fragment`, in which `goals` are built,
    and the places that it needs."""
    root = packages.root(_table(name)["root"]).path
    mark = hashlib.sha256(f"{fragment} {goals} {root.name} {_target(name)}".encode())
    folder = packages.store() / f"kernel-{name}-{mark.hexdigest()[:16]}"
    places = {SOURCE: source(_table(name)["source"], say), BUILT: folder}
    with packages.locked(folder) as wanted:
        if not wanted:
            return folder, places
        say(f"building {' and '.join(goals)} of Linux {name}: up to {MINUTES} minutes, once")
        folder.mkdir(parents=True)
        # Reproducible: without the builder's name and machine.
        who = ["KBUILD_BUILD_USER=axiometer", "KBUILD_BUILD_HOST=axiometer"]
        make = ["make", "-C", SOURCE, f"O={BUILT}", f"-j{processors.usable()}", *_target(name)]
        packages.run(root, places, *make, *who, "tinyconfig")
        config = folder / ".config"
        config.write_text(config.read_text(encoding="utf-8") + fragment, encoding="utf-8")
        packages.run(root, places, *make, *who, "olddefconfig")
        if lost := not_taken(fragment, config.read_text(encoding="utf-8")):
            raise AxiometerError(
                f"Linux {name} has no {', '.join(lost)}",
                remedy=f"add their dependencies to {CONFIGS}",
            )
        packages.run(root, places, *make, *who, *goals)
    return folder, places


def not_taken(fragment: str, config: str) -> list[str]:
    """The lines of `fragment` that the configuration does not have; the last line of each symbol
    counts."""
    taken = dict(line.split("=", 1) for line in config.splitlines() if line.startswith("CONFIG_"))
    wanted = {s: v for s, _, v in (line.partition("=") for line in fragment.splitlines()) if v}
    return [f"{s}={value}" for s, value in wanted.items() if taken.get(s, "n") != value]
