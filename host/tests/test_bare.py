"""Without an operating system: images for each chip, and that they work on an emulated one.

Its fabric is the verilated design. Skipped where the compiler or the emulator is not installed.
"""

from __future__ import annotations

import subprocess

import build
import pytest
from test_packets import TABLE, table

from axiometer.base import chip_files
from axiometer.base.errors import AxiometerError
from axiometer.runs.cosim.rtl_design import RtlDesign
from machines import bare, transfers

BARE = build.HOST / "bare"
USUAL = bare.chips()[0]


def needs(chip: str, *only: str):
    """Skips a test where a program is not installed: one of `only`, or any that a chip needs."""
    lacking = [name for name in bare.missing(chip) if not only or name.endswith(only)]
    return pytest.mark.skipif(bool(lacking), reason=f"no {', '.join(lacking)}: {bare.INSTALL}")


def chips(*only: str):
    """Each chip, where its programs are installed."""
    return pytest.mark.parametrize(
        "chip", [pytest.param(chip, marks=needs(chip, *only)) for chip in bare.chips()]
    )


needs_compiler, needs_emulator = needs(USUAL, "gcc"), needs(USUAL)
DESIGN = bare.design(1)
A53 = "zynq-ultrascale-plus"


def ran(image, silence_s):
    """What an image prints, to its end in whatever way."""
    lines = []
    with bare.running(image, DESIGN) as line:
        while not lines or not lines[-1].startswith((bare.DONE, bare.FAILED, "program ended")):
            found = line.receive(silence_s)
            lines.append("failed: silent" if found is None else found.decode().rstrip())
    return lines


def name_of(chip: str) -> str:
    """What images call a chip."""
    return chip_files.read(chip, "host")["header"]


def made(tmp_path, *words: str, room=BARE) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["make", "-s", "-C", str(room), f"BUILD={tmp_path}/image", *words],
        capture_output=True,
        text=True,
    )


@chips("gcc")
@pytest.mark.parametrize(
    "words", [["EMULATED=1"], ["PS_CLK_HZ=50000000", "UART=AXM_UART1", "MEMORY_MIB=1024"]]
)
def test_images_are_small_and_give_no_warning(tmp_path, chip, words):
    done = made(tmp_path, f"CHIP={name_of(chip)}", *words)
    assert (done.returncode, done.stderr) == (0, "")
    image = tmp_path / "image" / "axm-agent.bin"
    assert 10_000 < image.stat().st_size <= bare.MOST_IMAGE_BYTES


@chips("gcc")
def test_an_image_for_a_board_has_nothing_of_the_emulator(tmp_path, chip):
    """Semihosting calls would be exceptions there; the code that asks for them is not linked."""
    assert made(tmp_path, f"CHIP={name_of(chip)}", "PS_CLK_HZ=33333333").returncode == 0
    listed = ["nm", str(tmp_path / "image" / "axm-agent.elf")]
    text = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    names = {line.split()[-1] for line in text.splitlines()}
    assert "axm_data_abort" in names
    assert not names & {"ask", "axm_window_access", "axm_semihosting"}


@chips("gcc")
def test_a_chip_whose_timer_follows_from_the_crystal_needs_its_rate(tmp_path, chip):
    """None is usual: with 33.3 MHz on a board with 50, every time is 1.5 times too long."""
    done = made(tmp_path, f"CHIP={name_of(chip)}")
    assert (done.returncode == 0) == (chip == A53)
    assert ("PS_CLK_HZ" in done.stderr) == (chip != A53)


@pytest.mark.parametrize(
    ("chip", "machine"),
    [
        pytest.param(USUAL, "", marks=needs(USUAL)),
        pytest.param("cyclone-v", "", marks=needs("cyclone-v")),
        # As behind U-Boot: the program begins at EL2.
        pytest.param(A53, "virtualization=on", marks=needs(A53)),
    ],
)
def test_the_agent_moves_data_of_any_length_and_alignment(chip, machine):
    with bare.board(DESIGN, chip=chip, cpu=machine) as client:
        assert client.hello()["target"] == f"{name_of(chip)}-bare"
        assert transfers.transfers(client, 20) > 20


@chips()
def test_a_program_over_the_channels_prints_its_table(chip):
    lines = list(bare.printed("packets", DESIGN, chip=chip))
    assert table(lines) == TABLE
    assert "# the interrupt came" in lines


@needs(A53)
def test_a_coherent_channel_is_refused_where_no_port_sees_the_caches():
    """The emulated Zynq UltraScale+ has no LPD_SLCR.lpd_apu: it is not set."""
    program = bare.image(emulated=True, app="packets", chip=A53, COHERENT="true")
    with bare.running(program, DESIGN, chip=A53) as line:
        said = line.receive(60)
    assert said is not None and b"the fabric does not see the processor's caches" in said


