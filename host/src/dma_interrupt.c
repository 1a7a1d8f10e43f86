/* The DMA engine's interrupt, and the names of its causes of an end: see axm/dma.h. */
#include <stddef.h>

#include "axm/dma.h"
#include "generated/dma.h"
#include "registers.h"

enum { UNIT_CLOCKS = 64 };

static const struct {
  enum axm_dma_cause cause;
  const char *name;
  const char *text;
} causes[] = {
    {AXM_DMA_OK, "ok", "all bytes moved"},
    {AXM_DMA_SLVERR, "slverr", "the slave answered SLVERR"},
    {AXM_DMA_DECERR, "decerr", "no slave at this address (DECERR)"},
    {AXM_DMA_BAD_LAST, "bad_last", "the last beat of a burst was marked early, late or not at all"},
    {AXM_DMA_BAD_ID, "bad_id", "a response had an ID that no burst has"},
    {AXM_DMA_UNEXPECTED, "unexpected", "a response came without a request"},
    {AXM_DMA_BAD_COMMAND, "bad_command",
     "length 0, not aligned in an engine that needs it, or no outstanding burst allowed"},
    {AXM_DMA_TIMEOUT_ADDRESS, "timeout_address", "the slave did not accept an address in time"},
    {AXM_DMA_TIMEOUT_DATA, "timeout_data", "data did not move in time"},
    {AXM_DMA_TIMEOUT_RESPONSE, "timeout_response", "the slave did not answer a write in time"},
    {AXM_DMA_TIMEOUT_INTERNAL, "timeout_internal",
     "a copy stalled although the slave owed nothing: a fault of the engine, please report it"},
    {AXM_DMA_ABORTED, "aborted", "ended by software, or after an earlier transfer failed"},
};

_Static_assert((unsigned)AXM_DMA_SLVERR == AXM_DMA_CODE_SLVERR &&
                   (unsigned)AXM_DMA_DECERR == AXM_DMA_CODE_DECERR &&
                   (unsigned)AXM_DMA_BAD_LAST == AXM_DMA_CODE_BAD_LAST &&
                   (unsigned)AXM_DMA_BAD_ID == AXM_DMA_CODE_BAD_ID &&
                   (unsigned)AXM_DMA_UNEXPECTED == AXM_DMA_CODE_UNEXPECTED &&
                   (unsigned)AXM_DMA_BAD_COMMAND == AXM_DMA_CODE_BAD_COMMAND &&
                   (unsigned)AXM_DMA_TIMEOUT_ADDRESS == AXM_DMA_CODE_TIMEOUT_ADDRESS &&
                   (unsigned)AXM_DMA_TIMEOUT_DATA == AXM_DMA_CODE_TIMEOUT_DATA &&
                   (unsigned)AXM_DMA_TIMEOUT_RESPONSE == AXM_DMA_CODE_TIMEOUT_RESPONSE &&
                   (unsigned)AXM_DMA_TIMEOUT_INTERNAL == AXM_DMA_CODE_TIMEOUT_INTERNAL &&
                   (unsigned)AXM_DMA_ABORTED == AXM_DMA_CODE_ABORTED,
               "causes differ from those of the registers");

const char *axm_dma_cause_name(enum axm_dma_cause cause) {
  for (size_t i = 0; i < sizeof causes / sizeof causes[0]; ++i) {
    if (causes[i].cause == cause)
      return causes[i].name;
  }
  return "invalid";
}

const char *axm_dma_cause_text(enum axm_dma_cause cause) {
  for (size_t i = 0; i < sizeof causes / sizeof causes[0]; ++i) {
    if (causes[i].cause == cause)
      return causes[i].text;
  }
  return "not a cause of the DMA engine";
}

enum axm_status axm_dma_coalesce(const struct axm_dma *dma, uint32_t count, uint32_t clocks) {
  const uint32_t units = clocks / UNIT_CLOCKS + (clocks % UNIT_CLOCKS != 0 ? 1 : 0);
  if (count > AXM_MOST(AXM_DMA_COALESCE__COUNT) || units > AXM_MOST(AXM_DMA_COALESCE__TIME))
    return AXM_ERROR_RANGE;
  return axm_write(&dma->block, AXM_DMA_COALESCE,
                   AXM_PUT(count, AXM_DMA_COALESCE__COUNT) |
                       AXM_PUT(units, AXM_DMA_COALESCE__TIME));
}

enum axm_status axm_dma_interrupt_switch(const struct axm_dma *dma, bool on_done, bool on_fault) {
  return axm_write(&dma->block, AXM_DMA_IRQ_ENABLE,
                   (on_done ? AXM_DMA_IRQ_ENABLE__DONE_MASK : 0) |
                       (on_fault ? AXM_DMA_IRQ_ENABLE__FAULT_MASK : 0));
}

enum axm_status axm_dma_interrupts(const struct axm_dma *dma, bool on_done, bool on_fault,
                                   uint32_t count, uint32_t clocks) {
  AXM_TRY(axm_dma_coalesce(dma, count, clocks));
  return axm_dma_interrupt_switch(dma, on_done, on_fault);
}

enum axm_status axm_dma_interrupts_take(const struct axm_dma *dma, bool *done, bool *fault) {
  uint32_t word = 0;
  AXM_TRY(axm_read(&dma->block, AXM_DMA_IRQ_STATUS, &word));
  *done = AXM_GET(word, AXM_DMA_IRQ_STATUS__DONE) != 0;
  *fault = AXM_GET(word, AXM_DMA_IRQ_STATUS__FAULT) != 0;
  if (word == 0)
    return AXM_OK;
  return axm_write(&dma->block, AXM_DMA_IRQ_STATUS, word);
}
