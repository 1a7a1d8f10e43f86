/* A program of ../apps/ or apps/ as a task of FreeRTOS; it prints on the UART. */
#include <stdbool.h>
#include <string.h>

#include "FreeRTOS.h"
#include "task.h"

#include "app.h"
#include "bare.h"
#include "board.h"
#include "processor.h"
#include "rtos.h"

enum { STACK_WORDS = 2048, PRIORITY = 2 };

static const struct axm_hal *target;

static void say(const char *text) {
  for (; *text != '\0'; ++text)
    (void)axm_uart_put(*text);
}

static _Noreturn void end(void) {
  (void)axm_hold();
  for (;;)
    axm_rest();
}

void axm_rtos_wrong(const char *file, int line) {
  char digits[12];
  int at = (int)sizeof digits - 1;
  digits[at] = '\0';
  do {
    digits[--at] = (char)('0' + line % 10);
    line /= 10;
  } while (line != 0 && at > 0);
  const char *name = strrchr(file, '/');
  say("failed: assertion of the kernel at ");
  say(name == NULL ? file : name + 1);
  say(":");
  say(digits + at);
  say("\n");
  end();
}

void vApplicationStackOverflowHook(TaskHandle_t task, char *name);
void vApplicationStackOverflowHook(TaskHandle_t task, char *name) {
  (void)task;
  say("failed: stack overflow of task ");
  say(name);
  say("\n");
  end();
}

static void program(void *nothing) {
  (void)nothing;
  (void)axm_app(target, AXM_BASE);
  vTaskSuspend(NULL);
}

void axm_bare_main(void);
void axm_bare_main(void) {
  static StackType_t stack[STACK_WORDS];
  static StaticTask_t task;
  axm_processor_start();
  target = axm_hal_rtos(axm_board_start());
  (void)xTaskCreateStatic(program, "program", STACK_WORDS, NULL, PRIORITY, stack, &task);
  vTaskStartScheduler();
}
