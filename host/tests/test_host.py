"""The C side: its own tests on a design that is not there, and what compilers say of it."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import build
import pytest

LIBRARY = "src/**/*.c"
EVERYTHING = (LIBRARY, "agent/*.c", "hal/*.c", "apps/packet*.c", "apps/stream*.c")
CROSS = ("x86_64-linux-gnu", "arm-linux-gnueabihf", "aarch64-linux-gnu")
# What the agent on Linux has besides library and agent.
PROGRAM = ("tests/main.c", "tests/hostile.c", "tests/fake_pl330.c", "tests/engine_model.c",
           "hal/bare.c",
           "hal/bus_error.c", "hal/linux_platform.c")  # fmt: skip
# Warnings of the issue, and what is worth having besides.
STRICT = [*build.WARNINGS, "-Wshadow", "-Wstrict-prototypes", "-Wmissing-prototypes", "-Wundef"]


def files(*patterns: str) -> list[Path]:
    return sorted(path for pattern in patterns for path in build.HOST.glob(pattern))


def run(command: list[str | Path], **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(w) for w in command], capture_output=True, text=True, **options)


def test_c_tests(tmp_path):
    """All C tests, with the sanitizers on."""
    extra = [str(p.relative_to(build.HOST)) for p in files("tests/test_*.c")]
    program = build.program(tmp_path / "tests", [*extra, *PROGRAM], build.SANITIZERS)
    done = run([program], timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("file", "old", "new", "complaint"),
    [
        # A register access between two starts.
        ("agent/command_run.c", "    status = hal->write32(hal->self, job->start[i].address",
         "    hal->idle_ns(hal->self, 10), status = hal->write32(hal->self, job->start[i].address",
         "at_ns"),
        ("src/dma.c", "? reading + HALF_STEP", "? reading", "CONFIG"),
        ("src/counters.c", "8 * bin", "4 * bin", "histogram"),
        ("hal/arena.c", "at > end || ", "", "axm_arena_take"),
        ("src/platform.c", "(word & ~mask) | field", "(word & mask) | field", "0xFD380000"),
        ("src/platform.c", "if (!kept) {", "{", "platform.count"),
        ("src/sniffer.c", "slots > AXM_SNIFFER_SLOTS || ", "", "axm_sniffer_open"),
        ("src/sniffer.c", "bin = AXM_SNIFFER_BINS - 1", "bin %= 1024", "axm_sniffer_bin"),
        ("src/traffic.c", "> config->region ? AXM_ERROR", "== 1 ? AXM_ERROR", "furthest"),
        ("src/dma_ring.c", "(head - ring->taken) >", "(head >> 16) >", "axm_dma_ring_take"),
        ("hal/bare.c", "board.invalidate, &lines, 0, whole", "board.invalidate, &lines, 0, 0",
         "invalidated"),
        # Cache maintenance left out, each in its place.
        ("src/channel.c", "AXM_TRY(clean(channel, offset, slot->bytes));", "(void)clean;",
         "wrong_bytes"),
        ("src/channel.c", "    AXM_TRY(invalidate(channel, offset_of(channel, place), done.bytes));"
         "\n", "", "wrong_bytes"),
        ("src/channel.c", "    AXM_TRY(invalidate(channel, offset, slot->bytes));\n", "",
         "wrong_bytes"),
        ("src/channel.c", "% channel->config.slots;\n  --channel->held", ";\n  --channel->held",
         "test_channel.c"),
        ("src/channel.c", "if (sleeps && eng", "if (!sleeps && eng", "test_channel.c"),
        # Engines: what they are given and say; cache maintenance: test_coherency.py.
        ("src/engines/axi_dma_sg.c", "half->inside = !transfer->last", "half->inside = true",
         "objections"),
        ("src/engines/axi_dma_sg.c", "half->next + half->entries - 1)", "half->next)",
         "test_engines.c"),
        ("src/engines/axi_dma_simple.c", "if (other != NULL)",
         "if (other != NULL && half->ended == 9)",
         "test_engines.c"),
        ("src/engines/axi_dma.c", "  half->dma->running[own] = NULL;\n  half->control",
         "  half->control", "axm_channel_close"),
        ("src/engines/msgdma.c", "| MSGDMA_END_ON_EOP", "", "test_engines.c"),
        ("src/engines/msgdma.c", "(*status & MSGDMA_BUSY) != 0 ? 1 : 0;", "0;", "test_engines"),
        ("src/engines/mailbox.c", "begin(&box->half[n])", "begin(&box->half[0])",
         "test_engines.c"),
        ("src/vendor.c", "__UNALIGNED) == 0", "__UNALIGNED) != 0", "test_vendor.c"),
        ("agent/job_engine.c", "(uint32_t)offset : parts->bytes", "0 : parts->bytes",
         "test_vendor.c"),
        ("agent/job_engine.c", "parts->joined ? last && stream->transfer.last : true", "last",
         "test_vendor.c"),
        ("agent/job_engine.c", "turn < 2", "turn < 1", "test_vendor.c"),
        ("agent/job_engine.c", "parts->started = true", "parts->started = false", "test_vendor.c"),
        ("agent/job_engine.c", "parts->cause = done.cause", "(void)done.cause", "test_vendor.c"),
        ("src/pl330_program.c", "alike(transfer->to, transfer->from, wanted * bus_bytes)",
         "alike(transfer->to, transfer->to, wanted * bus_bytes)", "fake.objections"),
        ("src/pl330_program.c", "(void)part(&to, left, 1, AXM", "(void)part(&to, 0, 1, AXM",
         "wrong is"),
        ("src/pl330_program.c", "put(to, rest - 1);", "put(to, rest);", "wrong is"),
        ("src/pl330_program.c", "put(to, to->size - 1 - outer_body);",
         "put(to, to->size - 2 - outer_body);", "test_pl330.c"),
        ("src/pl330.c", "kept->to == shape.to && ", "", "programs_made"),
        ("src/pl330.c", "&pl330->programs, offset, AXM_PL330_PROGRAM_BYTES));",
         "&pl330->programs, offset, 0));", "test_pl330.c"),
        ("src/pl330.c", "    AXM_TRY(hal->clean(hal->self, from, from_offset, bytes));\n", "",
         "wrong is"),
        ("src/pl330.c", ": hal->invalidate(hal->self, &own->to, own->to_offset, own->bytes);",
         ": AXM_OK;", "wrong is"),
        ("agent/job_arm.c", "if (!written)", "if (!written || hal)", "invalidated"),
    ],
)  # fmt: skip
def test_mutants_are_found(tmp_path, file, old, new, complaint):
    """The C tests fail on faults that were made for them."""
    extra = [str(p.relative_to(build.HOST)) for p in files("tests/test_*.c")]
    program = build.program(
        tmp_path / "tests",
        [*extra, *PROGRAM],
        ["-O1"],  # they run longer than one file compiles
        build.mutant(file, old, new, tmp_path),
    )
    done = run([program], timeout=60)
    assert done.returncode == 1
    assert complaint in done.stderr


def test_no_warnings_here(tmp_path):
    includes, _ = build.listed()
    done = run([build.compiler(), *STRICT, "-c", *includes, *files(*EVERYTHING)], cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target", CROSS)
def test_no_warnings_for(target, tmp_path):
    """32-bit ARM, AArch64, and another compiler for x86-64."""
    if importlib.util.find_spec("ziglang") is None:
        pytest.skip("no cross compiler: pip install ziglang==0.17.0")
    includes, _ = build.listed()
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", target]
    everything = files(*EVERYTHING)
    # Programs have functions of the same name, and zig puts the files of a call together.
    programs = [path for path in everything if path.parent.name == "apps"]
    rest = [path for path in everything if path not in programs]
    for part in (rest, *([path] for path in programs)):
        done = run([*zig, *STRICT, "-c", *includes, *part], cwd=tmp_path, timeout=300)
        assert done.returncode == 0, done.stderr


def test_cxx_reads_the_headers(tmp_path):
    """The co-simulation includes them from C++."""
    source = tmp_path / "all.cpp"
    headers = ["axm.h", "hal.h", "sim_bus.h", "targets.h", "main.h"]
    source.write_text("".join(f'#include "{name}"\n' for name in headers))
    includes, _ = build.listed()
    compiler = build.compiler().replace("gcc", "g++")
    done = run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
               + includes + [source])  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_no_malloc(tmp_path):
    """No object of library, agent or targets asks for dynamic memory."""
    includes, _ = build.listed()
    run([build.compiler(), "-std=c11", "-O2", "-c", *includes, *files(*EVERYTHING)], cwd=tmp_path)
    objects = sorted(tmp_path.glob("*.o"))
    assert len(objects) == len(files(*EVERYTHING))
    symbols = run(["nm", "-u", *objects]).stdout.split()
    assert "memcpy" in symbols or "memset" in symbols  # nm has read them
    assert not {"malloc", "calloc", "realloc", "free", "alloca", "strdup"} & set(symbols)


def test_the_library_has_no_state(tmp_path):
    """Handles are the caller's: the library has no variable that can be written."""
    includes, _ = build.listed()
    options = ["-std=c11", "-O2", "-fno-pie", "-c"]  # constant tables of addresses are in .rodata
    run([build.compiler(), *options, *includes, *files(LIBRARY)], cwd=tmp_path)
    kinds = {
        line.split()[-2] for line in run(["nm", *tmp_path.glob("*.o")]).stdout.splitlines()
        if len(line.split()) >= 2
    }  # fmt: skip
    assert not kinds & {"b", "B", "D", "C", "G"}, kinds


