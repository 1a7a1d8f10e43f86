# Zynq UltraScale+: a Cortex-A53.
ARCH := armv8
CHIP_SOURCES := uart_cadence.c
