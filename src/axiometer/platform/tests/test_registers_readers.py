"""Readers of register files: each form on a small sample, and what is damaged is refused."""

import time
from contextlib import suppress

import pytest

from axiometer.base.errors import AxiometerError
from axiometer.platform.registers import read_writes
from axiometer.platform.registers.readers import MAX_BYTES, writes_of
from register_files import ZYNQ

TCL = """\
set psu_ddr_data {
    # Register : MSTR @ 0XFD070000</p>
    #(OFFSET, MASK, VALUE)      (0XFD070000, 0xE30FBE3DU ,0x41040010U)  */
    mask_write 0XFD070000 0xE30FBE3D 0x41040010
    mask_poll 0XFD070004 0x00000001
}
set psu_pll_data {
    mask_write 0XFD1A002C 0x00717F00 0x00014000
}
proc psu_mask_write { addr mask value } {
    mwr -force $addr $maskedval
}
proc psu_train {} {
    set code [mask_read 0xFD080030 0xFFFFFFFF];
    mwr -force 0xFD080200 0x80000000;
    mwr -force 0xFD080204 $code
}
proc psu_init {} {
    variable psu_ddr_data
    variable psu_pll_data
    init_ps [subst {$psu_pll_data $psu_ddr_data }]
    psu_train
}
proc psu_never {} {
    mask_write 0XFD070000 0xFFFFFFFF 0x00000000
}
"""
PS7_TCL = """\
proc ps7_ddr_3_0 {} {
    mask_write 0XF8006000 0x0001FFFF 0x00000083
}
proc ps7_ddr_1_0 {} {
    mask_write 0XF8006000 0x0001FFFF 0x00000081
}
proc ps7_init {} {
    if { $sil_ver == 1 } {
        ps7_ddr_1_0
    } else {
        ps7_ddr_3_0
    }
}
"""
PS7_C = """\
unsigned long ps7_ddr_init_data_3_0[] = {
    // .. START: DDR INITIALIZATION
    // .. reg_ddrc_soft_rstb = 0
    EMIT_MASKWRITE(0XF8006000, 0x0001FFFFU ,0x00000080U),
    EMIT_MASKPOLL(0XF8006054, 0x00000007U),
    EMIT_WRITE(0XF8000008, 0x0000DF0DU),
    EMIT_EXIT(),
};
unsigned long ps7_ddr_init_data_1_0[] = {
    EMIT_MASKWRITE(0XF8006000, 0x0001FFFFU ,0x00000081U),
    EMIT_EXIT(),
};
unsigned long ps7_post_config_3_0[] = {
    EMIT_MASKWRITE(0XF8008000, 0x00000001U ,0x00000001U),
};
int ps7_post_config() { return ps7_config(ps7_post_config_3_0); }
int ps7_init() { return ps7_config(ps7_ddr_init_data_3_0); }
"""
PSU_C = """\
#define PLAIN_OFFSET 0XFD1A002C
static unsigned long psu_ddr_init_data(void)
{
    /*
    * Register : MSTR @ 0XFD070000
    * (OFFSET, MASK, VALUE)      (0XFD070000, 0xE30FBE3DU ,0x41040010U)
    */
    PSU_Mask_Write(DDRC_MSTR_OFFSET, 0xE30FBE3DU, 0x41040010U);
    psu_mask_write(0xFD070010,
		0x8000F03FU, 0x00000030U);
    return 1;
}
static unsigned long psu_pll_init_data(void)
{
    PSU_Mask_Write(PLAIN_OFFSET, 0x00717F00U, 0x00014000U);
    return 1;
}
static int psu_train(void)
{
    unsigned int regval = Xil_In32(0xFD080030);
    Xil_Out32(0xFD080200U, 0x100091C7U);
    prog_reg(0xFD080014U, 0x00000040U, 0x00000006U, 0x00000001U);
    prog_reg(0xFD080018, 0x3FFFF, 0x0, regval);
    Xil_Out32(((0xFD1A0000U) + 0x0000002C), regval);
    return 1;
}
int psu_init(void)
{
    int status = 1;
    status &= psu_pll_init_data();
    status &= psu_ddr_init_data();
    status &= psu_train();
    return status;
}
"""
HEADER = """\
#define CONFIG_HPS_SDR_CTRLCFG_DRAMTIMING1_TCL\t\t\t\t7
#define CFG_HPS_SDR_CTRLCFG_MPPRIORITY_USERPRIORITY (0x3FFD1088) /* ports */
#define __SDRAM_CONFIG_H
"""
MD = """\
=> md f8006000 6
f8006000: 00000081 0000107f 03c0780f 02001001    ........x.......
f8006010: 00014001 deadbeef    .@......
"""


