/* SPDX-License-Identifier: GPL-2.0-only */
/* The buses that a design is found on; one that the kernel lacks registers nothing. */
#ifndef AXM_BUS_H
#define AXM_BUS_H

#include <linux/kconfig.h>

#if IS_ENABLED(CONFIG_PCI)
int axm_pci_register(void);
void axm_pci_unregister(void);
#else
static inline int axm_pci_register(void)
{
	return 0;
}

static inline void axm_pci_unregister(void)
{
}
#endif

int axm_platform_register(void);
void axm_platform_unregister(void);

#endif
