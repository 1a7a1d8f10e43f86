// SPDX-License-Identifier: GPL-2.0-only
/*
 * The memory of a half's slots: own pages, as large as available, or others' (axm_import.c).
 * It is counted: mappings and dma-bufs may outlive the half that it was made for.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/dma-mapping.h>
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>
#include <linux/slab.h>

#include "axm.h"
#include "axm_memory.h"

#define MOST_ORDER get_order(AXM_PACKET_BYTES)

static unsigned int ring_log2 = 4;
module_param(ring_log2, uint, 0444);
MODULE_PARM_DESC(ring_log2, "log2 of the 64 KiB slots in a half's ring, 1 to 8 (default 4)");

static long pages_of(const struct axm_memory *memory)
{
	return ((u64)memory->slots * memory->slot_bytes) >> PAGE_SHIFT;
}

/* What a program may keep longer than its file, or does not let go to swap, counts as its user's
 * locked memory, as that of AF_XDP and io_uring does. -ENOMEM beyond RLIMIT_MEMLOCK.
 */
int axm_memory_charge(struct axm_memory *memory)
{
	unsigned long most = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	struct user_struct *user = current_user();
	long pages = pages_of(memory);

	if (memory->payer)
		return 0;
	if (atomic_long_add_return(pages, &user->locked_vm) > most && !capable(CAP_IPC_LOCK)) {
		atomic_long_sub(pages, &user->locked_vm);
		return -ENOMEM;
	}
	memory->payer = get_current_cred(); /* holds the user */
	return 0;
}

static void release(struct kref *ref)
{
	struct axm_memory *memory = container_of(ref, struct axm_memory, ref);
	u32 i;

	if (memory->release)
		memory->release(memory);
	for (i = 0; memory->pages && i < memory->slots; i++)
		if (memory->pages[i])
			__free_pages(memory->pages[i], get_order(memory->slot_bytes));
	if (memory->payer) {
		atomic_long_sub(pages_of(memory), &memory->payer->user->locked_vm);
		put_cred(memory->payer);
	}
	kvfree(memory->pages);
	mutex_destroy(&memory->lock);
	kfree(memory);
}

void axm_memory_put(struct axm_memory *memory)
{
	kref_put(&memory->ref, release);
}

struct axm_memory *axm_memory_new(u32 slots, u32 slot_bytes)
{
	struct axm_memory *memory = kzalloc(sizeof(*memory), GFP_KERNEL);

	if (memory) {
		kref_init(&memory->ref);
		mutex_init(&memory->lock);
		INIT_LIST_HEAD(&memory->mappings);
		memory->slots = slots;
		memory->slot_bytes = slot_bytes;
	}
	return memory;
}

static struct axm_memory *own_pages(struct axm_half *half, u32 slots, unsigned int order)
{
	struct axm_memory *memory = axm_memory_new(slots, PAGE_SIZE << order);
	gfp_t gfp = GFP_KERNEL_ACCOUNT | __GFP_ZERO | __GFP_COMP | __GFP_NOWARN;
	u32 i;

	if (order)
		gfp |= __GFP_NORETRY;
	if (dma_get_mask(half->chan->dma) <= DMA_BIT_MASK(32))
		gfp |= GFP_DMA32;
	if (memory)
		memory->pages = kvcalloc(slots, sizeof(*memory->pages), GFP_KERNEL);
	for (i = 0; memory && memory->pages && i < slots; i++) {
		memory->pages[i] = alloc_pages(gfp, order);
		if (!memory->pages[i])
			break;
	}
	if (memory && i == slots)
		return memory;
	if (memory)
		axm_memory_put(memory);
	return NULL;
}

static int map_own(struct axm_half *half)
{
	struct axm_memory *memory = half->memory;
	u32 i;

	for (i = 0; i < memory->slots; i++) {
		half->slot_dma[i] = dma_map_page(half->chan->dma, memory->pages[i], 0,
						 memory->slot_bytes, axm_direction(half));
		if (dma_mapping_error(half->chan->dma, half->slot_dma[i])) {
			half->slot_dma[i] = DMA_MAPPING_ERROR;
			return -ENOMEM;
		}
		half->sync |= dma_need_sync(half->chan->dma, half->slot_dma[i]);
	}
	return 0;
}