def triples(text):
    return [(w.address, w.mask, w.value) for w in writes_of(text, "x")]


def test_table():
    assert triples(ZYNQ)[0] == (0xF8000104, 0x0007F000, 0x00020000)
    named = writes_of("part,name,mask,value\npll,CFG_HPS_X,,0x10\n", "x")
    assert (named[0].name, named[0].value, named[0].line) == ("CFG_HPS_X", 16, 2)
    assert triples("address,value\n0xF8006000,5\n") == [(0xF8006000, 0xFFFFFFFF, 5)]


def test_a_value_that_only_the_board_knows_changes_no_bit():
    assert triples("address,mask,value\n0xFD40289C,0xFFFFFFFF,$RDATA\n") == [(0xFD40289C, 0, 0)]


def test_tcl_is_followed_from_psu_init():
    assert triples(TCL) == [
        (0xFD1A002C, 0x00717F00, 0x00014000),
        (0xFD070000, 0xE30FBE3D, 0x41040010),
        (0xFD080200, 0xFFFFFFFF, 0x80000000),
        (0xFD080204, 0, 0),
    ]


def test_the_newest_silicon_counts():
    assert triples(PS7_TCL) == [(0xF8006000, 0x0001FFFF, 0x83)]
    assert triples(PS7_C) == [
        (0xF8006000, 0x0001FFFF, 0x80),
        (0xF8000008, 0xFFFFFFFF, 0xDF0D),
        (0xF8008000, 0x1, 1),  # once the fabric is there
    ]
    # As Vivado itself writes it: the type in a line of its own, and so are branches.
    own = PS7_C.replace("int ps7_init() {", "int\nps7_init() \n{\nif (old ())\n{\n  return 1;\n}\n")
    assert own != PS7_C
    assert triples(own) == triples(PS7_C)


def test_c_is_followed_from_psu_init_and_macros_are_resolved():
    assert triples(PSU_C) == [
        (0xFD1A002C, 0x00717F00, 0x00014000),
        (0xFD070000, 0xE30FBE3D, 0x41040010),
        (0xFD070010, 0x8000F03F, 0x00000030),
        (0xFD080200, 0xFFFFFFFF, 0x100091C7),
        (0xFD080014, 0x00000040, 0x00000040),
        (0xFD080018, 0, 0),
    ]


def test_headers_of_a_preloader():
    assert [(w.name, w.value) for w in writes_of(HEADER, "x")] == [
        ("CFG_HPS_SDR_CTRLCFG_DRAMTIMING1_TCL", 7),
        ("CFG_HPS_SDR_CTRLCFG_MPPRIORITY_USERPRIORITY", 0x3FFD1088),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "0xF8006000 0x00000081\n0xF8006004 0x0000107F\n",
        "0xF8006000: 0x81\r\n0xF8006004: 0x107F\r\n",
        "0xF8006000=0x00000081\n\nsome words\n0xF8006004=0x0000107F",
        "F8006000:   00000081\nF8006004:   0000107F\n",
        "xsdb% mrd 0xF8006000 2\nF8006000:   00000081\nF8006004:   0000107F\nxsdb%",
        "# devmem 0xF8006000\n0x00000081\n# devmem 0xF8006004 32\n0x0000107F\n",
        "$ sudo devmem2 0xF8006000\n/dev/mem opened.\n"
        "Value at address 0xF8006000 (0xb6f1e000): 0x81\n"
        "Value at address 0xF8006004 (0xb6f1e004): 0x107F\n",
    ],
)
def test_dumps_of_a_running_board(text):
    assert triples(text) == [(0xF8006000, 0xFFFFFFFF, 0x81), (0xF8006004, 0xFFFFFFFF, 0x107F)]


