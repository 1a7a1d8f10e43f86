#!/usr/bin/env python3
"""Random transfers through verilated DMA engines, every mode, with their assertions.

    run.py                        100 000 transfers over all variants, and all small ones of each
                                  (every.hpp); part of `make validate`
    run.py --transfers 2000 --seed 7 copy-unaligned
    run.py --list                 the variants

A failure names seed and episode; the bench then runs that episode alone (main.cpp).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from flow import tools  # noqa: E402

VARIANTS = {
    "copy-unaligned": {"COPY": 1, "UNALIGNED": 1},
    "apart-unaligned": {"UNALIGNED": 1},
    "copy-axi3-32": {"COPY": 1, "DATA_W": 32, "AXI3": 1},
    "apart-128": {"DATA_W": 128, "MAX_OUTSTANDING": 4},
    "copy-unaligned-256": {"COPY": 1, "UNALIGNED": 1, "DATA_W": 256},
    "copy-unaligned-32": {
        "COPY": 1,
        "UNALIGNED": 1,
        "DATA_W": 32,
        "MAX_OUTSTANDING": 2,
        "QUEUE": 4,
    },
    "apart-unaligned-32": {"UNALIGNED": 1, "DATA_W": 32, "AXI3": 1},
    "rings-copy-unaligned": {"COPY": 1, "UNALIGNED": 1, "RINGS": 1},
    "rings-apart-32": {"DATA_W": 32, "RINGS": 1},
    "rings-reads": {"RINGS": 1, "HAS_WRITE": 0},
    "rings-writes-128": {"DATA_W": 128, "RINGS": 1, "HAS_READ": 0},
    "writes-unaligned-128": {"UNALIGNED": 1, "DATA_W": 128, "HAS_READ": 0},
}
PROGRAM = ("main.cpp", "episode.cpp", "every.cpp", "limits.cpp", "outcome.cpp", "ring.cpp")


def build(values: dict[str, int], sources: list[Path] | None = None, checks: bool = True) -> Path:
    """The bench with an engine of these parameters; the path of the program."""
    sources = sources or tools.sources("dma")
    values = {"ADDR_W": 40, "ID_W": 4, **values}
    text = repr((sorted(values.items()), checks)) + "".join(map(str, sources))
    mark = hashlib.sha256(text.encode()).hexdigest()[:10]
    folder = tools.ROOT / "build" / "random" / mark
    folder.mkdir(parents=True, exist_ok=True)
    environment = tools.environment()
    if shutil.which("ccache"):
        environment.setdefault("OBJCACHE", "ccache")
        environment.setdefault("CCACHE_NOHASHDIR", "1")
    flags = f"-O1 -std=c++20 -I{HERE} -I{tools.ROOT / 'regs'}"
    command = [
        "verilator_bin", "--cc", "--exe", "--build", "--assert", "-Wno-fatal", "-Wno-lint",
        tools.INCLUDE,
        "--x-assign", "unique", "--x-initial", "unique", "--output-split", "0",
        "-CFLAGS", flags, "--Mdir", str(folder), "--top-module", "axm_dma", "-o", "dma_random",
        *tools.parameters(values), *map(str, tools.with_checks(sources) if checks else sources),
        *(str(HERE / name) for name in PROGRAM),
    ]  # fmt: skip
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"the random bench does not build:\n{done.stdout}{done.stderr}")
    return folder / "dma_random"


def run(program: Path, transfers: int, seed: int, lenient: bool = False) -> dict[str, int]:
    """What the bench counted. RuntimeError with its words if something differed. lenient: its slave
    does not check the engine's requests."""
    return _run(program, str(transfers), str(seed), lenient=lenient)


def every(program: Path) -> dict[str, int]:
    """As `run`, but all small transfers (every.hpp) instead of random ones."""
    return _run(program, "every")


def said(
    variant: str,
    sources: list[Path],
    transfers: int = 20_000,
    checks: bool = True,
    small: bool = False,
    lenient: bool = False,
) -> str:
    """What the bench says of an engine with these sources; empty if nothing differs.

    checks: with the assertions that are bound to the engine, which may be faster. small: all small
    transfers (every.hpp) instead of random ones. lenient: as of `run`.
    """
    program = build(VARIANTS[variant], sources, checks)
    try:
        if small:
            every(program)
        else:
            run(program, transfers, 1, lenient)
    except RuntimeError as error:
        return str(error)
    return ""


def _run(program: Path, *arguments: str, lenient: bool = False) -> dict[str, int]:
    environment = os.environ | {"LC_ALL": "C"} | ({"DMA_RANDOM_LENIENT": "1"} if lenient else {})
    done = subprocess.run(
        [str(program), *arguments], capture_output=True, text=True, check=False, env=environment
    )
    lines = done.stdout.replace("\r", "\n").strip().splitlines()
    if done.returncode:
        raise RuntimeError("\n".join([*lines[-12:], done.stderr[-2000:]]))
    return json.loads(lines[-1])


def main() -> int:
    parser = argparse.ArgumentParser(description="Random transfers through the DMA engines.")
    parser.add_argument("--transfers", type=int, default=100_000, help="over all variants together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="list the variants")
    parser.add_argument("variant", nargs="*", help="default: all")
    options = parser.parse_args()
    if options.list:
        for name, values in VARIANTS.items():
            print(f"{name:22} {' '.join(f'{k}={v}' for k, v in values.items())}")
        return 0
    unknown = set(options.variant) - set(VARIANTS)
    if unknown:
        parser.error(f"no variant {min(unknown)}; --list names them")
    chosen = options.variant or list(VARIANTS)
    status = 0
    for name in chosen:
        try:
            program = build(VARIANTS[name])
            small = every(program)
            got = run(program, -(-options.transfers // len(chosen)), options.seed)
        except RuntimeError as error:
            print(f"{name}: {error}")
            status = 1
            continue
        rest = ", ".join(f"{key} {value}" for key, value in got.items() if key != "transfers")
        print(
            f"{name}: {small['transfers']} small and {got['transfers']} random transfers, none "
            f"differs ({rest})",
            flush=True,
        )
    return status


if __name__ == "__main__":
    sys.exit(main())
