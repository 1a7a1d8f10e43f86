"""Bootable kernels and the places where their modules are built: Debian's and our own.

A kernel of our own is Debian's source with `tinyconfig` and fragments of
drivers/linux/tests/kernels/. It is built once and cached by the hash of its inputs.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from axiometer.base import processors
from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import archives, driver_source, packages, roots
from axiometer.runs.cosim import build

CONFIGS = "drivers/linux/tests/kernels"
BUILT, SOURCE = "/kernel", "/source"  # in the root
MODULES = "CONFIG_MODULES=y\n"
MINUTES = 15


@dataclass(frozen=True)
class Kernel:
    """image: the bootable file. release: the full version. headers: their path in `root`, with the
    mounted folders `places`. memory: of its machine."""

    name: str
    architecture: packages.Architecture
    image: Path
    release: str
    root: Path
    headers: str
    places: dict[str, Path]
    memory: str

    def make(self, folder: str, *words: str) -> str:
        """Runs make for this kernel's architecture in `folder` of its root."""
        return roots.run(self.root, self.places, "make", "-C", folder, *_target(self.name), *words)

    def compile(self, *words: str) -> str:
        """Runs the compiler of the guest's programs in its root."""
        return roots.run(self.root, self.places, f"{self.architecture['compiler']}gcc", *words)


def find(name: str, say: Callable[[str], None]) -> Kernel:
    """The kernel `name`; one of our own is built if necessary.

    AxiometerError if its packages are missing.
    """
    packages.require(name)
    folder = packages.linux(name)
    return _own(name, say) if folder is None else _debian(name, folder, say)


def _table(name: str) -> packages.Kernel:
    return packages.listed()["kernels"][name]


def _target(name: str) -> list[str]:
    target = packages.listed()["architectures"][_table(name)["architecture"]]
    prefix = target["compiler"]
    return [f"ARCH={target['linux']}", f"CROSS_COMPILE={prefix}", f"CC={prefix}gcc"]


def _kernel(name: str, image: Path, release: str, headers: str, places: dict[str, Path]) -> Kernel:
    table = _table(name)
    target = packages.listed()["architectures"][table["architecture"]]
    root = packages.root(table["root"]).path
    memory = table.get("memory", "512M")
    return Kernel(name, target, image, release, root, headers, places, memory)


def _debian(name: str, folder: packages.Folder, say: Callable[[str], None]) -> Kernel:
    image, release = _image(folder.path)
    places = {"/usr/src": folder.path / "usr" / "src"}
    other = packages.kbuild(name)
    if other is not None:
        programs = next((other.path / "usr" / "lib").glob("linux-kbuild-*"))
        places[f"/usr/lib/{programs.name}"] = programs
    if "source" in _table(name):
        # Debian's modpost for amd64 has the sizes of a 64-bit machine's tables.
        version = release.rpartition("-")[0]
        place = f"/usr/lib/linux-kbuild-{version}/scripts/mod"
        places[place] = (
            _prepared(name, MODULES, ["modules_prepare"], say).folder / "scripts" / "mod"
        )
    return _kernel(name, image, release, f"/usr/src/linux-headers-{release}", places)


def _image(root: Path) -> tuple[Path, str]:
    """The bootable file and its version; since Linux 7 Debian has it beside the modules."""
    for image in (root / "boot").glob("vmlinuz-*"):
        return image, image.name.removeprefix("vmlinuz-")
    image = next((root / "usr" / "lib" / "modules").glob("*/vmlinuz"))
    return image, image.parent.name


def fetch(name: str, say: Callable[[str], None]) -> None:
    """Fetch the missing files of the kernel `name`. AxiometerError if that fails."""
    packages.fetch(packages.needed(name), say)
    of = _table(name).get("source", "")
    listed = packages.listed()["archives"].get(of)
    if listed is not None and not (_folder(of) / packages.DONE).is_file():
        with archives.fetched("the source of Linux", listed, say) as file:
            place = build.cache() / "vm" / f"{of}.tar"
            with place.open("wb") as copy:
                shutil.copyfileobj(file, copy)
        try:
            _unpack(of, place, say)
        finally:
            place.unlink()


