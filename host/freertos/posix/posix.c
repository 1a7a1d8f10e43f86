/* FreeRTOS's port for POSIX over the design that is not there: the same tasks without a processor
 * of their own. Each tick the design goes on by a tick's time, and may interrupt.
 */
#include <stdlib.h>
#include <unistd.h>

#include "FreeRTOS.h"
#include "task.h"

#include "bare.h"
#include "board.h"
#include "fake.h"
#include "generated/dma.h"
#include "processor.h"

static struct axm_test_target target;
static struct fake_design design;
static volatile bool listens;
static volatile bool in_a_tick;

void axm_bare_main(void);
void vApplicationIRQHandler(uint32_t acknowledged);

bool axm_in_a_handler(void) { return in_a_tick; }

uintptr_t axm_hold(void) {
  if (!in_a_tick)
    taskENTER_CRITICAL();
  return 0;
}

void axm_let_go(uintptr_t state) {
  (void)state;
  if (!in_a_tick)
    taskEXIT_CRITICAL();
}

void axm_rest(void) { exit(1); }

void axm_gic_listen(bool yes) { listens = yes; }

int axm_uart_put(char byte) { return write(1, &byte, 1) == 1; }

void axm_processor_start(void) {}

const struct axm_hal *axm_board_start(void) {
  const struct axm_hal *hal = fake_design(&design, &target);
  *fake_word(&design, fake_block(0, FAKE_DMA0), AXM_DMA_CAPS) |= AXM_DMA_CAPS__UNALIGNED_MASK;
  return hal;
}

void FreeRTOS_Tick_Handler(void) {}

/* The kernel calls it in its tick, by rtos.c; in the idle task the design does not move. */
__attribute__((weak)) void axm_app_tick(void);
void axm_posix_tick(void);
void axm_posix_tick(void) {
  in_a_tick = true;
  target.now_ns += UINT64_C(1000000000) / configTICK_RATE_HZ;
  if (listens && target.device.irq(target.device.self))
    vApplicationIRQHandler(AXM_FABRIC_IRQ);
  if (axm_app_tick != NULL)
    axm_app_tick();
  in_a_tick = false;
}

int main(void) {
  axm_bare_main();
  return 1;
}
