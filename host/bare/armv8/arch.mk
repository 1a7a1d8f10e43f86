# Cortex-A53 in its 64-bit state. No library is needed: string.c has memcpy and the like, so that Linux'
# compiler makes images, too.
CROSS_COMPILE ?= aarch64-linux-gnu-
CPU := -mcpu=cortex-a53 -mgeneral-regs-only -mstrict-align -fno-pic -fno-stack-protector
BLOCK := 0x200000
ARCH_SOURCES := abort.c cache.c mmu.c string.c timer.c
ARCH_LINK := -nostdlib -static -no-pie
FREERTOS_PORT := portable/GCC/ARM_AARCH64
FREERTOS_FLAGS := -DGUEST
