/* Data aborts. One at the fabric is an access that no slave answered: the program goes on after it
 * and calls axm_abort_taken(). Any other is a fault of the program: the UART names it, and the
 * processor halts.
 *
 * In an emulator the fabric is not there; the word comes from the window (window.c) instead.
 * Limits: loads and stores of a word, of the forms that a compiler makes of volatile words.
 */
#include "bare.h"

/* Registers of the program at an exception (start.S). */
struct axm_frame {
  uint64_t x[31];
  uint64_t pc; /* of the instruction; where the program goes on */
  uint64_t state;
};

static volatile uint64_t probed; /* the register that axm_probe reads */

static uint64_t fault_address(void) {
  uint64_t value = 0;
  __asm__ volatile("mrs %0, far_el1" : "=r"(value));
  return value;
}

static uint64_t syndrome(void) {
  uint64_t value = 0;
  __asm__ volatile("mrs %0, esr_el1" : "=r"(value));
  return value;
}

_Noreturn void axm_wrong(const struct axm_frame *frame);
void axm_wrong(const struct axm_frame *frame) {
  enum { UNKNOWN = 0x00, SUPERVISOR = 0x15, FETCH = 0x21, DATA = 0x25 };
  const uint64_t class = syndrome() >> 26 & 0x3Fu;
  axm_fatal(class == UNKNOWN      ? "undefined instruction"
            : class == SUPERVISOR ? "supervisor call"
            : class == FETCH      ? "fetch without memory"
            : class == DATA       ? "access without a slave"
                                  : "an exception without a handler",
            frame->pc, fault_address());
}

/* LDR or STR of a word: unsigned offset, unscaled offset, register offset (DDI 0487, C6.2). Its
 * register, or -1. The processor decodes accesses for EL2 only, not for EL1's own memory map. */
static int register_of(uint32_t instruction) {
  const uint32_t either = instruction & ~(1u << 22); /* load or store */
  const bool known = (either & 0xFFC00000u) == 0xB9000000u ||
                     (either & 0xFFE00C00u) == 0xB8000000u || (either & 0xFFE00C00u) == 0xB8200800u;
  return known ? (int)(instruction & 0x1Fu) : -1;
}

void axm_data_abort(struct axm_frame *frame);
void axm_data_abort(struct axm_frame *frame) {
  enum { DATA_ABORT = 0x25, ZERO = 31 };
  const uint64_t address = fault_address();
  const bool probing = address == probed;
  if ((syndrome() >> 26 & 0x3Fu) != DATA_ABORT || !(probing || axm_fabric_has(address)))
    axm_wrong(frame);
  const uint32_t instruction = *(const uint32_t *)(uintptr_t)frame->pc;
  const int number = register_of(instruction);
  if (number < 0)
    axm_wrong(frame);
  const bool write = (instruction >> 22 & 1u) == 0;
  uint32_t value = write && number != ZERO ? (uint32_t)frame->x[number] : 0;
  if (probing)
    axm_fabric_failed();
  else
    axm_fabric_access(write, address, &value);
  if (!write && number != ZERO)
    frame->x[number] = value;
  frame->pc += 4;
}

/* A posted write that failed: the instruction is long gone. */
void axm_system_error(struct axm_frame *frame);
void axm_system_error(struct axm_frame *frame) {
  (void)frame;
  axm_fabric_failed();
}

void axm_abort_start(void) {
  __asm__ volatile("dsb sy\n\tmsr daifclr, #4\n\tisb" ::: "memory"); /* takes a pending abort now */
  (void)axm_abort_taken();
}

bool axm_probe(uint32_t address, uint32_t *value) {
  (void)axm_abort_taken();
  probed = address;
  *value = *axm_register(address);
  const bool answered = axm_abort_taken() == 0;
  probed = 0;
  return answered;
}

void axm_interrupts_on(void) { __asm__ volatile("msr daifclr, #2" ::: "memory"); }

intptr_t axm_semihosting(intptr_t operation, const void *arguments) {
  register intptr_t number __asm__("x0") = operation;
  register const void *block __asm__("x1") = arguments;
  __asm__ volatile("hlt #0xF000" : "+r"(number) : "r"(block) : "memory");
  return number;
}
