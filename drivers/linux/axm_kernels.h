/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between the kernels that this is built for: 5.15 to the newest. */
#ifndef AXM_KERNELS_H
#define AXM_KERNELS_H

#include <linux/version.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 2, 0)
#define dma_buf_map_attachment_unlocked dma_buf_map_attachment
#define dma_buf_unmap_attachment_unlocked dma_buf_unmap_attachment
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 3, 0)
#define vm_flags_clear(vma, flags) ((vma)->vm_flags &= ~(flags))
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)
#define AXM_IMPORT_DMA_BUF MODULE_IMPORT_NS(DMA_BUF)
#else
#define AXM_IMPORT_DMA_BUF MODULE_IMPORT_NS("DMA_BUF")
#endif

#endif
