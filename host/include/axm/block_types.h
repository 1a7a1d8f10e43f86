/* Generated from regs/common.rdl by regs/generate.py; changes here are lost. */
#ifndef AXM_BLOCK_TYPES_H
#define AXM_BLOCK_TYPES_H

enum axm_block_type {
  AXM_BLOCK_NONE = 0,           /* no block */
  AXM_BLOCK_ID = 1,             /* identification */
  AXM_BLOCK_DMA = 2,            /* DMA engine */
  AXM_BLOCK_TRAFFIC = 3,        /* traffic generator */
  AXM_BLOCK_MONITOR = 4,        /* performance monitor */
  AXM_BLOCK_SNIFFER = 5,        /* burst sniffer */
  AXM_BLOCK_SOURCE = 6,         /* stream source */
  AXM_BLOCK_SINK = 7,           /* stream sink */
  AXM_BLOCK_LOOPBACK = 8,       /* loop-back FIFO */
  AXM_BLOCK_COUNTER = 9,        /* free-running counter */
  AXM_BLOCK_SIMPLE_MASTER = 10, /* simple master */
  AXM_BLOCK_RAM = 11,           /* RAM; its window is the memory, it has no registers */
  AXM_BLOCK_MULTIPLEXER = 12,   /* multiplexer */
  AXM_BLOCK_CONVOLUTION = 13,   /* convolution accelerators */
  AXM_BLOCK_VENDOR = 14,        /* what is known of a vendor's engine beside the instrument */
};

#endif
