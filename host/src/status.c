/* Names and texts of the status codes. */
#include "axm/status.h"

static const struct {
  const char *name;
  const char *text;
} table[AXM_STATUS_COUNT] = {
    [AXM_OK] = {"ok", "done"},
    [AXM_ERROR_ARGUMENT] = {"argument", "a value is missing, malformed or impossible"},
    [AXM_ERROR_RANGE] = {"range", "a value exceeds what this hardware was built with"},
    [AXM_ERROR_BUS] = {"bus", "a register access failed"},
    [AXM_ERROR_TIMEOUT] = {"timeout", "it did not end within the time limit"},
    [AXM_ERROR_DEAD] = {"dead", "the target no longer answers"},
    [AXM_ERROR_MEMORY] = {"memory", "not enough DMA memory is left"},
    [AXM_ERROR_ADDRESS] = {"address", "the requested address is not available"},
    [AXM_ERROR_MAGIC] = {"magic", "no Axiometer design at this address"},
    [AXM_ERROR_VERSION] = {"version", "the register map has another version"},
    [AXM_ERROR_TYPE] = {"type", "no block of this type there"},
    [AXM_ERROR_BUSY] = {"busy", "it is running: wait for it, or stop it"},
    [AXM_ERROR_FULL] = {"full", "the queue, ring or table is full"},
    [AXM_ERROR_EMPTY] = {"empty", "nothing to take"},
    [AXM_ERROR_FAULT] = {"fault", "the transfer ended with an error"},
    [AXM_ERROR_STOPPED] = {"stopped", "it was stopped before its end"},
    [AXM_ERROR_STATE] = {"state", "another step must come first"},
    [AXM_ERROR_UNSUPPORTED] = {"unsupported", "this target or design cannot do it"},
    [AXM_ERROR_SYSTEM] = {"system", "the operating system refused"},
    [AXM_ERROR_END] = {"end", "the line was closed"},
    [AXM_ERROR_OVERLONG] = {"overlong", "the line is too long"},
    [AXM_ERROR_DAMAGED] = {"damaged", "the line is damaged or not whole"},
    [AXM_ERROR_UNKNOWN] = {"unknown", "unknown command or key"},
    [AXM_ERROR_REPEATED] = {"repeated", "a line with this number was already executed"},
    [AXM_ERROR_COHERENCY] = {"coherency", "the fabric does not see the processor's caches as "
                                          "the chip is set up: see host/bare/README.md"},
    [AXM_ERROR_FABRIC] = {"fabric", "the fabric has no bitstream"},
};

const char *axm_status_name(enum axm_status status) {
  const unsigned number = (unsigned)status;
  return number < AXM_STATUS_COUNT ? table[number].name : "invalid";
}

const char *axm_status_text(enum axm_status status) {
  const unsigned number = (unsigned)status;
  return number < AXM_STATUS_COUNT ? table[number].text : "not a status code";
}
