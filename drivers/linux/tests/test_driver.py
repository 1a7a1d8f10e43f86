"""The driver's sources, and that they compile without a warning against Debian's headers.

That it works is shown by `make validate drivers`, in virtual machines.
"""

import re
import subprocess
from pathlib import Path

import pytest

from machines import kernels, packages, programs

DRIVER = Path(__file__).resolve().parents[1]
ROOT = DRIVER.parents[1]
C_FILES = sorted(DRIVER.rglob("*.[ch]"))
KERNEL_FILES = sorted(DRIVER.glob("*.[ch]"))
BINDING = DRIVER / "bindings" / "dma" / "axiometer,dma.yaml"
SPDX = "SPDX-License-Identifier: GPL-2.0"
LONGEST = 100


def complaints(text: str) -> list[str]:
    """What the kernel's style refuses in a C file, as checkpatch.pl would, in short."""
    found = []
    lines = text.split("\n")
    if SPDX not in lines[0]:
        found.append("1: no SPDX line")
    for number, line in enumerate(lines, start=1):
        if len(line.expandtabs(8)) > LONGEST:
            found.append(f"{number}: longer than {LONGEST} columns")
        if line != line.rstrip():
            found.append(f"{number}: space at the end")
        if re.match(r"\t* {8}", line):
            found.append(f"{number}: spaces where a tab belongs")
        if number > 1 and re.search(r"(^|\s)//", line):
            found.append(f"{number}: // comment")
        if re.search(r"\b(if|for|while|switch)\(", line):
            found.append(f"{number}: no space before (")
        if re.match(r"\s+(else|\{)\s*$", line) and lines[number - 2].strip() == "}":
            found.append(f"{number}: else belongs behind }}")
        if re.search(r"\b(readl|writel)\([^;]*\+ 0x", line):
            found.append(f"{number}: a register's address by number")
    return found


@pytest.mark.parametrize("path", KERNEL_FILES, ids=lambda path: path.name)
def test_style(path):
    assert complaints(path.read_text()) == []


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("int a;\n", "1: no SPDX line"),
        (f"// {SPDX}\n\tif(a)\n", "2: no space before ("),
        (f"// {SPDX}\n        int a;\n", "2: spaces where a tab belongs"),
        (f"// {SPDX}\nint a; \n", "2: space at the end"),
        (f"// {SPDX}\n{'a' * 101}\n", "2: longer than 100 columns"),
        (f"// {SPDX}\n\t// why\n", "2: // comment"),
        (f"// {SPDX}\n\tx = readl(base + 0x144);\n", "2: a register's address by number"),
    ],
)
def test_style_is_looked_at(text, says):
    assert says in complaints(text)


def test_every_file_says_its_licence():
    for path in [*C_FILES, DRIVER / "Kbuild", DRIVER / "Makefile", BINDING]:
        head = path.read_text().splitlines()[0]
        assert "SPDX-License-Identifier:" in head and "GPL-2.0" in head, path
    assert "GNU GENERAL PUBLIC LICENSE" in (DRIVER / "COPYING").read_text()


def test_driver_and_server_name_the_same_device():
    server = (ROOT / "lab" / "vfio" / "pci.hpp").read_text()
    driver = (DRIVER / "axm_pci.c").read_text()
    for name, here in (
        ("kVendor", "VENDOR"), ("kDeviceId", "DEVICE"), ("kSubsystemId", "SUBSYSTEM"),
    ):  # fmt: skip
        value = re.search(rf"{name} = (0x\w+)", server)[1]
        assert f"#define {here} {value}\n" in driver


def test_binding_and_driver_agree():
    binding = (BINDING).read_text()
    compatible = re.search(r"const: (\S+)", binding)[1]
    assert f'"{compatible}"' in (DRIVER / "axm_platform.c").read_text()
    assert f'compatible = "{compatible}"' in binding


def test_binding_names_who_keeps_it_as_dt_doc_validate_asks():
    """The rule of dtschema's meta-schemas/base.yaml; all else of them passed by dtschema 2026.9."""
    (maintainer,) = re.findall(r"maintainers:\n  - (.+)\n", BINDING.read_text())
    assert re.fullmatch(r".+ <\S+@\S+>|\S+@\S+", maintainer)


def test_interface_is_the_same_for_32_and_64_bits(tmp_path):
    """No padding, and 64-bit members at multiples of 8: then all ABIs agree."""
    sizes = {
        "info": 104, "entry": 8, "ring": 128, "kick": 24, "coalesce": 16, "export": 16,
        "register": 32, "stats": 96,
    }  # fmt: skip
    eights = {
        "info": ("slots_offset", "ring_offset", "reserved"),
        "kick": ("timeout_ns", "reserved"),
        "register": ("address", "bytes"),
        "stats": ("sent_packets", "reserved"),
    }
    lines = ["#include <stddef.h>", '#include "axm_ioctl.h"']
    lines += [f"_Static_assert(sizeof(struct axm_{n}) == {s}, {n!r});" for n, s in sizes.items()]
    lines += [
        f"_Static_assert(offsetof(struct axm_{name}, {member}) % 8 == 0, {member!r});"
        for name, members in eights.items()
        for member in members
    ]
    source = tmp_path / "abi.c"
    source.write_text("\n".join(lines).replace("'", '"') + "\n")
    command = ["gcc", "-Wpadded", "-Werror", "-Wall", f"-I{DRIVER}", "-c", source]
    done = subprocess.run(
        [*command, "-o", tmp_path / "abi.o"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("kernel", ["6.12", "6.1"])
def test_builds_without_a_warning(kernel):
    absent = [folder.name for folder in kernels.missing(kernel)]
    if absent:
        pytest.skip(
            f"the driver was not compiled against Linux {kernel}: its headers are not there; "
            f"{packages.FETCH} {kernel} fetches them"
        )
    said = programs.driver(kernels.find(kernel), check=True).log
    assert "LD [M]" in said and "axiometer.ko" in said
    assert "axm_ring.c" in said or "axm_ring.o" in said
    assert programs.remarks(said) == []
