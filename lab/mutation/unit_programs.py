"""The model's unit tests (model/tests), as tests of pytest: collected by run.py alone."""

import os
import resource
import subprocess
from pathlib import Path

import pytest

FOLDER = Path(os.environ.get("AXIOMETER_UNIT_PROGRAMS", "/nowhere"))
PROGRAMS = sorted(path.name for path in FOLDER.glob("test_*") if path.is_file())
SECONDS = 60  # of processor time; the slowest, stepped_clocked, needs some five


def limited():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


@pytest.mark.parametrize("name", PROGRAMS)
def test_unit(name):
    done = subprocess.run([FOLDER / name], capture_output=True, preexec_fn=limited, timeout=300)
    assert done.returncode == 0
