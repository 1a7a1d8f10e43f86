"""The barrier before a doorbell, in the instructions that compilers make of it: one of the whole
system (or its outer domain), which a master outside the processors' domain obeys as well."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import build
import pytest

# Full, or for stores of the outer domain or the system; never of the inner domain.
WIDE = {"dsb": {"sy", "st", "osh", "oshst"}, "dmb": {"sy", "st", "osh", "oshst"}}
QUIET = ["-Wno-unused-command-line-argument"]  # zig adds a -c of its own
TARGETS = {"arm-linux-gnueabihf": "cortex_a9", "aarch64-linux-gnu": "cortex_a53"}


def barriers(target: str, source: object, function: str, tmp_path: Path) -> list[str]:
    """The barrier instructions of a function in a file of host/."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("no cross compiler: pip install ziglang==0.17.0")
    includes, _ = build.listed()
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", target, f"-mcpu={TARGETS[target]}"]
    assembly = tmp_path / "assembly.s"
    done = subprocess.run(
        [
            *zig,
            *build.WARNINGS,
            *QUIET,
            "-O2",
            "-S",
            "-o",
            assembly,
            *includes,
            build.HOST / source,
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    body = re.search(rf"^{function}:[^\n]*\n(.*?)^\.?Lfunc_end", assembly.read_text(), re.S | re.M)
    assert body, f"no function {function} in the assembly"
    return re.findall(r"\b((?:dmb|dsb)\s+\w+)", body[1])


def is_wide(instruction: str) -> bool:
    name, domain = instruction.split()
    return domain.lower() in WIDE[name]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize(("source", "function"), [("hal/linux.c", "linux_barrier"),
                                                  ("hal/bare.c", "bare_barrier")])  # fmt: skip
def test_the_barrier_reaches_the_device(target, source, function, tmp_path):
    found = barriers(target, source, function, tmp_path)
    assert found and all(is_wide(one) for one in found), found


@pytest.mark.parametrize("target", TARGETS)
def test_the_compilers_own_barrier_does_not(target, tmp_path):
    """The mutant, which is what stood there: a barrier among the processors."""
    header = tmp_path / "barrier.h"
    header.write_text("static inline void axm_device_barrier(void) { __sync_synchronize(); }\n")
    original = (build.HOST / "hal" / "bare.c").read_text()
    (tmp_path / "bare.c").write_text(original)
    found = barriers(target, tmp_path / "bare.c", "bare_barrier", tmp_path)
    assert found == ["dmb\tish"], found