def source(name: str, say: Callable[[str], None]) -> Path:
    """The unpacked source of a kernel, such as linux-source-6.12.

    AxiometerError if it has to be fetched first.
    """
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


def _folder(source: str) -> Path:
    listed = packages.listed()["archives"].get(source)
    if listed is not None:
        return build.cache() / "vm" / f"{source}-{listed['sha256'][:8]}"
    root = packages.root(packages.listed()["sources"][source]).path
    return root.with_name(f"{source}-{root.name.rpartition('-')[2]}")


def _unpack(name: str, archive: Path, say: Callable[[str], None]) -> None:
    target, outside = _folder(name), "/archives"
    with packages.locked(target) as wanted:
        if not wanted:
            return
        say(f"unpacking {name}")
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir(parents=True)
        roots.run(
            packages.root("workshop").path, {SOURCE: target, outside: archive.parent},
            "tar", "-xf", f"{outside}/{archive.name}", "-C", SOURCE, "--strip-components=1",
        )  # fmt: skip
        (target / packages.DONE).touch()


def _own(name: str, say: Callable[[str], None]) -> Kernel:
    table = _table(name)
    target = packages.listed()["architectures"][table["architecture"]]
    fragment = "".join(_config(config) for config in table.get("configs", []))
    tree = _prepared(name, fragment, [target["image"], "modules"], say)
    image = tree.folder / "arch" / target["linux"] / "boot" / target["image"]
    release = tree.folder / "include" / "config" / "kernel.release"
    version = release.read_text(encoding="utf-8").strip()
    return _kernel(name, image, version, BUILT, tree.places)


def _config(name: str) -> str:
    file = driver_source.tree() / CONFIGS / f"{name}.config"
    return file.read_text(encoding="utf-8")


@dataclass(frozen=True)
class _Tree:
    folder: Path
    places: dict[str, Path]


def _prepared(name: str, fragment: str, goals: list[str], say: Callable[[str], None]) -> _Tree:
    """Debian's source with `tinyconfig` and `fragment`, in which `goals` are built."""
    table = _table(name)
    root = packages.root(table["root"]).path
    mark = hashlib.sha256(f"{fragment} {goals} {root.name} {_target(name)}".encode())
    folder = build.cache() / "vm" / f"kernel-{name}-{mark.hexdigest()[:16]}"
    tree = _Tree(folder, {SOURCE: source(table.get("source", ""), say), BUILT: folder})
    with packages.locked(folder) as wanted:
        if wanted:
            say(f"building {' and '.join(goals)} of Linux {name}: up to {MINUTES} minutes, once")
            _build(name, tree, fragment, goals)
    return tree


def _build(name: str, tree: _Tree, fragment: str, goals: list[str]) -> None:
    root = packages.root(_table(name)["root"]).path
    tree.folder.mkdir(parents=True, exist_ok=True)
    # Reproducible: without the builder's name and machine.
    who = ["KBUILD_BUILD_USER=axiometer", "KBUILD_BUILD_HOST=axiometer"]
    make = ["make", "-C", SOURCE, f"O={BUILT}", f"-j{processors.usable()}", *_target(name), *who]
    roots.run(root, tree.places, *make, "tinyconfig")
    config = tree.folder / ".config"
    config.write_text(config.read_text(encoding="utf-8") + fragment, encoding="utf-8")
    roots.run(root, tree.places, *make, "olddefconfig")
    lost = not_taken(fragment, config.read_text(encoding="utf-8"))
    if lost:
        raise AxiometerError(
            f"Linux {name} has no {', '.join(lost)}",
            remedy=f"add their dependencies to {CONFIGS}",
        )
    roots.run(root, tree.places, *make, *goals)
    (tree.folder / packages.DONE).touch()


def not_taken(fragment: str, config: str) -> list[str]:
    """The lines of `fragment` that the configuration does not have; the last line of each symbol
    counts."""
    taken = dict(line.split("=", 1) for line in config.splitlines() if line.startswith("CONFIG_"))
    wanted = {s: v for s, _, v in (line.partition("=") for line in fragment.splitlines()) if v}
    return [f"{s}={value}" for s, value in wanted.items() if taken.get(s, "n") != value]
