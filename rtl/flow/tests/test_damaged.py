"""The programs that put faults into our blocks run, and no checks are without a fault."""

import subprocess
import sys

import pytest
from flow import damaged, tools


def test_an_assertion_sees_its_fault():
    """`make validate` runs them all; here one."""
    assert damaged.sees("fifo: a word is pushed into a full one")


def test_all_checks_have_a_fault():
    """Those of the DMA engines, one for each assertion, are in rtl/dma/random/assertions.py."""
    rooms = {row[0].partition("/")[0] for row in damaged.DAMAGED.values()} | {"dma"}
    assert {path.parts[-3] for path in tools.RTL.glob("*/checks/*.sv")} == rooms


@pytest.mark.parametrize(
    "program", ["flow/damaged.py", "dma/random/faults.py", "dma/random/assertions.py"]
)
def test_programs_run_by_themselves(program):
    """Without what pytest puts on Python's path; none has this in its name."""
    done = subprocess.run(
        [sys.executable, str(tools.RTL / program), "no such fault"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
