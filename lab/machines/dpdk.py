"""The drivers of drivers/dpdk/ on simulated devices: testpmd, dmadev_autotest, and the program that
runs on every target; instructions of a packet by the Linux driver and by DPDK."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from axiometer.base import children
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.base.standard_streams import tell
from machines import TREE, kernels, machine, packages, programs, trials, vendor
from machines.guest import Guest

DRIVERS = "drivers/dpdk"
ROOM = (DRIVERS, "host", "regs/generated")  # the drivers' sources
SOURCE, OUT, ARM = "/dpdk", "/out", "/arm"  # in the root
HEADERS = ("lib/ethdev", "lib/dmadev", "lib/eal/include", "drivers/bus/vdev")
PLUGIN = "librte_axm.so"
PACKETS, COUNT, REMOVE = (f"axm-dpdk-{name}" for name in ("packets", "count", "remove"))
FETCH = f"{packages.FETCH} dpdk"
LIBRARIES = "usr/lib/x86_64-linux-gnu"
# No huge pages, no shared files, and no devices of the machine. Below 4 GiB: the vendors' engines
# have addresses of 32 bits.
EAL = ("--no-huge", "--no-shconf", "--no-pci", "--no-telemetry", "-m", "256", "-l", "0,1")
LOW = ("--base-virtaddr=0x10000000",)
DUPLEX, COPY = 0, 3  # MODE of axm_dma_top
LIMIT_S, FORWARD_S = 900.0, 20.0
SEGMENTS = (300, 200, 12)  # bytes, of each packet of testpmd
PACKETS_OF, COPIES_OF = "axi-dma-sg", "axi-cdma"  # besides our own engine
# A static program: libraries of DPDK that register themselves are linked completely.
WHOLE = ("bus_vdev", "mempool_ring", "eal")
PARTS = ("dmadev", "ethdev", "net", "mbuf", "mempool", "ring", "meter", "telemetry", "kvargs")
OTHERS = ("numa", "bsd", "md", "m")
# Of the guest that counts: slots of the Linux driver's rings, two batches of 32; times the ring.
RING_LOG2, ROUNDS, FOR_EVER = 6, 4, 1_000_000
LEFT = "left the engine writing memory; it is stopped now"  # of drivers/dpdk/attach.c
COUNTED = re.compile(r"(.+?) +batches of +(\d+): +(\d+) instructions a packet(?:, and (\d+))?")


def root() -> Path:
    return packages.root("dpdk").path


def _arm() -> packages.Folder:
    """DPDK's libraries for 64-bit ARM."""
    table = packages.listed()["roots"]["dpdk"] | {"packages": ["libdpdk-dev"]}
    return packages.Folder.of("dpdk-arm64", table, "arm64")


def _source() -> Path:
    """The folder of the headers of drivers, which DPDK's packages lack."""
    listed = packages.listed()["dpdk"]
    return packages.store() / f"dpdk-{listed['version']}-{listed['sha256'][:8]}"


def there() -> bool:
    return packages.root("dpdk").there and _arm().there and _source().is_dir()


def fetch() -> None:
    """Fetch missing files. AxiometerError if that fails."""
    for folder in (packages.root("dpdk"), _arm()):
        packages.get(folder)
    kept = [f"*/{room}/*.h" for room in HEADERS]
    packages.fetched(packages.listed()["dpdk"], _source(), "--wildcards", *kept)


def built() -> Path:
    """The folder of the drivers and their programs, built if necessary. AxiometerError if
    they do not compile."""
    return _made("dpdk", {}, "CC=gcc")


def count_for_arm() -> Path:
    """drivers/dpdk/apps/count.c for a guest. AxiometerError as `built`."""
    libraries = f"{ARM}/usr/lib/aarch64-linux-gnu"
    find = f"PKG_CONFIG_SYSROOT_DIR={ARM} PKG_CONFIG_LIBDIR={libraries}/pkgconfig"
    linked = [
        "-Wl,--whole-archive", *(f"-lrte_{name}" for name in WHOLE), "-Wl,--no-whole-archive",
        *(f"-lrte_{name}" for name in (*PARTS, "eal", *PARTS)), *(f"-l{name}" for name in OTHERS),
    ]  # fmt: skip
    folder = _made(
        "dpdk-arm64", {ARM: _arm().path}, "CC=aarch64-linux-gnu-gcc",
        f"PKG_CONFIG=env {find}:{ARM}/usr/share/pkgconfig pkg-config",
        f"LDFLAGS=-static -L{libraries}", f"LIBRARIES={' '.join(linked)}", f"{OUT}/{COUNT}",
    )  # fmt: skip
    return folder / COUNT


