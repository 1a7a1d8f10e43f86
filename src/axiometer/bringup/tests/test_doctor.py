"""The doctor on fake boards: its checks report each planted fault with a remedy, and it touches
nothing that a fault may hang."""

import dataclasses

import pytest

from axiometer.bringup.doctor import FAULT, NOT_CHECKED, OK, chip, examine
from axiometer.bringup.doctor.examine import CHECKS
from doctor_kit import (
    BASE,
    CPU,
    CYCLONE,
    CYCLONE_REGISTERS,
    EXPECTED,
    ZYNQ,
    ZYNQ_REGISTERS,
    ZYNQMP,
    ZYNQMP_REGISTERS,
    Agent,
    Board,
    design_registers,
    zynq,
)

ZCU102 = dataclasses.replace(EXPECTED, board="zcu102", widths={"HP0": 64, "HPM0": 32})
DE1 = dataclasses.replace(EXPECTED, board="de1-soc", widths={})


def findings(board, expected=EXPECTED, **options):
    return {f.check: f for f in examine(board, expected, **options)}


def faults(found):
    return [name for name, finding in found.items() if finding.verdict == FAULT]


def test_a_board_that_is_right_has_no_fault():
    found = findings(zynq())
    assert [f.verdict for f in found.values()] == [OK] * len(found)
    assert list(found) == [c.name for c in CHECKS if c.name != "bridges"]


@pytest.mark.parametrize(
    "files, words, expected",
    [(ZYNQMP, ZYNQMP_REGISTERS, ZCU102), (CYCLONE, CYCLONE_REGISTERS, DE1)],
)
def test_so_have_those_of_other_chips(files, words, expected):
    found = findings(Board(files, words, Agent()), expected)
    assert faults(found) == []
    assert found["loop-back"].verdict == OK


# (chip, the check that reports it, spoilt files and words, words of the message)
REGISTERS = [
    ("zynq", "clocks", {0xF8000178: 1}, "FCLK_CLK0 is stopped"),
    ("zynq", "clock-rate", {0xF8000170: 0x00100800}, "125 MHz"),
    ("zynq", "clock-rate", {0xF8000108: 0x0001E008}, "150 MHz"),
    ("zynq", "resets", {0xF8000240: 1}, "held in reset"),
    ("zynq", "levels", {0xF8000900: 0xA}, "level shifters"),
    ("zynq", "widths", {0xF8008000: 1}, "AFI_RDCHAN_CTRL0 is set to 32 bits"),
    ("zynq", "widths", {0xF8008014: 1}, "AFI_WRCHAN_CTRL0 is set to 32 bits"),
    ("zynq", "bitstream", {0xF800700C: 0}, "PCFG_DONE is 0"),
    ("usp", "clocks", {0xFF5E00C0: 0x00010F00}, "pl_clk0 is stopped"),
    ("usp", "clock-rate", {0xFF5E0028: 0x80008000}, "100.833 MHz"),
    ("usp", "resets", {0xFF0A0054: 0}, "held in reset"),
    ("usp", "resets", {0xFF0A0348: 0}, "not driven"),
    ("usp", "resets", {0xFD1A0100: 0x200}, "HP0 to HP3"),
    ("usp", "levels", {0xFFD80100: 0x007FFFFF}, "power domain is off"),
    ("usp", "widths", {0xFD380000: 0x3B0}, "set to 128 bits"),
    ("usp", "widths", {0xFD615000: 0xA00}, "afi_fs is set to 128 bits, HPM0"),
    ("usp", "bitstream", {0xFFCA3010: 0}, "PL_DONE is 0"),
    ("cyclone", "bitstream", {0xFF706000: 0x51}, "not in user mode"),
    ("cyclone", "bridges", {0xFFD0501C: 0x2}, "light-weight bridge"),
    ("cyclone", "bridges", {0xFFD0501C: 0x1}, "the bridge to the FPGA"),
    ("cyclone", "bridges", {0xFFC25080: 0}, "ports of the memory controller"),
]
BOARDS = {
    "zynq": (ZYNQ, ZYNQ_REGISTERS, EXPECTED),
    "usp": (ZYNQMP, ZYNQMP_REGISTERS, ZCU102),
    "cyclone": (CYCLONE, CYCLONE_REGISTERS, DE1),
}


