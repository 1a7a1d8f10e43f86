/* Where a Zynq-7000 has what programs without an operating system use.
 * Made by tools/chip_headers.py --write from chips/zynq-7000/; do not edit it. */
/* clang-format off */
#ifndef AXM_ZYNQ7000_H
#define AXM_ZYNQ7000_H

#define AXM_L2 0xF8F02000u
#define AXM_PERIPHERALS 0xE0000000u /* and what is above: devices */
#define AXM_UART0 0xE0000000u
#define AXM_UART1 0xE0001000u
#define AXM_PL330 0xF8003000u /* DMAC0_S */
#define AXM_GIC_CPU 0xF8F00100u /* interrupt interface of a core */
#define AXM_GLOBAL_TIMER 0xF8F00200u /* of all cores, 64 bits */
#define AXM_PRIVATE_TIMER 0xF8F00600u /* of a core, with an interrupt */
#define AXM_GIC 0xF8F01000u /* interrupt distributor */
#define AXM_SLCR_SLCR_LOCK 0xF8000004u
#define AXM_SLCR_SLCR_UNLOCK 0xF8000008u
#define AXM_SLCR_L2C_RAM 0xF8000A1Cu
#define AXM_SLCR_ARM_PLL_CTRL 0xF8000100u
#define AXM_SLCR_ARM_CLK_CTRL 0xF8000120u
#define AXM_SLCR_ARM_PLL_CTRL_PLL_FDIV(word) ((word) >> 12 & 0x7Fu)
#define AXM_SLCR_ARM_CLK_CTRL_DIVISOR(word) ((word) >> 8 & 0x3Fu)
#define AXM_FABRIC_BEGIN 0x40000000u /* by M_AXI_GP0 and M_AXI_GP1 */
#define AXM_FABRIC_END 0xC0000000u
#define AXM_DESIGN 0x43C00000u /* the registers of `axiometer build` */
#define AXM_FABRIC_IRQ 61 /* IRQ_F2P[0] */
#define AXM_TICK_IRQ 29 /* the private timer's */

#endif
