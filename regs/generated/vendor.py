# Generated from regs/vendor.rdl by regs/generate.py; changes here are lost.
# ruff: noqa: N801
"""Registers: vendor's engine."""

from enum import IntEnum

BLOCK_TYPE = 14
MAP_VERSION = 1


class Engine(IntEnum):
    NONE = 0
    AXI_DMA = 1
    AXI_DMA_SG = 2
    AXI_CDMA = 3
    AXI_CDMA_SG = 4
    AXI_TRAFFIC_GEN = 5
    MSGDMA = 6


class ID:
    OFFSET = 0x000
    BLOCK_TYPE_SHIFT = 0
    BLOCK_TYPE_MASK = 0xFFFF
    MAP_VERSION_SHIFT = 16
    MAP_VERSION_MASK = 0xFFFF0000


class CAPS:
    OFFSET = 0x004
    ENGINE_SHIFT = 0
    ENGINE_MASK = 0xF
    UNALIGNED_SHIFT = 4
    UNALIGNED_MASK = 0x10
    COHERENT_SHIFT = 5
    COHERENT_MASK = 0x20
    LENGTH_BITS_SHIFT = 8
    LENGTH_BITS_MASK = 0x3F00
    ADDRESS_BITS_SHIFT = 16
    ADDRESS_BITS_MASK = 0x7F0000
    DATA_LOG2_SHIFT = 24
    DATA_LOG2_MASK = 0xF000000
    LINES_SHIFT = 28
    LINES_MASK = 0xF0000000


class CAPS2:
    OFFSET = 0x008
    VALUE_SHIFT = 0
    VALUE_MASK = 0xFFFFFFFF


class STATUS:
    OFFSET = 0x00C
    LINES_SHIFT = 0
    LINES_MASK = 0xFF
