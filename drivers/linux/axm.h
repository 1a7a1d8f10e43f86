/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the Axiometer driver, and what they know of each other. */
#ifndef AXM_H
#define AXM_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/wait.h>

#include "axm_ioctl.h"
#include "generated/dma.h"

#define AXM_WINDOW 4096u /* of a block */
#define AXM_SLOT_ORDER get_order(65536)
#define AXM_SLOT_BYTES 65536u
#define AXM_SEND_OFFSET (1ull << 30)
#define AXM_MOST_CHANNELS 64

struct axm_chan;

/* Counts run on modulo 65536, as the device's do. Sending: seen <= written <= reserved. Receiving:
 * returned <= taken <= seen <= written. No two are further apart than the ring is long.
 */
struct axm_half {
	struct axm_chan *chan;
	bool sends;
	bool there;		/* the engine has it */
	bool owned;		/* by an open file */
	bool running;		/* the device has the ring */
	int error;		/* why it stopped; 0 if it did not */
	u32 step;		/* from the reading half's registers to its own */
	u32 ring_step;
	u16 written;		/* descriptors given to the device */
	u16 seen;		/* of these, ended */
	u16 reserved;		/* sending: slots given to the program */
	u16 taken, returned;	/* receiving: given to the program, and back from it */
	__le32 *ring;
	dma_addr_t ring_dma;
	struct page **pages;	/* one compound page a slot */
	dma_addr_t *slot_dma;
	u32 *lengths;		/* of what was given, or has come */
	u32 *flags;		/* AXM_LAST of what has come */
	wait_queue_head_t wait;
	atomic_t events;	/* interrupts, and the device's end */
};

struct axm_chan {
	struct device dev;	/* holds the channel; goes with the last open file */
	struct cdev cdev;
	struct axm_device *axm;	/* NULL when the device has gone */
	struct device *dma;	/* whose addresses; as long as axm */
	struct mutex lock;	/* all of it but `wait` and the interrupt's */
	void __iomem *regs;
	void __iomem *loopback;	/* or NULL */
	u32 caps, number, clock_hz, version;
	u32 slots, log2;
	atomic_t dead;		/* the device reads as ones */
	atomic64_t interrupts;
	struct axm_half half[2]; /* AXM_RECEIVE, AXM_SEND */
	struct axm_stats stats;
	struct dentry *debugfs;
};

struct axm_device {
	struct device *dev;
	void __iomem *base;
	int irq, number;
	unsigned int channels;
	struct axm_chan *chan[AXM_MOST_CHANNELS];
	/* The device can no more reach memory, whatever it does; NULL if that cannot be had. */
	void (*silence)(struct axm_device *axm);
};

/* axm_core.c */
int axm_probe(struct axm_device *axm, resource_size_t bytes);
void axm_remove(struct axm_device *axm);

/* axm_channel.c */
int axm_channels_init(void);
void axm_channels_exit(void);
struct axm_chan *axm_chan_create(struct axm_device *axm, u32 number, void __iomem *regs);
int axm_chan_publish(struct axm_chan *chan);
void axm_chan_unpublish(struct axm_chan *chan);
void axm_chan_remove(struct axm_chan *chan);
extern struct dentry *axm_debugfs_root;

/* axm_ring.c; the channel's lock is held */
int axm_ring_alloc(struct axm_half *half);
void axm_ring_free(struct axm_half *half);
int axm_ring_start(struct axm_half *half);
int axm_ring_stop(struct axm_half *half);
void axm_ring_unmap(struct axm_half *half);
int axm_ring_reap(struct axm_half *half);
void axm_ring_give_send(struct axm_half *half, u32 bytes, bool last, bool quiet);
void axm_ring_give_receive(struct axm_half *half, u16 count);
void axm_ring_sync_cpu(struct axm_half *half, u32 slot, u32 bytes);

/* axm_ioctl.c, axm_mmap.c, axm_debugfs.c */
long axm_ioctl(struct file *file, unsigned int command, unsigned long argument);
int axm_mmap(struct file *file, struct vm_area_struct *vma);
void axm_debugfs_add(struct axm_chan *chan);

/* Waits until a slot can be had; the channel's lock is held before and after. -EAGAIN if it would
 * have to wait and must not, or why there will never be one.
 */
int axm_wait(struct axm_half *half, bool nonblocking);
void axm_wake(struct axm_half *half);

static inline u32 axm_slot_of(const struct axm_chan *chan, u16 count)
{
	return count & (chan->slots - 1);
}

static inline u32 axm_read(const struct axm_half *half, u32 offset)
{
	return readl(half->chan->regs + offset + half->step);
}

static inline void axm_write(const struct axm_half *half, u32 offset, u32 value)
{
	writel(value, half->chan->regs + offset + half->step);
}

static inline u32 axm_ring_read(const struct axm_half *half, u32 offset)
{
	return readl(half->chan->regs + offset + half->ring_step);
}

static inline void axm_ring_write(const struct axm_half *half, u32 offset, u32 value)
{
	writel(value, half->chan->regs + offset + half->ring_step);
}

#endif