@pytest.mark.parametrize("which, check, words, message", REGISTERS)
def test_a_wrong_register_is_reported_by_its_check(which, check, words, message):
    files, right, expected = BOARDS[which]
    board = Board(files, right | words, Agent())
    found = findings(board, expected)
    assert faults(found) == [check]
    assert message in found[check].told and found[check].remedy
    address = next(iter(words))
    assert any(f"{address:#010x}" in seen for seen in found[check].looked_at)


FILES = [
    ("system", {"/proc/device-tree/compatible": "xlnx,zynqmp\0"}, "for a zynq-7000"),
    ("system", {"/proc/device-tree/compatible": "raspberrypi,4\0"}, "not supported"),
    ("bitstream", {"/sys/class/fpga_manager/fpga0/state": "write error\n"}, "write error"),
    ("contiguous-memory", {"/proc/meminfo": "CmaTotal: 8192 kB\n"}, "8 MiB"),
    ("contiguous-memory", {"/proc/meminfo": "MemTotal: 1 kB\n"}, "0 MiB"),
    ("u-dma-buf", {"/sys/class/u-dma-buf/udmabuf0/size": "65536\n"}, "64 KiB"),
    ("devices", {"/sys/class/uio/uio0/maps/map0/addr": "0x41200000\n"}, "at 0x43c00000"),
    ("processor-clock", {f"{CPU}/scaling_governor": "ondemand\n"}, "ondemand"),
    ("processor-clock", {f"{CPU}/scaling_cur_freq": "333333\n"}, "333333 kHz"),
    ("other-programs", {"/proc/loadavg": "1.95 0.5 0.1 2/90 700\n"}, "1.95 programs"),
]


@pytest.mark.parametrize("check, files, message", FILES)
def test_a_wrong_file_is_reported_by_its_check(check, files, message):
    found = findings(zynq(files=files))
    assert faults(found) == [check]
    assert message in found[check].told and found[check].remedy


@pytest.mark.parametrize(("mode", "said"), [("1", True), ("5", True), ("2", False), ("0", False)])
def test_a_buffer_that_is_mapped_as_a_device_is_said_to_fault(mode, said):
    found = findings(zynq(files={"/sys/class/u-dma-buf/udmabuf0/sync_mode": f"{mode}\n"}))
    assert faults(found) == []
    assert ("unaligned addresses end with a bus error" in found["u-dma-buf"].told) == said


def without(board, *starts):
    board.files = {p: t for p, t in board.files.items() if not p.startswith(starts)}
    return board


def test_missing_files_are_reported():
    assert faults(findings(without(zynq(), "/sys/class/u-dma-buf"))) == ["u-dma-buf"]
    assert faults(findings(without(zynq(), "/sys/class/uio"))) == ["devices"]
    kept = dataclasses.replace(EXPECTED, memory="reserved")
    assert faults(findings(zynq(), kept)) == ["contiguous-memory"]
    there = {"/proc/device-tree/reserved-memory/axm-memory/reusable": ""}
    assert faults(findings(zynq(files=there), kept)) == []
    axm = dataclasses.replace(EXPECTED, driver="axm", buffer_mib=0)
    assert faults(findings(zynq(), axm)) == ["devices"]
    bound = {"/sys/bus/platform/drivers/axiometer/43c00000.dma-controller": ""}
    assert faults(findings(zynq(files=bound), axm)) == []


def test_a_bridge_that_linux_has_closed_is_reported():
    board = Board(CYCLONE | {"/sys/class/fpga_bridge/br0/state": "disabled\n"}, CYCLONE_REGISTERS)
    found = findings(board, DE1)
    assert "lwhps2fpga" in found["bridges"].told
    assert found["identification"].verdict == NOT_CHECKED


