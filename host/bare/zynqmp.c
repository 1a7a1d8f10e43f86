/* What is the Zynq UltraScale+'s own. */
#include "bare.h"

void axm_chip_start(void) {}

enum { GROUP = 0x080, TYPE = 0x004 };                               /* of the GIC's distributor */
enum { PRIORITY_MASK = 0x04 };                                      /* of a core's interface */
enum { SNOOP_AND_DVM = 3, STATUS = 0x00C, CHANGE_PENDING = 1 };     /* CCI-400 */
enum { COUNTER_CONTROL = 0x00, COUNTER_HZ = 0x20, COUNTER_ON = 1 }; /* system counter */

/* What only EL3 can do, before the program leaves it (start.S): interrupts are non-secure
 * programs'; the interconnect lets coherent ports snoop the cores; the timers count. Trusted
 * Firmware has done all this where a program begins below EL3.
 *
 * Not to be done here: LPD_SLCR.lpd_apu (AXM_LPD_APU), which counts as it is when the cores leave
 * reset. */
void axm_secure_start(void);
void axm_secure_start(void) {
  *axm_register(AXM_GIC) = 0;
  const uint32_t words = (*axm_register(AXM_GIC + TYPE) & 0x1Fu) + 1;
  for (uint32_t word = 0; word < words; ++word)
    *axm_register(AXM_GIC + GROUP + word * 4) = UINT32_MAX;
  *axm_register(AXM_GIC_CPU + PRIORITY_MASK) = 0xFF;
#ifndef AXM_EMULATED
  *axm_register(AXM_CCI + AXM_CCI_APU) |= SNOOP_AND_DVM;
  while ((*axm_register(AXM_CCI + STATUS) & CHANGE_PENDING) != 0) {
  }
  *axm_register(AXM_SYSTEM_COUNTER + COUNTER_CONTROL) |= COUNTER_ON;
  if (axm_timer_hz() == 0) {
    const uint64_t hz = *axm_register(AXM_SYSTEM_COUNTER + COUNTER_HZ);
    __asm__ volatile("msr cntfrq_el0, %0" ::"r"(hz));
  }
#endif
}

/* Unless LPD_SLCR.lpd_apu was set before the cores left reset, by FSBL or a boot image's register
 * list, no coherent port sees their lines. */
struct axm_coherency axm_chip_coherency(void) {
  uint32_t broadcast = 0;
  const bool seen = axm_probe(AXM_LPD_APU, &broadcast) &&
                    (broadcast & AXM_LPD_APU_COHERENT) == AXM_LPD_APU_COHERENT;
  return (struct axm_coherency){.status = seen ? AXM_OK : AXM_ERROR_COHERENCY,
                                .prot = AXM_COHERENT_PROT};
}
