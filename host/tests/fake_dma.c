/* The DMA engines of the design that is not there: see fake.h. */
#include <string.h>

#include "fake.h"
#include "generated/dma.h"
#include "generated/monitor.h"
#include "generated/sniffer.h"

enum { STEP = AXM_DMA_WR_CONTROL - AXM_DMA_RD_CONTROL, LATENCY = 10, BURST = 16 };

/* NULL where there is no memory. */
static unsigned char *memory_at(struct fake_design *design, uint64_t address, uint32_t bytes) {
  return axm_test_fabric(design->target, address, bytes);
}

int fake_engine(uint32_t block) {
  return block == FAKE_COPY ? FAKE_PORTS : (int)((block - FAKE_PORT0) / FAKE_PER_PORT);
}

static void add64(struct fake_design *design, uint32_t block, uint32_t offset, uint64_t more) {
  uint32_t *low = fake_word(design, block, offset);
  const uint64_t sum = ((uint64_t)low[1] << 32 | low[0]) + more;
  low[0] = (uint32_t)sum;
  low[1] = (uint32_t)(sum >> 32);
}

/* What monitor and sniffer of a port would count of a transfer. */
static void count(struct fake_design *design, uint32_t block, int half, uint32_t bytes) {
  if (block == FAKE_COPY)
    return;
  const uint32_t port = (uint32_t)fake_engine(block);
  const uint32_t monitor = fake_block(port, FAKE_MONITOR0);
  const uint32_t step =
      half != 0 ? AXM_MONITOR_COUNTERS_WRITE_DATA_LO - AXM_MONITOR_COUNTERS_READ_DATA_LO : 0;
  const uint32_t beats = bytes / FAKE_BEAT;
  const uint32_t bursts = (beats + BURST - 1) / BURST;
  add64(design, monitor, AXM_MONITOR_COUNTERS_READ_DATA_LO + step, beats);
  add64(design, monitor, AXM_MONITOR_COUNTERS_READ_RESPONSE_LO + step, LATENCY);
  add64(design, monitor, AXM_MONITOR_COUNTERS_READ_CYCLES_LO + step, beats + LATENCY);
  add64(design, monitor, AXM_MONITOR_COUNTERS_READ_BYTES_LO + step, bytes);
  const uint32_t histogram =
      half != 0 ? AXM_MONITOR_COUNTERS_WRITE_HISTOGRAM : AXM_MONITOR_COUNTERS_READ_HISTOGRAM;
  add64(design, monitor, histogram + 8 * 3, bursts);
  add64(design, monitor,
        half != 0 ? AXM_MONITOR_COUNTERS_WRITE_BURSTS_LO : AXM_MONITOR_COUNTERS_READ_BURSTS_LO,
        bursts);
  add64(design, monitor,
        half != 0 ? AXM_MONITOR_COUNTERS_WRITE_LATENCY_SUM_LO
                  : AXM_MONITOR_COUNTERS_READ_LATENCY_SUM_LO,
        (uint64_t)bursts * LATENCY);
  *fake_word(design, monitor,
             half != 0 ? AXM_MONITOR_COUNTERS_WRITE_LATENCY : AXM_MONITOR_COUNTERS_READ_LATENCY) =
      LATENCY << 16 | LATENCY;
  *fake_word(design, fake_block(port, FAKE_SNIFFER0), AXM_SNIFFER_LENGTHS + 4 * (BURST - 1)) +=
      bursts;
}

static void complete(struct fake_design *design, uint32_t block, int number, uint32_t code,
                     uint32_t bytes) {
  struct fake_dma *dma = &design->dma[fake_engine(block)];
  struct fake_half *half = &dma->half[number];
  half->done[half->waiting++] = (struct fake_done){.word = code | 0x80000000u, .bytes = bytes};
  memmove(&half->queue[0], &half->queue[1], sizeof half->queue - sizeof half->queue[0]);
  --half->queued;
  dma->irq |=
      AXM_DMA_IRQ_STATUS__DONE_MASK |
      ((code & AXM_DMA_RD_DONE__CODE_MASK) != AXM_DMA_CODE_OK ? AXM_DMA_IRQ_STATUS__FAULT_MASK : 0);
  count(design, block, number, bytes);
}

