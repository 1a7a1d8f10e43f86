/* Data aborts. One at the fabric is an access that no slave answered: the program goes on after it
 * and asks axm_abort_taken(). Any other is a fault of the program: it is told on the UART, and the
 * processor halts.
 *
 * In an emulator the fabric is not there; the word comes from the window (window.c) instead.
 * Limits: loads and stores of a word, of the forms that a compiler makes of volatile words.
 */

#include "bare.h"

static volatile int failed;

static uint32_t fault_address(void) {
  uint32_t value = 0;
  __asm__ volatile("mrc p15, 0, %0, c6, c0, 0" : "=r"(value)); /* DFAR */
  return value;
}

static uint32_t fault_status(void) {
  uint32_t value = 0;
  __asm__ volatile("mrc p15, 0, %0, c5, c0, 0" : "=r"(value)); /* DFSR */
  return (value & 0xFu) | (value >> 6 & 0x10u);
}

static void say(const char *text) {
  for (; *text != '\0'; ++text)
    (void)axm_uart_put(*text);
}

static void say_hex(uint32_t value) {
  for (int shift = 28; shift >= 0; shift -= 4)
    (void)axm_uart_put("0123456789ABCDEF"[value >> shift & 0xFu]);
}

void axm_fatal(uint32_t what, uint32_t where) {
  say("\r\nno program: ");
  say(what == 'U'   ? "undefined instruction at 0x"
      : what == 'S' ? "supervisor call at 0x"
      : what == 'P' ? "fetch from nowhere at 0x"
                    : "access of nothing at 0x");
  say_hex(where);
  say(", data address 0x");
  say_hex(fault_address());
  say("\r\n");
  for (;;)
    __asm__ volatile("wfi");
}

/* LDR or STR of a word with an offset, without write-back (DDI 0406, A8.8): its register, or -1. */
static int register_of(uint32_t instruction) {
  const bool word_access = (instruction & 0x0C400000u) == 0x04000000u;
  const bool offset_only = (instruction & 0x01200000u) == 0x01000000u;
  const bool media = (instruction & 0x02000010u) == 0x02000010u;
  const uint32_t number = instruction >> 12 & 0xFu;
  return word_access && offset_only && !media && number < 15 ? (int)number : -1;
}

void axm_data_abort(struct axm_frame *frame);
void axm_data_abort(struct axm_frame *frame) {
  enum { ASYNCHRONOUS = 0x16 };
  if (fault_status() == ASYNCHRONOUS) { /* a posted write: the instruction is long gone */
    failed = 1;
    return;
  }
  const uint32_t address = fault_address();
  const uint32_t instruction = *(const uint32_t *)(uintptr_t)frame->pc;
  const int number = register_of(instruction);
  if (address < AXM_FABRIC_BEGIN || address >= AXM_FABRIC_END || number < 0)
    axm_fatal('D', frame->pc);
  const bool write = (instruction >> 20 & 1u) == 0;
  uint32_t value = write ? frame->r[number] : UINT32_MAX;
  if (axm_window_access == NULL || !axm_window_access(write, address, &value))
    failed = 1;
  if (!write)
    frame->r[number] = value;
  frame->pc += 4;
}

int axm_abort_taken(void) {
  __asm__ volatile("dsb" ::: "memory"); /* a posted write has its answer */
  const int taken = failed;
  failed = 0;
  return taken;
}
