"""Files of register writes: tables, ps7_init and psu_init, preloader headers, handoffs of Quartus,
dumps of a board."""

from __future__ import annotations

TITLE = "files of register writes, their decoders, and board files of them"
_WORDS = r"""mask_write psu_mask_write PSU_Mask_Write EMIT_MASKWRITE( mwr -force Xil_Out32(
prog_reg( proc set unsigned long psu_init ps7_init _3_0 _1_0 {} { } ( ); 0xF8006000 0XFD070000
0xFFFFFFFF address,mask,value part,name,mask,value CFG_HPS_ CONFIG_HPS_ #define devmem md mrd
F8006000: $x (OFFSET, MASK, VALUE) /* */ // _OFFSET 4294967296 0x
<hps> <emif> name= value= 'true' </controller> <!DOCTYPE &a; MEM_TCL DDR3 main_pll_m <!-- -->"""
WORDS = [*_WORDS.encode().split(), b"\n", b"    ", b"return 1;\n}\n"]
MAX_BYTES = 20_000

_ZYNQ = """address,mask,value
0xF8000104,0x0007F000,0x00020000
0xF8000124,0xFFF00003,0x0C200003
0xF8006000,0x0001FFFF,0x00000081
0xF8006004,0x0007FFFF,0x00001081
0xF8006014,0x001FFFFF,0x0004285B
0xF8006018,0xF7FFFFFF,0x44E458D3
0xF800601C,0xFFFFFFFF,0x720238E5
0xF8006020,0x7FDFFFFC,0x270872D0
0xF800603C,0x000FFFFF,0x00000777
0xF8006040,0xFFFFFFFF,0xFFF00000
0xF8006044,0x0FFFFFFF,0x0FF66666
"""
_TCL = """set psu_a_data {
    mask_write 0XFD070000 0xE30FBE3D 0x41040010
}
proc psu_init {} {
    init_ps [subst {$psu_a_data }]
    mwr -force 0xFD080200 $x
}
"""
_C = """static unsigned long psu_a(void)
{
\t/* (OFFSET, MASK, VALUE) (0XFD070000, 0xE30FBE3DU ,0x41040010U) */
\tPSU_Mask_Write(DDRC_MSTR_OFFSET, 0xE30FBE3DU, 0x41040010U);
\tprog_reg(0xFD080014U, 0x40U, 0x6U, 0x1U);
}
int psu_init(void)
{
\tpsu_a();
}
"""


def _handoff() -> list[str]:
    """Both files of a handoff, with every name that is read."""
    from axiometer.platform.registers.readers.quartus_handoff import facts

    emif = [*facts()["emif"].values(), *facts()["memory_types"]]
    names = {"hps": list(facts()["hps"].values()), "emif": emif}
    names["emif"] += ["AFI_RATE_RATIO", "MEM_IF_RD_TO_WR_TURNAROUND_OCT", "MEM_IF_DM_PINS_EN"]
    given = {"MEM_DQ_WIDTH": 32, "DDR2": 0, "LPDDR1": 0, "LPDDR2": 0}
    return [
        f"C<{kind}>\n"
        + "".join(f"<define name='{n}' value='{given.get(n, 1)}'/>\n" for n in own)
        + f"</{kind}>\n"
        for kind, own in names.items()
    ]


def seeds() -> list[bytes]:
    from axiometer.platform.registers.tables import load

    # Every register of each chip, as a dump prints them.
    dumps = [
        "".join(f"{r.address:08X}: 00000421\n" for r in load(chip).registers.values() if r.address)
        for chip in ("zynq-7000", "zynq-ultrascale-plus", "cyclone-v")
    ]
    texts = ["Z" + _ZYNQ, "U" + _TCL, "U" + _C, "C#define CFG_HPS_CLK_OSC1_HZ 25000000\n"]
    texts += _handoff()
    return [t.encode() for t in (*texts, "Z" + dumps[0], "U" + dumps[1], "C" + dumps[2])]


def one(data: bytes) -> None:
    from axiometer.platform.registers import decode, own_board, speed_bins
    from axiometer.platform.registers.readers import writes_of

    chips = {b"U": "zynq-ultrascale-plus", b"C": "cyclone-v"}
    text = data[1:].decode("utf-8", "replace")
    writes = writes_of(text, "fuzz")
    found = decode(chips.get(data[:1], "zynq-7000"), writes, file="fuzz")
    speed_bins.problems(found)
    own_board.board(text[:40], writes, text[:40], "fuzz")
    for figure in found.figures.values():
        assert figure.source, "a figure without a source"
