"""Without an operating system: images for the Cortex-A9, and that they work on an emulated one.

Its fabric is the verilated design. Skipped where the compiler or the emulator is not installed.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable

import build
import pytest

from axiometer.base.errors import AxiometerError
from axiometer.bringup.vm import bare, bare_trials
from axiometer.runs.cosim.design import Design

BARE = build.HOST / "bare"
needs_compiler = pytest.mark.skipif(
    shutil.which(f"{bare.CROSS}gcc") is None, reason=f"no {bare.CROSS}gcc: {bare.INSTALL}"
)
needs_emulator = pytest.mark.skipif(
    bool(bare.missing()), reason=f"{', '.join(bare.missing())} not installed: {bare.INSTALL}"
)
DESIGN = Design("axm_dma_top", 1, 64, axi3=True, parameters=(("MODE", 0), ("UNALIGNED", 1)))
LATENCY = 20
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


PL330 = """channels  8, bytes a beat  8
aligned   size  copies programs wrong  status
alike        1      40        8     0  ok
alike        7      40        8     0  ok
alike       64      40        8     0  ok
alike     1000      40        8     0  ok
alike     4096      40        8     0  ok
alike    65536      40        8     0  ok
unalike      1      40       40     0  ok
unalike      7      40       40     0  ok
unalike     64      40       40     0  ok
unalike   1000      40       40     0  ok
unalike   4096      40       40     0  ok
unalike  65536      40       40     0  ok
done"""


def made(tmp_path, *words: str, room=BARE) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["make", "-C", str(room), f"BUILD={tmp_path}/image", *words], capture_output=True, text=True
    )


@needs_compiler
@pytest.mark.parametrize(
    "words", [[], ["EMULATED=1"], ["PS_CLK_HZ=50000000", "UART=AXM_UART0", "BASE=0x40000000"]]
)
def test_images_are_small_and_give_no_warning(tmp_path, words):
    done = made(tmp_path, *words)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    image = tmp_path / "image" / "axm-agent.bin"
    assert 10_000 < image.stat().st_size <= bare.MOST_IMAGE_BYTES


@needs_compiler
def test_an_image_for_a_board_has_nothing_of_the_emulator(tmp_path):
    """Semihosting calls would be exceptions there; the code that asks for them is not linked."""
    assert made(tmp_path).returncode == 0
    listed = [f"{bare.CROSS}nm", str(tmp_path / "image" / "axm-agent.elf")]
    names = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    assert " T axm_data_abort" in names
    assert "ask" not in {line.split()[-1] for line in names.splitlines()}
    assert " T axm_window_access" not in names


@needs_emulator
def test_the_agent_moves_data_of_any_length_and_alignment():
    with bare.board(DESIGN, LATENCY) as client:
        done = bare_trials.transfers(client, 40)
    assert done.target == "zynq7000-bare"
    assert done.transfers == 40
    assert done.bytes > 40


@needs_emulator
def test_a_program_over_the_channels_prints_its_table():
    lines = list(bare.printed("packets", DESIGN, LATENCY, print))
    assert table(lines) == TABLE
    assert "# the interrupt came" in lines


@needs_emulator
def test_the_processor_s_dma_controller_copies():
    """The emulator's own PL330 runs the programs that are made for it; no design has a part."""
    assert "\n".join(bare.printed("pl330_copy", DESIGN, LATENCY, print)) == PL330


def test_the_same_program_prints_the_same_on_the_design_that_is_not_there(tmp_path):
    """The source is not changed for it; only that its engines take any length has to be said."""
    program = build.program(tmp_path / "packets", ["tests/app_main.c", "apps/packets.c"], [])
    done = subprocess.run([program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    assert table(done.stdout.splitlines()) == TABLE


@needs_emulator
@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        # The interrupt does not reach the program: it finds the packets all the same.
        ("gic.c", "  axm_gic_allow(AXM_FABRIC_IRQ, 0xA0);\n", "", "no interrupt came"),
        # A loaded word goes to another register than the program's.
        ("abort.c", "frame->r[number] = value;", "frame->r[number ^ 1] = value;", "failed: "),
        # No slave answers there.
        ("app_bare.c", "AXM_BASE);", "AXM_BASE + 0x100000u);", "failed: axm: a register access"),
    ],
)  # fmt: skip
def test_faults_are_found(tmp_path, file, old, new, says):
    """The checks above fail on faults that were made for them."""
    host = tmp_path / "host"
    shutil.copytree(build.HOST, host, ignore=shutil.ignore_patterns("tests", "build"))
    (tmp_path / "regs").symlink_to(build.HOST.parent / "regs")
    text = (host / "bare" / file).read_text()
    assert text.count(old) == 1
    (host / "bare" / file).write_text(text.replace(old, new))
    words = ["EMULATED=1", "APP=../apps/packets.c"]
    done = made(tmp_path, *words, room=host / "bare")
    assert done.returncode == 0, done.stderr
    lines = []
    with bare.running(tmp_path / "image" / "packets.elf", DESIGN, LATENCY) as line:
        while not lines or not lines[-1].startswith((bare.DONE, bare.FAILED, "no program")):
            found = line.receive(20)
            lines.append("failed: silent" if found is None else found.decode().rstrip())
    assert says in "\n".join(lines), lines


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(bare.shutil, "which", lambda name: None)
    with pytest.raises(AxiometerError, match="arm-none-eabi-gcc, qemu-system-arm, make"):
        bare.require()
