/* Rings of descriptors: see axm/dma_ring.h. */
#include "axm/dma_ring.h"

#include <string.h>

#include "generated/dma.h"
#include "registers.h"

#define RING_STEP (AXM_DMA_WR_RING_CONTROL - AXM_DMA_RD_RING_CONTROL)
_Static_assert(AXM_DMA_WR_RING_HEAD - AXM_DMA_RD_RING_HEAD == RING_STEP, "rings differ");

/* The words of a descriptor; regs/dma.rdl describes them. */
enum {
  WORD_ADDRESS = 0, /* two words */
  WORD_LENGTH = 2,
  WORD_FLAGS = 3,  /* 1: last, 2: no interrupt */
  WORD_SOURCE = 4, /* two words; copy */
  WORD_DONE = 6,
  WORD_BYTES = 7,
  WORDS = 8
};

static uint32_t at(const struct axm_dma_ring *ring, uint32_t reading) {
  return ring->half == AXM_DMA_WRITE ? reading + RING_STEP : reading;
}

/* AXM_OK if the ring was switched off and has nothing under way: then HEAD is 0 again. */
static enum axm_status at_rest(const struct axm_dma_ring *ring) {
  bool busy = false;
  uint32_t head = 0;
  AXM_TRY(axm_dma_busy(&ring->dma, ring->half, &busy));
  AXM_TRY(axm_read(&ring->dma.block, at(ring, AXM_DMA_RD_RING_HEAD), &head));
  return busy || head != 0 ? AXM_ERROR_BUSY : AXM_OK;
}

enum axm_status axm_dma_ring_open(struct axm_dma_ring *ring, const struct axm_dma *dma,
                                  enum axm_dma_half half, const struct axm_memory *memory) {
  struct axm_dma_caps caps;
  axm_dma_describe(dma, &caps);
  if (!caps.rings || (half == AXM_DMA_WRITE ? !caps.has_write : !caps.has_read || caps.copy))
    return AXM_ERROR_UNSUPPORTED;
  uint32_t log2 = 1;
  while (log2 < 16 && (uint64_t)AXM_DMA_DESCRIPTOR_BYTES << log2 < memory->size)
    ++log2;
  if (log2 == 16 || (uint64_t)AXM_DMA_DESCRIPTOR_BYTES << log2 != memory->size ||
      memory->bus_address % memory->size != 0)
    return AXM_ERROR_ARGUMENT;
  if (!axm_reaches(caps.address_bits, memory->bus_address, memory->size))
    return AXM_ERROR_RANGE;
  *ring = (struct axm_dma_ring){
      .dma = *dma, .half = half, .memory = *memory, .entries = UINT32_C(1) << log2};
  AXM_TRY(axm_write(&dma->block, at(ring, AXM_DMA_RD_RING_CONTROL), 0));
  AXM_TRY(at_rest(ring));
  AXM_TRY(axm_write(&dma->block, at(ring, AXM_DMA_RD_RING_TAIL), 0));
  AXM_TRY(axm_write64(&dma->block, at(ring, AXM_DMA_RD_RING_BASE_LO), memory->bus_address));
  return axm_write(&dma->block, at(ring, AXM_DMA_RD_RING_CONTROL),
                   AXM_DMA_RD_RING_CONTROL__ENABLE_MASK |
                       AXM_PUT(log2, AXM_DMA_RD_RING_CONTROL__LOG2_ENTRIES));
}

/* Distance of descriptor `count` from the start of the ring. */
static size_t place(const struct axm_dma_ring *ring, uint16_t count) {
  return (size_t)(count % ring->entries) * AXM_DMA_DESCRIPTOR_BYTES;
}

