/* packets.c over an engine that is not there: its name, and the number of packets. */
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "fake_vendor.h"
#include "generated/dma.h"
#include "packets.h"

static struct axm_test_target target;
static struct fake_design design;
static struct fake_vendor vendor;
static struct axm_pair pair;

static const struct axm_hal *behind(const char *engine) {
  if (strcmp(engine, "axm") != 0) {
    const bool central = strncmp(engine, "axi-cdma", 8) == 0;
    const bool simple = strcmp(engine, "axi-dma") == 0;
    return fake_vendor(&vendor, &target,
                       strcmp(engine, "msgdma") == 0 ? FAKE_MSGDMA
                       : central                     ? FAKE_AXI_CDMA
                                                     : FAKE_AXI_DMA,
                       !simple);
  }
  const struct axm_hal *hal = fake_design(&design, &target);
  *fake_word(&design, fake_block(0, FAKE_DMA0), AXM_DMA_CAPS) |= AXM_DMA_CAPS__UNALIGNED_MASK;
  return hal;
}

int main(int count, char **words) {
  const char *engine = count > 1 ? words[1] : "axm";
  const struct axm_pair_spec spec = {.engine = engine, .hal = behind(engine), .base = FAKE_BASE};
  target.cached = true;
  target.seed = 1;
  if (axm_pair_open(&pair, &spec) != AXM_OK)
    return 2;
  const struct axm_packets_setup setup = {.send = pair.send,
                                          .receive = pair.receive,
                                          .packets = count > 2 ? (uint32_t)atoi(words[2]) : 200,
                                          .wait = AXM_WAIT_BOTH};
  return axm_packets(&setup) != 0 || vendor.objections != 0;
}