@needs_emulator
def test_transfers_of_all_sizes_come_back():
    lines = table(bare.printed("stream_sizes", "axi-dma-sg")).splitlines()
    assert len(lines) == 2 + 2 * 9 and lines[-1] == "done"
    assert {line.split()[-1] for line in lines[1:-1]} == {"0"}  # wrong bytes


@needs_emulator
@pytest.mark.parametrize(("mode", "way"), [(1, "PS to PL"), (2, "PL to PS")])
def test_one_direction_is_right_in_every_word_on_one_port_and_on_two(mode, way):
    parameters = (("MODE", mode), ("UNALIGNED", 1))
    design = RtlDesign("axm_dma_top", 2, 64, axi3=True, parameters=parameters)
    lines = list(bare.printed("one_way", design, LARGEST="4096"))
    rows = [text.split() for text in table(lines).splitlines()]
    assert rows[0] == way.split() and rows[-1] == ["done"], lines
    sizes = [64, 256, 1024, 4096]
    wanted = [
        (n, kind, size, 8 * n, 0) for n in (1, 2) for size in sizes for kind in ("simple", "ring")
    ]
    assert [(int(r[0]), r[1], *map(int, r[2:])) for r in rows[2:-1]] == wanted


@needs_emulator
def test_words_and_an_engine_find_the_same_in_the_fabric_s_memory():
    lines = list(bare.printed("interfaces", "axi-cdma"))
    rows = table(lines).splitlines()
    assert rows[-1] == "done" and len(rows) == 1 + 4 * 7 + 1, lines
    assert {row.split()[-1] for row in rows[1:-1]} == {"0"}


@needs_emulator
@pytest.mark.parametrize("copies", ["false", "true"])
def test_what_a_packet_costs(copies):
    """Maintenance of caches, or a copy, costs by the size."""
    words = {"ENGINE": "axm", "PACKETS": "12", "SIZES": "64,4096", "COPIES": copies}
    lines = list(bare.printed("packet_times", DESIGN, counted=True, **words))
    rows = [[int(word) for word in line.split()] for line in lines if line.split()[0].isdigit()]
    assert [(row[0], row[1], row[4]) for row in rows] == [(64, 12, 0), (4096, 12, 0)]
    assert 1000 < rows[0][3] < rows[1][3]
    assert lines[-1] == bare.DONE


@needs_emulator
def test_packets_that_are_not_what_was_sent_are_told(tmp_path):
    room = build.mutated_room(
        "apps", "packet_times.c", "word(packet, n);\n    run.wrong", "n;\n    run.wrong", tmp_path
    )
    words = ["EMULATED=1", "APP=../apps/packet_times.c", "ENGINE=axm", "PACKETS=5", "SIZES=64"]
    done = made(tmp_path, *words, room=room.parent / "bare")
    assert done.returncode == 0, done.stderr
    assert ran(tmp_path / "image" / "packet_times.elf", 20)[-1].startswith(
        "failed: received data differ"
    )


@needs_emulator
def test_processor_and_dma_controller_copy():
    """The emulator's own PL330 runs the programs that are made for it; no design has a part."""
    lines = list(bare.printed("copies", DESIGN, LARGEST="4096"))
    rows = [text.split() for text in table(lines).splitlines()]
    assert rows[0] == ["from", "DDR", "to", "DDR"] and rows[-1] == ["done"], lines
    assert len(rows) == 2 + 6 * 12 + 1
    assert {row[-1] for row in rows[2:-1]} == {"0"}  # wrong bytes
    assert any("no time is a figure" in text for text in lines)


@needs_emulator
@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        # The interrupt does not reach the program: it finds the packets all the same.
        ("gic.c", "  axm_gic_allow(AXM_FABRIC_IRQ, 0xA0);\n", "", "no interrupt came"),
        # A loaded word goes to another register than the program's.
        ("armv7/abort.c", "frame->r[number] = value;", "frame->r[number ^ 1] = value;", "failed: "),
        # No slave answers there.
        ("app_bare.c", "AXM_BASE);", "AXM_BASE + 0x100000u);", "failed: axm: a register access"),
    ],
)  # fmt: skip
def test_faults_are_found(tmp_path, file, old, new, says):
    """The checks above fail on faults that were made for them."""
    room = build.mutated_room("bare", file, old, new, tmp_path)
    words = ["EMULATED=1", "APP=../apps/packets.c"]
    done = made(tmp_path, *words, room=room)
    assert done.returncode == 0, done.stderr
    lines = ran(tmp_path / "image" / "packets.elf", 20)
    assert says in "\n".join(lines), lines


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setattr(bare.shutil, "which", lambda name: None)
    with pytest.raises(AxiometerError, match="arm-none-eabi-gcc, qemu-system-arm, make"):
        bare.require()
