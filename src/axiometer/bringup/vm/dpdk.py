"""Fetches DPDK, builds the drivers of drivers/dpdk/ for it, and runs its programs on a simulated
device."""

from __future__ import annotations

import hashlib
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import archives, driver_source, packages, roots
from axiometer.runs.cosim import build

DRIVERS = "drivers/dpdk"
ROOM = ("drivers/dpdk", "host", "regs/generated")  # the drivers' sources
TREE, SOURCE, OUT, ARM = "/axiometer", "/dpdk", "/out", "/arm"  # in the root
HEADERS = ("lib/ethdev", "lib/dmadev", "lib/eal/include", "drivers/bus/vdev")
PLUGIN = "librte_axm.so"
PACKETS, COUNT, REMOVE = (f"axm-dpdk-{name}" for name in ("packets", "count", "remove"))
FETCH = "python -m validate.dpdk --fetch"
LIBRARIES = Path("usr", "lib", "x86_64-linux-gnu")
# No huge pages, no shared files, and no devices of the machine.
EAL = ("--no-huge", "--no-shconf", "--no-pci", "--no-telemetry", "-m", "256", "-l", "0,1")
# Below 4 GiB: the vendors' engines have addresses of 32 bits.
LOW = ("--base-virtaddr=0x10000000",)


@dataclass(frozen=True)
class Built:
    """plugin: the drivers, for programs of DPDK. programs: with the drivers in them, by name."""

    plugin: Path
    programs: Mapping[str, Path]


def root() -> Path:
    return packages.root("dpdk").path


def _source() -> Path:
    """The folder of the headers of drivers."""
    listed = packages.listed()["dpdk"]
    return build.cache() / "vm" / f"dpdk-{listed['version']}-{listed['sha256'][:8]}"


def _folders() -> list[packages.Folder]:
    return [packages.root("dpdk"), libraries()]


def there() -> bool:
    return all(folder.there for folder in _folders()) and (_source() / packages.DONE).is_file()


def require() -> None:
    """AxiometerError, with the command that fetches it, if DPDK is missing."""
    if not there():
        names = ", ".join(packages.root("dpdk").packages[:2])
        raise AxiometerError(
            f"the drivers for DPDK need {names} and DPDK's source, which are not in "
            f"{_source().parent}",
            remedy=f"{FETCH} fetches them, some 1.2 GB on the disk",
        )


def fetch(say: Callable[[str], None]) -> None:
    """Fetch missing files. AxiometerError if that fails."""
    packages.fetch(_folders(), say)
    listed, target = packages.listed()["dpdk"], _source()
    with packages.locked(target) as wanted:
        if not wanted:
            return
        with (
            archives.fetched("the source of DPDK", listed, say) as file,
            tarfile.open(fileobj=file, mode="r:xz") as members,
        ):
            _unpack(members, target)
        (target / packages.DONE).touch()


def _unpack(archive: tarfile.TarFile, target: Path) -> None:
    """Unpack the headers of drivers, without the archive's first folder."""
    for member in filter(tarfile.TarInfo.isfile, archive):
        name = member.name.partition("/")[2]
        if Path(name).suffix != ".h" or not name.startswith(tuple(f"{h}/" for h in HEADERS)):
            continue
        content = archive.extractfile(member)
        assert content is not None  # it is a file
        file = target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.read())


def built(say: Callable[[str], None]) -> Built:
    """The drivers and their programs, built if necessary. AxiometerError if DPDK is missing or they
    do not compile."""
    require()
    out = _out("dpdk")
    found = Built(out / PLUGIN, {name: out / name for name in (PACKETS, COUNT, REMOVE)})
    if not all(path.is_file() for path in (found.plugin, *found.programs.values())):
        say("building the drivers for DPDK")
        _make(out, {}, "CC=gcc")
    return found


def libraries() -> packages.Folder:
    """DPDK's libraries for 64-bit ARM."""
    suite = packages.root("dpdk").suite
    return packages.Folder("dpdk-arm64", "arm64", suite, (), ("libdpdk-dev",))


# A static program: libraries of DPDK that register themselves are linked completely.
WHOLE = ("bus_vdev", "mempool_ring", "eal")
PARTS = ("dmadev", "ethdev", "net", "mbuf", "mempool", "ring", "meter", "telemetry", "kvargs")
OTHERS = ("numa", "bsd", "md", "m")


def count_for_arm(say: Callable[[str], None]) -> Path:
    """drivers/dpdk/apps/count.c for a guest. AxiometerError as `built`."""
    found = _out("dpdk-arm64") / COUNT
    if not found.is_file():
        say(f"building {COUNT} for 64-bit ARM")
        there = f"{ARM}/usr/lib/aarch64-linux-gnu"
        find = f"PKG_CONFIG_SYSROOT_DIR={ARM} PKG_CONFIG_LIBDIR={there}/pkgconfig"
        linked = [
            "-Wl,--whole-archive", *(f"-lrte_{name}" for name in WHOLE), "-Wl,--no-whole-archive",
            *(f"-lrte_{name}" for name in (*PARTS, "eal", *PARTS)),
            *(f"-l{name}" for name in OTHERS),
        ]  # fmt: skip
        _make(
            found.parent, {ARM: libraries().path}, "CC=aarch64-linux-gnu-gcc",
            f"PKG_CONFIG=env {find}:{ARM}/usr/share/pkgconfig pkg-config",
            f"LDFLAGS=-static -L{there}", f"LIBRARIES={' '.join(linked)}", f"{OUT}/{COUNT}",
        )  # fmt: skip
    return found


def _out(name: str) -> Path:
    """The folder for builds of the current sources."""
    tree = driver_source.tree()
    files = sorted(path for room in ROOM for path in (tree / room).rglob("*") if path.is_file())
    parts = [path for path in files if path.suffix in (".c", ".h") or path.name == "Makefile"]
    mark = hashlib.sha256(b"".join(path.read_bytes() for path in parts) + root().name.encode())
    return build.cache() / "vm" / "driver" / f"{name}-{mark.hexdigest()[:16]}"


def _make(out: Path, more: Mapping[str, Path], *words: str) -> None:
    out.mkdir(parents=True, exist_ok=True)
    places = {TREE: driver_source.tree(), SOURCE: _source(), OUT: out, **more}
    make = ("make", "-C", f"{TREE}/{DRIVERS}", f"DPDK={SOURCE}", f"OUT={OUT}")
    roots.run(root(), places, *make, *words)


def command(program: Path, *words: str) -> list[str]:
    """`program` with the loader and the libraries of DPDK's root."""
    loader = root() / "lib64" / "ld-linux-x86-64.so.2"
    libraries = f"{root() / LIBRARIES}:{root() / LIBRARIES.relative_to('usr')}"
    return [str(loader), "--library-path", libraries, str(program), *words]


def plugins(*paths: Path) -> list[str]:
    """Options that load the drivers at `paths` and the pool driver of mbufs."""
    pools = root() / LIBRARIES / "librte_mempool_ring.so"
    return [word for path in (pools, *paths) for word in ("-d", str(path))]
