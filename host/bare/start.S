/* Start-up of a Cortex-A9 without an operating system: vectors, stacks, the second core parked.
 *
 * It takes over from a boot loader (FSBL, U-Boot, a debugger) with any state of MMU and caches.
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
    .syntax unified
    .arm

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

    ldr r0, =vectors
    mcr p15, 0, r0, c12, c0, 0 /* VBAR */
    mrc p15, 0, r0, c1, c0, 0  /* SCTLR: MMU, caches, prediction, alignment checks, high vectors off */
    bic r0, r0, #0x2000
    bic r0, r0, #0x1800
    bic r0, r0, #0x0007
    mcr p15, 0, r0, c1, c0, 0
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

/* Nothing that the program does: it is told and ends. */
undefined:
    sub r1, lr, #4
    mov r0, #'U'
    b axm_fatal
supervisor:
    sub r1, lr, #4
    mov r0, #'S'
    b axm_fatal
prefetch_abort:
    sub r1, lr, #4
    mov r0, #'P'
    b axm_fatal
