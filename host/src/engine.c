/* What all engines share: see axm/engine.h. */
#include "axm/engine.h"

#include <stddef.h>

#include "registers.h"

static const struct {
  const char *name;
  const char *text;
} causes[] = {
    [AXM_ENGINE_OK] = {"ok", "all bytes moved"},
    [AXM_ENGINE_SLAVE] = {"slave", "a slave answered with an error"},
    [AXM_ENGINE_DECODE] = {"decode", "no slave at an address"},
    [AXM_ENGINE_DESCRIPTOR] = {"descriptor",
                               "a descriptor could not be read or written, or is not valid"},
    [AXM_ENGINE_TOO_LONG] = {"too_long", "a packet was longer than its buffer"},
    [AXM_ENGINE_COMMAND] = {"command", "the engine refused the transfer"},
    [AXM_ENGINE_TIMEOUT] = {"timeout", "the bus stalled"},
    [AXM_ENGINE_ABORTED] = {"aborted", "ended by software, or after an earlier transfer failed"},
    [AXM_ENGINE_OTHER] = {"other", "see the engine's own code"},
};

const char *axm_engine_cause_name(enum axm_engine_cause cause) {
  const unsigned number = (unsigned)cause;
  return number < sizeof causes / sizeof causes[0] ? causes[number].name : "invalid";
}

const char *axm_engine_cause_text(enum axm_engine_cause cause) {
  const unsigned number = (unsigned)cause;
  return number < sizeof causes / sizeof causes[0] ? causes[number].text
                                                   : "not a cause of an engine";
}

enum axm_status axm_engine_check(const struct axm_engine *engine,
                                 const struct axm_engine_transfer *transfer) {
  const struct axm_engine_limits *limits = &engine->limits;
  const bool copy = engine->direction == AXM_ENGINE_COPY;
  if (transfer->bytes == 0)
    return AXM_ERROR_ARGUMENT;
  const uint64_t places = transfer->address | (copy ? transfer->source : 0);
  if (transfer->bytes > limits->bytes || (transfer->bytes & (limits->length_align - 1)) != 0 ||
      (places & (limits->address_align - 1)) != 0)
    return AXM_ERROR_RANGE;
  /* An engine drops the address bits that it does not have, and would write elsewhere. */
  if (!axm_reaches(limits->address_bits, transfer->address, transfer->bytes) ||
      (copy && !axm_reaches(limits->address_bits, transfer->source, transfer->bytes)))
    return AXM_ERROR_RANGE;
  return AXM_OK;
}

enum axm_status axm_engine_begins(const struct axm_engine *engine,
                                  const struct axm_engine_config *config) {
  if (config->queue == 0 || config->queue > engine->limits.queue)
    return AXM_ERROR_RANGE;
  return config->coherent ? engine->hal->coherency.status : AXM_OK;
}
