/* Where a Zynq UltraScale+ has what programs without an operating system use.
 * Made by tools/chip_headers.py --write from chips/zynq-ultrascale-plus/; do not edit it. */
/* clang-format off */
#ifndef AXM_ZYNQMP_H
#define AXM_ZYNQMP_H

#include "axm/chip.h"

#define AXM_CHIP_NAME "zynqmp"
#define AXM_PLATFORM axm_platform_zynqmp /* axm/platform.h */
#define AXM_PERIPHERALS AXM_NUMBER(0xF8000000) /* and what is above: devices */
#define AXM_GIC AXM_NUMBER(0xF9010000) /* interrupt distributor */
#define AXM_GIC_CPU AXM_NUMBER(0xF9020000) /* interrupt interface of a core */
#define AXM_CCI AXM_NUMBER(0xFD6E0000) /* the cache-coherent interconnect, CCI-400 */
#define AXM_LPD_APU AXM_NUMBER(0xFF41A040) /* bits 0 and 1: the cores' lines are seen by coherent ports */
#define AXM_UART0 AXM_NUMBER(0xFF000000)
#define AXM_UART1 AXM_NUMBER(0xFF010000)
#define AXM_UART AXM_NUMBER(0xFF000000) /* boards have their USB bridge there */
#define AXM_SYSTEM_COUNTER AXM_NUMBER(0xFF260000) /* IOU_SCNTRS: that of the generic timer */
#define AXM_FABRIC {{0xA0000000u, 0xAFFFFFFFu}, {0xB0000000u, 0xBFFFFFFFu}} /* first and last address, by M_AXI_HPM0_FPD and M_AXI_HPM1_FPD */
#define AXM_DESIGN AXM_NUMBER(0xA0000000) /* the registers of `axiometer build` */
#define AXM_FABRIC_IRQ 121 /* pl_ps_irq0[0] */
#define AXM_FABRIC_STATUS AXM_NUMBER(0xFFCA3010) /* CSU.PCAP_STATUS */
#define AXM_FABRIC_CONFIGURED(word) (((word) >> 3 & 0x1u) == 1u) /* PL_DONE */
#define AXM_TICK_IRQ 27 /* the virtual timer's */
#define AXM_PRIORITIES AXM_NUMBER(0x10) /* of the interrupt controller, as non-secure programs see it: IHI 0048, 4.3.11 */
#define AXM_CCI_APU AXM_NUMBER(0x4000) /* slave interface 3 of the CCI-400: plat/xilinx/zynqmp of Trusted Firmware */
#define AXM_LPD_APU_COHERENT AXM_NUMBER(0x3) /* of LPD_APU: brdc_inner, brdc_outer */
#define AXM_COHERENT_PROT AXM_NUMBER(0x2) /* AxPROT with which a coherent port finds the lines of a non-secure program */
#ifdef AXM_EMULATED /* on QEMU's xlnx-zcu102 */
#endif

#endif
