# Zynq-7000.
ARCH := armv7
CHIP_SOURCES := uart_cadence.c
CRYSTAL := needed # times follow from it: PS_CLK_HZ
