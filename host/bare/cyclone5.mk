# Cyclone V SoC.
ARCH := armv7
CHIP_SOURCES := uart_16550.c
