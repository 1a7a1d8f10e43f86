/* The DMA engine: transfers between memory and a stream, or memory to memory (copy).
 *
 * A half (reading or writing) has a queue: transfers are done, and reported, in the order of
 * submission. In a copying engine all is submitted and reported at the writing half. Lengths are
 * 32 bits; axm_dma_describe returns an instance's capabilities. Rings of descriptors:
 * axm/dma_ring.h.
 */
#ifndef AXM_DMA_H
#define AXM_DMA_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum axm_dma_half { AXM_DMA_READ = 0, AXM_DMA_WRITE = 1 };

/* What became of a transfer: the codes of the registers. */
enum axm_dma_cause {
  AXM_DMA_OK = 0,
  AXM_DMA_SLVERR = 2,
  AXM_DMA_DECERR = 3,
  AXM_DMA_BAD_LAST = 4,
  AXM_DMA_BAD_ID = 5,
  AXM_DMA_UNEXPECTED = 6,
  AXM_DMA_BAD_COMMAND = 7,
  AXM_DMA_TIMEOUT_ADDRESS = 8,
  AXM_DMA_TIMEOUT_DATA = 9,
  AXM_DMA_TIMEOUT_RESPONSE = 10,
  AXM_DMA_TIMEOUT_INTERNAL = 11,
  AXM_DMA_ABORTED = 12
};

struct axm_dma {
  struct axm_block block;
  uint32_t caps; /* CAPS register, so that checks need no bus access */
};

struct axm_dma_caps {
  bool has_read, has_write, copy, rings, unaligned, axi3;
  uint32_t width_bits;
  uint32_t outstanding; /* most bursts in flight in a half */
  uint32_t queue;       /* transfers that a half holds, completions not yet taken included */
  uint32_t address_bits;
};

struct axm_dma_config {
  uint32_t burst_beats; /* 1 to 256, at most 16 in AXI3 */
  uint32_t outstanding; /* 1 to caps.outstanding */
  bool whole_burst;     /* writing: begin a burst only when all its data is there */
  uint32_t cache, prot, qos;
};

struct axm_dma_transfer {
  uint64_t address;
  uint64_t source; /* copy: where the data comes from; `address` is where it goes */
  uint32_t bytes;
  bool last; /* reading: the last beat carries tlast */
};

struct axm_dma_done {
  enum axm_dma_cause cause;
  bool at_source;  /* copy: the fault was on the reading side */
  bool packet_end; /* writing: ended with a packet, perhaps short */
  uint32_t bytes;  /* moved before any fault: the faulty burst begins at address + bytes */
};

/* A register write that starts something, so that several can be made back to back. */
struct axm_start {
  uint64_t address;
  uint32_t value;
};

enum axm_status axm_dma_open(struct axm_dma *dma, const struct axm_block_info *info) AXM_CHECKED;
void axm_dma_describe(const struct axm_dma *dma, struct axm_dma_caps *caps);
/* One word such as "slverr", and its meaning for people. */
const char *axm_dma_cause_name(enum axm_dma_cause cause);
const char *axm_dma_cause_text(enum axm_dma_cause cause);

/* Bus settings of a half; only while it is not busy. A copy has both halves to configure. The cache
 * and prot that are set last are also those of the descriptors of both halves' rings. */
enum axm_status axm_dma_configure(const struct axm_dma *dma, enum axm_dma_half half,
                                  const struct axm_dma_config *config) AXM_CHECKED;
/* Clocks without any handshake after which a half that waits for the slave gives up; 0: never.
 * Rounded up to units of 64; the largest is 4 194 240. */
enum axm_status axm_dma_set_timeout(const struct axm_dma *dma, uint32_t clocks) AXM_CHECKED;

/* Submits a transfer: AXM_ERROR_FULL if the queue is. prepare writes all but the word that starts
 * it, which *start then holds: axm_start() or a write32 of it submits. */
enum axm_status axm_dma_prepare(const struct axm_dma *dma, enum axm_dma_half half,
                                const struct axm_dma_transfer *transfer,
                                struct axm_start *start) AXM_CHECKED;
enum axm_status axm_dma_submit(const struct axm_dma *dma, enum axm_dma_half half,
                               const struct axm_dma_transfer *transfer) AXM_CHECKED;
enum axm_status axm_start(const struct axm_hal *hal, const struct axm_start *start) AXM_CHECKED;

/* Takes the oldest completion: AXM_ERROR_EMPTY if there is none yet, AXM_ERROR_TIMEOUT if none
 * came. AXM_OK: there was one; see its cause. */
enum axm_status axm_dma_poll(const struct axm_dma *dma, enum axm_dma_half half,
                             struct axm_dma_done *done) AXM_CHECKED;
enum axm_status axm_dma_wait(const struct axm_dma *dma, enum axm_dma_half half, uint64_t timeout_ns,
                             struct axm_dma_done *done) AXM_CHECKED;

/* Ends all transfers of a half (each is reported as aborted) and waits until the bus is clean:
 * AXM_ERROR_TIMEOUT if the slave does not answer, then only axm_dma_forget helps. */
enum axm_status axm_dma_abort(const struct axm_dma *dma, enum axm_dma_half half,
                              uint64_t timeout_ns) AXM_CHECKED;
/* Forgets bursts in flight; only when the slave was reset as well. */
enum axm_status axm_dma_forget(const struct axm_dma *dma, enum axm_dma_half half) AXM_CHECKED;
/* *busy: a transfer is queued or in flight, or the bus is not clean. */
enum axm_status axm_dma_busy(const struct axm_dma *dma, enum axm_dma_half half,
                             bool *busy) AXM_CHECKED;

/* One interrupt for `count` completions (0 and 1: for each), or when one is `clocks` old (0: not
 * by age; rounded up to units of 64, at most 16320). take returns and clears the causes. */
enum axm_status axm_dma_interrupts(const struct axm_dma *dma, bool on_done, bool on_fault,
                                   uint32_t count, uint32_t clocks) AXM_CHECKED;
/* The two parts of it: when one is raised, and whether at all (done and fault). */
enum axm_status axm_dma_coalesce(const struct axm_dma *dma, uint32_t count,
                                 uint32_t clocks) AXM_CHECKED;
enum axm_status axm_dma_interrupt_switch(const struct axm_dma *dma, bool on_done,
                                         bool on_fault) AXM_CHECKED;
enum axm_status axm_dma_interrupts_take(const struct axm_dma *dma, bool *done,
                                        bool *fault) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
