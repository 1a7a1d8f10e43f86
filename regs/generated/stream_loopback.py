# Generated from regs/stream_loopback.rdl by regs/generate.py; changes here are lost.
# ruff: noqa: N801
"""Registers: loop-back FIFO."""

BLOCK_TYPE = 8
MAP_VERSION = 1


class ID:
    OFFSET = 0x000
    BLOCK_TYPE_SHIFT = 0
    BLOCK_TYPE_MASK = 0xFFFF
    MAP_VERSION_SHIFT = 16
    MAP_VERSION_MASK = 0xFFFF0000


class CAPS:
    OFFSET = 0x004
    DEPTH_SHIFT = 0
    DEPTH_MASK = 0xFFFF
    DATA_BYTES_SHIFT = 16
    DATA_BYTES_MASK = 0xFF0000
    FORWARD_CYCLES_SHIFT = 24
    FORWARD_CYCLES_MASK = 0xFF000000


class CAPS2:
    OFFSET = 0x008
    NONE_SHIFT = 0
    NONE_MASK = 0xFFFFFFFF


class CTRL:
    OFFSET = 0x00C
    CLEAR_SHIFT = 0
    CLEAR_MASK = 0x1


class LIMIT:
    OFFSET = 0x010
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFF


class LEVEL:
    OFFSET = 0x014
    HELD_SHIFT = 0
    HELD_MASK = 0xFFFF
    PEAK_SHIFT = 16
    PEAK_MASK = 0xFFFF0000


class PACKETS:
    OFFSET = 0x018
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFF
