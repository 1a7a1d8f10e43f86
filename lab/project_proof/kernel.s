@ A kernel that writes files by semihosting: the device tree that it is given, and the bitstream whose
@ address and size are noted at 0x7000000.
.arm
.rept 8
mov r0, r0
.endr
b begin
.word 0x016f2818, 0, end
begin:
mov r5, r2
ldr r6, [r5, #4]
rev r6, r6
adr r4, tree
bl save
ldr r3, =0x7000000
ldr r5, [r3]
ldr r6, [r3, #4]
adr r4, bitstream
bl save
mov r0, #0x18
ldr r1, =0x20026
svc #0x123456
save: @ r6 bytes at r5, in the file whose SYS_OPEN is at r4
add r1, r4, #12
str r1, [r4]
mov r1, r4
mov r0, #1
svc #0x123456
stmia r4, {r0, r5, r6}
mov r1, r4
mov r0, #5
svc #0x123456
bx lr
.ltorg
tree: .word 0, 5, 4
.asciz "tree"
.balign 4
bitstream: .word 0, 5, 9
.asciz "bitstream"
.balign 4
end:
