"""The Linux target: registers that nothing answers, memory that the processor caches or does not,
and sizes that a 32-bit processor cannot take. Files stand for devices."""

from __future__ import annotations

import re
import struct
import subprocess

import build
import pytest
import test_fuzz

PAGE = 4096
BASE = 0x43C00000


def constants():
    text = (build.HOST.parent / "regs" / "generated" / "id.h").read_text()
    return {k: int(v, 0) for k, v in re.findall(r"#define AXM_ID_(\w+) (\w+?)u?\n", text)}


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    return build.linux_agent(tmp_path_factory.mktemp("linux"), ["-g"])


def design(path, blocks):
    """A page with an identification block; the blocks that it names are behind the file's end."""
    names = constants()
    page = bytearray(PAGE)
    words = {
        names["ID"]: names["BLOCK_TYPE"] | names["MAP_VERSION"] << 16,
        names["MAGIC"]: 0x41584D31,
        names["BLOCKS"]: blocks,
        names["TABLE"]: names["BLOCK_TYPE"] | 255 << 16,
        names["TABLE"] + 4: 9 | 255 << 16,
    }
    for offset, word in words.items():
        struct.pack_into("<I", page, offset, word)
    path.write_bytes(page)
    return path


def ask(program, words, lines):
    said = b"".join(test_fuzz.line(f"{n} {text}") for n, text in enumerate(lines, 1))
    done = subprocess.run([program, *map(str, words)], input=said, capture_output=True, timeout=20)
    return done.returncode, done.stdout.decode().splitlines()


def test_an_access_that_nothing_answers_is_a_status(agent, tmp_path):
    """What lies behind the end of a mapped file is SIGBUS, as an address without a slave is."""
    device = design(tmp_path / "uio", 2)
    status, answers = ask(
        agent, [device, 0, "0x2000"],
        ["capabilities", "register read block=1 offset=0", "register read block=0 offset=12",
         "capabilities", "hello"],
    )  # fmt: skip
    assert status == 0
    last = [a for a in answers if " more " not in a]
    assert [re.search(r"code=(\w+)| ok ", a)[0] for a in last] == [
        "code=bus", "code=bus", " ok ", "code=bus", " ok "
    ]  # fmt: skip
    # A design that is not there at all.
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    status, answers = ask(agent, [empty, 0, "0x1000"], ["capabilities"])
    assert status == 0 and "code=bus" in answers[0]


def test_another_bus_error_still_ends_the_program(tmp_path):
    """The program's own faults are not taken for those of a device."""
    main = tmp_path / "main.c"
    main.write_text(
        "#define _DEFAULT_SOURCE\n#include <signal.h>\n#include <stdio.h>\n"
        "#include <sys/mman.h>\n"
        '#include "bus_error.h"\nint main(void) {\n  FILE *file = tmpfile();\n'
        "  volatile uint32_t *word = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,\n"
        "                                 fileno(file), 0);\n  uint32_t value = 0;\n"
        "  if (axm_bus_error_catch() != AXM_OK) return 3;\n"
        "  if (axm_bus_read32(word, &value) != AXM_ERROR_BUS) return 4;\n"
        "  if (axm_bus_write32(word, 1) != AXM_ERROR_BUS) return 5;\n"
        "  if (axm_bus_read32(word, &value) != AXM_ERROR_BUS) return 6;\n"
        "  /* A write whose failure is told later fails the access after it, once. */\n"
        "  volatile uint32_t good = 0;\n  raise(SIGBUS);\n"
        "  if (axm_bus_write32(&good, 1) != AXM_ERROR_BUS) return 7;\n"
        "  if (axm_bus_read32(&good, &value) != AXM_OK || value != 1) return 8;\n"
        "  return (int)*word;\n}\n"
    )
    includes, _ = build.listed()
    program = tmp_path / "program"
    source = build.HOST / "hal" / "bus_error.c"
    command = [build.compiler(), *build.WARNINGS, *includes, main, source, "-o", program]
    subprocess.run([str(word) for word in command], check=True)
    assert subprocess.run([program]).returncode == -7  # SIGBUS


def environment_of(program, root):
    done = subprocess.run([program, root], capture_output=True, text=True, check=True, timeout=20)
    return dict(line.split("=") for line in done.stdout.splitlines())


def test_the_environment_of_a_board(tmp_path):
    main = tmp_path / "main.c"
    main.write_text(
        '#include <stdio.h>\n#include "linux_environment.h"\nint main(int n, char **words) {\n'
        "  char value[AXM_ENVIRONMENT_BYTES];\n  const char *name = NULL;\n"
        "  enum axm_status status = AXM_OK;\n"
        '  printf("emulated=%d\\n", n > 1 && axm_linux_emulated(words[1]));\n'
        '  printf("configured=%d\\n", n > 1 && axm_linux_configured(words[1]));\n'
        "  for (uint32_t i = 0; status != AXM_ERROR_RANGE; ++i) {\n"
        "    status = axm_linux_environment(words[1], i, &name, value);\n"
        '    if (status == AXM_OK) printf("%s=%s\\n", name, value);\n  }\n  return 0;\n}\n'
    )
    program, root = tmp_path / "program", tmp_path / "root"
    includes, _ = build.listed()
    source = build.HOST / "hal" / "linux_environment.c"
    command = [build.compiler(), *build.WARNINGS, *includes, main, source, "-o", program]
    subprocess.run([str(word) for word in command], check=True)
    assert environment_of(program, root) == {"emulated": "1", "configured": "1"}
    cpu, iio = "sys/devices/system/cpu/cpu0/cpufreq", "sys/bus/iio/devices/iio:device0/in_temp0_"
    for name, text in {
        "proc/device-tree/compatible": "digilent,zynq-zybo\0xlnx,zynq-7000\0",
        "proc/device-tree/model": "Digilent Zybo*board\0",
        "proc/sys/kernel/osrelease": "6.12.1-x\n",
        f"{cpu}/scaling_governor": "performance\n",
        f"{cpu}/scaling_cur_freq": "650000\n",
        f"{iio}raw": "2500\n", f"{iio}offset": "-2219\n", f"{iio}scale": "123.040771484\n",
        "sys/kernel/debug/clk/fclk0/clk_rate": "100000000\n",
        "sys/class/fpga_manager/fpga0/state": "operating\n",
    }.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    wanted = {
        "emulated": "0", "configured": "1", "kernel": "6.12.1-x", "model": "Digilent_Zybo_board",
        "governor": "performance", "cpu_khz": "650000", "temperature_mC": "34574",
        "fabric_hz": "100000000",
    }  # fmt: skip
    assert environment_of(program, root) == wanted
    for zone, text in enumerate(("41000\n", "57500\n", "\n")):
        (root / f"sys/class/thermal/thermal_zone{zone}").mkdir(parents=True)
        (root / f"sys/class/thermal/thermal_zone{zone}/temp").write_text(text)
    (root / "proc/device-tree/compatible").write_text("linux,dummy-virt\0")
    (root / "sys/class/fpga_manager/fpga0/state").write_text("unknown\n")
    wanted |= {"temperature_mC": "57500", "emulated": "1", "configured": "0"}
    assert environment_of(program, root) == wanted


@pytest.mark.parametrize(
    "words",
    [["-1", "0x1000"], ["0", "0"], ["0", "99999999999999999999999"],
     ["0xFFFFFFFFFFFFF000", "0x2000"], ["0", "0x10z"], ["0", " 1"]],
    ids=str,
)  # fmt: skip
def test_addresses_and_sizes_that_cannot_be(agent, tmp_path, words):
    device = design(tmp_path / "uio", 1)
    done = subprocess.run([agent, device, *words], capture_output=True, text=True, timeout=20)
    assert done.returncode in (1, 2)
    assert "axiometer-agent" in done.stderr


def test_a_line_that_nobody_reads_ends_the_agent(agent, tmp_path):
    """By a status, not by SIGPIPE."""
    device = design(tmp_path / "uio", 1)
    with subprocess.Popen(
        [agent, device, "0", "0x1000"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        process.stdout.close()
        process.stdin.write(test_fuzz.line("1 hello") * 3)
        process.stdin.close()
        assert process.wait(20) == 0


@pytest.fixture(scope="module")
def memory(tmp_path_factory):
    """A program that opens a u-dma-buf and says what it did."""
    folder = tmp_path_factory.mktemp("memory")
    main = folder / "main.c"
    main.write_text(
        '#include <inttypes.h>\n#include <stdio.h>\n#include <string.h>\n#include "udmabuf.h"\n'
        "int main(int count, char **words) {\n  struct axm_udmabuf m;\n  (void)count;\n"
        "  enum axm_status s = axm_udmabuf_open(&m, words[1], words[2], words[3]);\n"
        '  if (s != AXM_OK) { printf("%s\\n", axm_status_name(s)); return 1; }\n'
        "  const struct axm_memory piece = {m.whole.memory, m.whole.bus_address + 4096, 4096};\n"
        "  memset(piece.memory, 1, 64);\n"
        '  printf("%d %" PRIx64 " %" PRIu64 "\\n", m.managed, m.whole.bus_address, m.whole.size);\n'
        "  s = axm_udmabuf_sync(&m, &piece, 64, 128, words[4][0] == 'd');\n"
        '  printf("%s\\n", axm_status_name(s));\n'
        "  s = axm_udmabuf_sync(&m, &piece, 64, 4096, true);\n"
        '  printf("%s\\n", axm_status_name(s));\n'
        "  axm_udmabuf_close(&m);\n  return 0;\n}\n"
    )
    includes, _ = build.listed()
    sources = [main, build.HOST / "hal" / "udmabuf.c", build.HOST / "src" / "status.c"]
    program = folder / "memory"
    command = [build.compiler(), *build.WARNINGS, *build.SANITIZERS, *includes, *sources]
    subprocess.run([str(word) for word in [*command, "-o", program]], check=True)
    return program


def device(tmp_path, folder="u-dma-buf", **attributes):
    """A folder of classes and one of devices with udmabuf0; its attributes, or None for none."""
    own = tmp_path / "class" / folder / "udmabuf0"
    own.mkdir(parents=True)
    values = {"phys_addr": "0x0000000880000000", "size": "65536", "sync_mode": "1",
              "dma_coherent": "0", "sync_offset": "", "sync_size": "", "sync_direction": "2",
              "sync_for_cpu": "", "sync_for_device": "", **attributes}  # fmt: skip
    for name, value in values.items():
        if value is not None:
            (own / name).write_text(f"{value}\n")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "udmabuf0").write_bytes(bytes(65536))
    return own


def opened(memory, tmp_path, way="d"):
    words = ["udmabuf0", tmp_path / "class", tmp_path / "dev", way]
    done = subprocess.run([memory, *map(str, words)], capture_output=True, text=True, timeout=20)
    assert not done.stderr, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("mode", "coherent", "managed"),
    [("0", "0", "1"), ("1", "0", "0"), ("2", "0", "0"), ("3", "0", "0"), ("4", "0", "1"),
     ("5", "0", "0"), ("7", "0", "0"), ("0", "1", "0"), ("1", "1", "0"), ("9", "0", "1"),
     (None, None, "1"), ("junk", "0", "1")],
)  # fmt: skip
def test_cached_memory_is_given_to_the_device_and_back(memory, tmp_path, mode, coherent, managed):
    """O_SYNC alone does not say that memory is not cached: the driver's sync_mode does."""
    own = device(tmp_path, sync_mode=mode, dma_coherent=coherent)
    said = opened(memory, tmp_path)
    assert said == [managed, "880000000", "65536", "ok", "argument"]
    names = ("sync_offset", "sync_size", "sync_direction", "sync_for_device", "sync_for_cpu")
    told = {name: (own / name).read_text().strip() for name in names}
    if managed == "1":
        assert list(told.values()) == [str(4096 + 64), "128", "0", "1", ""]
    else:
        assert list(told.values()) == ["", "", "2", "", ""]


def test_memory_is_taken_back_before_it_is_read(memory, tmp_path):
    own = device(tmp_path, folder="udmabuf", sync_mode="0")
    assert opened(memory, tmp_path, "c")[-2] == "ok"
    assert (own / "sync_for_cpu").read_text().strip() == "1"
    assert (own / "sync_for_device").read_text().strip() == ""


@pytest.mark.parametrize(
    ("attributes", "word"),
    [({"size": "0"}, "range"), ({"size": "junk"}, "system"), ({"size": "-4096"}, "system"),
     ({"size": "99999999999999999999999"}, "system"), ({"phys_addr": None}, "system"),
     ({"phys_addr": "0xFFFFFFFFFFFFF000"}, "range"), ({"size": "12 34"}, "system")],
    ids=str,
)  # fmt: skip
def test_memory_that_cannot_be(memory, tmp_path, attributes, word):
    device(tmp_path, **attributes)
    assert opened(memory, tmp_path) == [word]


def test_a_sync_that_fails_is_told(memory, tmp_path):
    own = device(tmp_path, sync_mode="0")
    (own / "sync_for_device").unlink()
    assert opened(memory, tmp_path)[-2] == "system"


def test_more_memory_than_32_bits_can_address(tmp_path):
    """A 32-bit program refuses 4 GiB and more, and does not map what is left of the number."""
    one = tmp_path / "one.c"
    one.write_text("#include <errno.h>\nint main(void) { return errno; }\n")  # needs all headers
    narrow = [build.compiler(), "-m32"]
    made = subprocess.run([*narrow, one, "-o", tmp_path / "one"], capture_output=True)
    if made.returncode != 0 or subprocess.run([tmp_path / "one"]).returncode != 0:
        pytest.skip("no 32-bit C library: sudo apt-get install gcc-multilib")
    agent = build.linux_agent(tmp_path, compiler=" ".join(narrow))
    page = design(tmp_path / "uio", 1)
    done = subprocess.run([agent, page, "0", "0x100001000"], capture_output=True, text=True)
    assert done.returncode == 1 and "impossible" in done.stderr
    # The same program, with what it can address.
    assert ask(agent, [page, 0, "0x1000"], ["capabilities"])[1][-1].startswith("1 ok ")
