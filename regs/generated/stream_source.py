# Generated from regs/stream_source.rdl by regs/generate.py; changes here are lost.
# ruff: noqa: N801
"""Registers: stream source."""

BLOCK_TYPE = 6
MAP_VERSION = 1


class ID:
    OFFSET = 0x000
    BLOCK_TYPE_SHIFT = 0
    BLOCK_TYPE_MASK = 0xFFFF
    MAP_VERSION_SHIFT = 16
    MAP_VERSION_MASK = 0xFFFF0000


class CAPS:
    OFFSET = 0x004
    DATA_BYTES_SHIFT = 0
    DATA_BYTES_MASK = 0xFF


class CAPS2:
    OFFSET = 0x008
    NONE_SHIFT = 0
    NONE_MASK = 0xFFFFFFFF


class CTRL:
    OFFSET = 0x00C
    ENABLE_SHIFT = 0
    ENABLE_MASK = 0x1


class STATUS:
    OFFSET = 0x010
    RUNNING_SHIFT = 0
    RUNNING_MASK = 0x1


class SEED:
    OFFSET = 0x014
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class PACKET_BYTES:
    OFFSET = 0x018
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFF


class BEATS:
    OFFSET = 0x01C
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF
