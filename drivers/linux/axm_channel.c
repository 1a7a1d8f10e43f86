// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel's file: who owns its halves. The channel outlives its device as long as a file is open;
 * from then on everything ends with -ENODEV.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pm_runtime.h>
#include <linux/property.h>
#include <linux/slab.h>

#include "axm.h"
#include "generated/id.h"
#include "generated/stream_loopback.h"

#define MOST_MINORS 256
#define TIMEOUT_UNITS 1024 /* of 64 clocks without an answer of the bus */

static dev_t first;
static DEFINE_IDA(minors);
struct class axm_class = { .name = "axm", .dev_groups = axm_groups };

bool axm_owns(const struct file *file, const struct axm_half *half)
{
	return file->f_mode & (half->sends ? FMODE_WRITE : FMODE_READ);
}

/* Counts from nothing; the receiver's slots are all the device's. */
int axm_half_begin(struct axm_half *half)
{
	u32 slot;

	half->written = 0;
	half->seen = 0;
	half->came_head = 0;
	half->came_tail = 0;
	half->error = 0;
	memset(half->busy, 0, sizeof(half->busy));
	half->skipped = 0;
	half->torn = false;
	half->discarding = axm_ring_in_packet(half);
	for (slot = 0; !half->sends && slot < half->slots; slot++)
		axm_ring_give(half, (struct axm_entry){ slot, 0, half->slot_bytes });
	return axm_ring_start(half);
}

/* What the file needed, after what the device did. */
static void forget(struct axm_half *half)
{
	axm_ring_free(half);
	axm_memory_drop(half);
}

/* Only with a device that rests. */
static void give_back(struct axm_half *half)
{
	axm_memory_unmap(half);
	forget(half);
	half->lost = false;
}

static int own_locked(struct axm_half *half)
{
	int error;

	if (half->lost) { /* perhaps it rests by now */
		if (!axm_ring_rests(half))
			return -EIO;
		give_back(half);
	}
	error = axm_memory_alloc(half);
	if (error)
		return error;
	error = axm_ring_alloc(half);
	if (!error)
		error = axm_half_begin(half);
	if (error)
		give_back(half);
	return error;
}

static int own(struct axm_half *half)
{
	int error;

	if (!half->there)
		return -ENXIO;
	if (half->owned)
		return -EBUSY;
	mutex_lock(&half->lock);
	memset(&half->coalesce, 0, sizeof(half->coalesce));
	error = own_locked(half);
	mutex_unlock(&half->lock);
	half->owned = !error;
	return error;
}

/* The half's memory is given back, unless the device may still reach it. */
static void disown(struct axm_half *half)
{
	mutex_lock(&half->lock);
	if (!half->chan->axm) /* the device's side is gone */
		forget(half);
	else if (!axm_ring_stop(half) && !half->lost)
		give_back(half);
	axm_shared_end(half);
	mutex_unlock(&half->lock);
	half->owned = false;
}

/* Drops the last owner's data in the FIFO; the stream restarts. */
static void clear_fifo(struct axm_chan *chan)
{
	if (!chan->loopback || chan->half[0].owned || chan->half[1].owned)
		return;
	writel(AXM_STREAM_LOOPBACK_CTRL__CLEAR_MASK, chan->loopback + AXM_STREAM_LOOPBACK_CTRL);
	if (!chan->half[0].lost && !chan->half[1].lost) /* else it may be on the bus */
		axm_write(&chan->half[AXM_RECEIVE], AXM_DMA_RD_CONTROL,
			  AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK | AXM_DMA_RD_CONTROL__FORGET_MASK);
}

static int open_locked(struct axm_chan *chan, struct file *file)
{
	int i, error;

	if (!chan->axm || chan->stopped)
		return -ENODEV;
	if (atomic_read(&chan->dead))
		return -EIO;
	clear_fifo(chan);
	for (i = 0; i < 2; i++) {
		if (!axm_owns(file, &chan->half[i]))
			continue;
		error = own(&chan->half[i]);
		if (error) {
			if (i && axm_owns(file, &chan->half[0]))
				disown(&chan->half[0]);
			return error;
		}
	}
	return 0;
}

/* The device has its clocks while a file is open. */
static int power_up(struct axm_chan *chan)
{
	chan->files++;
	return chan->axm ? pm_runtime_get_sync(chan->dma) < 0 ? -EIO : 0 : -ENODEV;
}

static void power_down(struct axm_chan *chan)
{
	chan->files--;
	if (chan->axm)
		pm_runtime_put(chan->dma);
}

static int axm_open(struct inode *inode, struct file *file)
{
	struct axm_chan *chan = container_of(inode->i_cdev, struct axm_chan, cdev);
	int error;

	if (!(file->f_mode & (FMODE_READ | FMODE_WRITE)))
		return -EINVAL;
	if (mutex_lock_interruptible(&chan->lock))
		return -ERESTARTSYS;
	error = power_up(chan) ?: open_locked(chan, file);
	if (error)
		power_down(chan);
	mutex_unlock(&chan->lock);
	file->private_data = chan;
	return error ?: nonseekable_open(inode, file);
}

