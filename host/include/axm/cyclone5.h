/* Where a Cyclone V SoC has what programs without an operating system use.
 * Made by tools/chip_headers.py --write from chips/cyclone-v/; do not edit it. */
/* clang-format off */
#ifndef AXM_CYCLONE5_H
#define AXM_CYCLONE5_H

#include "axm/chip.h"

#define AXM_CHIP_NAME "cyclone5"
#define AXM_PERIPHERALS AXM_NUMBER(0xFF400000) /* and what is above: devices */
#define AXM_L3 AXM_NUMBER(0xFF800000) /* l3regs, with `remap` at 0 */
#define AXM_UART0 AXM_NUMBER(0xFFC02000)
#define AXM_UART1 AXM_NUMBER(0xFFC03000)
#define AXM_UART AXM_NUMBER(0xFFC02000) /* boards have their USB bridge there */
#define AXM_BRGMODRST AXM_NUMBER(0xFFD0501C) /* resets of the bridges */
#define AXM_PL330 AXM_NUMBER(0xFFE01000) /* dmasecure */
#define AXM_SCU AXM_NUMBER(0xFFFEC000)
#define AXM_GIC_CPU AXM_NUMBER(0xFFFEC100) /* interrupt interface of a core */
#define AXM_GLOBAL_TIMER AXM_NUMBER(0xFFFEC200) /* of all cores, 64 bits */
#define AXM_PRIVATE_TIMER AXM_NUMBER(0xFFFEC600) /* of a core, with an interrupt */
#define AXM_GIC AXM_NUMBER(0xFFFED000) /* interrupt distributor */
#define AXM_L2 AXM_NUMBER(0xFFFEF000)
#define AXM_CLK_MAINPLLGRP_VCO AXM_NUMBER(0xFFD04040)
#define AXM_CLK_MAINPLLGRP_MPUCLK AXM_NUMBER(0xFFD04048)
#define AXM_CLK_ALTERAGRP_MPUCLK AXM_NUMBER(0xFFD040E0)
#define AXM_CLK_MAINPLLGRP_VCO_NUMER(word) ((word) >> 3 & 0x1FFFu)
#define AXM_CLK_MAINPLLGRP_VCO_DENOM(word) ((word) >> 16 & 0x3Fu)
#define AXM_CLK_MAINPLLGRP_MPUCLK_CNT(word) ((word) >> 0 & 0x1FFu)
#define AXM_CLK_ALTERAGRP_MPUCLK_ALL(word) ((word) >> 0 & 0x1FFu)
#define AXM_FABRIC {{0xC0000000u, 0xFBFFFFFFu}, {0xFF200000u, 0xFF3FFFFFu}} /* first and last address, by H2F and LWH2F */
#define AXM_DESIGN AXM_NUMBER(0xFF200000) /* by LWH2F */
#define AXM_FABRIC_IRQ 72 /* f2h_irq0[0] */
#define AXM_FABRIC_STATUS AXM_NUMBER(0xFF706000) /* fpgamgr.stat */
#define AXM_FABRIC_CONFIGURED(word) (((word) >> 0 & 0x7u) == 4u) /* mode */
#define AXM_TICK_IRQ 29 /* the private timer's */
#define AXM_L2_TAG_LATENCY AXM_NUMBER(0x0) /* U-Boot, arch/arm/mach-socfpga/misc.c */
#define AXM_L2_DATA_LATENCY AXM_NUMBER(0x10) /* as L2_TAG_LATENCY */
#define AXM_PRIORITIES AXM_NUMBER(0x20) /* of the interrupt controller, secure: DDI 0407, chapter 3 */
#define AXM_BRIDGES_IN_RESET AXM_NUMBER(0x3) /* BRGMODRST: hps2fpga, lwhps2fpga */
#define AXM_L3_REMAP AXM_NUMBER(0x19) /* the first addresses are on-chip RAM (mpuzero), both bridges are visible; write only */
#ifdef AXM_EMULATED /* on QEMU's npcm750-evb */
#undef AXM_PERIPHERALS
#define AXM_PERIPHERALS AXM_NUMBER(0xF0000000)
#undef AXM_UART
#define AXM_UART AXM_NUMBER(0xF0001000)
#undef AXM_SCU
#define AXM_SCU AXM_NUMBER(0xF03FE000)
#undef AXM_GIC_CPU
#define AXM_GIC_CPU AXM_NUMBER(0xF03FE100)
#undef AXM_GLOBAL_TIMER
#define AXM_GLOBAL_TIMER AXM_NUMBER(0xF03FE200)
#undef AXM_PRIVATE_TIMER
#define AXM_PRIVATE_TIMER AXM_NUMBER(0xF03FE600)
#undef AXM_GIC
#define AXM_GIC AXM_NUMBER(0xF03FF000)
#undef AXM_L2
#define AXM_L2 AXM_NUMBER(0xF03FC000)
#define AXM_TIMER_HZ 100000000u
#endif

#endif
