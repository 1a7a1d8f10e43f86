/* The chip that an image is for: AXM_CHIP names its header, such as "axm/zynq7000.h". */
#ifndef AXM_CHIP_H
#define AXM_CHIP_H

#ifdef __ASSEMBLER__
#define AXM_NUMBER(number) number
#else
#define AXM_NUMBER(number) number##u
#endif

#ifdef AXM_CHIP
#include AXM_CHIP
#endif

#endif