@pytest.mark.parametrize("status, verdict", [("suspended", NOT_CHECKED), ("active", FAULT)])
def test_a_clock_that_the_idle_driver_has_stopped_is_no_fault(status, verdict):
    """The driver axm has the clock off while no channel is open; the fabric is not touched then."""
    axm = dataclasses.replace(EXPECTED, driver="axm", buffer_mib=0)
    device = "/sys/bus/platform/drivers/axiometer/43c00000.dma-controller"
    files = {device: "", f"{device}/power/runtime_status": f"{status}\n"}
    found = findings(zynq(files=files, words={0xF8000178: 1}), axm)
    assert found["clocks"].verdict == verdict and found["clocks"].remedy
    assert faults(found) == ([] if verdict == NOT_CHECKED else ["clocks"])
    assert found["identification"].verdict == NOT_CHECKED


@pytest.mark.parametrize("word, verdict", [(0x3FFF, OK), (0x101, FAULT), (0x3000, FAULT)])
def test_a_port_of_the_design_in_reset_is_reported(word, verdict):
    """Bits of other ports do not help."""
    ports = dataclasses.replace(DE1, port_reset=("sdr.fpgaportrst", 0x303))
    found = findings(Board(CYCLONE, CYCLONE_REGISTERS | {0xFFC25080: word}, Agent()), ports)
    assert found["bridges"].verdict == verdict
    assert verdict == OK or "0x303" in found["bridges"].told
    unknown = findings(Board(CYCLONE, CYCLONE_REGISTERS | {0xFFC25080: word}, Agent()), DE1)
    assert "with --project" in unknown["bridges"].told


def changed(where, value):
    return Agent(words=design_registers() | {where: value})


DESIGNS = [
    ("identification", changed((0, 0xC), 0xDEADBEEF), "not Axiometer's design"),
    ("identification", changed((0, 0x10), 0x010000), "version 1"),
    ("design", changed((0, 0x14), 50_000_000), "50000000 Hz"),
    ("design", changed((0, 0x18), 0), "0 blocks"),
    ("design", changed((0, 0x18), 3), "of the types"),
    ("design", changed((0, 0x1C), 2 | 1 << 8 | 8 << 16), "top has number 2"),
    ("design", changed((0, 0x1C), 1 | 2 << 8 | 8 << 16), "2 ports"),
    ("design", changed((0, 0x1C), 1 | 1 << 8 | 4 << 16), "32 bits"),
    ("design", changed((2, 0), 3), "window 2 has a block of type 3"),
]


@pytest.mark.parametrize("check, agent, message", DESIGNS)
def test_another_design_is_reported(check, agent, message):
    found = findings(zynq(agent))
    assert faults(found) == [check]
    assert message in found[check].told and found[check].remedy
    assert agent.runs == 0, "a design that is not ours was started"


def cache_of_processor(agent, source, to, before):
    to[:8] = before[:8]


class LateSource:
    """The port reads what memory had, not what the caches have."""

    def __init__(self):
        self.memory = None

    def __call__(self, agent, source, to, before):
        if self.memory is not None:
            to[:8] = self.memory[:8]
        self.memory = list(source)


