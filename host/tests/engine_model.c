/* An engine of lab/engines/ behind a test's target: see engine_model.h. */
#include "engine_model.h"

#include <stdio.h>
#include <string.h>

enum { LATENCY = 20, CLOCKS = 200 }; /* of memory; that pass during a wait */
enum { DESCRIPTOR = 64, DESCRIPTOR_READ = 32, STATUS_AT = 28, TOO_MUCH = 1 << 20 };
enum { AXI_RECEIVES = 0x30, AXI_RESET = 4, AXI_RECEIVED = 0x58 };
enum { MSGDMA_RECEIVED = 0xC0, MSGDMA_ERRORS = 0xC4 };

static bool memory(void *self, bool write, uint64_t address, void *bytes, size_t count) {
  const struct engine_model *engine = self;
  unsigned char *place = axm_test_fabric(engine->target, address, count);
  const bool ends = write && count == sizeof(uint32_t) && address % DESCRIPTOR == STATUS_AT;
  if (place == NULL || (engine->fails[write] && !ends && count != DESCRIPTOR_READ))
    return false;
  if (!write) {
    memcpy(bytes, place, count);
    return true;
  }
  memcpy(place, bytes, count);
  if (ends && engine->too_much)
    place[2] |= TOO_MUCH >> 16;
  if (!engine->slow)
    axm_test_evict(engine->target, address, count); /* the worst moment for a dirty line */
  return true;
}

static enum axm_status read32(void *self, uint64_t address, uint32_t *value) {
  struct engine_model *engine = self;
  const uint32_t offset = (uint32_t)(address - ENGINE_BASE);
  const unsigned char *word = axm_test_fabric(engine->target, address, sizeof *value);
  if (word != NULL) {
    memcpy(value, word, sizeof *value);
    return AXM_OK;
  }
  *value = axm_model_read(engine->model, offset);
  if (engine->too_much && (offset == AXI_RECEIVED || offset == MSGDMA_RECEIVED))
    *value |= TOO_MUCH;
  if (engine->resets && offset % AXI_RECEIVES == 0)
    *value |= AXI_RESET;
  if (offset == MSGDMA_ERRORS)
    *value |= engine->response;
  return AXM_OK;
}

static enum axm_status write32(void *self, uint64_t address, uint32_t value) {
  struct engine_model *engine = self;
  const uint32_t offset = (uint32_t)(address - ENGINE_BASE);
  unsigned char *word = axm_test_fabric(engine->target, address, sizeof value);
  if (word != NULL) {
    memcpy(word, &value, sizeof value);
    return AXM_OK;
  }
  if (offset % AXI_RECEIVES == 0 && (value & AXI_RESET) != 0) {
    engine->resets = engine->never_resets;
    if (engine->resets)
      return AXM_OK;
    engine->hang = false;
  }
  axm_model_hold(engine->model, engine->hang);
  axm_model_write(engine->model, offset, value);
  if (engine->hang) { /* what was given is in hand */
    axm_model_hold(engine->model, false);
    (void)axm_model_run(engine->model, 1);
    axm_model_hold(engine->model, true);
  }
  while (!engine->slow && axm_model_run(engine->model, CLOCKS))
    ;
  return AXM_OK;
}

static bool irq(void *self) {
  struct engine_model *engine = self;
  (void)axm_model_run(engine->model, CLOCKS);
  return axm_model_interrupt(engine->model);
}

const struct axm_hal *engine_model(struct engine_model *engine, struct axm_test_target *target,
                                   const char *name) {
  const struct axm_test_device device = {
      .self = engine, .read32 = read32, .write32 = write32, .irq = irq};
  axm_model_free(engine->model);
  *engine = (struct engine_model){.target = target,
                                  .model = axm_model_make(name, LATENCY, memory, engine)};
  return engine->model == NULL ? NULL : axm_hal_test(target, &device);
}

bool engine_objections(const struct engine_model *engine) {
  const char *said = engine->model == NULL ? "" : axm_model_said(engine->model);
  fputs(said, stderr);
  return said[0] != '\0';
}
