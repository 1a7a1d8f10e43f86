# Generated from regs/sniffer.rdl by regs/generate.py; changes here are lost.
# ruff: noqa: N801
"""Registers: burst sniffer."""

BLOCK_TYPE = 5
MAP_VERSION = 1


class ID:
    OFFSET = 0x000
    BLOCK_TYPE_SHIFT = 0
    BLOCK_TYPE_MASK = 0xFFFF
    MAP_VERSION_SHIFT = 16
    MAP_VERSION_MASK = 0xFFFF0000


class CAPS:
    OFFSET = 0x004
    SLOTS_SHIFT = 0
    SLOTS_MASK = 0xFF
    RECORDS_SHIFT = 8
    RECORDS_MASK = 0xFF00
    BINS_SHIFT = 16
    BINS_MASK = 0xFF0000
    ADDRESS_BITS_SHIFT = 24
    ADDRESS_BITS_MASK = 0xFF000000


class CAPS2:
    OFFSET = 0x008
    WRITES_SHIFT = 0
    WRITES_MASK = 0xFF


class CTRL:
    OFFSET = 0x00C
    RUN_SHIFT = 0
    RUN_MASK = 0x1


class STATUS:
    OFFSET = 0x010
    ARMED_SHIFT = 0
    ARMED_MASK = 0x1
    TRIGGERED_SHIFT = 1
    TRIGGERED_MASK = 0x2
    SATURATED_SHIFT = 2
    SATURATED_MASK = 0x4


class SELECT:
    OFFSET = 0x014
    SLOT_SHIFT = 0
    SLOT_MASK = 0x7


class TIME:
    OFFSET = 0x018
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class SLOT:
    OFFSET = 0x01C
    RECORDED_SHIFT = 0
    RECORDED_MASK = 0xFF
    SEEN_SHIFT = 8
    SEEN_MASK = 0x100


class BEAT_RANGE:
    OFFSET = 0x020
    MIN_SHIFT = 0
    MIN_MASK = 0xFFFF
    MAX_SHIFT = 16
    MAX_MASK = 0xFFFF0000


class GAP_RANGE:
    OFFSET = 0x024
    MIN_SHIFT = 0
    MIN_MASK = 0xFFFF
    MAX_SHIFT = 16
    MAX_MASK = 0xFFFF0000


class LENGTHS:
    OFFSET = 0x080
    COUNT = 32
    STRIDE = 4


class BEATS:
    OFFSET = 0x100
    COUNT = 32
    STRIDE = 4


class GAPS:
    OFFSET = 0x180
    COUNT = 32
    STRIDE = 4


class RECORDS:
    OFFSET = 0x800
    COUNT = 512
    STRIDE = 4
