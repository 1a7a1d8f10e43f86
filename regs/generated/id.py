# Generated from regs/id.rdl by regs/generate.py; changes here are lost.
# ruff: noqa: N801
"""Registers: identification block."""

from enum import IntEnum

BLOCK_TYPE = 1
MAP_VERSION = 1


class Top(IntEnum):
    OTHER = 0
    DMA = 1
    TRAFFIC = 2
    MASTER = 3
    CONVOLUTION = 4
    VENDOR = 5


class ID:
    OFFSET = 0x000
    BLOCK_TYPE_SHIFT = 0
    BLOCK_TYPE_MASK = 0xFFFF
    MAP_VERSION_SHIFT = 16
    MAP_VERSION_MASK = 0xFFFF0000


class CAPS:
    OFFSET = 0x004
    TABLE_WORDS_SHIFT = 0
    TABLE_WORDS_MASK = 0xFFFF


class CAPS2:
    OFFSET = 0x008
    NONE_SHIFT = 0
    NONE_MASK = 0xFFFFFFFF


class MAGIC:
    OFFSET = 0x00C
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class VERSION:
    OFFSET = 0x010
    PATCH_SHIFT = 0
    PATCH_MASK = 0xFF
    MINOR_SHIFT = 8
    MINOR_MASK = 0xFF00
    MAJOR_SHIFT = 16
    MAJOR_MASK = 0xFF0000


class CLOCK_HZ:
    OFFSET = 0x014
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class BLOCKS:
    OFFSET = 0x018
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class DESIGN:
    OFFSET = 0x01C
    TOP_SHIFT = 0
    TOP_MASK = 0xFF
    PORTS_SHIFT = 8
    PORTS_MASK = 0xFF00
    DATA_BYTES_SHIFT = 16
    DATA_BYTES_MASK = 0xFF0000
    VARIANT_SHIFT = 24
    VARIANT_MASK = 0xFF000000


class TABLE:
    OFFSET = 0x100
    COUNT = 64
    STRIDE = 4