def test_characters_of_md_are_no_words():
    found = triples(MD)
    assert [value for *_, value in found][:5] == [0x81, 0x107F, 0x03C0780F, 0x02001001, 0x14001]
    assert found[-1] == (0xF8006014, 0xFFFFFFFF, 0xDEADBEEF) and len(found) == 6
    odd = "f8006000: 00000081 0000107f 03c0780f 02001001    00000bad 1234567\n"
    assert len(triples(odd)) == 4


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("address,mask,value\n0xF8006000,0x1\n", ":2: 2 cells, but the heading has 3"),
        ("address,mask,value\n0xF8006000,0x1,0xZZ\n", ":2: a value is '0xZZ'"),
        ("address,mask,value\n0xF8006000,0x1,0x123456789\n", ":2: a value is '0x123456789'"),
        ("address,mask,value\n0xF8006001,0x1,1\n", ":2: the address 0xf8006001 is not that"),
        ("address,mask,value\n,0x1,1\n", ":2: an address is ''"),
        ('address,mask,value\n"0xF8006000,0x1,1\n', "cells, but the heading has 3"),
        ("address,mask,value\n", "no register writes"),
        (TCL[: TCL.index("0xE30FBE3D 0x41")], ":1: the file ends in the middle of psu_ddr_data"),
        (TCL.replace(" 0x41040010\n", "\n"), ":4: mask_write has 2 arguments, not 3"),
        (PSU_C[: PSU_C.index("return status")], ":28: the file ends in the middle of psu_init"),
        (PSU_C[: PSU_C.index("int psu_init")], ":26: the file ends before psu_init or ps7_init"),
        (PS7_TCL[: PS7_TCL.index("proc ps7_init")], ":6: the file ends before psu_init or ps7"),
        (
            PSU_C.replace("psu_mask_write(0xFD070010", "psu_mask_write(DDRC_MRCTRL0_OFFSET"),
            ":9: an address is 'DDRC_MRCTRL0_OFFSET'",
        ),
        (PSU_C.replace("0x00000030U", "0x0000003ZU"), ":9: an argument is '0x0000003ZU'"),
        ("#define CFG_HPS_SDR_CTRLCFG_X seven\n", ":1: SDR_CTRLCFG_X is 'seven"),
        ("F8006000:   00000081\nF8006004:   \n", ":2: no value after the address 0xf8006004"),
        ("F8006002:   00000081\n", ":1: the address 0xf8006002 is not that"),
        ("", "no register writes"),
        ("nothing of that kind\n", "no register writes"),
        ("0xF8006000 \x1b[2J\n", "control character"),
    ],
)
def test_damage_is_told_with_file_and_line(text, says):
    with pytest.raises(AxiometerError) as caught:
        writes_of(text, "board.txt")
    told = str(caught.value)
    assert told.startswith("board.txt:") and says in told
    assert caught.value.remedy


def test_files_that_are_no_text_or_too_large_are_refused(tmp_path):
    for name, content, says in (
        ("a.tcl", b"mask_write \xff\xfe", "not UTF-8 text"),
        ("b.bin", b"\x7fELF" + bytes(100), "control character"),
        ("c.csv", b"0" * (MAX_BYTES + 1), "is larger than 16 MiB"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(AxiometerError, match=says):
            read_writes(tmp_path / name)
    with pytest.raises(AxiometerError):
        read_writes(tmp_path / "not there")
    with pytest.raises(AxiometerError, match="directory"):
        read_writes(tmp_path)


def test_more_writes_than_any_board_makes_are_refused():
    text = "address,value\n" + "0xF8006000,1\n" * 200_001
    with pytest.raises(AxiometerError, match="more than 200000 writes"):
        writes_of(text, "x")


@pytest.mark.parametrize(
    "text",
    [
        "proc a {} {\n" + "mask_write 0XFD070000 0x1 0x1\n" * 20_000 + "}\n",
        "".join(f"proc p{i} {{}} {{\n" + f"p{i + 1}\n" * 3 + "}\n" for i in range(300))
        + "proc psu_init {} {\np0\n}\nproc z {} {\nmask_write 0XFD070000 1 1\n}\n",
        "a b(" * 50_000 + "mask_write 0XFD070000 0x1 0x1\n",
        "PSU_Mask_Write(X_OFFSET, 0x1U, 0x1U);\n" * 5_000,
        "F8006000: " + "00000081 " * 100_000,
        "#define CFG_HPS_" + "A" * 500_000 + " 1\n",
        "0xF8006000 " * 50_000,
    ],
)
def test_no_text_takes_long(text):
    began = time.monotonic()
    with suppress(AxiometerError):
        writes_of(text, "x")
    assert time.monotonic() - began < 10
