/* A board for hal/bare.c. */
#include "board.h"

#include "bare.h"

static int interrupt(void) {
  if (axm_window_poll != NULL)
    axm_window_poll(); /* an emulator's fabric cannot interrupt: it is polled */
  return axm_gic_taken();
}

/* A register that this program may not read says nothing against it. */
static int configured(void) {
  uint32_t word = 0;
  return !axm_probe(AXM_FABRIC_STATUS, &word) || AXM_FABRIC_CONFIGURED(word);
}

const struct axm_hal *axm_board_start(void) {
  if (axm_window_start != NULL)
    axm_window_start();
  axm_uart_start();
  axm_timer_start();
  axm_gic_start();
  const struct axm_bare_board board = {
      .name = AXM_CHIP_NAME "-bare",
      .emulated = axm_window_start != NULL,
      .coherency = axm_chip_coherency(),
#ifdef AXM_PLATFORM
      .platform = &AXM_PLATFORM,
#endif
      .configured = axm_window_start == NULL ? configured : NULL, /* an emulator has no fabric */
      .ticks = axm_timer_ticks,
      .ticks_hz = axm_timer_hz(),
      .get = axm_uart_get,
      .put = axm_uart_put,
      .irq = interrupt,
      .failed = axm_abort_taken,
      .clean = axm_cache_clean,
      .invalidate = axm_cache_invalidate,
      .memory = axm_dma_begin,
      .memory_bus_address = (uintptr_t)axm_dma_begin,
      .memory_size = (uint64_t)(axm_dma_end - axm_dma_begin),
  };
  return axm_hal_bare(&board);
}
