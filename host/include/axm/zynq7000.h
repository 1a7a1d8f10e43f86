/* Where a Zynq-7000 has what programs without an operating system use.
 * Made by tools/chip_headers.py --write from chips/zynq-7000/; do not edit it. */
/* clang-format off */
#ifndef AXM_ZYNQ7000_H
#define AXM_ZYNQ7000_H

#include "axm/chip.h"

#define AXM_CHIP_NAME "zynq7000"
#define AXM_PLATFORM axm_platform_zynq7000 /* axm/platform.h */
#define AXM_SCU AXM_NUMBER(0xF8F00000)
#define AXM_L2 AXM_NUMBER(0xF8F02000)
#define AXM_PERIPHERALS AXM_NUMBER(0xE0000000) /* and what is above: devices */
#define AXM_UART0 AXM_NUMBER(0xE0000000)
#define AXM_UART1 AXM_NUMBER(0xE0001000)
#define AXM_UART AXM_NUMBER(0xE0001000) /* most boards have their USB bridge there */
#define AXM_PL330 AXM_NUMBER(0xF8003000) /* DMAC0_S */
#define AXM_GIC_CPU AXM_NUMBER(0xF8F00100) /* interrupt interface of a core */
#define AXM_GLOBAL_TIMER AXM_NUMBER(0xF8F00200) /* of all cores, 64 bits */
#define AXM_PRIVATE_TIMER AXM_NUMBER(0xF8F00600) /* of a core, with an interrupt */
#define AXM_GIC AXM_NUMBER(0xF8F01000) /* interrupt distributor */
#define AXM_SLCR_SLCR_LOCK AXM_NUMBER(0xF8000004)
#define AXM_SLCR_SLCR_UNLOCK AXM_NUMBER(0xF8000008)
#define AXM_SLCR_L2C_RAM AXM_NUMBER(0xF8000A1C)
#define AXM_SLCR_ARM_PLL_CTRL AXM_NUMBER(0xF8000100)
#define AXM_SLCR_ARM_CLK_CTRL AXM_NUMBER(0xF8000120)
#define AXM_SLCR_ARM_PLL_CTRL_PLL_FDIV(word) ((word) >> 12 & 0x7Fu)
#define AXM_SLCR_ARM_CLK_CTRL_DIVISOR(word) ((word) >> 8 & 0x3Fu)
#define AXM_FABRIC {{0x40000000u, 0x7FFFFFFFu}, {0x80000000u, 0xBFFFFFFFu}} /* first and last address, by M_AXI_GP0 and M_AXI_GP1 */
#define AXM_DESIGN AXM_NUMBER(0x43C00000) /* the registers of `axiometer build` */
#define AXM_FABRIC_IRQ 61 /* IRQ_F2P[0] */
#define AXM_FABRIC_STATUS AXM_NUMBER(0xF800700C) /* devcfg.INT_STS */
#define AXM_FABRIC_CONFIGURED(word) (((word) >> 2 & 0x1u) == 1u) /* PCFG_DONE_INT */
#define AXM_TICK_IRQ 29 /* the private timer's */
#define AXM_L2_TAG_LATENCY AXM_NUMBER(0x111) /* UG585, chapter 3, initialisation of the L2 cache */
#define AXM_L2_DATA_LATENCY AXM_NUMBER(0x121) /* as L2_TAG_LATENCY */
#define AXM_PRIORITIES AXM_NUMBER(0x20) /* of the interrupt controller, secure: DDI 0407, chapter 3 */
#ifdef AXM_EMULATED /* on QEMU's xilinx-zynq-a9 */
#define AXM_TIMER_HZ 100000000u
#endif

#endif
