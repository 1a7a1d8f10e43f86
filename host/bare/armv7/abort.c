/* Data aborts. An abort at the fabric is an access that no slave answered: the program goes on
 * after it and calls axm_abort_taken(). Any other is a fault of the program: a line on the UART
 * names it, and the processor halts.
 *
 * In an emulator the fabric is not there; the word comes from the window (window.c) instead.
 * Limits: loads and stores of a word, of the forms that a compiler makes of volatile words.
 */
#include "bare.h"

/* Registers of the program at an exception (start.S). */
struct axm_frame {
  uint32_t r[15]; /* r0 to r12, sp, lr */
  uint32_t pc;    /* of the instruction; where the program goes on */
};

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

_Noreturn void axm_wrong(uint32_t what, uint32_t where);
void axm_wrong(uint32_t what, uint32_t where) {
  axm_fatal(what == 'U'   ? "undefined instruction"
            : what == 'S' ? "supervisor call"
            : what == 'P' ? "fetch without memory"
                          : "access without a slave",
            where, fault_address());
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
  enum { ASYNCHRONOUS = 0x16, ASYNCHRONOUS_PARITY = 0x18 };
  const uint32_t status = fault_status();
  if (status == ASYNCHRONOUS || status == ASYNCHRONOUS_PARITY) {
    /* A posted write: the instruction is long gone, pc is that which comes next. */
    axm_fabric_failed();
    return;
  }
  const uint32_t address = fault_address();
  if (!axm_fabric_has(address))
    axm_wrong('D', frame->pc);
  const uint32_t instruction = *(const uint32_t *)(uintptr_t)frame->pc;
  const int number = register_of(instruction);
  if (number < 0)
    axm_wrong('D', frame->pc);
  const bool write = (instruction >> 20 & 1u) == 0;
  uint32_t value = frame->r[number];
  axm_fabric_access(write, address, &value);
  if (!write)
    frame->r[number] = value;
  frame->pc += 4;
}

void axm_abort_start(void) {
  __asm__ volatile("dsb\n\tcpsie a\n\tisb" ::: "memory"); /* one that is pending comes now */
  (void)axm_abort_taken();
}

bool axm_probe(uint32_t address, uint32_t *value) {
  *value = *axm_register(address); /* a secure program may read every register */
  return true;
}

void axm_interrupts_on(void) { __asm__ volatile("cpsie i" ::: "memory"); }

intptr_t axm_semihosting(intptr_t operation, const void *arguments) {
  register intptr_t number __asm__("r0") = operation;
  register const void *block __asm__("r1") = arguments;
  __asm__ volatile("svc 0x123456" : "+r"(number) : "r"(block) : "memory", "lr");
  return number;
}
