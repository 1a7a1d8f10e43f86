/* Where the processing system of a Zynq-7000 has what the start-up needs: UG585, appendix B
 * (addresses and fields), chapter 4 (address map), chapter 7 (interrupts). */
#ifndef AXM_ZYNQ7000_H
#define AXM_ZYNQ7000_H

#include <stdint.h>

#define AXM_SLCR UINT32_C(0xF8000000)         /* system level control registers */
#define AXM_GIC_CPU UINT32_C(0xF8F00100)      /* mpcore: interrupt interface of a core */
#define AXM_GLOBAL_TIMER UINT32_C(0xF8F00200) /* mpcore */
#define AXM_GIC UINT32_C(0xF8F01000)          /* mpcore: interrupt distributor */
#define AXM_L2 UINT32_C(0xF8F02000)           /* l2cpl310 */
#define AXM_UART0 UINT32_C(0xE0000000)
#define AXM_UART1 UINT32_C(0xE0001000)

/* The fabric as the processor reaches it: M_AXI_GP0 and M_AXI_GP1. */
#define AXM_FABRIC_BEGIN UINT32_C(0x40000000)
#define AXM_FABRIC_END UINT32_C(0xC0000000)

/* The first of the interrupts from the fabric, IRQF2P[0] (UG585, table 7-3). */
enum { AXM_FABRIC_IRQ = 61 };
/* The private timer's (UG585, table 7-2). */
enum { AXM_TICK_IRQ = 29 };

static inline volatile uint32_t *axm_register(uint32_t address) {
  return (volatile uint32_t *)(uintptr_t)address;
}

#endif