/* A packet's bytes enter the stream, or leave it, the whole packet or its first `room` bytes. */
static void into(struct fake_dma *dma, const unsigned char *from, const struct fake_transfer *one) {
  memcpy(dma->fifo + dma->held, from, one->bytes);
  dma->held += one->bytes;
  dma->open += one->bytes;
  if (one->last && dma->packets < FAKE_PACKETS) {
    dma->packet[dma->packets++] = dma->open;
    dma->open = 0;
  }
}

static void out_of(struct fake_dma *dma, unsigned char *to, uint32_t bytes) {
  memcpy(to, dma->fifo, bytes);
  memmove(dma->fifo, dma->fifo + bytes, dma->held - bytes);
  dma->held -= bytes;
  if (dma->packets == 0)
    dma->open -= bytes;
  else if (bytes < dma->packet[0])
    dma->packet[0] -= bytes;
  else {
    memmove(&dma->packet[0], &dma->packet[1], sizeof dma->packet - sizeof dma->packet[0]);
    --dma->packets;
  }
}

/* Moves the data of the oldest transfer of a half if it can be done by now. */
void fake_work(struct fake_design *design, uint32_t block, int number) {
  struct fake_dma *dma = &design->dma[fake_engine(block)];
  struct fake_half *half = &dma->half[number];
  if (half->queued == 0 || design->hang || design->target->now_ns < half->queue[0].due_ns)
    return;
  const struct fake_transfer one = half->queue[0];
  if (design->fault_block == block && design->fault_half == (uint32_t)number) {
    complete(design, block, number, design->fault_code, design->fault_bytes);
    return;
  }
  unsigned char *place = memory_at(design, one.address, one.bytes);
  const unsigned char *source = memory_at(design, one.source, one.bytes);
  if (place == NULL || (block == FAKE_COPY && source == NULL)) {
    complete(design, block, number, AXM_DMA_CODE_DECERR, 0);
    return;
  }
  if (block == FAKE_COPY) {
    memmove(place, source, one.bytes);
  } else if (number == 0) {
    if (one.bytes > FAKE_FIFO - dma->held || dma->packets == FAKE_PACKETS)
      return;
    into(dma, place, &one);
  } else {
    const bool ends = dma->packets > 0 && dma->packet[0] <= one.bytes;
    const uint32_t bytes = ends ? dma->packet[0] : one.bytes;
    if (bytes > dma->held)
      return;
    out_of(dma, place, bytes);
    axm_test_evict(design->target, one.address, bytes); /* the worst moment for a dirty line */
    const uint32_t end = ends ? AXM_DMA_WR_DONE__PACKET_END_MASK : 0;
    complete(design, block, number, AXM_DMA_CODE_OK | end, bytes);
    return;
  }
  complete(design, block, number, AXM_DMA_CODE_OK, one.bytes);
}

static void submit(struct fake_design *design, uint32_t block, int number, uint64_t address,
                   uint64_t source, uint32_t bytes, bool last) {
  struct fake_half *half = &design->dma[fake_engine(block)].half[number];
  if (half->queued + half->waiting == FAKE_QUEUE)
    return;
  half->queue[half->queued++] = (struct fake_transfer){
      .address = address,
      .source = source,
      .bytes = bytes,
      .last = last,
      .due_ns = design->target->now_ns + (uint64_t)(bytes / FAKE_BEAT + LATENCY) * FAKE_CLOCK_NS};
}