enum axm_status axm_dma_ring_push(struct axm_dma_ring *ring,
                                  const struct axm_dma_transfer *transfer, bool quiet) {
  if ((uint16_t)(ring->written - ring->taken) >= ring->entries)
    return AXM_ERROR_FULL;
  const uint32_t bits = AXM_GET(ring->dma.caps, AXM_DMA_CAPS__ADDR_BITS);
  const bool copy = AXM_GET(ring->dma.caps, AXM_DMA_CAPS__COPY) != 0;
  if (transfer->bytes == 0)
    return AXM_ERROR_ARGUMENT;
  if (!axm_reaches(bits, transfer->address, transfer->bytes) ||
      (copy && !axm_reaches(bits, transfer->source, transfer->bytes)))
    return AXM_ERROR_RANGE;
  const uint64_t source = copy ? transfer->source : 0;
  const uint32_t words[WORDS] = {
      [WORD_ADDRESS] = (uint32_t)transfer->address,
      [WORD_ADDRESS + 1] = (uint32_t)(transfer->address >> 32),
      [WORD_LENGTH] = transfer->bytes,
      [WORD_FLAGS] = (transfer->last ? 1u : 0u) | (quiet ? 2u : 0u),
      [WORD_SOURCE] = (uint32_t)source,
      [WORD_SOURCE + 1] = (uint32_t)(source >> 32),
  };
  const struct axm_hal *hal = ring->dma.block.hal;
  const size_t offset = place(ring, ring->written);
  memcpy((unsigned char *)ring->memory.memory + offset, words, sizeof words);
  AXM_TRY(hal->clean(hal->self, &ring->memory, offset, sizeof words));
  ++ring->written;
  return AXM_OK;
}

void axm_dma_ring_start(const struct axm_dma_ring *ring, struct axm_start *start) {
  *start = (struct axm_start){.address = ring->dma.block.base + at(ring, AXM_DMA_RD_RING_TAIL),
                              .value = ring->written};
}

enum axm_status axm_dma_ring_give(const struct axm_dma_ring *ring) {
  struct axm_start start;
  axm_dma_ring_start(ring, &start);
  return axm_start(ring->dma.block.hal, &start);
}

/* Reads how many descriptors are done, and why there are no more. */
static enum axm_status look(struct axm_dma_ring *ring, struct axm_dma_done *done) {
  uint32_t head = 0;
  AXM_TRY(axm_read(&ring->dma.block, at(ring, AXM_DMA_RD_RING_HEAD), &head));
  if ((uint16_t)head == ring->taken) {
    uint32_t status = 0;
    AXM_TRY(axm_read(&ring->dma.block, at(ring, AXM_DMA_RD_RING_STATUS), &status));
    const uint32_t code = AXM_GET(status, AXM_DMA_RD_RING_STATUS__CODE);
    if (code == AXM_DMA_CODE_OK)
      return AXM_ERROR_EMPTY;
    *done = (struct axm_dma_done){.cause = (enum axm_dma_cause)code};
    return AXM_ERROR_FAULT;
  }
  /* The engine cannot have done more than it was given. */
  if ((uint16_t)(head - ring->taken) > (uint16_t)(ring->written - ring->taken))
    return AXM_ERROR_STATE;
  ring->head = (uint16_t)head;
  ring->dma.block.hal->barrier(ring->dma.block.hal->self);
  return AXM_OK;
}

enum axm_status axm_dma_ring_take(struct axm_dma_ring *ring, struct axm_dma_done *done) {
  const struct axm_hal *hal = ring->dma.block.hal;
  if (ring->head == ring->taken)
    AXM_TRY(look(ring, done));
  const size_t offset = place(ring, ring->taken);
  uint32_t words[WORDS];
  AXM_TRY(hal->invalidate(hal->self, &ring->memory, offset, sizeof words));
  memcpy(words, (unsigned char *)ring->memory.memory + offset, sizeof words);
  const uint32_t word = words[WORD_DONE];
  /* HEAD counts it as written back: if memory lacks it, the memory is not coherent. */
  if (AXM_GET(word, AXM_DMA_RD_DONE__VALID) == 0)
    return AXM_ERROR_STATE;
  *done = (struct axm_dma_done){
      .cause = (enum axm_dma_cause)AXM_GET(word, AXM_DMA_RD_DONE__CODE),
      .at_source = AXM_GET(word, AXM_DMA_RD_DONE__SOURCE) != 0,
      .packet_end = AXM_GET(word, AXM_DMA_RD_DONE__PACKET_END) != 0,
      .bytes = words[WORD_BYTES],
  };
  ++ring->taken;
  return AXM_OK;
}

enum axm_status axm_dma_ring_close(struct axm_dma_ring *ring, uint64_t timeout_ns) {
  const enum axm_status status = axm_dma_abort(&ring->dma, ring->half, timeout_ns);
  AXM_TRY(axm_write(&ring->dma.block, at(ring, AXM_DMA_RD_RING_CONTROL), 0));
  return status == AXM_OK ? at_rest(ring) : status;
}
