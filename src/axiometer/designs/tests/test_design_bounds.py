"""Designs of strangers: damaged, oversized and malicious files are refused in little time and
memory."""

import encodings
import lzma
import os
import pkgutil
import resource
import subprocess
import sys
import zipfile
from contextlib import suppress

import pytest

import design_kit as kit
import kit as base
from axiometer.base.errors import AxiometerError
from axiometer.designs import files, load

GOOD = kit.hwh(
    kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "d")), kit.zynq(("S_AXI_HP0", "d"))
)
ENTITIES = '<!DOCTYPE a [<!ENTITY x "ha"><!ENTITY y "&x;&x;">]><EDKSYSTEM>&y;</EDKSYSTEM>'
BAD = {
    "no XML": ("bd.hwh", b"\x00\x01 what", "cannot be read"),
    "cut off": ("bd.hwh", GOOD[: len(GOOD) // 2].encode(), "cannot be read"),
    "entities": ("bd.hwh", ENTITIES.encode(), "defines entities"),
    "a file elsewhere": (
        "bd.hwh",
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><EDKSYSTEM>&x;</EDKSYSTEM>',
        "defines entities",
    ),
    "another XML": ("bd.hwh", b"<html/>", "has no EDKSYSTEM"),
    "another system": ("bd.qsys", b"<EDKSYSTEM/>", "has no system of Platform Designer"),
    "deep": ("bd.hwh", b"<EDKSYSTEM>" + b"<a>" * 5000, "nested too deeply"),
    "no processor system": (
        "bd.hwh",
        kit.hwh(device="7z020", arch="zynq").encode(),
        "no processor system of Cyclone V SoC, ",
    ),
    "two of them": (
        "bd.hwh",
        kit.hwh(kit.zynq(), kit.usp().replace('"ps"', '"other"')).encode(),
        "has 2 processor systems",
    ),
    "a name twice": ("bd.hwh", kit.hwh(kit.zynq(), kit.zynq()).encode(), "exists twice"),
    "no xz": ("bd.hwh.xz", b"\xfd7zXZ\x00 and then nothing", "cannot be read"),
    "xz cut off": ("bd.hwh.xz", lzma.compress(GOOD.encode())[:-40], "cannot be read"),
    "an xz bomb": ("bd.hwh.xz", lzma.compress(bytes(files.MAX_PART + 1)), "too large unpacked"),
    "no zip": ("x.xsa", b"PK\x03\x04 and then nothing", "no hardware handoff"),
    "empty": ("x.xsa", b"", "no hardware handoff"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused(tmp_path, name):
    file, content, message = BAD[name]
    (tmp_path / file).write_bytes(content)
    with pytest.raises(AxiometerError) as caught:
        load(tmp_path / file)
    assert message in str(caught.value)
    assert file in str(caught.value)
    assert caught.value.remedy
    assert [p.name for p in tmp_path.iterdir()] == [file]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("bd.tcl", "write_hw_platform"),
        ("bd.bd", "the .bd or Tcl of a block design"),
        ("project.xpr", "write_hw_platform"),
        ("hps.xml", "give the .qsys"),
        ("photo.jpg", "give an .xsa or .hdf"),
    ],
)
def test_what_is_beside_an_export_leads_to_it(tmp_path, name, words):
    (tmp_path / name).write_text("something")
    for path in (tmp_path / name, tmp_path):
        with pytest.raises(AxiometerError) as caught:
            load(path)
        assert words in caught.value.remedy


ZIPS = {
    "a zip bomb": ({"bd.hwh": bytes(files.MAX_PART + 1)}, "too large unpacked"),
    "many parts": (
        {f"{n}.hwh": b" " * (files.MAX_PART - 1) for n in range(3)},
        "too large unpacked",
    ),
    "nothing in it": ({"readme.txt": b"x"}, "no hardware handoff"),
    "two designs": ({"a.hwh": GOOD.encode(), "b.hwh": GOOD.encode()}, "a.hwh, b.hwh"),
    "many handoffs": ({f"{n}.hwh": b"<a/>" for n in range(51)}, "more than 50"),
}


@pytest.mark.parametrize("name", ZIPS)
def test_bad_archives_are_refused(tmp_path, name):
    members, message = ZIPS[name]
    with pytest.raises(AxiometerError) as caught:
        load(kit.export(tmp_path / "x.xsa", members))
    assert message in str(caught.value)


def test_a_damaged_archive_is_refused(tmp_path):
    path = kit.export(tmp_path / "x.hdf", {"bd.hwh": GOOD})
    content = bytearray(path.read_bytes())
    for place in range(60, 90):
        content[place] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(AxiometerError, match="cannot be read"):
        load(path)


def test_a_member_that_lies_about_its_size_is_not_unpacked(tmp_path):
    path = kit.export(tmp_path / "x.hdf", {"bd.hwh": bytes(files.MAX_PART * 4)})
    content = path.read_bytes()
    got = (files.MAX_PART * 4).to_bytes(4, "little")
    path.write_bytes(content.replace(got, (1000).to_bytes(4, "little")))
    assert zipfile.ZipFile(path).getinfo("bd.hwh").file_size == 1000
    with pytest.raises(AxiometerError):
        load(path)


def test_more_elements_than_a_design_has(tmp_path, monkeypatch):
    monkeypatch.setattr("axiometer.designs.hwh.MAX_ELEMENTS", 20)
    (tmp_path / "bd.hwh").write_text(GOOD)
    with pytest.raises(AxiometerError, match="more than 20 elements"):
        load(tmp_path / "bd.hwh")


@pytest.mark.parametrize("path", ["none.hwh", "a\0b.hwh"])
def test_files_that_are_not_there(tmp_path, path):
    with pytest.raises(AxiometerError):
        load(tmp_path / path)


def test_special_files_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.hwh")
    with pytest.raises(AxiometerError, match=r"it is a pipe \(FIFO\)"):
        load(tmp_path / "pipe.hwh")
    os.mkfifo(tmp_path / "ps7_init.tcl")
    (tmp_path / "bd.hwh").write_text(GOOD)
    with pytest.raises(AxiometerError):  # two handoffs would be, one is a pipe: only files count
        load(tmp_path / "pipe.hwh")
    assert load(tmp_path).initialised == ""


def test_names_cannot_command_a_terminal(tmp_path):
    text = GOOD.replace('FULLNAME="/dma"', 'FULLNAME="/dma&#x9b;2J&#x202e;"')
    (tmp_path / "bd.hwh").write_text(text)
    (master,) = load(tmp_path / "bd.hwh").masters
    assert master.name == "dma\\x9b2J\\u202e.M_AXI_MM2S"


def chain(length):
    blocks = [kit.interconnect(f"ic{n}", [(f"n{n}", 64)], f"n{n + 1}", 64) for n in range(length)]
    first = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "n0"))
    return [first, *blocks, kit.zynq(("S_AXI_HP0", f"n{length}"))]


