# Cortex-A9, with newlib for memcpy and the like.
CROSS_COMPILE ?= arm-none-eabi-
CPU := -mcpu=cortex-a9 -marm -mfloat-abi=soft -mno-unaligned-access
BLOCK := 0x100000
ARCH_SOURCES := abort.c cache.c mmu.c timer.c
FREERTOS_PORT := portable/GCC/ARM_CA9
FREERTOS_FLAGS := -mfloat-abi=softfp -mfpu=neon -mgeneral-regs-only
