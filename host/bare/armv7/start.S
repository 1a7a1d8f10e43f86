/* Start-up of a Cortex-A9 without an operating system: vectors, stacks, the second core parked.
 *
 * It takes over from a boot loader (FSBL, U-Boot, a debugger) with any state of MMU and caches, in
 * the secure state and with addresses that the MMU does not change. The image itself must be in
 * memory: a loader with caches on cleans it (U-Boot: `dcache flush`).
 * The program runs in system mode, so that an exception finds its registers in the user bank.
 * Instructions and registers: ARM Architecture Reference Manual, ARMv7-A (DDI 0406); Cortex-A9
 * Technical Reference Manual (DDI 0388).
 */
#ifdef AXM_FREERTOS /* the kernel's port has these two */
#define AXM_SUPERVISOR FreeRTOS_SWI_Handler
#define AXM_IRQ FreeRTOS_IRQ_Handler
#else
#define AXM_SUPERVISOR supervisor
#define AXM_IRQ irq
#endif

#include "axm/chip.h"

    .syntax unified
    .arm

    .macro mov_to register, number /* without a literal in memory */
    movw \register, #(\number) & 0xFFFF
    movt \register, #(\number) >> 16
    .endm

    .section .vectors, "ax"
    .global _start
_start:
vectors: /* aligned to 32 bytes by the linker script */
    b start
    b undefined
    b AXM_SUPERVISOR
    b prefetch_abort
    b data_abort
    b .
    b AXM_IRQ
    b .

    .text
start:
    cpsid aif
    mrc p15, 0, r0, c0, c0, 5 /* MPIDR: which core */
    ands r0, r0, #3
    bne park

    /* From here to the barrier behind the caches nothing is written or read but registers: what a
     * loader wrote may be in the caches only, and what is in them may be nothing. */
    mov_to r9, AXM_L2
    mrc p15, 0, r4, c1, c0, 0 /* SCTLR: MMU, caches, prediction, alignment checks, high vectors off */
    bic r0, r4, #0x3800
    bic r0, r0, #0x0007
    mcr p15, 0, r0, c1, c0, 0
    isb

    /* L1, all sets and ways: cleaned and invalidated if it was on, else invalidated. */
    mov r0, #0
    mcr p15, 2, r0, c0, c0, 0 /* CSSELR: L1 data */
    isb
    mrc p15, 1, r0, c0, c0, 0 /* CCSIDR */
    ubfx r1, r0, #3, #10      /* ways - 1 */
    ubfx r2, r0, #13, #15     /* sets - 1 */
    and r3, r0, #7
    add r3, r3, #4            /* log2 of a line's bytes */
    clz r5, r1                /* where ways stand */
way:
    mov r6, r2
set:
    lsl r7, r6, r3
    orr r7, r7, r1, lsl r5
    tst r4, #4
    mcrne p15, 0, r7, c7, c14, 2 /* DCCISW */
    mcreq p15, 0, r7, c7, c6, 2  /* DCISW */
    subs r6, r6, #1
    bge set
    subs r1, r1, #1
    bge way
    dsb

    /* L2 after it, if it is on (PL310: DDI 0246). */
    ldr r0, [r9, #0x100] /* control */
    tst r0, #1
    beq l2_is_off
    movw r1, #0xFFFF
    str r1, [r9, #0x7FC] /* clean and invalidate by way */
l2_cleans:
    ldr r0, [r9, #0x7FC]
    tst r0, r1
    bne l2_cleans
    mov r0, #0
    str r0, [r9, #0x730] /* sync */
l2_syncs:
    ldr r0, [r9, #0x730]
    tst r0, #1
    bne l2_syncs
    dsb
    mov r0, #0
    str r0, [r9, #0x100]
l2_is_off:
    dsb

    ldr r0, =vectors
    mcr p15, 0, r0, c12, c0, 0 /* VBAR */
    mov r0, #0
    mcr p15, 0, r0, c8, c7, 0 /* TLBIALL */
    mcr p15, 0, r0, c7, c5, 0 /* ICIALLU */
    mcr p15, 0, r0, c7, c5, 6 /* BPIALL */
    dsb
    isb

    cps #0x17 /* abort */
    ldr sp, =axm_abort_stack_end
    cps #0x12 /* IRQ */
    ldr sp, =axm_irq_stack_end
    cps #0x1B /* undefined */
    ldr sp, =axm_abort_stack_end
    cps #0x13 /* supervisor: handlers of an operating system run there */
    ldr sp, =axm_supervisor_stack_end
    cps #0x1F /* system: the program */
    ldr sp, =axm_stack_end

    ldr r0, =axm_bss_begin
    ldr r1, =axm_bss_end
    mov r2, #0
clear:
    cmp r0, r1
    strlo r2, [r0], #4
    blo clear

    bl axm_bare_main
halt:
    wfi
    b halt

park: /* the other core: nothing here wakes it */
    wfe
    b park

/* A data abort: the handler decides whether the program goes on. The frame is struct axm_frame. */
data_abort:
    sub lr, lr, #8
    push {lr}
    sub sp, sp, #8
    stm sp, {sp, lr}^
    nop
    push {r0-r12}
    mov r0, sp
    bl axm_data_abort
    pop {r0-r12}
    ldm sp, {sp, lr}^
    nop
    add sp, sp, #8
    ldm sp!, {pc}^

irq:
    sub lr, lr, #4
    push {r0-r3, r12, lr}
    bl axm_irq
    ldm sp!, {r0-r3, r12, pc}^

/* The program causes none of these: a line reports it, and the program ends. */
undefined:
    sub r1, lr, #4
    mov r0, #'U'
    b axm_wrong
supervisor:
    sub r1, lr, #4
    mov r0, #'S'
    b axm_wrong
prefetch_abort:
    sub r1, lr, #4
    mov r0, #'P'
    b axm_wrong
