/* Start-up of a Cortex-A53 without an operating system: vectors, stacks, the other cores parked.
 *
 * It takes over from a boot loader at any exception level with any state of MMU and caches (FSBL: EL3;
 * U-Boot behind Trusted Firmware: EL2 or EL1), with addresses that the MMU does not change. The image
 * itself must be in memory: a loader with caches on cleans it (U-Boot: `dcache flush`).
 *
 * The program runs at EL1, not secure, whichever level it came from, as Linux does: one set of registers,
 * and the same view of the interrupt controller. It uses the stack pointer of EL0, exceptions that of
 * EL1, which is what FreeRTOS's port expects. Registers: DDI 0487; Cortex-A53 manual, DDI 0500.
 */
    .section .vectors, "ax"
    .global _start
    .global _freertos_vector_table
_start: /* an image begins here; the vectors are 2 KiB further on */
    b start

    .macro entry target
    .balign 0x80
    b \target
    .endm

    .balign 0x800
_freertos_vector_table:
    .rept 2 /* the program, and handlers */
    entry synchronous
    entry irq
    entry wrong
    entry system_error
    .endr
    .rept 8 /* EL0 */
    entry wrong
    .endr

    .text
start:
    msr daifset, #0xF
    mrs x0, mpidr_el1
    tst x0, #0xFFFFFF /* which core */
    b.ne park

    /* From here to the barrier behind the caches nothing is written or read but registers. */
    mrs x19, CurrentEL
    cmp x19, #0xC
    b.eq 3f
    cmp x19, #0x8
    b.eq 2f
    mrs x0, sctlr_el1
    bl off
    msr sctlr_el1, x0
    b 0f
2:  mrs x0, sctlr_el2
    bl off
    msr sctlr_el2, x0
    b 0f
3:  mrs x0, sctlr_el3
    bl off
    msr sctlr_el3, x0
0:  isb

    /* Every level of data caches, all sets and ways: cleaned and invalidated. Their lines are valid,
     * because the processor empties them at reset; firmware above may have lines in them. */
    mrs x0, clidr_el1
    ubfx x20, x0, #24, #3 /* levels to the point of coherency */
    mov x1, #0
level:
    cmp x1, x20
    b.hs levels_are_done
    add x3, x1, x1, lsl #1
    lsr x3, x0, x3
    and x3, x3, #7
    cmp x3, #2 /* no data cache below 2 */
    b.lo next_level
    lsl x2, x1, #1
    msr csselr_el1, x2
    isb
    mrs x3, ccsidr_el1
    and x4, x3, #7
    add x4, x4, #4          /* log2 of a line's bytes */
    ubfx x5, x3, #3, #10    /* ways - 1 */
    ubfx x6, x3, #13, #15   /* sets - 1 */
    clz w7, w5              /* where ways stand */
way:
    mov x8, x6
set:
    lsl x9, x8, x4
    lsl x10, x5, x7
    orr x9, x9, x10
    orr x9, x9, x2
    dc cisw, x9
    subs x8, x8, #1
    b.ge set
    subs x5, x5, #1
    b.ge way
    dsb sy
next_level:
    add x1, x1, #1
    b level
levels_are_done:
    dsb sy

    cmp x19, #0xC
    b.eq from_el3
    cmp x19, #0x8
    b.eq from_el2
    b at_el1

from_el3:
    mrs x0, s3_1_c15_c2_1 /* CPUECTLR_EL1: SMPEN, before the caches are on */
    orr x0, x0, #0x40
    msr s3_1_c15_c2_1, x0
    isb
    ldr x0, =axm_supervisor_stack_end
    msr spsel, #1
    mov sp, x0
    bl axm_secure_start
    mov x0, #0x531 /* not secure; EL2 has 64 bits */
    msr scr_el3, x0
    msr cptr_el3, xzr
    bl at_el2_nothing_is_kept
    mov x0, #0x3C5 /* EL1, its own stack, all masked */
    msr spsr_el3, x0
    adr x0, at_el1
    msr elr_el3, x0
    isb
    eret

