/* A design that is not there: the registers of two ports in duplex mode and a traffic generator,
 * as software sees them. It moves data; times are invented.
 */
#ifndef AXM_FAKE_H
#define AXM_FAKE_H

#include "axm.h"
#include "test.h"

enum {
  FAKE_PORTS = 2,
  FAKE_COUNTER = 1,
  FAKE_PORT0 = 2, /* then, for each port: DMA, loop-back, monitor, sniffer */
  FAKE_PER_PORT = 4,
  FAKE_TRAFFIC = FAKE_PORT0 + FAKE_PORTS * FAKE_PER_PORT,
  FAKE_SOURCE,
  FAKE_SINK,
  FAKE_COPY, /* a copying engine with rings */
  FAKE_BLOCKS,
  FAKE_DMA0 = FAKE_PORT0,
  FAKE_LOOPBACK0,
  FAKE_MONITOR0,
  FAKE_SNIFFER0,
  FAKE_QUEUE = 4,
  FAKE_FIFO = 1 << 17,
  FAKE_PACKETS = 64
};

#define FAKE_BASE UINT64_C(0x43C00000)
#define FAKE_CLOCK_NS 10u
#define FAKE_BEAT 8u

struct fake_transfer {
  uint64_t address, source;
  uint32_t bytes;
  bool last;
  uint64_t due_ns;
};

struct fake_done {
  uint32_t word, bytes;
};

struct fake_half {
  struct fake_transfer queue[FAKE_QUEUE];
  uint32_t queued;
  struct fake_done done[FAKE_QUEUE];
  uint32_t waiting;
};

struct fake_dma {
  struct fake_half half[2];
  uint32_t irq;
  unsigned char fifo[FAKE_FIFO];
  uint32_t held;
  uint32_t packet[FAKE_PACKETS]; /* bytes of the packets in it that have ended */
  uint32_t packets;
  uint32_t open; /* bytes of the one that has not */
};

struct fake_design {
  struct axm_test_target *target;
  uint32_t word[FAKE_BLOCKS][1024]; /* what was written, and constants */
  struct fake_dma dma[FAKE_PORTS + 1];
  uint64_t traffic_due[2]; /* 0: at rest */
  uint32_t latched_high;
  bool ring_busy; /* the copying engine has descriptors that it was given while it hung */
  /* What goes wrong: */
  uint32_t fault_block; /* a DMA engine; 0: none */
  uint32_t fault_half, fault_code, fault_bytes;
  uint32_t traffic_errors[2]; /* words of its ERRORS registers at the end */
  bool hang;                  /* transfers never end */
  bool never_clean;           /* nor does an abort */
};

/* A target with this design behind it. */
const struct axm_hal *fake_design(struct fake_design *design, struct axm_test_target *target);
/* Block number of a port's block, such as fake_block(1, FAKE_DMA0). */
uint32_t fake_block(uint32_t port, uint32_t of_port_0);

/* For the files of the fake only. */
uint32_t *fake_word(struct fake_design *design, uint32_t block, uint32_t offset);
int fake_engine(uint32_t block); /* index in `dma` of the engine that is, or serves, a block */
uint32_t fake_read_dma(struct fake_design *design, uint32_t block, uint32_t offset);
void fake_write_dma(struct fake_design *design, uint32_t block, uint32_t offset, uint32_t value);
/* Ends the oldest transfer of a half if it can be done by now. */
void fake_work(struct fake_design *design, uint32_t block, int number);

#endif
