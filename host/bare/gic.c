/* The interrupt of the design through the generic interrupt controller (GICv1 and v2, IHI 0048).
 *
 * The design's line is a level: the handler switches it off, and the program listens again when it
 * has looked at the cause, so that no interrupt storm holds it.
 */
#include "bare.h"

enum { /* distributor */
       TYPE = 0x004,
       GROUP = 0x080,
       ENABLE_SET = 0x100,
       ENABLE_CLEAR = 0x180,
       PENDING_SET = 0x200,
       PENDING_CLEAR = 0x280,
       ACTIVE_CLEAR = 0x380,
       PRIORITY = 0x400,
       TARGETS = 0x800,
       TRIGGER = 0xC00,
};
enum { CONTROL = 0x00, PRIORITY_MASK = 0x04, ACKNOWLEDGE = 0x0C, END = 0x10 }; /* of a core */

static volatile int asserted;

static void fabric(uint32_t what) {
  *axm_register(AXM_GIC + what + AXM_FABRIC_IRQ / 32 * 4) = 1u << AXM_FABRIC_IRQ % 32;
}

static void byte(uint32_t what, uint32_t interrupt, uint32_t value) {
  volatile uint32_t *const word = axm_register(AXM_GIC + what + interrupt / 4 * 4);
  const uint32_t shift = interrupt % 4 * 8;
  *word = (*word & ~(0xFFu << shift)) | value << shift;
}

void axm_gic_allow(uint32_t interrupt, uint32_t priority) {
  byte(PRIORITY, interrupt, priority);
  byte(TARGETS, interrupt, 1); /* core 0 */
  *axm_register(AXM_GIC + ENABLE_SET + interrupt / 32 * 4) = 1u << interrupt % 32;
}

void axm_gic_listen(bool listens) { fabric(listens ? ENABLE_SET : ENABLE_CLEAR); }

/* Interrupts that a loader or a program before left enabled, pending or active, in any group: one
 * that stays asserted would halt the processor. Groups can be set in the secure state only; in the
 * other state they read as zeros, and only the program's interrupts are visible. */
static void forget_all(void) {
  const uint32_t words = (*axm_register(AXM_GIC + TYPE) & 0x1Fu) + 1;
  for (uint32_t word = 0; word < words; ++word) {
    *axm_register(AXM_GIC + ENABLE_CLEAR + word * 4) = UINT32_MAX;
    *axm_register(AXM_GIC + PENDING_CLEAR + word * 4) = UINT32_MAX;
    *axm_register(AXM_GIC + ACTIVE_CLEAR + word * 4) = UINT32_MAX;
    *axm_register(AXM_GIC + GROUP + word * 4) = 0;
  }
}

static void is_a_level(uint32_t interrupt) {
  *axm_register(AXM_GIC + TRIGGER + interrupt / 16 * 4) &= ~(2u << interrupt % 16 * 2);
}

void axm_gic_start(void) {
  *axm_register(AXM_GIC_CPU + CONTROL) = 0;
  *axm_register(AXM_GIC) = 0;
  forget_all();
  is_a_level(AXM_FABRIC_IRQ);
  axm_gic_allow(AXM_FABRIC_IRQ, 0xA0);
  *axm_register(AXM_GIC) = 1;
  *axm_register(AXM_GIC_CPU + PRIORITY_MASK) = 0xF0;
  *axm_register(AXM_GIC_CPU + CONTROL) = 1;
  axm_interrupts_on();
}

void axm_irq(void);
void axm_irq(void) {
  const uint32_t taken = *axm_register(AXM_GIC_CPU + ACKNOWLEDGE);
  if ((taken & 0x3FFu) == AXM_FABRIC_IRQ) {
    fabric(ENABLE_CLEAR);
    asserted = 1;
  }
  if ((taken & 0x3FFu) < 1020) /* else it was spurious */
    *axm_register(AXM_GIC_CPU + END) = taken;
}

int axm_gic_taken(void) {
  if (asserted == 0)
    return 0;
  asserted = 0;
  fabric(ENABLE_SET);
  return 1;
}

void axm_gic_pend(void) { fabric(PENDING_SET); }
