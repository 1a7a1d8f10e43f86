// SPDX-License-Identifier: GPL-2.0-only
/* A half's slots as a dma-buf, for other devices and for mapping; it outlives the half. */
#include <linux/dma-buf.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "axm.h"
#include "axm_memory.h"

static struct sg_table *map(struct dma_buf_attachment *attachment, enum dma_data_direction way)
{
	struct axm_memory *memory = attachment->dmabuf->priv;
	struct sg_table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	struct scatterlist *sg;
	unsigned int i;
	int error;

	if (!table)
		return ERR_PTR(-ENOMEM);
	error = sg_alloc_table(table, memory->slots, GFP_KERNEL);
	if (error)
		goto table;
	for_each_sgtable_sg(table, sg, i)
		sg_set_page(sg, memory->pages[i], memory->slot_bytes, 0);
	error = dma_map_sgtable(attachment->dev, table, way, 0);
	if (error)
		goto list;
	return table;
list:
	sg_free_table(table);
table:
	kfree(table);
	return ERR_PTR(error);
}

static void unmap(struct dma_buf_attachment *attachment, struct sg_table *table,
		  enum dma_data_direction way)
{
	dma_unmap_sgtable(attachment->dev, table, way, 0);
	sg_free_table(table);
	kfree(table);
}

static void release(struct dma_buf *buffer)
{
	axm_memory_put(buffer->priv);
}

static int map_program(struct dma_buf *buffer, struct vm_area_struct *vma)
{
	return axm_memory_mmap(buffer->priv, vma, (u64)vma->vm_pgoff << PAGE_SHIFT);
}

static const struct dma_buf_ops operations = {
	.map_dma_buf = map,
	.unmap_dma_buf = unmap,
	.mmap = map_program,
	.release = release,
};

static struct dma_buf *export(struct axm_half *half)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	struct axm_memory *memory = NULL;
	struct dma_buf *buffer;

	mutex_lock(&half->lock);
	if (half->running && half->memory && half->memory->pages) {
		memory = half->memory;
		kref_get(&memory->ref);
	}
	mutex_unlock(&half->lock);
	if (!memory)
		return ERR_PTR(-ENXIO);
	info.ops = &operations;
	info.size = (size_t)memory->slots * memory->slot_bytes;
	info.flags = half->sends ? O_RDWR : O_RDONLY;
	info.priv = memory;
	buffer = dma_buf_export(&info);
	if (IS_ERR(buffer))
		axm_memory_put(memory);
	return buffer;
}

long axm_export(struct file *file, void __user *user)
{
	struct dma_buf *buffer;
	struct axm_export e;
	struct axm_half *half;
	long error;

	if (copy_from_user(&e, user, sizeof(e)))
		return -EFAULT;
	if (e.flags & ~O_CLOEXEC || e.fd || e.reserved)
		return -EINVAL;
	half = axm_owned(file, e.half);
	if (IS_ERR(half))
		return PTR_ERR(half);
	buffer = export(half);
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	e.fd = get_unused_fd_flags(e.flags);
	if (e.fd < 0) {
		error = e.fd;
		goto put;
	}
	error = -EFAULT;
	if (copy_to_user(user, &e, sizeof(e)))
		goto fd;
	fd_install(e.fd, buffer->file);
	return 0;
fd:
	put_unused_fd(e.fd);
put:
	dma_buf_put(buffer);
	return error;
}