from_el2:
    bl at_el2_nothing_is_kept
    mov x0, #0x3C5
    msr spsr_el2, x0
    adr x0, at_el1
    msr elr_el2, x0
    isb
    eret

at_el2_nothing_is_kept: /* no virtual machine, no traps; the timers are EL1's, too */
    mov x0, #1
    lsl x0, x0, #31 /* EL1 has 64 bits */
    msr hcr_el2, x0
    mov x0, #0x33FF
    msr cptr_el2, x0
    mov x0, #3
    msr cnthctl_el2, x0
    msr cntvoff_el2, xzr
    mrs x0, mpidr_el1
    msr vmpidr_el2, x0
    ret

off: /* MMU, alignment checks, data and instruction cache */
    mov x1, #0x1007
    bic x0, x0, x1
    ret

at_el1:
    ldr x0, =0x30D00800 /* SCTLR: what must be one */
    msr sctlr_el1, x0
    ldr x0, =_freertos_vector_table
    msr vbar_el1, x0
    tlbi vmalle1
    ic iallu
    dsb sy
    isb
    msr spsel, #1
    ldr x0, =axm_supervisor_stack_end
    mov sp, x0
    msr spsel, #0
    ldr x0, =axm_stack_end
    mov sp, x0

    ldr x0, =axm_bss_begin
    ldr x1, =axm_bss_end
clear:
    cmp x0, x1
    b.hs cleared
    str xzr, [x0], #8
    b clear
cleared:
    bl axm_bare_main
halt:
    wfi
    b halt

park: /* the other cores: nothing here wakes them */
    wfe
    b park

/* struct axm_frame: x0 to x30, ELR, SPSR. */
    .macro save_all
    sub sp, sp, #272
    stp x0, x1, [sp, #0]
    stp x2, x3, [sp, #16]
    stp x4, x5, [sp, #32]
    stp x6, x7, [sp, #48]
    stp x8, x9, [sp, #64]
    stp x10, x11, [sp, #80]
    stp x12, x13, [sp, #96]
    stp x14, x15, [sp, #112]
    stp x16, x17, [sp, #128]
    stp x18, x19, [sp, #144]
    stp x20, x21, [sp, #160]
    stp x22, x23, [sp, #176]
    stp x24, x25, [sp, #192]
    stp x26, x27, [sp, #208]
    stp x28, x29, [sp, #224]
    mrs x0, elr_el1
    mrs x1, spsr_el1
    stp x30, x0, [sp, #240]
    str x1, [sp, #256]
    mov x0, sp
    .endm

resume:
    ldr x1, [sp, #256]
    ldp x30, x0, [sp, #240]
    msr elr_el1, x0
    msr spsr_el1, x1
    ldp x28, x29, [sp, #224]
    ldp x26, x27, [sp, #208]
    ldp x24, x25, [sp, #192]
    ldp x22, x23, [sp, #176]
    ldp x20, x21, [sp, #160]
    ldp x18, x19, [sp, #144]
    ldp x16, x17, [sp, #128]
    ldp x14, x15, [sp, #112]
    ldp x12, x13, [sp, #96]
    ldp x10, x11, [sp, #80]
    ldp x8, x9, [sp, #64]
    ldp x6, x7, [sp, #48]
    ldp x4, x5, [sp, #32]
    ldp x2, x3, [sp, #16]
    ldp x0, x1, [sp, #0]
    add sp, sp, #272
    eret

synchronous:
#ifdef AXM_FREERTOS /* the kernel's port has supervisor calls and interrupts */
    stp x0, x1, [sp, #-16]!
    mrs x0, esr_el1
    lsr x0, x0, #26
    cmp x0, #0x15
    ldp x0, x1, [sp], #16
    b.eq FreeRTOS_SWI_Handler
#endif
    save_all
    bl axm_data_abort
    b resume

system_error:
    save_all
    bl axm_system_error
    b resume

wrong:
    save_all
    bl axm_wrong
    b .

irq:
#ifdef AXM_FREERTOS
    b FreeRTOS_IRQ_Handler
#else
    save_all
    bl axm_irq
    b resume
#endif
