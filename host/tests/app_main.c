/* A program of host/apps/ on the design that is not there. */
#include "app.h"
#include "fake.h"
#include "generated/dma.h"

static struct axm_test_target target;
static struct fake_design design;

int main(void) {
  const struct axm_hal *hal = fake_design(&design, &target);
  target.cached = true;
  *fake_word(&design, fake_block(0, FAKE_DMA0), AXM_DMA_CAPS) |= AXM_DMA_CAPS__UNALIGNED_MASK;
  return axm_app(hal, FAKE_BASE);
}
