# Cyclone V SoC.
ARCH := armv7
CHIP_SOURCES := uart_16550.c
CRYSTAL := needed # times follow from it: PS_CLK_HZ
