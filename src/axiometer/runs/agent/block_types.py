# Generated from regs/common.rdl by regs/generate.py; changes here are lost.
"""Block types, as the table of blocks of a design has them."""

NONE = 0  # no block
ID = 1  # identification
DMA = 2  # DMA engine
TRAFFIC = 3  # traffic generator
MONITOR = 4  # performance monitor
SNIFFER = 5  # burst sniffer
SOURCE = 6  # stream source
SINK = 7  # stream sink
LOOPBACK = 8  # loop-back FIFO
COUNTER = 9  # free-running counter
SIMPLE_MASTER = 10  # simple master
RAM = 11  # RAM; its window is the memory, it has no registers
MULTIPLEXER = 12  # multiplexer
CONVOLUTION = 13  # convolution accelerators
VENDOR = 14  # what is known of a vendor's engine beside the instrument
