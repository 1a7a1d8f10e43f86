"""The library under FreeRTOS, on each emulated chip, whose fabric is the verilated design.

Skipped where the compiler, the emulator or the kernel is not there; AXIOMETER_TEST_FETCH=1 lets the
tests fetch the kernel.
"""

from __future__ import annotations

import io
import os
import subprocess
import urllib.error
from pathlib import Path

import build
import pytest
from test_bare import DESIGN, chips, name_of, needs_emulator, ran
from test_packets import TABLE, table

from axiometer.base.errors import AxiometerError
from machines import bare, freertos, packages

ROOM = build.HOST / "freertos"
TASKS = """packets 400, bytes 813922, wrong 0
sent: ok, received: ok
the lowest task ran while both waited
waiting in a handler: state
done"""


@pytest.fixture(scope="module")
def kernel():
    wanted = os.environ.get("AXIOMETER_TEST_FETCH") or os.environ.get(freertos.VARIABLE)
    if not wanted and not freertos.fetched().is_dir():
        pytest.skip(f"FreeRTOS's kernel is missing: {freertos.FETCH}")
    return freertos.require()


def made(tmp_path, kernel, *words, room=ROOM):
    named = [f"BUILD={tmp_path}/image", f"FREERTOS_PATH={kernel}", *words]
    return subprocess.run(["make", "-s", "-C", str(room), *named], capture_output=True, text=True)


@chips()
@pytest.mark.parametrize("words", [["PS_CLK_HZ=50000000"], ["APP=apps/tasks.c", "EMULATED=1"]])
def test_images_are_small_and_give_no_warning(tmp_path, kernel, chip, words):
    done = made(tmp_path, kernel, f"CHIP={name_of(chip)}", *words)
    assert (done.returncode, done.stderr) == (0, "")
    (image,) = (tmp_path / "image").glob("*.bin")
    assert 10_000 < image.stat().st_size <= bare.MOST_IMAGE_BYTES


@needs_emulator
def test_the_program_of_the_other_targets_prints_the_same_as_a_task(kernel):
    assert table(bare.printed("packets", DESIGN, rtos=True)) == TABLE


@chips()
def test_tasks_share_a_design_and_sleep_while_they_wait(kernel, chip):
    said = bare.printed("tasks", DESIGN, rtos=True, chip=chip)
    assert "\n".join(said) == TASKS


@pytest.mark.parametrize(
    ("app", "printed"), [("../../apps/packets.c", TABLE), ("../apps/tasks.c", TASKS)]
)
def test_the_same_programs_on_this_machine(tmp_path, kernel, app, printed):
    """By the port for POSIX, over the design that is not there."""
    done = made(tmp_path, kernel, f"APP={app}", room=ROOM / "posix")
    assert (done.returncode, done.stderr) == (0, "")
    image = tmp_path / "image" / Path(app).stem
    with subprocess.Popen([image], stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        lines = []
        for line in program.stdout:
            lines.append(line.decode().rstrip())
            if lines[-1].startswith((bare.DONE, bare.FAILED)):
                break
        program.kill()  # the kernel goes on
    assert table(lines) == printed


@needs_emulator
@pytest.mark.parametrize(
    ("app", "old", "new", "says"),
    [
        # Nobody learns of the interrupt.
        ("packets", "    ++rtos.came;\n", "", "no interrupt came"),
        # Whoever waits keeps the processor: what it waits for never comes.
        ("tasks", "    (void)ulTaskNotifyTakeIndexed(NOTIFICATION, pdTRUE, most);\n",
         "    (void)most;\n", "received: timeout"),
        # A handler may call what blocks: the kernel says so.
        ("tasks", "  return !axm_in_a_handler() && xTask", "  return xTask",
         "failed: assertion of the kernel"),
        # A task is forgotten.
        ("tasks", ".task = task, .seen", ".task = NULL, .seen", "failed: "),
    ],
)  # fmt: skip
def test_faults_are_found(tmp_path, kernel, app, old, new, says):
    room = build.mutated_room("freertos", "rtos.c", old, new, tmp_path)
    words = ["EMULATED=1", f"APP={freertos.source(app)}"]
    done = made(tmp_path, kernel, *words, room=room)
    assert done.returncode == 0, done.stderr
    lines = ran(tmp_path / "image" / f"{app}.elf", 40)
    assert says in "\n".join(lines), lines


def test_what_is_fetched_is_the_file_that_is_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(freertos, "fetched", lambda: tmp_path / "kernel")
    monkeypatch.setenv(freertos.VARIABLE, str(tmp_path))
    with pytest.raises(AxiometerError, match=r"has no tasks\.c"):
        freertos.require()
    monkeypatch.delenv(freertos.VARIABLE)
    monkeypatch.setattr(packages.urllib.request, "urlopen", lambda url, timeout: io.BytesIO(b"no"))
    with pytest.raises(AxiometerError, match="another hash"):
        freertos.require()

    def refused(url, timeout):
        raise urllib.error.URLError("no route")

    monkeypatch.setattr(packages.urllib.request, "urlopen", refused)
    with pytest.raises(AxiometerError, match="cannot be fetched: .*no route"):
        freertos.require()
    assert not (tmp_path / "kernel").exists()
