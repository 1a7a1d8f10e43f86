# What images without an operating system are made of, for this folder and ../freertos/. Variables: CHIP
# (zynq7000, zynqmp, cyclone5), EMULATED, MEMORY_MIB, BASE, PS_CLK_HZ, UART; of packets.c ENGINE, PACKETS,
# SPEC, COHERENT; of packet_times.c these, COPIES and SIZES; of copies.c and one_way.c LARGEST, of copies.c FABRIC,
# FABRIC_BYTES. A chip's file names its processor (ARCH) and files of its own.
CHIP ?= zynq7000
BARE := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
HOST := $(abspath $(BARE)/..)
ifeq ($(wildcard $(BARE)/$(CHIP).mk),)
$(error no chip $(CHIP): one of $(basename $(notdir $(filter-out %/bare.mk,$(wildcard $(BARE)/*.mk)))))
endif
include $(BARE)/$(CHIP).mk
include $(BARE)/$(ARCH)/arch.mk
CC := $(CROSS_COMPILE)gcc
BUILD ?= build
MEMORY_MIB ?= 64
LIBRARY := $(shell sed -n 's/^src/src/p' $(HOST)/sources.txt)
SOURCES := $(addprefix $(HOST)/,$(LIBRARY) hal/bare.c hal/arena.c) \
  $(addprefix $(BARE)/,board.c fault.c gic.c memory_map.c $(CHIP).c $(CHIP_SOURCES)) \
  $(addprefix $(BARE)/$(ARCH)/,$(ARCH_SOURCES))
FLAGS := $(CPU) -std=c11 -Os -ffreestanding -ffunction-sections -fdata-sections -fno-common \
  -DAXM_CHIP='"axm/$(CHIP).h"' $(addprefix -I$(HOST)/,include hal src apps bare ../regs)
WARNINGS := -Wall -Wextra -Wconversion
LINK := $(CPU) -nostartfiles -Wl,--gc-sections -Wl,--build-id=none -Wl,-T,$(BARE)/image.ld \
  -Wl,--no-warn-rwx-segments -Wl,--defsym=AXM_BLOCK=$(BLOCK) \
  -Wl,--defsym=AXM_MEMORY_BYTES=$(MEMORY_MIB)*0x100000 $(ARCH_LINK)
ifdef EMULATED
SOURCES += $(BARE)/window.c
FLAGS += -DAXM_EMULATED
endif
ifdef ENGINE # of ../apps/packets.c: include/axm/engines/pair.h
FLAGS += -DAXM_ENGINE='"$(ENGINE)"'
endif
ifdef PACKETS
FLAGS += -DAXM_PACKETS=$(PACKETS)u
endif
ifdef SPEC # more of struct axm_pair_spec: .base=0xF8003000u,.data_bytes=4
FLAGS += -DAXM_SPEC='$(SPEC)'
endif
ifdef COHERENT # true: the design is at a port that sees the processor's caches
FLAGS += -DAXM_COHERENT=$(COHERENT)
endif
ifdef COPIES # of packet_times.c: true, packets are copied
FLAGS += -DAXM_COPIES=$(COPIES)
endif
ifdef SIZES # of packet_times.c: bytes of its packets, with commas
FLAGS += -DAXM_SIZES=$(SIZES)
endif
ifdef LARGEST # bytes of the longest transfer of copies.c and one_way.c
FLAGS += -DAXM_LARGEST=$(LARGEST)u
endif
ifdef FABRIC # a memory of the fabric for copies.c, of FABRIC_BYTES
FLAGS += -DAXM_FABRIC_MEMORY=$(FABRIC)u -DAXM_FABRIC_BYTES=$(FABRIC_BYTES)u
endif
ifdef BASE
FLAGS += -DAXM_BASE=$(BASE)u
endif
ifdef PS_CLK_HZ
FLAGS += -DAXM_PS_CLK_HZ=$(PS_CLK_HZ)u
else ifneq ($(CRYSTAL)$(EMULATED)$(filter clean,$(MAKECMDGOALS)),needed)
else
$(error give the rate of the board's crystal, PS_CLK_HZ=50000000 or 33333333: a wrong one makes every time and rate wrong)
endif
ifdef UART
FLAGS += -DAXM_CONSOLE=$(UART)
endif