def test_sources_are_complete():
    """What lies in src/ and agent/ is in sources.txt, but programs."""
    _, listed = build.listed()
    there = set(files(LIBRARY, "agent/*.c")) - {build.HOST / "agent/main_linux.c"}
    assert there <= set(listed)
    assert all(path.is_file() for path in listed)


def test_the_linux_agent(tmp_path):
    """It links, tells how it is called, and what it cannot open."""
    program = build.linux_agent(tmp_path)
    usage = run([program])
    assert usage.returncode == 2 and "usage" in usage.stderr
    missing = run([program, tmp_path / "uio7", "0x43C00000", "0x10000"])
    assert missing.returncode == 1 and "uio7" in missing.stderr
    # A file is as good as a device: an empty design is none.
    device = tmp_path / "mem"
    device.write_bytes(bytes(0x10000))
    done = run([program, device, "0", "0x10000"], input="\n")
    assert done.returncode == 0, done.stderr


def test_the_simulation_target_links(tmp_path):
    """sources.txt and functions of sim_bus.h are all that the co-simulation needs."""
    bus = tmp_path / "bus.cpp"
    bus.write_text(
        '#include <unistd.h>\n#include "sim_bus.h"\n#include "main.h"\n#include "targets.h"\n'
        "int axm_sim_read32(uint64_t, uint32_t *) { return 1; }\n"
        "int axm_sim_write32(uint64_t, uint32_t) { return 1; }\n"
        "uint64_t axm_sim_now_ns(void) { return 0; }\n"
        "int axm_sim_wait_irq(uint64_t) { return -1; }\n"
        "void axm_sim_idle_ns(uint64_t) {}\n"
        "int axm_sim_alloc(uint64_t, uint64_t, uint64_t, uint64_t *, void **) { return 1; }\n"
        "void axm_sim_release(uint64_t, uint64_t) {}\n"
        "int axm_sim_read_bytes(char *bytes, size_t room, size_t *count, uint64_t) {\n"
        "  const auto n = read(0, bytes, room);\n"
        "  *count = n > 0 ? size_t(n) : 0;\n"
        "  return n > 0 ? 0 : -1;\n"
        "}\n"
        "int main() { return axm_agent_main(axm_hal_sim(), 0x43C00000); }\n"
    )
    includes, sources = build.listed()
    objects = run([build.compiler(), "-std=c11", "-c", *includes, *sources], cwd=tmp_path)
    assert objects.returncode == 0, objects.stderr
    linker = build.compiler().replace("gcc", "g++")
    linked = run([linker, *includes, bus, *tmp_path.glob("*.o"), "-o", "sim"], cwd=tmp_path)
    assert linked.returncode == 0, linked.stderr
    said = "1 hello*E648\n2 buffer allocate size=64 address=0x40*3BF8\n"
    done = run([tmp_path / "sim"], input=said)
    assert done.returncode == 0
    assert " target=sim " in done.stdout and " code=address " in done.stdout, done.stdout
