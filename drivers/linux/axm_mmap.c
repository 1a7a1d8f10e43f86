// SPDX-License-Identifier: GPL-2.0-only
/* Slots and rings of a half in a program's memory. They stay until the file is closed, which no
 * mapping outlives.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/vmalloc.h>

#include "axm.h"
#include "axm_kernels.h"
#include "axm_memory.h"

static int map_slots(struct axm_half *half, struct vm_area_struct *vma, u64 offset)
{
	if (!half->sends) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM; /* only the device writes these */
		vm_flags_clear(vma, VM_MAYWRITE);
	}
	return half->memory ? axm_memory_mmap(half->memory, vma, offset) : -EIO;
}

static int map_ring(struct axm_half *half, struct vm_area_struct *vma, u64 offset)
{
	unsigned long size = vma->vm_end - vma->vm_start;

	if (!half->shared)
		return -ENXIO; /* AXM_IOC_RINGS comes first */
	if (!(vma->vm_flags & VM_MAYSHARE) || offset || size > half->shared_bytes)
		return -EINVAL;
	return remap_vmalloc_range(vma, half->shared, 0);
}

int axm_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct axm_chan *chan = file->private_data;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	unsigned int what = offset >> AXM_MAP_SHIFT;
	struct axm_half *half = &chan->half[what & 1];
	int error;

	if (what > 3)
		return -EINVAL;
	if (!axm_owns(file, half))
		return -EACCES;
	offset &= (1ull << AXM_MAP_SHIFT) - 1;
	mutex_lock(&half->lock);
	error = what & 2 ? map_ring(half, vma, offset) : map_slots(half, vma, offset);
	mutex_unlock(&half->lock);
	return error;
}
