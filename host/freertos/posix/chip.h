/* This machine in the place of a chip: the design that is not there (../../tests/fake.h). */
#ifndef AXM_POSIX_CHIP_H
#define AXM_POSIX_CHIP_H

#include "fake.h"

#define AXM_CHIP_NAME "posix"
#define AXM_DESIGN FAKE_BASE
#define AXM_FABRIC_IRQ 1u
#define AXM_TICK_IRQ 2u /* the port's own */
#define AXM_PRIORITIES 32u

void FreeRTOS_Tick_Handler(void);

#endif