def _made(name: str, more: Mapping[str, Path], *words: str) -> Path:
    fetch()
    found = [path for room in ROOM for path in (TREE / room).rglob("*")]
    parts = [path for path in found if path.suffix in (".c", ".h") or path.name == "Makefile"]

    def make(out: Path) -> None:
        tell(f"building the drivers for DPDK ({name})")
        places = {"/axiometer": TREE, SOURCE: _source(), OUT: out, **more}
        command = ("make", "-C", f"/axiometer/{DRIVERS}", f"DPDK={SOURCE}", f"OUT={OUT}", *words)
        packages.run(root(), places, *command)

    mark = packages.mark(parts, root().name)
    return packages.made(packages.store() / "driver" / f"{name}-{mark}", make)


@contextmanager
def device(engine: str, mode: int = DUPLEX) -> Iterator[str]:
    """The option for the socket of a server: of our design, or of an engine's model, which objects
    to accesses that the engine's document forbids."""
    fetch()
    behind = machine.design(mode=mode) if engine == vendor.OWN else engine
    server = machine.Server(behind, "msix")
    with (
        tempfile.TemporaryDirectory(prefix="axm-dpdk-") as work,
        machine.serving(server, Path(work)),
    ):
        yield f"sim={work}/socket,engine={engine}"


def _command(program: Path, *words: str) -> list[str]:
    """`program` with the loader and the libraries of DPDK's root."""
    folders = f"{root() / LIBRARIES}:{root() / LIBRARIES.removeprefix('usr/')}"
    loader = root() / "lib64" / "ld-linux-x86-64.so.2"
    tied = [str(loader), "--library-path", folders, str(program), *EAL, *LOW, *words]
    return children.tied(tied)


def _plugins(*paths: Path) -> list[str]:
    """Options that load the drivers at `paths` and the pool driver of mbufs."""
    pools = root() / LIBRARIES / "librte_mempool_ring.so"
    return [word for path in (pools, *paths) for word in ("-d", str(path))]


def _ended(program: Path, *words: str, **environment: str) -> str:
    """The output of a program. AxiometerError if its status is not 0."""
    done = subprocess.run(
        _command(program, *words), capture_output=True, text=True, check=False, timeout=LIMIT_S,
        stdin=subprocess.DEVNULL, env=os.environ | environment, errors="replace",
    )  # fmt: skip
    if done.returncode:
        said = (done.stdout + done.stderr)[-1500:]
        raise AxiometerError(f"{program.name} ended with {done.returncode}:\n{said}")
    return done.stdout


def packets(engine: str, count: int) -> str:
    """The table of host/apps/packets.c over the bursts of DPDK."""
    with device(engine) as at:
        return _ended(built() / PACKETS, f"--vdev=net_axm0,{at}", "--", str(count))


def removed(name: str, mode: int) -> str:
    """The line of the program that removes a device (net_axm or dma_axm) while it runs."""
    with device(vendor.OWN, mode) as at:
        return _ended(built() / REMOVE, f"--vdev={name}0,{at.partition(',')[0]}").splitlines()[-1]


def copies(engine: str) -> str:
    """Run dmadev_autotest and return its lines on our device."""
    skeleton = root() / LIBRARIES / "librte_dma_skeleton.so"
    words = _plugins(skeleton, built() / PLUGIN)
    program = root() / "usr" / "bin" / "dpdk-test"
    with device(engine, COPY) as at:
        vdev = f"--vdev=dma_axm0,{at}"
        output = _ended(program, *words, vdev, DPDK_TEST="dmadev_autotest").replace("\r", "\n")
    if "Test OK" not in output or "Test dmadev instance 0 [dma_axm0]" not in output:
        raise AxiometerError(f"dmadev_autotest failed:\n{output[-1500:]}", status=RUN_FAILED)
    ours = output.partition("[dma_axm0]")[2].partition("###")[0]
    return "\n".join(line for line in ours.splitlines() if line.startswith("DMA Dev"))


# Commands of testpmd, some seconds apart: it sends packets of several pieces, forwards those
# that return, and then receives the rest.
FORWARD = (
    f"set txpkts {','.join(map(str, SEGMENTS))}\nset fwd io\nstart tx_first 1\n",
    "stop\nset fwd rxonly\nstart\n",
    "stop\nshow port stats 0\nquit\n",
)