/* Takes the memory over, also if it fails. */
int axm_memory_adopt(struct axm_half *half, struct axm_memory *memory)
{
	u32 i;
	int error = 0;

	half->memory = memory;
	half->slots = memory->slots;
	half->mask = memory->slots - 1;
	half->log2 = ilog2(memory->slots);
	half->slot_bytes = memory->slot_bytes;
	half->sync = false;
	half->foreign = memory->slot_at;
	half->slot_dma = kvcalloc(half->slots, sizeof(*half->slot_dma), GFP_KERNEL);
	if (!half->slot_dma) {
		axm_memory_drop(half);
		return -ENOMEM;
	}
	for (i = 0; i < half->slots; i++)
		half->slot_dma[i] = memory->slot_at ? memory->slot_at[i] : DMA_MAPPING_ERROR;
	if (memory->slot_at)
		half->sync = memory->sync;
	else
		error = map_own(half);
	if (error) {
		axm_memory_unmap(half);
		axm_memory_drop(half);
	}
	return error;
}

/* 64 KiB a slot, or where memory is in pieces smaller slots, and more of them: as many as have
 * their descriptors in a page.
 */
int axm_memory_alloc(struct axm_half *half)
{
	u32 log2 = clamp(ring_log2, 1u, 8u), order;

	for (order = MOST_ORDER;; order--) {
		u32 slots = 1u << log2, more = slots << (MOST_ORDER - order);
		struct axm_memory *memory;

		if (order < MOST_ORDER)
			slots = max(slots, min_t(u32, more, PAGE_SIZE / 32));
		memory = own_pages(half, slots, order);
		if (memory)
			return axm_memory_adopt(half, memory);
		if (!order)
			return -ENOMEM;
	}
}

/* What needs the device; the pages stay for the file, and for those who have them mapped. */
void axm_memory_unmap(struct axm_half *half)
{
	u32 i;

	if (!half->memory)
		return;
	if (half->memory->detach)
		half->memory->detach(half->memory);
	for (i = 0; !half->foreign && i < half->slots; i++) {
		if (half->slot_dma[i] != DMA_MAPPING_ERROR)
			dma_unmap_page(half->chan->dma, half->slot_dma[i], half->slot_bytes,
				       axm_direction(half));
		half->slot_dma[i] = DMA_MAPPING_ERROR;
	}
}

void axm_memory_drop(struct axm_half *half)
{
	if (half->memory)
		axm_memory_put(half->memory);
	half->memory = NULL;
	kvfree(half->slot_dma);
	half->slot_dma = NULL;
}

/* A device that is not silent may write to it for ever: it is never freed. */
void axm_memory_leak(struct axm_half *half)
{
	kref_get(&half->memory->ref);
}

/* NULL: the processor reaches it only through its owner. */
void *axm_memory_at(const struct axm_half *half, u32 slot)
{
	return half->memory->pages ? page_address(half->memory->pages[slot]) : NULL;
}

static void vma_open(struct vm_area_struct *vma)
{
	struct axm_memory *memory = vma->vm_private_data;

	kref_get(&memory->ref);
}

static void vma_close(struct vm_area_struct *vma)
{
	axm_memory_put(vma->vm_private_data);
}

static const struct vm_operations_struct vma_operations = {
	.open = vma_open,
	.close = vma_close,
};

int axm_memory_mmap(struct axm_memory *memory, struct vm_area_struct *vma, u64 offset)
{
	u64 total = (u64)memory->slots * memory->slot_bytes;
	unsigned long size = vma->vm_end - vma->vm_start, done = 0;

	if (!memory->pages)
		return -ENXIO;
	if (!(vma->vm_flags & VM_MAYSHARE) || offset > total || size > total - offset)
		return -EINVAL;
	while (done < size) {
		u32 slot = (u32)(offset + done) / memory->slot_bytes;
		unsigned long within = (offset + done) & (memory->slot_bytes - 1);
		unsigned long piece = min(size - done, memory->slot_bytes - within);
		unsigned long pfn = page_to_pfn(memory->pages[slot]) + (within >> PAGE_SHIFT);
		int error = remap_pfn_range(vma, vma->vm_start + done, pfn, piece,
					    vma->vm_page_prot);

		if (error)
			return error;
		done += piece;
	}
	vma->vm_private_data = memory;
	vma->vm_ops = &vma_operations;
	vma_open(vma);
	return 0;
}
