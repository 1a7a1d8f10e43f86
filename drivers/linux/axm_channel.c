// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel's file: who owns its halves, read, write and poll. The channel outlives its device as
 * long as a file is open; from then on everything ends with -ENODEV.
 */
#include <linux/debugfs.h>
#include <linux/dma-mapping.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/property.h>
#include <linux/slab.h>
#include <linux/uio.h>
#include <linux/version.h>

#include "axm.h"
#include "generated/id.h"
#include "generated/stream_loopback.h"

#define MOST_MINORS 256
#define AXI3_BEATS 16
#define CACHE_COHERENT 0xf /* write-back, allocate */
#define CACHE_NONE 0x3 /* bufferable, modifiable */
#define TIMEOUT_UNITS 1024 /* of 64 clocks without an answer of the bus */

static unsigned int ring_log2 = 4;
module_param(ring_log2, uint, 0444);
MODULE_PARM_DESC(ring_log2, "slots of 64 KiB in a half's ring, as a power of two: 1 to 8 (4)");

static dev_t first;
static DEFINE_IDA(minors);
static struct class axm_class = { .name = "axm" };
struct dentry *axm_debugfs_root;

static bool owns(const struct file *file, const struct axm_half *half)
{
	return file->f_mode & (half->sends ? FMODE_WRITE : FMODE_READ);
}

void axm_wake(struct axm_half *half)
{
	atomic_inc(&half->events);
	wake_up_interruptible_all(&half->wait);
}

/* 1 if a slot can be had, 0 if it may come, or why none will. */
static int ready(struct axm_half *half)
{
	int error;

	if (!half->chan->axm)
		return -ENODEV;
	error = axm_ring_reap(half);
	if (half->sends)
		return error ?: (u16)(half->reserved - half->seen) < half->chan->slots;
	return half->seen != half->taken ? 1 : error; /* what came before a fault is not lost */
}

/* Until something has happened since `events`. A device that is dead sends no interrupt, so it is
 * looked at each second; nothing else is, that an interrupt which is lost is not overlooked.
 */
static long sleep_on(struct axm_half *half, int events)
{
	struct axm_chan *chan = half->chan;
	long left;

	do {
		mutex_unlock(&chan->lock);
		left = wait_event_interruptible_timeout(half->wait,
							atomic_read(&half->events) != events, HZ);
		mutex_lock(&chan->lock);
		if (!left && chan->axm && readl(chan->regs + AXM_DMA_IRQ_STATUS) == ~0u) {
			atomic_set(&chan->dead, 1);
			half->error = half->error ?: -EIO;
		}
	} while (!left && chan->axm && !half->error);
	return min(left, 0l);
}

int axm_wait(struct axm_half *half, bool nonblocking)
{
	for (;;) {
		int events = atomic_read(&half->events), state = ready(half);

		if (state)
			return min(state, 0);
		if (nonblocking)
			return -EAGAIN;
		state = sleep_on(half, events);
		if (state)
			return state;
	}
}

static bool nonblocking(struct kiocb *iocb)
{
	return iocb->ki_filp->f_flags & O_NONBLOCK || iocb->ki_flags & IOCB_NOWAIT;
}

static ssize_t send_locked(struct axm_half *half, struct kiocb *iocb, struct iov_iter *from)
{
	size_t bytes = iov_iter_count(from);
	int error;

	if (half->reserved != half->written)
		return -EBUSY; /* slots that NEXT gave are to be committed first */
	error = axm_wait(half, nonblocking(iocb));
	if (error)
		return error;
	if (half->reserved != half->written)
		return -EBUSY;
	if (!copy_from_iter_full(page_address(half->pages[axm_slot_of(half->chan, half->written)]),
				 bytes, from))
		return -EFAULT;
	half->reserved++;
	axm_ring_give_send(half, bytes, true, false);
	return bytes;
}

static ssize_t axm_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	struct axm_chan *chan = iocb->ki_filp->private_data;
	size_t bytes = iov_iter_count(from);
	ssize_t done;

	if (!bytes)
		return 0; /* there is no packet without data */
	if (bytes > AXM_SLOT_BYTES)
		return -EMSGSIZE;
	if (!AXM_GET(chan->caps, AXM_DMA_CAPS__UNALIGNED) &&
	    bytes % (4u << AXM_GET(chan->caps, AXM_DMA_CAPS__WIDTH)))
		return -EINVAL;
	if (mutex_lock_interruptible(&chan->lock))
		return -ERESTARTSYS;
	done = send_locked(&chan->half[AXM_SEND], iocb, from);
	mutex_unlock(&chan->lock);
	return done;
}

