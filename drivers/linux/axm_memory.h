/* SPDX-License-Identifier: GPL-2.0-only */
/* Counted memory of slots. */
#ifndef AXM_MEMORY_H
#define AXM_MEMORY_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct axm_memory {
	struct kref ref;
	u32 slots, slot_bytes;	/* powers of two */
	struct page **pages;	/* its own: one compound page a slot; or NULL */
	/* Others': their addresses for the device, until detach(); whether the processor's caches
	 * are the driver's affair.
	 */
	dma_addr_t *slot_at;
	bool sync;
	const struct cred *payer; /* whose user's locked memory it is; or NULL */
	struct mutex lock;	/* of what follows */
	struct list_head mappings; /* other devices', by dma-bufs */
	void *context;
	void (*detach)(struct axm_memory *memory);
	void (*release)(struct axm_memory *memory);
};

struct axm_memory *axm_memory_new(u32 slots, u32 slot_bytes);
void axm_memory_put(struct axm_memory *memory);
int axm_memory_charge(struct axm_memory *memory);
int axm_memory_mmap(struct axm_memory *memory, struct vm_area_struct *vma, u64 offset);

#endif