static int axm_release(struct inode *inode, struct file *file)
{
	struct axm_chan *chan = file->private_data;
	int i;

	mutex_lock(&chan->lock);
	for (i = 1; i >= 0; i--) /* the sender first: what it wrote may still be received */
		if (axm_owns(file, &chan->half[i]))
			disown(&chan->half[i]);
	power_down(chan);
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
	.fsync = axm_fsync,
	.unlocked_ioctl = axm_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = axm_mmap,
};

static void chan_release(struct device *dev)
{
	struct axm_chan *chan = container_of(dev, struct axm_chan, dev);

	ida_free(&minors, MINOR(dev->devt));
	put_device(chan->dma);
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
	half->tail = chan->regs + AXM_DMA_RD_RING_TAIL + half->ring_step;
	mutex_init(&half->lock);
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
	mutex_init(&chan->registering);
	spin_lock_init(&chan->irq_lock);
	init_waitqueue_head(&chan->wait);
	INIT_DELAYED_WORK(&chan->watch, axm_watch);
	chan->axm = axm;
	chan->dma = get_device(axm->dev);
	chan->coherent = device_get_dma_attr(axm->dev) == DEV_DMA_COHERENT;
	chan->regs = regs;
	chan->caps = readl(regs + AXM_DMA_CAPS);
	chan->clock_hz = readl(axm->base + AXM_ID_CLOCK_HZ);
	chan->version = readl(axm->base + AXM_ID_VERSION);
	chan->number = number;
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
	return error;
}

void axm_chan_unpublish(struct axm_chan *chan)
{
	if (device_is_registered(&chan->dev))
		cdev_device_del(&chan->cdev, &chan->dev);
}

/* The registers that no open file changes: after probing, and when the device has lost them. */
void axm_chan_configure(struct axm_chan *chan)
{
	writel(TIMEOUT_UNITS, chan->regs + AXM_DMA_TIMEOUT);
	axm_ring_configure(chan);
	axm_irq_begin(chan);
}

/* The device goes, or the machine ends: its engines stop, and everybody who waits is woken. */
void axm_chan_stop(struct axm_chan *chan)
{
	int i;

	mutex_lock(&chan->registering);
	mutex_lock(&chan->lock);
	for (i = 1; i >= 0; i--) {
		mutex_lock(&chan->half[i].lock);
		axm_ring_stop(&chan->half[i]);
		if (chan->half[i].shared)
			axm_shared_publish(&chan->half[i]);
		mutex_unlock(&chan->half[i].lock);
	}
	chan->stopped = true;
	axm_irq_end(chan);
	mutex_unlock(&chan->lock);
	mutex_unlock(&chan->registering);
}

/* The machine sleeps: programs do not run, their submissions stay. The sender rests first, so that
 * its data reach the receiver.
 */
void axm_chan_suspend(struct axm_chan *chan)
{
	int i;

	mutex_lock(&chan->lock);
	for (i = 1; i >= 0; i--) {
		struct axm_half *half = &chan->half[i];

		mutex_lock(&half->lock);
		if (half->running && !half->error && !half->sends)
			axm_ring_linger(half);
		half->paused = half->running && !axm_ring_stop(half);
		mutex_unlock(&half->lock);
	}
	axm_irq_end(chan);
	mutex_unlock(&chan->lock);
}

void axm_chan_resume(struct axm_chan *chan)
{
	int i;

	mutex_lock(&chan->lock);
	axm_chan_configure(chan);
	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];

		mutex_lock(&half->lock);
		if (half->paused && !half->error)
			half->error = axm_ring_again(half);
		half->paused = false;
		if (half->shared)
			axm_shared_publish(half);
		mutex_unlock(&half->lock);
	}
	axm_wake(chan);
	mutex_unlock(&chan->lock);
}

/* A device that has been stopped goes; files may still be open, with packets unread. `silent`: it
 * no longer reaches memory. Otherwise its memory is never freed.
 */
void axm_chan_remove(struct axm_chan *chan, bool silent)
{
	int i;

	mutex_lock(&chan->lock);
	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];

		mutex_lock(&half->lock);
		if (half->lost && !silent) {
			half->ring = NULL;
			axm_memory_leak(half);
		} else {
			axm_ring_release(half);
			axm_memory_unmap(half);
		}
		if (!half->owned) /* else at its last close: a call may be copying */
			forget(half);
		mutex_unlock(&half->lock);
	}
	for (i = chan->files; i; i--)
		pm_runtime_put_noidle(chan->dma);
	chan->axm = NULL;
	mutex_unlock(&chan->lock);
	axm_wake(chan);
	put_device(&chan->dev);
}

int axm_channels_init(void)
{
	int error = alloc_chrdev_region(&first, 0, MOST_MINORS, "axm");

	if (error)
		return error;
	error = class_register(&axm_class);
	if (error)
		unregister_chrdev_region(first, MOST_MINORS);
	return error;
}

void axm_channels_exit(void)
{
	class_unregister(&axm_class);
	unregister_chrdev_region(first, MOST_MINORS);
	ida_destroy(&minors);
}
