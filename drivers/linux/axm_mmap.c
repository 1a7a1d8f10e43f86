// SPDX-License-Identifier: GPL-2.0-only
/* The slots of a ring in a program's memory. No lock is needed, and none may be taken (faults come
 * under it elsewhere): the pages of a half that the file owns stay until the file is closed, which
 * no mapping outlives.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/version.h>

#include "axm.h"

static void read_only(struct vm_area_struct *vma)
{
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 3, 0)
	vm_flags_clear(vma, VM_MAYWRITE);
#else
	vma->vm_flags &= ~VM_MAYWRITE;
#endif
}

int axm_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct axm_chan *chan = file->private_data;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT, total = (u64)chan->slots * AXM_SLOT_BYTES;
	unsigned long size = vma->vm_end - vma->vm_start, done = 0;
	bool sends = offset >= AXM_SEND_OFFSET;
	struct axm_half *half = &chan->half[sends ? AXM_SEND : AXM_RECEIVE];

	if (sends)
		offset -= AXM_SEND_OFFSET;
	if (!(file->f_mode & (sends ? FMODE_WRITE : FMODE_READ)))
		return -EACCES;
	if (!(vma->vm_flags & VM_SHARED) || offset > total || size > total - offset)
		return -EINVAL;
	if (!sends) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM; /* what the device writes, nobody else does */
		read_only(vma);
	}
	if (!half->pages)
		return -EIO;
	while (done < size) {
		u32 slot = (offset + done) >> (AXM_SLOT_ORDER + PAGE_SHIFT);
		unsigned long within = (offset + done) & (AXM_SLOT_BYTES - 1);
		unsigned long piece = min(size - done, AXM_SLOT_BYTES - within);
		int error = remap_pfn_range(vma, vma->vm_start + done,
					    page_to_pfn(half->pages[slot]) + (within >> PAGE_SHIFT),
					    piece, vma->vm_page_prot);

		if (error)
			return error;
		done += piece;
	}
	return 0;
}
