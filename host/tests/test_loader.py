"""What an image on a Cortex-A9 does with what a loader left: caches, PL310, snoop control unit,
memory map, aborts and interrupts. Each rule has a mutant that breaks it."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import build
import pytest
from test_bare import name_of, needs

from machines import bare

pytest.importorskip("unicorn", reason="no unicorn: pip install unicorn==2.1.3")
from loader import MEMORY, MIB, Board  # noqa: E402

A9 = [chip for chip in bare.chips() if "armv7" in bare.facts(chip)["architecture"]]
SECTION, XN, SHARED, CACHED = 0x2, 1 << 4, 1 << 16, 1 << 12 | 1 << 3 | 1 << 2
DEVICE = SECTION | 3 << 10 | XN | 1 << 2
OPENS = """#include "app.h"
#include "axm/device.h"
#include "bare.h"
int axm_app(const struct axm_hal *hal, uint64_t base) {
  struct axm_device device;
  (void)!axm_open(&device, hal, base);
  axm_interrupts_on();
  return 0;
}
"""
STUB = '#include "app.h"\nint axm_app(const struct axm_hal *hal, uint64_t base) {\n' + (
    "  (void)hal;\n  (void)base;\n  return 0;\n}\n"
)


def addresses(chip: str) -> dict[str, int]:
    """Those of a board, not of the emulator."""
    text = (build.HOST / "include" / "axm" / f"{name_of(chip)}.h").read_text()
    found = re.findall(r"#define AXM_(\w+) AXM_NUMBER\(0x(\w{8})\)", text.split("#ifdef AXM_EM")[0])
    at = {name: int(number, 16) for name, number in found}
    at["TIMER"] = at.pop("GLOBAL_TIMER")
    windows = re.search(r"#define AXM_FABRIC {(.*)}", text)
    irq = re.search(r"#define AXM_FABRIC_IRQ (\d+)", text)
    assert windows and irq
    at["FABRIC"], at["IRQ"] = int(re.findall(r"0x(\w{8})u", windows[1])[0], 16), int(irq[1])
    return at


def made(
    folder: Path, chip: str, bare_room: Path = build.HOST / "bare", program: str = STUB
) -> Path:
    (folder / "stub.c").write_text(program)
    # Of the library only what the board's file names: the tables of its settings.
    named = ("platform_*.c", "device.c")
    tables = " ".join(f"src/{p.name}" for name in named for p in (build.HOST / "src").glob(name))
    words = [
        "PS_CLK_HZ=50000000",
        f"CHIP={name_of(chip)}",
        f"LIBRARY={tables}",
        f"APP={folder}/stub.c",
        f"BUILD={folder}",
    ]
    done = subprocess.run(["make", "-s", "-C", bare_room, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder / "stub.elf"


def symbols(image: Path) -> dict[str, int]:
    listed = subprocess.run(["nm", image], capture_output=True, text=True, check=True).stdout
    words = (line.split() for line in listed.splitlines())
    return {name: int(value, 16) for value, _, name in words}


def complaints(image: Path, chip: str, caches_on: bool) -> list[str]:
    """Rules that the image breaks until its program begins."""
    names, at = symbols(image), addresses(chip)
    devices = {key: value for key, value in at.items() if key not in ("FABRIC", "IRQ", "DESIGN")}
    content = image.with_suffix(".bin").read_bytes()
    board = Board(content, names["axm_image_begin"], devices, caches_on)
    board.run()
    events = board.events
    places: dict[object, list[int]] = {}
    for place, event in enumerate(events):
        key = event.address if event.what == "register" else event.what
        places.setdefault(key, []).append(place)
    l2 = {name: places.get(at["L2"] + offset, []) for name, offset in (
        ("control", 0x100), ("tag", 0x108), ("data", 0x10C), ("sync", 0x730), ("clean", 0x7FC),
        ("invalidate", 0x77C))}  # fmt: skip
    found = []

    def rule(holds: object, what: str) -> None:
        if not holds:
            found.append(what)

    cleans, forgets = places.get("c7 c14 2", []), places.get("c7 c6 2", [])
    l1, other = (cleans, forgets) if caches_on else (forgets, cleans)
    every = {way << 30 | line << 5 for way in range(4) for line in range(sets_of(board))}
    rule({events[p].value for p in l1} == every and not other, "L1")
    off = [p for p in l2["control"] if events[p].value == 0]
    on = [p for p in l2["control"] if events[p].value & 1]
    if caches_on:
        rule(l1 and off and l2["clean"] and l1[-1] < l2["clean"][0] < off[0], "PL310 cleaned")
    else:
        rule(not l2["clean"], "PL310 cleaned")
    stores = places.get("store", [0])
    rule(l1 and stores[0] > max([l1[-1], *off]), "nothing is stored before")
    rule(on and all(l2[n] and l2[n][-1] < on[-1] for n in ("tag", "data", "invalidate", "sync")),
         "PL310 set up")  # fmt: skip
    scu, actlr = places.get(at["SCU"], []), places.get("c1 c0 1", [])
    cached = [p for p in places["c1 c0 0"] if events[p].value & 5 == 5]
    rule(scu and events[scu[-1]].value & 1 and actlr and events[actlr[-1]].value & 0x41 == 0x41
         and scu[-1] < actlr[-1] < cached[0], "SCU and SMP")  # fmt: skip
    table = board.words(names["axm_sections"], 4096)
    code, data = names["axm_image_begin"] // MIB, names["axm_dma_begin"] // MIB
    wanted = SECTION | CACHED | SHARED
    kind = wanted | XN | 3 << 10
    rule(all(entry & kind & ~XN == wanted | 3 << 10 for entry in table[code:data]), "shareable")
    rule(all(entry & 0xFFFFF == kind for entry in table[data : MEMORY // MIB]), "data")
    rule(not any(table[MEMORY // MIB : at["FABRIC"] // MIB]) and not any(table[:code]), "not there")
    rule(table[at["FABRIC"] // MIB] & 0xFFFFF == DEVICE == table[at["UART"] // MIB] & 0xFFFFF,
         "devices")  # fmt: skip
    (failed,) = struct.unpack("<I", board.uc.mem_read(names["failed"], 4))
    rule("abort" in places and failed == 0, "abort dropped")
    gic = board.gic
    rule(gic.enabled == {at["IRQ"]} and not gic.active and not gic.group1, "interrupts of others")
    rule(events[-1].what == "interrupts on", "interrupts on")
    return found


def sets_of(board: Board) -> int:
    """Of L1, 4 ways of 32 bytes, as the processor says."""
    from unicorn import arm_const as arm

    ccsidr = board.uc.reg_read(arm.UC_ARM_REG_CP_REG, (15, 0, 0, 0, 0, 1, 0))
    return (ccsidr >> 13 & 0x7FFF) + 1


@pytest.mark.parametrize("caches_on", [True, False])
@pytest.mark.parametrize("chip", [pytest.param(c, marks=needs(c, "gcc")) for c in A9])
def test_an_image_takes_over_from_any_loader(tmp_path, chip, caches_on):
    assert complaints(made(tmp_path, chip), chip, caches_on) == []


@pytest.mark.parametrize(("chip", "status", "touched"), [
    pytest.param(chip, status, touched, marks=needs(chip, "gcc"))
    for chip, status, touched in [
        ("zynq-7000", 0x4, True), ("zynq-7000", 0xFFFFFFFB, False),  # INT_STS: PCFG_DONE
        ("cyclone-v", 0x54, True), ("cyclone-v", 0x51, False),  # stat: mode
    ]
])  # fmt: skip
def test_a_fabric_without_a_bitstream_is_not_touched(tmp_path, chip, status, touched):
    """An access would halt the processor for good."""
    image, at = made(tmp_path, chip, program=OPENS), addresses(chip)
    devices = {key: value for key, value in at.items() if key not in ("FABRIC", "IRQ")}
    content, entry = image.with_suffix(".bin").read_bytes(), symbols(image)["axm_image_begin"]
    board = Board(content, entry, devices, caches_on=False, ends=2)
    board.registers[at["FABRIC_STATUS"]] = status
    board.run()
    assert at["FABRIC_STATUS"] in board.asked
    assert any(address // MIB == at["DESIGN"] // MIB for address in board.asked) == touched


@needs(A9[0], "gcc")
@pytest.mark.parametrize(
    ("file", "old", "new", "rule"),
    [
        ("armv7/start.S", "mcrne p15, 0, r7, c7, c14, 2", "mcrne p15, 0, r7, c7, c6, 2", "L1"),
        ("armv7/start.S", "    beq l2_is_off\n", "    b l2_is_off\n", "PL310 cleaned"),
        ("armv7/cache.c", "  *l2(INVALIDATE_WAYS) = 0xFFFF;\n", "", "PL310 set up"),
        ("armv7/cache.c", "  join();\n", "", "SCU and SMP"),
        ("armv7/mmu.c", " | 1u << 16 | 1u << 12", " | 1u << 12", "shareable"),
        ("armv7/mmu.c", "(CODE | NEVER_EXECUTED)", "(CODE)", "data"),
        ("memory_map.c", "address_of(axm_dma_end), AXM_DATA", "1u << 30, AXM_DATA", "not there"),
        ("armv7/abort.c", "  (void)axm_abort_taken();\n", "", "abort dropped"),
        ("gic.c", "  forget_all();\n", "", "interrupts of others"),
    ],
)  # fmt: skip
def test_mutants_are_found(tmp_path, file, old, new, rule):
    room = build.mutated_room("bare", file, old, new, tmp_path)
    assert rule in complaints(made(tmp_path, A9[0], room), A9[0], caches_on=True)