def bits_lost(agent, source, to, before):
    to[1::2] = [None] * (len(to) // 2)


TRANSFERS = [
    ("coherence", Agent(cache_of_processor), "the processor reads old data"),
    ("coherence", Agent(LateSource()), "a port reads old data"),
    ("loop-back", Agent(bits_lost), "data arrive corrupted"),
    ("loop-back", Agent(state="timeout"), "timeout_address"),
    ("interrupts", Agent(irq=False), "without an interrupt"),
    ("counters", Agent(clock_mhz=50.0), "50 MHz, but the design is built for 100"),
    ("counters", Agent(still=True), "does not count"),
]


@pytest.mark.parametrize("check, agent, message", TRANSFERS)
def test_a_failing_transfer_is_reported(check, agent, message):
    found = findings(zynq(agent))
    assert faults(found) == [check]
    assert message in found[check].told and found[check].remedy


@pytest.mark.parametrize("which, check, words, message", REGISTERS)
def test_nothing_of_the_fabric_is_touched_past_a_fault(which, check, words, message):
    """Neither by the agent nor by the bus."""
    if check in ("clock-rate", "widths"):
        return  # these hang nothing
    files, right, expected = BOARDS[which]
    fabric = range(BASE, BASE + 0x10000, 4)
    board = Board(files, right | words | dict.fromkeys(fabric, 0), None, fabric)
    found = findings(board, expected)
    assert found["identification"].verdict == NOT_CHECKED
    agent = Agent()
    agent.read_register = lambda *where: pytest.fail("the agent was asked")
    findings(Board(files, right | words, agent), expected)
    assert agent.runs == 0


def test_a_port_of_another_width_is_not_used():
    agent = Agent()
    found = findings(zynq(agent, words={0xF8008000: 1}))
    assert found["design"].verdict == OK and found["loop-back"].verdict == NOT_CHECKED
    assert agent.runs == 0


def test_a_register_that_nothing_answers_is_a_fault():
    board = zynq()
    del board.words[0xF8000900]
    found = findings(board)
    assert faults(found) == ["levels"] and "nothing answers" in found["levels"].told


def test_a_width_is_not_read_past_a_clock_or_a_reset():
    afi = {0xFD380000, 0xFD380014, 0xFD615000}
    for word in ({0xFF5E00C0: 0}, {0xFD1A0100: 0x200}):
        board = Board(ZYNQMP, ZYNQMP_REGISTERS | word, None, afi)
        assert findings(board, ZCU102)["widths"].verdict == NOT_CHECKED


def test_a_register_past_a_failed_check_is_caught_by_these_tests():
    """The fake board reports a read of the fabric when the guard is removed."""
    board = Board(ZYNQ, {}, None, [BASE + 0xC])
    board.words = ZYNQ_REGISTERS | {BASE + 0xC: 0}
    with pytest.raises(AssertionError, match="was touched"):
        findings(board)


def test_what_could_not_be_looked_at_stops_it_too_unless_somebody_is_sure():
    found = findings(without_registers(Agent()))
    assert found["bitstream"].verdict == OK  # the FPGA manager says so
    assert found["clocks"].verdict == NOT_CHECKED and "/dev/mem" in found["clocks"].told
    assert found["identification"].verdict == NOT_CHECKED
    assert findings(without_registers(Agent()), unguarded=True)["loop-back"].verdict == OK
    # A fault is one even then.
    broken = without_registers(Agent())
    broken.files["/sys/class/fpga_manager/fpga0/state"] = "unknown"
    assert findings(broken, unguarded=True)["identification"].verdict == NOT_CHECKED


def without_registers(agent):
    from axiometer.bringup.doctor.target import NotThere

    board = zynq(agent)

    def refuse(address):
        raise NotThere("/dev/mem cannot be opened", "be root")

    board.read32 = refuse
    return board


def test_without_a_device_tree_no_address_is_read_that_may_be_another_machines():
    board = without(Board(ZYNQ, ZYNQ_REGISTERS, None, ZYNQ_REGISTERS), "/proc/device-tree")
    found = findings(board)
    assert found["system"].verdict == NOT_CHECKED
    assert board.touched == []
    assert findings(board, unguarded=True)["identification"].verdict == NOT_CHECKED


def test_the_identification_is_read_from_the_bus_where_there_is_no_agent():
    words = {BASE + 4096 * w + at: v for (w, at), v in design_registers().items()}
    found = findings(Board(ZYNQ, ZYNQ_REGISTERS | words))
    assert found["design"].verdict == OK
    assert found["loop-back"].verdict == NOT_CHECKED and "--agent" in found["loop-back"].remedy
    dead = findings(Board(ZYNQ, ZYNQ_REGISTERS))
    assert "nothing answers" in dead["identification"].told


def test_every_register_has_its_document_and_is_a_word():
    for known in chip.chips():
        assert all(address % 4 == 0 and address < 2**32 for address in known.addresses())
        assert all(rule.source and rule.remedy and rule.wrong for rule in known.rules)
        assert not any("{" in rule.remedy for rule in known.rules)
        assert all(width.source for port in known.widths.values() for width in port)
        assert {r.check for r in (*known.rules, *known.files)} <= {c.name for c in CHECKS}


def test_the_driver_has_the_name_that_is_looked_for():
    import kit
    from axiometer.bringup.doctor.checks.devices import AXM, DRIVER

    driver = kit.ROOT / "drivers" / "linux"
    assert f"obj-m := {DRIVER}.o\n" in (driver / "Kbuild").read_text()
    source = (driver / "axm_platform.c").read_text()
    assert f'.name = "{AXM.rpartition("/")[2]}"' in source
