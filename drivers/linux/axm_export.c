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

/* Another device's, for as long as it likes. */
struct mapping {
	struct list_head list;	/* axm_memory.mappings */
	struct device *dev;
	enum dma_data_direction way;
	struct sg_table table;
};

static struct sg_table *map(struct dma_buf_attachment *attachment, enum dma_data_direction way)
{
	struct axm_memory *memory = attachment->dmabuf->priv;
	struct mapping *mapping = kzalloc(sizeof(*mapping), GFP_KERNEL);
	struct scatterlist *sg;
	unsigned int i;
	int error;

	if (!mapping)
		return ERR_PTR(-ENOMEM);
	error = sg_alloc_table(&mapping->table, memory->slots, GFP_KERNEL);
	if (error)
		goto mapping;
	for_each_sgtable_sg(&mapping->table, sg, i)
		sg_set_page(sg, memory->pages[i], memory->slot_bytes, 0);
	error = dma_map_sgtable(attachment->dev, &mapping->table, way, 0);
	if (error)
		goto list;
	mapping->dev = attachment->dev;
	mapping->way = way;
	mutex_lock(&memory->lock);
	list_add(&mapping->list, &memory->mappings);
	mutex_unlock(&memory->lock);
	return &mapping->table;
list:
	sg_free_table(&mapping->table);
mapping:
	kfree(mapping);
	return ERR_PTR(error);
}

static void unmap(struct dma_buf_attachment *attachment, struct sg_table *table,
		  enum dma_data_direction way)
{
	struct axm_memory *memory = attachment->dmabuf->priv;
	struct mapping *mapping = container_of(table, struct mapping, table);

	mutex_lock(&memory->lock);
	list_del(&mapping->list);
	mutex_unlock(&memory->lock);
	dma_unmap_sgtable(attachment->dev, table, way, 0);
	sg_free_table(table);
	kfree(mapping);
}

/* The processor reads or writes: what devices wrote, which still have it mapped, is to be seen. */
static int begin_access(struct dma_buf *buffer, enum dma_data_direction way)
{
	struct axm_memory *memory = buffer->priv;
	struct mapping *mapping;

	mutex_lock(&memory->lock);
	list_for_each_entry(mapping, &memory->mappings, list)
		dma_sync_sgtable_for_cpu(mapping->dev, &mapping->table, mapping->way);
	mutex_unlock(&memory->lock);
	return 0;
}

/* It has written. */
static int end_access(struct dma_buf *buffer, enum dma_data_direction way)
{
	struct axm_memory *memory = buffer->priv;
	struct mapping *mapping;

	mutex_lock(&memory->lock);
	list_for_each_entry(mapping, &memory->mappings, list)
		dma_sync_sgtable_for_device(mapping->dev, &mapping->table, mapping->way);
	mutex_unlock(&memory->lock);
	return 0;
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
	.begin_cpu_access = begin_access,
	.end_cpu_access = end_access,
	.mmap = map_program,
	.release = release,
};

static struct dma_buf *export(struct axm_half *half)
{
	DEFINE_DMA_BUF_EXPORT_INFO(info);
	struct axm_memory *memory;
	struct dma_buf *buffer;
	int error = -ENXIO;

	mutex_lock(&half->lock);
	memory = half->memory;
	if (half->running && memory && memory->pages)
		error = axm_memory_charge(memory); /* it may outlive the file */
	if (!error)
		kref_get(&memory->ref);
	mutex_unlock(&half->lock);
	if (error)
		return ERR_PTR(error);
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