def forwards(seconds: float) -> dict[str, int]:
    """The counts of testpmd after it forwarded packets. AxiometerError unless it received all that
    it sent."""
    words = [*_plugins(built() / PLUGIN), "--", "-i", "--nb-cores=1", "--port-topology=loop"]
    words += ["--total-num-mbufs=2048", "--no-mlockall"]
    with device(vendor.OWN) as at:
        words.insert(0, f"--vdev=net_axm0,{at}")
        with subprocess.Popen(
            _command(root() / "usr" / "bin" / "dpdk-testpmd", *words),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as testpmd:  # fmt: skip
            assert testpmd.stdin is not None
            for commands in FORWARD[:-1]:
                testpmd.stdin.write(commands)
                testpmd.stdin.flush()
                time.sleep(seconds)
            said, _ = testpmd.communicate(FORWARD[-1], timeout=LIMIT_S)
    found = {key: int(n) for key, n in re.findall(r"([RT]X-\w+): +(\d+)", said)}
    bytes_due = found.get("TX-packets", 0) * sum(SEGMENTS)
    errors = found.get("RX-errors", 1) + found.get("TX-errors", 1)
    if errors or not found["RX-bytes"] == found["TX-bytes"] == bytes_due > 0:
        raise AxiometerError(f"testpmd counted {found}: {said[-1500:]}", status=RUN_FAILED)
    return found


def count() -> list[str]:
    """The lines with the instructions of a packet of 64 bytes: an ARM guest counts its own, with
    the Linux driver, then with DPDK, where a program was killed before. AxiometerError if one
    fails."""
    kernel = kernels.find("6.12")
    server = machine.Server(vendor.OWN, "msix")
    driver = programs.driver(kernel)
    registers = f"--vdev=net_axm0,registers=/sys/bus/pci/devices/{machine.SLOT}/resource0"
    # Bus addresses are physical addresses, so contiguous memory needs huge pages.
    eal = f"--in-memory --no-pci --no-telemetry --iova-mode=pa -m 16 -l 0 {registers}"
    script = f"""
rmmod axiometer && insmod /axiometer.ko ring_log2={RING_LOG2} || exit 1
axm_test /dev/axm0c0 count || exit 1
rmmod axiometer || exit 1
{machine.ENABLE}
mkdir -p /dev/huge /var/run && mount -t hugetlbfs huge /dev/huge || exit 1
{COUNT} {eal} -- {FOR_EVER} & P=$!
sleep 5
kill -9 $P
wait $P
{COUNT} {eal} -- {ROUNDS} 2>&1
"""
    files = {**driver.tests, f"bin/{COUNT}": count_for_arm()}
    words = trials.named("count-board")[0].words
    guest = Guest((driver.module,), files, "", script, f"{words} hugepages=12")
    lines: list[str] = []
    status = machine.run(machine.Settings(kernel, "pci", LIMIT_S), server, guest, lines.append)
    if status or LEFT not in "".join(lines):
        raise AxiometerError(f"the count failed in the guest:\n{''.join(lines)[-1500:]}")
    return [line.rstrip() for line in lines if "instructions" in line]


def table(lines: Sequence[str]) -> str:
    """The counts of programs as a table: a row a way, a column a batch."""
    rows: dict[str, dict[int, str]] = {}
    for found in filter(None, map(COUNTED.match, lines)):
        mbufs = f" and {found[4]} for mbufs" if found[4] else ""
        rows.setdefault(found[1], {})[int(found[2])] = found[3] + mbufs
    head = ["| how | one at a time | batches of 32 |", "|---|---|---|"]
    body = [f"| {way} | {row.get(1, '')} | {row.get(32, '')} |" for way, row in rows.items()]
    return "\n".join(head + body)


def prove_counts(_names: tuple[str, ...], _number: int) -> tuple[str, list[str]]:
    return table(count()), []


def prove(_names: tuple[str, ...], number: int) -> tuple[str, list[str]]:
    """What each program says. number: of packets."""
    found = forwards(FORWARD_S)
    said = [f"testpmd: {found['TX-packets']} packets out, {found['RX-packets']} in"]
    for engine in (vendor.OWN, PACKETS_OF):
        said.append(f"host/apps/packets.c over DPDK on {engine}:\n{packets(engine, number)}")
    for engine in (vendor.OWN, COPIES_OF):
        said.append(f"dmadev_autotest on {engine}:\n{copies(engine)}")
    for name, mode in (("net_axm", DUPLEX), ("dma_axm", COPY)):
        said.append(f"{name}: {removed(name, mode)}")
    return "\n".join(said), []