/* A ring is done at the moment that it is given, or never. */
static void ring(struct fake_design *design, uint32_t tail) {
  const uint32_t log2 = AXM_GET(*fake_word(design, FAKE_COPY, AXM_DMA_WR_RING_CONTROL),
                                AXM_DMA_WR_RING_CONTROL__LOG2_ENTRIES);
  const uint64_t base = *fake_word(design, FAKE_COPY, AXM_DMA_WR_RING_BASE_LO);
  uint32_t *head = fake_word(design, FAKE_COPY, AXM_DMA_WR_RING_HEAD);
  design->ring_busy = design->hang && *head != tail;
  while ((uint16_t)*head != (uint16_t)tail) {
    uint32_t word[8];
    unsigned char *entry =
        memory_at(design, base + (uint64_t)(*head % (1u << log2)) * sizeof word, sizeof word);
    if (entry == NULL)
      return;
    memcpy(word, entry, sizeof word);
    unsigned char *to = memory_at(design, word[0], word[2]);
    const unsigned char *from = memory_at(design, word[4], word[2]);
    if (to == NULL || from == NULL)
      return;
    memmove(to, from, word[2]);
    word[6] = 0x80000000u | AXM_DMA_CODE_OK;
    word[7] = word[2];
    memcpy(entry, word, sizeof word);
    *head = (*head + 1) & 0xffffu;
  }
}

uint32_t fake_read_dma(struct fake_design *design, uint32_t block, uint32_t offset) {
  struct fake_dma *dma = &design->dma[fake_engine(block)];
  fake_work(design, block, 0);
  fake_work(design, block, 1);
  if (offset == AXM_DMA_IRQ_STATUS)
    return dma->irq;
  for (int number = 0; number < 2; ++number) {
    struct fake_half *half = &dma->half[number];
    const uint32_t reading = offset - (uint32_t)number * STEP;
    if (reading == AXM_DMA_RD_STATUS)
      return (half->queued != 0 || (block == FAKE_COPY && number == 1 && design->ring_busy)
                  ? AXM_DMA_RD_STATUS__BUSY_MASK
                  : 0) |
             AXM_PUT(FAKE_QUEUE - half->queued - half->waiting, AXM_DMA_RD_STATUS__FREE) |
             AXM_PUT(half->waiting, AXM_DMA_RD_STATUS__WAITING);
    if (reading == AXM_DMA_RD_DONE_BYTES)
      return half->waiting != 0 ? half->done[0].bytes : 0;
    if (reading == AXM_DMA_RD_DONE) {
      const uint32_t word = half->waiting != 0 ? half->done[0].word : 0;
      if (half->waiting != 0) {
        memmove(&half->done[0], &half->done[1], sizeof half->done - sizeof half->done[0]);
        --half->waiting;
      }
      return word;
    }
  }
  return *fake_word(design, block, offset);
}

void fake_write_dma(struct fake_design *design, uint32_t block, uint32_t offset, uint32_t value) {
  struct fake_dma *dma = &design->dma[fake_engine(block)];
  if (offset == AXM_DMA_IRQ_STATUS) {
    dma->irq &= ~value;
    return;
  }
  *fake_word(design, block, offset) = value;
  if (offset == AXM_DMA_WR_RING_TAIL && block == FAKE_COPY)
    ring(design, value);
  if (offset == AXM_DMA_WR_RING_CONTROL && value == 0 && !design->never_clean)
    *fake_word(design, block, AXM_DMA_WR_RING_HEAD) = 0;
  for (uint32_t number = 0; number < 2; ++number) {
    const uint32_t reading = offset - number * STEP;
    const uint32_t step = number * STEP;
    if (reading == AXM_DMA_RD_SUBMIT)
      submit(design, block, (int)number, *fake_word(design, block, AXM_DMA_RD_ADDR_LO + step),
             *fake_word(design, block, AXM_DMA_RD_ADDR_LO),
             *fake_word(design, block, AXM_DMA_RD_LENGTH + step),
             (value & AXM_DMA_RD_SUBMIT__LAST_MASK) != 0);
    if (reading == AXM_DMA_RD_CONTROL && (value & AXM_DMA_RD_CONTROL__ABORT_MASK) != 0 &&
        !design->never_clean) {
      design->ring_busy = false;
      while (dma->half[number].queued != 0)
        complete(design, block, (int)number, AXM_DMA_CODE_ABORTED, 0);
    }
  }
}