static ssize_t receive_locked(struct axm_half *half, struct kiocb *iocb, struct iov_iter *to)
{
	u32 slot, bytes;
	int error;

	if (half->taken != half->returned)
		return -EBUSY; /* slots that NEXT gave are to be released first */
	error = axm_wait(half, nonblocking(iocb));
	if (error)
		return error;
	if (half->taken != half->returned)
		return -EBUSY;
	slot = axm_slot_of(half->chan, half->taken);
	bytes = half->lengths[slot];
	if (iov_iter_count(to) < bytes)
		return -EMSGSIZE; /* it stays */
	axm_ring_sync_cpu(half, slot, bytes);
	if (copy_to_iter(page_address(half->pages[slot]), bytes, to) != bytes)
		return -EFAULT;
	half->taken++;
	half->returned++;
	half->chan->stats.received_packets += !!(half->flags[slot] & AXM_LAST);
	half->chan->stats.received_bytes += bytes;
	if (!half->error)
		axm_ring_give_receive(half, 1);
	return bytes;
}

static ssize_t axm_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct axm_chan *chan = iocb->ki_filp->private_data;
	ssize_t done;

	if (!iov_iter_count(to))
		return 0;
	if (mutex_lock_interruptible(&chan->lock))
		return -ERESTARTSYS;
	done = receive_locked(&chan->half[AXM_RECEIVE], iocb, to);
	mutex_unlock(&chan->lock);
	return done;
}

static __poll_t axm_poll(struct file *file, struct poll_table_struct *table)
{
	struct axm_chan *chan = file->private_data;
	__poll_t events = 0;
	int i;

	for (i = 0; i < 2; i++)
		poll_wait(file, &chan->half[i].wait, table);
	mutex_lock(&chan->lock);
	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];
		int state;

		if (!owns(file, half))
			continue;
		state = ready(half);
		if (state > 0)
			events |= half->sends ? EPOLLOUT | EPOLLWRNORM : EPOLLIN | EPOLLRDNORM;
		else if (state < 0)
			events |= state == -ENODEV ? EPOLLERR | EPOLLHUP : EPOLLERR;
	}
	mutex_unlock(&chan->lock);
	return events;
}

static void configure(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;
	u32 beats = AXM_GET(chan->caps, AXM_DMA_CAPS__AXI3) ? AXI3_BEATS : AXI3_BEATS * 2;
	u32 most = AXM_GET(chan->caps, AXM_DMA_CAPS__OUTSTANDING);
	bool coherent = device_get_dma_attr(chan->dma) == DEV_DMA_COHERENT;
	u32 cache = coherent ? CACHE_COHERENT : CACHE_NONE;

	axm_write(half, AXM_DMA_RD_CONTROL, AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK);
	axm_write(half, AXM_DMA_RD_CONFIG,
		  AXM_PUT(beats - 1, AXM_DMA_RD_CONFIG__BURST) |
			  AXM_PUT(min(most, 127u), AXM_DMA_RD_CONFIG__OUTSTANDING) |
			  AXM_PUT(cache, AXM_DMA_RD_CONFIG__CACHE));
	writel(TIMEOUT_UNITS, chan->regs + AXM_DMA_TIMEOUT);
	writel(0, chan->regs + AXM_DMA_COALESCE);
	writel(AXM_DMA_IRQ_ENABLE__DONE_MASK | AXM_DMA_IRQ_ENABLE__FAULT_MASK,
	       chan->regs + AXM_DMA_IRQ_ENABLE);
}

static int own(struct axm_half *half)
{
	int error;

	if (!half->there)
		return -ENXIO;
	if (half->owned)
		return -EBUSY;
	error = axm_ring_alloc(half);
	if (error)
		return error;
	configure(half);
	error = axm_ring_start(half);
	if (error) {
		axm_ring_unmap(half);
		axm_ring_free(half);
		return error;
	}
	half->owned = true;
	return 0;
}

/* The half's memory is given back, unless the device may still reach it. */
static void disown(struct axm_half *half)
{
	if (half->chan->axm) {
		axm_ring_reap(half); /* what has ended is counted */
		if (axm_ring_stop(half)) {
			dev_err(half->chan->dma, "its memory stays lost\n");
			half->ring = NULL;
			half->pages = NULL;
		}
		axm_ring_unmap(half);
	}
	axm_ring_free(half);
	half->owned = false;
}

static int open_locked(struct axm_chan *chan, struct file *file)
{
	int i, error;

	if (!chan->axm)
		return -ENODEV;
	if (atomic_read(&chan->dead))
		return -EIO;
	/* What others left in the FIFO is not for whoever comes next. */
	if (chan->loopback && !chan->half[0].owned && !chan->half[1].owned)
		writel(AXM_STREAM_LOOPBACK_CTRL__CLEAR_MASK,
		       chan->loopback + AXM_STREAM_LOOPBACK_CTRL);
	for (i = 0; i < 2; i++) {
		if (!owns(file, &chan->half[i]))
			continue;
		error = own(&chan->half[i]);
		if (error) {
			if (i && owns(file, &chan->half[0]))
				disown(&chan->half[0]);
			return error;
		}
	}
	return 0;
}

static int axm_open(struct inode *inode, struct file *file)
{
	struct axm_chan *chan = container_of(inode->i_cdev, struct axm_chan, cdev);
	int error;

	if (!(file->f_mode & (FMODE_READ | FMODE_WRITE)))
		return -EINVAL;
	if (mutex_lock_interruptible(&chan->lock))
		return -ERESTARTSYS;
	error = open_locked(chan, file);
	mutex_unlock(&chan->lock);
	file->private_data = chan;
	return error ?: nonseekable_open(inode, file);
}

