"""The program of apps/packets.c prints one table, whatever engine and target are below it."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable

import build
import pytest

ENGINES = ("axm", "axi-dma", "axi-dma-sg", "axi-cdma", "axi-cdma-sg", "msgdma")
TABLE = """      bytes packets       total  wrong       sum
    1-63         84        1253      0  72DD3853
   64-255        28        3818      0  91FE1328
  256-1023       22       12843      0  D3341EE6
 1024-4095       20       48625      0  BF5281D1
 4096-16383      22      196799      0  F0D37D07
16384-65535      24      938109      0  4215921C
done"""


def table(lines: Iterable[str]) -> str:
    """What must be the same everywhere: all but remarks of the run."""
    return "\n".join(line for line in lines if not line.startswith("#"))


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    to = tmp_path_factory.mktemp("packets") / "packets"
    own = ["tests/app_main.c", "tests/engine_model.c", "apps/packets.c"]
    return build.program(to, own, ["-O1"])


@pytest.mark.parametrize("engine", ENGINES)
def test_one_table(program, engine):
    """Engines that are not there, behind a cache that loses what is not maintained."""
    done = subprocess.run([program, engine], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert table(done.stdout.splitlines()) == TABLE
    assert "# the interrupt came" in done.stdout


def test_an_interrupt_that_is_seen_late_or_never_goes_is_no_hang(program):
    for engine in ENGINES:
        late = subprocess.run([program, engine, "20", "late"], capture_output=True, timeout=20)
        assert late.returncode == 0 and b"# the interrupt came" in late.stdout
    stuck = [program, "axi-dma-sg", "20", "stuck"]
    done = subprocess.run(stuck, capture_output=True, text=True, timeout=20)
    assert done.returncode == 1
    assert "# the interrupt stays up" in done.stdout and "failed: " in done.stdout


def test_what_is_drawn_is_as_often_short_as_long(program):
    """Sizes are as likely in each octave, but for the edges: 6, 2, 2, 2, 2 and 2 of 16."""
    done = subprocess.run([program, "axi-dma-sg", "4000"], capture_output=True, text=True)
    counts = [int(line.split()[1]) for line in done.stdout.splitlines()[1:7]]
    assert sum(counts) == 4000
    for count, octaves in zip(counts, (6, 2, 2, 2, 2, 2), strict=True):
        assert abs(count - 4000 * octaves / 16) < 100
