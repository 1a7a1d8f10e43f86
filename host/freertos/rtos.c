/* The library under FreeRTOS: see rtos.h.
 *
 * The fabric's interrupt is a level: its handler switches it off at the controller and wakes all
 * tasks that wait; the next that waits listens again. A task that was not waiting finds the count
 * of interrupts changed when it does.
 */
#include "rtos.h"

#include <stdbool.h>

#include "FreeRTOS.h"
#include "task.h"

#include "bare.h"
#include "processor.h"

enum { NOTIFICATION = 1 }; /* 0 is the application's */
#define TICK_NS (UINT64_C(1000000000) / configTICK_RATE_HZ)

static struct {
  const struct axm_hal *bare;
  struct axm_hal hal;
  struct waiter {
    TaskHandle_t task;
    uint32_t seen;
  } waiters[AXM_RTOS_WAITERS];
  volatile uint32_t came; /* interrupts of the fabric */
} rtos;

static bool in_a_task(void) {
  return !axm_in_a_handler() && xTaskGetSchedulerState() == taskSCHEDULER_RUNNING;
}

/* An access and the question whether it was answered belong together. */
static enum axm_status rtos_read32(void *self, uint64_t address, uint32_t *value) {
  const uintptr_t state = axm_hold();
  const enum axm_status status = rtos.bare->read32(self, address, value);
  axm_let_go(state);
  return status;
}

static enum axm_status rtos_write32(void *self, uint64_t address, uint32_t value) {
  const uintptr_t state = axm_hold();
  const enum axm_status status = rtos.bare->write32(self, address, value);
  axm_let_go(state);
  return status;
}

static enum axm_status rtos_alloc(void *self, uint64_t size, uint64_t align, uint64_t wanted,
                                  struct axm_memory *memory) {
  if (!in_a_task())
    return AXM_ERROR_STATE;
  vTaskSuspendAll();
  const enum axm_status status = rtos.bare->alloc(self, size, align, wanted, memory);
  (void)xTaskResumeAll();
  return status;
}

static enum axm_status rtos_release(void *self, const struct axm_memory *memory) {
  if (!in_a_task())
    return AXM_ERROR_STATE;
  vTaskSuspendAll();
  const enum axm_status status = rtos.bare->release(self, memory);
  (void)xTaskResumeAll();
  return status;
}

static void rtos_idle_ns(void *self, uint64_t duration_ns) {
  if (in_a_task() && duration_ns >= TICK_NS)
    vTaskDelay((TickType_t)(duration_ns / TICK_NS));
  else if (in_a_task())
    rtos.bare->idle_ns(self, duration_ns);
}

/* The entry of the task that calls; a new one has seen nothing. NULL if there are too many. */
static struct waiter *own(void) {
  const TaskHandle_t task = xTaskGetCurrentTaskHandle();
  struct waiter *found = NULL;
  taskENTER_CRITICAL();
  for (int i = 0; i < AXM_RTOS_WAITERS && found == NULL; ++i) {
    struct waiter *const one = &rtos.waiters[i];
    if (one->task == NULL)
      *one = (struct waiter){.task = task, .seen = rtos.came};
    if (one->task == task)
      found = one;
  }
  taskEXIT_CRITICAL();
  return found;
}

static enum axm_status rtos_wait_irq(void *self, uint64_t timeout_ns) {
  if (!in_a_task())
    return AXM_ERROR_STATE;
  struct waiter *const waiter = own();
  if (waiter == NULL)
    return AXM_ERROR_MEMORY;
  const uint64_t begin = rtos.bare->now_ns(self);
  axm_gic_listen(true);
  for (;;) {
    if (waiter->seen != rtos.came) {
      waiter->seen = rtos.came;
      return AXM_OK;
    }
    const uint64_t waited = rtos.bare->now_ns(self) - begin;
    if (waited >= timeout_ns)
      return AXM_ERROR_TIMEOUT;
    const uint64_t ticks = (timeout_ns - waited + TICK_NS - 1) / TICK_NS;
    const TickType_t most = ticks < portMAX_DELAY ? (TickType_t)ticks : portMAX_DELAY - 1;
    (void)ulTaskNotifyTakeIndexed(NOTIFICATION, pdTRUE, most);
  }
}

/* The kernel's port calls it for every interrupt, and ends it at the controller afterwards. */
void vApplicationIRQHandler(uint32_t acknowledged);
void vApplicationIRQHandler(uint32_t acknowledged) {
  const uint32_t number = acknowledged & 0x3FFu;
  BaseType_t better = pdFALSE;
  if (number == AXM_TICK_IRQ) {
    FreeRTOS_Tick_Handler();
  } else if (number == AXM_FABRIC_IRQ) {
    axm_gic_listen(false);
    ++rtos.came;
    for (int i = 0; i < AXM_RTOS_WAITERS && rtos.waiters[i].task != NULL; ++i)
      vTaskNotifyGiveIndexedFromISR(rtos.waiters[i].task, NOTIFICATION, &better);
    AXM_YIELD(better);
  }
}

/* An emulator's fabric cannot interrupt: it is polled when no task runs, and at each tick. */
static void ask_the_window(void) {
  if (axm_window_poll == NULL)
    return;
  const uintptr_t state = axm_hold();
  axm_window_poll();
  axm_let_go(state);
}

void vApplicationIdleHook(void);
void vApplicationIdleHook(void) { ask_the_window(); }

__attribute__((weak)) void axm_app_tick(void);
__attribute__((weak)) void axm_posix_tick(void); /* of a machine in the place of a chip */
void vApplicationTickHook(void);
void vApplicationTickHook(void) {
  ask_the_window();
  if (axm_posix_tick != NULL)
    axm_posix_tick();
  else if (axm_app_tick != NULL)
    axm_app_tick();
}

const struct axm_hal *axm_hal_rtos(const struct axm_hal *bare) {
  rtos.bare = bare;
  rtos.hal = *bare;
  rtos.hal.target = AXM_CHIP_NAME "-freertos";
  rtos.hal.read32 = rtos_read32;
  rtos.hal.write32 = rtos_write32;
  rtos.hal.alloc = rtos_alloc;
  rtos.hal.release = rtos_release;
  rtos.hal.idle_ns = rtos_idle_ns;
  rtos.hal.wait_irq = rtos_wait_irq;
  return &rtos.hal;
}
