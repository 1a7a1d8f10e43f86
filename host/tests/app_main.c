/* packets.c over an engine that is not there: its name, the number of packets, and how its
 * interrupt is forwarded: "late", after its cause was taken, and until a register is accessed; or
 * "stuck". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_model.h"
#include "fake.h"
#include "generated/dma.h"
#include "packets.h"

static struct axm_test_target target;
static struct fake_design design;
static struct engine_model model;
static struct axm_pair pair;

static const struct axm_hal *behind(const char *engine) {
  if (strcmp(engine, "axm") != 0) {
    char name[64];
    (void)snprintf(name, sizeof name, "%s,fifo=1048576", engine);
    return engine_model(&model, &target, name);
  }
  const struct axm_hal *hal = fake_design(&design, &target);
  *fake_word(&design, fake_block(0, FAKE_DMA0), AXM_DMA_CAPS) |= AXM_DMA_CAPS__UNALIGNED_MASK;
  return hal;
}

/* The target's own functions, and the interrupt that was forwarded. */
static struct axm_hal direct;
static bool late, stuck, forwarded;

static enum axm_status read32(void *self, uint64_t address, uint32_t *value) {
  forwarded = false;
  return direct.read32(self, address, value);
}

static enum axm_status write32(void *self, uint64_t address, uint32_t value) {
  forwarded = false;
  return direct.write32(self, address, value);
}

static enum axm_status wait_irq(void *self, uint64_t timeout_ns) {
  if (timeout_ns == 0 && late) {
    late = false;
    forwarded = true;
  }
  return stuck || forwarded ? AXM_OK : direct.wait_irq(self, timeout_ns);
}

static void forward(const char *how) {
  late = strcmp(how, "late") == 0;
  stuck = strcmp(how, "stuck") == 0;
  direct = target.hal;
  target.hal.read32 = read32;
  target.hal.write32 = write32;
  target.hal.wait_irq = wait_irq;
}

int main(int count, char **words) {
  const char *engine = count > 1 ? words[1] : "axm";
  const struct axm_pair_spec spec = {.engine = engine, .hal = behind(engine), .base = FAKE_BASE};
  target.cached = true;
  target.seed = 1;
  forward(count > 3 ? words[3] : "");
  if (axm_pair_open(&pair, &spec) != AXM_OK)
    return 2;
  const struct axm_packets_setup setup = {.send = pair.send,
                                          .receive = pair.receive,
                                          .packets = count > 2 ? (uint32_t)atoi(words[2]) : 200,
                                          .wait = AXM_WAIT_BOTH};
  return axm_packets(&setup) != 0 || engine_objections(&model);
}