def mesh(wide, deep):
    """Layers of interconnects, each joined to all of the next: ways without end."""
    blocks = []
    for layer in range(deep):
        for n in range(wide):
            entries = [kit.bus("S00_AXI", f"l{layer}", False, 64)]
            blocks.append(
                kit.module(
                    f"x{layer}_{n}",
                    "xilinx.com:ip:smartconnect:1.0",
                    *entries,
                    kit.bus("M00_AXI", f"l{layer + 1}", True, 64),
                )
            )
    first = kit.module("dma", kit.DMA, kit.reads("M_AXI_MM2S", "l0"))
    return [first, *blocks, kit.zynq(("S_AXI_HP0", f"l{deep}"))]


def masters(count):
    blocks = [
        kit.module(
            f"d{n}", kit.DMA, kit.reads("M_AXI_MM2S", "hp"), parameters={"C_SG_LENGTH_WIDTH": 8}
        )
        for n in range(count)
    ]
    return [*blocks, kit.zynq(("S_AXI_HP0", "hp"))]


LARGE = {
    "long": (chain(1500), "paths through the interconnects are too long"),
    "many ways": (mesh(12, 12), "paths through the interconnects are too long or too many"),
    "many masters": (masters(3000), "more than 2000 masters"),
    "many interfaces": (
        [kit.module("m", "a:b:c:1", *(kit.bus(f"M{n}", "hp", True, 64) for n in range(1001)))],
        "more than 1000 interfaces",
    ),
    "almost too many masters": (masters(1900), "d1899"),
}


@pytest.mark.parametrize("name", LARGE)
def test_a_large_design_costs_bounded_time_and_memory(tmp_path, name):
    modules, message = LARGE[name]
    path = kit.saved(tmp_path, *modules)

    def limited():
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    for words in (["import", "design"], ["check", "design"]):
        done = subprocess.run(
            [sys.executable, "-m", "axiometer", *words, str(path), "--json"],
            env=base.environment(), capture_output=True, text=True, timeout=90, preexec_fn=limited,
        )  # fmt: skip
        assert done.returncode in (0, 1, 2), done.stderr[-2000:]
        if words[0] == "import":
            assert message in done.stdout + done.stderr


def spellings():
    """Every codec of Python, and names of none."""
    codecs = {module.name for module in pkgutil.iter_modules(encodings.__path__)}
    return sorted(
        codecs | {"UTF-7", "GB2312", "UTF-16", "utf-32", "UCS-4", "x-nope", "unicode_escape"}
    )


def in_each(text):
    """The text in each encoding, said to be so, and as UTF-8 said to be so."""
    for name in spellings():
        said = text.replace('encoding="UTF-8"', f'encoding="{name}"')
        yield name, said.encode()
        with suppress(LookupError, ValueError):  # of a codec that makes no text
            yield name, said.encode(name)


@pytest.mark.parametrize("ending", ["hwh", "qsys", "xsa"])
def test_every_encoding_is_read_or_refused(ending, tmp_path):
    declared = '<?xml version="1.0" encoding="UTF-8"?>'
    text = {
        "qsys": f'{declared}<system name="s"><module name="hps" kind="altera_hps"/></system>'
    }.get(ending, kit.hwh(kit.zynq(("S_AXI_HP0", "d"))))
    printed = 0
    for _, content in in_each(text):
        path = tmp_path / f"bd.{ending}"
        if ending == "xsa":
            kit.export(path, {"bd.hwh": content})
        else:
            path.write_bytes(content)
        try:
            load(path)
        except AxiometerError as error:
            printed += "unsupported encoding" in str(error)
    assert printed > 40