static int axm_release(struct inode *inode, struct file *file)
{
	struct axm_chan *chan = file->private_data;
	int i;

	mutex_lock(&chan->lock);
	for (i = 0; i < 2; i++)
		if (owns(file, &chan->half[i]))
			disown(&chan->half[i]);
	mutex_unlock(&chan->lock);
	return 0;
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = axm_open,
	.release = axm_release,
	.read_iter = axm_read_iter,
	.write_iter = axm_write_iter,
	.poll = axm_poll,
	.unlocked_ioctl = axm_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = axm_mmap,
};

static void chan_release(struct device *dev)
{
	struct axm_chan *chan = container_of(dev, struct axm_chan, dev);

	ida_free(&minors, MINOR(dev->devt));
	kfree(chan);
}

static void half_init(struct axm_chan *chan, u32 which, u32 there)
{
	struct axm_half *half = &chan->half[which];

	half->chan = chan;
	half->sends = which == AXM_SEND;
	half->there = there;
	half->step = half->sends ? 0 : AXM_DMA_WR_CONTROL - AXM_DMA_RD_CONTROL;
	half->ring_step = half->sends ? 0 : AXM_DMA_WR_RING_CONTROL - AXM_DMA_RD_RING_CONTROL;
	init_waitqueue_head(&half->wait);
}

struct axm_chan *axm_chan_create(struct axm_device *axm, u32 number, void __iomem *regs)
{
	struct axm_chan *chan = kzalloc(sizeof(*chan), GFP_KERNEL);
	int minor;

	if (!chan)
		return ERR_PTR(-ENOMEM);
	minor = ida_alloc_max(&minors, MOST_MINORS - 1, GFP_KERNEL);
	if (minor < 0) {
		kfree(chan);
		return ERR_PTR(minor);
	}
	mutex_init(&chan->lock);
	chan->axm = axm;
	chan->dma = axm->dev;
	chan->regs = regs;
	chan->caps = readl(regs + AXM_DMA_CAPS);
	chan->clock_hz = readl(axm->base + AXM_ID_CLOCK_HZ);
	chan->version = readl(axm->base + AXM_ID_VERSION);
	chan->number = number;
	chan->log2 = clamp(ring_log2, 1u, 8u);
	chan->slots = 1u << chan->log2;
	half_init(chan, AXM_RECEIVE, AXM_GET(chan->caps, AXM_DMA_CAPS__HAS_WRITE));
	half_init(chan, AXM_SEND, AXM_GET(chan->caps, AXM_DMA_CAPS__HAS_READ));
	device_initialize(&chan->dev);
	chan->dev.class = &axm_class;
	chan->dev.parent = axm->dev;
	chan->dev.devt = MKDEV(MAJOR(first), minor);
	chan->dev.release = chan_release;
	cdev_init(&chan->cdev, &operations);
	chan->cdev.owner = THIS_MODULE;
	return chan;
}

int axm_chan_publish(struct axm_chan *chan)
{
	int error = dev_set_name(&chan->dev, "axm%dc%u", chan->axm->number, chan->number);

	if (!error)
		error = cdev_device_add(&chan->cdev, &chan->dev);
	if (error)
		return error;
	axm_debugfs_add(chan);
	return 0;
}

void axm_chan_unpublish(struct axm_chan *chan)
{
	debugfs_remove_recursive(chan->debugfs);
	chan->debugfs = NULL;
	if (device_is_registered(&chan->dev))
		cdev_device_del(&chan->cdev, &chan->dev);
}

/* The device goes; files may still be open. */
void axm_chan_remove(struct axm_chan *chan)
{
	int i;

	mutex_lock(&chan->lock);
	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];

		if (half->owned && axm_ring_stop(half)) {
			dev_err(chan->dma, "its memory stays lost\n");
			half->ring = NULL;
			/* mapped by programs, perhaps written by the device: never given back */
			half->pages = NULL;
		}
		if (half->owned)
			axm_ring_unmap(half);
	}
	/* A file may have been opened since the interrupts were switched off. */
	writel(0, chan->regs + AXM_DMA_IRQ_ENABLE);
	chan->axm = NULL;
	mutex_unlock(&chan->lock);
	for (i = 0; i < 2; i++)
		axm_wake(&chan->half[i]);
	put_device(&chan->dev);
}

int axm_channels_init(void)
{
	int error = alloc_chrdev_region(&first, 0, MOST_MINORS, "axm");

	if (error)
		return error;
	error = class_register(&axm_class);
	if (error) {
		unregister_chrdev_region(first, MOST_MINORS);
		return error;
	}
	axm_debugfs_root = debugfs_create_dir("axiometer", NULL);
	return 0;
}

void axm_channels_exit(void)
{
	debugfs_remove_recursive(axm_debugfs_root);
	class_unregister(&axm_class);
	unregister_chrdev_region(first, MOST_MINORS);
	ida_destroy(&minors);
}
