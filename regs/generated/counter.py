# Generated from regs/counter.rdl by regs/generate.py; changes here are lost.
# ruff: noqa: N801
"""Registers: free-running counter."""

BLOCK_TYPE = 9
MAP_VERSION = 1


class ID:
    OFFSET = 0x000
    BLOCK_TYPE_SHIFT = 0
    BLOCK_TYPE_MASK = 0xFFFF
    MAP_VERSION_SHIFT = 16
    MAP_VERSION_MASK = 0xFFFF0000


class CAPS:
    OFFSET = 0x004
    BITS_SHIFT = 0
    BITS_MASK = 0xFF


class CAPS2:
    OFFSET = 0x008
    NONE_SHIFT = 0
    NONE_MASK = 0xFFFFFFFF


class CLOCK_HZ:
    OFFSET = 0x00C
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class TIME_LO:
    OFFSET = 0x010
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class TIME_HI:
    OFFSET = 0x014
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF
