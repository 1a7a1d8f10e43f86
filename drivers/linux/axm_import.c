// SPDX-License-Identifier: GPL-2.0-only
/*
 * Others' memory as a half's slots: a dma-buf, or pages of the program, which are pinned. Each slot
 * has to be contiguous for the device, for a descriptor has one address.
 */
#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "axm.h"
#include "axm_kernels.h"
#include "axm_memory.h"

#define MOST_SLOT_BYTES SZ_64M

AXM_IMPORT_DMA_BUF;

struct import {
	struct device *dev;
	enum dma_data_direction way;
	struct sg_table *table;
	struct dma_buf *buffer;		/* one of these two */
	struct dma_buf_attachment *attachment;
	struct page **pages;
	unsigned long count;
	struct sg_table own;
};

static void detach(struct axm_memory *memory)
{
	struct import *import = memory->context;

	if (import->table && import->attachment)
		dma_buf_unmap_attachment_unlocked(import->attachment, import->table, import->way);
	else if (import->table)
		dma_unmap_sgtable(import->dev, import->table, import->way, 0);
	if (import->attachment)
		dma_buf_detach(import->buffer, import->attachment);
	import->table = NULL;
	import->attachment = NULL;
}

static void release(struct axm_memory *memory)
{
	struct import *import = memory->context;

	detach(memory);
	if (import->buffer)
		dma_buf_put(import->buffer);
	if (import->pages) {
		unpin_user_pages_dirty_lock(import->pages, import->count,
					    import->way == DMA_FROM_DEVICE);
		sg_free_table(&import->own);
		kvfree(import->pages);
	}
	kvfree(memory->slot_at);
	kfree(import);
}

static int from_buffer(struct import *import, int fd)
{
	struct dma_buf *buffer = dma_buf_get(fd);
	struct sg_table *table;

	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	import->buffer = buffer;
	import->attachment = dma_buf_attach(buffer, import->dev);
	if (IS_ERR(import->attachment)) {
		int error = PTR_ERR(import->attachment);

		import->attachment = NULL;
		return error;
	}
	table = dma_buf_map_attachment_unlocked(import->attachment, import->way);
	if (IS_ERR(table))
		return PTR_ERR(table);
	import->table = table;
	return 0;
}

static int from_program(struct import *import, u64 address, u64 bytes)
{
	unsigned int flags = FOLL_LONGTERM | (import->way == DMA_FROM_DEVICE ? FOLL_WRITE : 0);
	unsigned long count = bytes >> PAGE_SHIFT;
	struct page **pages;
	long pinned = 0;
	int error;

	if (address & ~PAGE_MASK || address != (unsigned long)address)
		return -EINVAL;
	pages = kvcalloc(count, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	while (pinned < count) {
		long done = pin_user_pages_fast(address + (pinned << PAGE_SHIFT),
						count - pinned, flags, pages + pinned);

		error = done < 0 ? done : done ? 0 : -EFAULT;
		if (error)
			goto unpin;
		pinned += done;
	}
	error = sg_alloc_table_from_pages(&import->own, pages, count, 0, bytes, GFP_KERNEL);
	if (error)
		goto unpin;
	import->pages = pages;
	import->count = count;
	error = dma_map_sgtable(import->dev, &import->own, import->way, 0);
	if (!error)
		import->table = &import->own;
	return error;
unpin:
	unpin_user_pages(pages, pinned);
	kvfree(pages);
	return error;
}

/* The addresses of the slots; -EXDEV if one is in pieces, -EINVAL if there is less. */
static int place(struct axm_memory *memory, const struct sg_table *table)
{
	u64 at = 0, wanted = 0, total = (u64)memory->slots * memory->slot_bytes;
	dma_addr_t begin = 0, end = 0; /* of the run that the segment is part of */
	struct scatterlist *sg;
	unsigned int i;

	for_each_sgtable_dma_sg(table, sg, i) {
		if (sg_dma_address(sg) != end || !at)
			begin = sg_dma_address(sg) - (at - wanted);
		if (sg_dma_address(sg) != end && at != wanted && at)
			return -EXDEV;
		end = sg_dma_address(sg) + sg_dma_len(sg);
		at += sg_dma_len(sg);
		while (wanted < total && at >= wanted + memory->slot_bytes) {
			memory->slot_at[wanted >> ilog2(memory->slot_bytes)] = begin;
			begin += memory->slot_bytes;
			wanted += memory->slot_bytes;
		}
	}
	return wanted == total ? 0 : -EINVAL;
}

static struct axm_memory *import_memory(struct axm_half *half, const struct axm_register *r)
{
	struct axm_memory *memory = axm_memory_new(r->bytes >> ilog2(r->slot_bytes), r->slot_bytes);
	struct import *import = kzalloc(sizeof(*import), GFP_KERNEL);
	u32 i;
	int error = -ENOMEM;

	if (!memory || !import) {
		kfree(memory);
		kfree(import);
		return ERR_PTR(error);
	}
	memory->context = import;
	memory->detach = detach;
	memory->release = release;
	import->dev = half->chan->dma;
	import->way = axm_direction(half);
	memory->slot_at = kvcalloc(memory->slots, sizeof(*memory->slot_at), GFP_KERNEL);
	if (memory->slot_at)
		error = r->fd < 0 ? axm_memory_charge(memory) ?:
				    from_program(import, r->address, r->bytes) :
		IS_ENABLED(CONFIG_DMA_SHARED_BUFFER) ? from_buffer(import, r->fd) : -EOPNOTSUPP;
	if (!error)
		error = place(memory, import->table);
	if (error) {
		axm_memory_put(memory);
		return ERR_PTR(error);
	}
	for (i = 0; !import->buffer && i < memory->slots; i++)
		memory->sync |= dma_need_sync(import->dev, memory->slot_at[i]);
	return memory;
}

/* The ring stops, and restarts with other slots. */
static int exchange(struct axm_half *half, struct axm_memory *memory)
{
	int error = -EBUSY;

	if (!half->running || half->copying || half->shared)
		goto put;
	error = axm_ring_stop(half);
	if (error)
		goto put;
	axm_ring_free(half);
	axm_memory_unmap(half);
	axm_memory_drop(half);
	error = axm_memory_adopt(half, memory);
	if (!error)
		error = axm_ring_alloc(half);
	if (!error)
		error = axm_half_begin(half);
	half->error = error;
	return error;
put:
	axm_memory_put(memory);
	return error;
}

static bool sensible(const struct axm_register *r)
{
	u64 slots;

	if (r->reserved || r->slot_bytes < PAGE_SIZE || r->slot_bytes > MOST_SLOT_BYTES ||
	    !is_power_of_2(r->slot_bytes) || r->bytes & (r->slot_bytes - 1))
		return false;
	slots = r->bytes >> ilog2(r->slot_bytes);
	return slots >= 2 && slots <= AXM_MOST_SLOTS && is_power_of_2(slots) &&
	       (r->fd < 0 || !r->address);
}

long axm_register(struct file *file, void __user *user)
{
	struct axm_chan *chan = file->private_data;
	struct axm_memory *memory;
	struct axm_register r;
	struct axm_half *half;
	long error = -ENODEV;

	if (copy_from_user(&r, user, sizeof(r)))
		return -EFAULT;
	half = axm_owned(file, r.half);
	if (IS_ERR(half))
		return PTR_ERR(half);
	if (!sensible(&r))
		return -EINVAL;
	mutex_lock(&chan->registering);
	if (!chan->stopped) {
		memory = import_memory(half, &r);
		error = PTR_ERR_OR_ZERO(memory);
		if (!error) {
			mutex_lock(&half->lock);
			error = exchange(half, memory);
			mutex_unlock(&half->lock);
		}
	}
	mutex_unlock(&chan->registering);
	return error;
}
