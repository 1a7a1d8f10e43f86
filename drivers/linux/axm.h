/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of the Axiometer driver, and their interfaces to each other. */
#ifndef AXM_H
#define AXM_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/dma-direction.h>
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "axm_ioctl.h"
#include "generated/dma.h"

#define AXM_WINDOW 4096u /* of a block */
#define AXM_PACKET_BYTES 65536u /* longest of a read or write */
#define AXM_MOST_SLOTS 256u
#define AXM_MOST_PARTS (AXM_PACKET_BYTES >> 12) /* slots of a packet */
#define AXM_MOST_CHANNELS 64
/* Offsets for mmap: slots of the halves, then their rings. */
#define AXM_MAP_SHIFT 28

struct axm_chan;
struct axm_memory;
struct iov_iter;
struct kiocb;
struct poll_table_struct;

/* An entry that is read or written in one access. */
union axm_word {
	struct axm_entry entry;
	u64 whole;
};

/* Descriptor counts run on modulo 65536, as the device's do: those from `seen` to `written` are the
 * device's. No two are further apart than the ring is long.
 */
struct axm_half {
	struct axm_chan *chan;
	struct mutex lock;	/* all of it but `owned`; no user memory is touched under it */
	bool sends;
	bool there;		/* the engine has it */
	bool owned;		/* by an open file; the channel's lock */
	bool running;		/* the device has the ring */
	bool paused;		/* while the machine is suspended */
	bool lost;		/* it did not stop: its memory may still be written */
	bool torn;		/* what has come, or was sent, ends within a packet */
	bool discarding;	/* the stream is within a packet whose beginning is lost */
	u32 skipped;		/* bytes of the oldest descriptor that went before a suspend */
	bool sync;		/* the processor's caches need care */
	bool foreign;		/* others may write receiving slots */
	int error;		/* why it stopped; 0 if it did not */
	u32 step;		/* from the reading half's registers to its own */
	u32 ring_step;
	void __iomem *tail;	/* the doorbell */
	u32 slots, mask, log2, slot_bytes;
	u16 written;		/* descriptors given to the device */
	u16 seen;		/* of these, ended */
	__le32 *ring;
	dma_addr_t ring_dma;
	union axm_word *given;	/* by descriptor: what the device has */
	dma_addr_t *slot_dma;
	struct axm_memory *memory;
	bool busy[AXM_MOST_SLOTS]; /* slots of the device, or that a write() fills */
	struct axm_entry *came;	/* receiving, by copying: what no read() has taken */
	u32 came_head, came_tail;
	unsigned int copying;	/* calls that copy from or to slots */
	struct axm_ring *shared; /* or NULL: by copying */
	size_t shared_bytes;
	union axm_word never;	/* bits that no submission has */
	u32 accepted, completed; /* the driver's own; those in shared memory are never read */
	struct axm_coalesce coalesce; /* the channel's irq_lock */
	u64 packets, bytes, faults, refused, discarded;
};

struct axm_chan {
	struct device dev;	/* holds the channel; goes with the last open file */
	struct cdev cdev;
	struct axm_device *axm;	/* NULL when the device has gone; the lock */
	struct device *dma;	/* whose addresses; held */
	struct mutex lock;	/* opening and closing; comes before a half's */
	struct mutex registering; /* while it is held the device stays; before all others */
	void __iomem *regs;
	void __iomem *loopback;	/* or NULL */
	u32 caps, number, clock_hz, version;
	bool coherent;
	bool stopped;		/* for ever; the lock */
	unsigned int files;	/* open; the lock */
	atomic_t dead;		/* the device reads as ones */
	struct axm_half half[2]; /* AXM_RECEIVE, AXM_SEND */
	wait_queue_head_t wait;
	atomic_t events;	/* interrupts, and the device's end */
	spinlock_t irq_lock;	/* what follows */
	unsigned int armed;	/* halves with a waiting caller; the interrupt is on if any */
	u32 coalescing;		/* as the register has it */
	bool ended;		/* no interrupt is switched on, and no register read for one */
	u64 interrupts, missed;
	struct delayed_work watch;
};

struct axm_device {
	struct device *dev;
	void __iomem *base;
	int irq, number;
	unsigned int channels;
	struct axm_chan *chan[AXM_MOST_CHANNELS];
	struct clk_bulk_data *clocks;
	int clock_count;
	struct reset_control *reset;
	bool powered, slept;
	/* Cuts the device off from memory; NULL if not possible. */
	void (*silence)(struct axm_device *axm);
};

/* axm_core.c */
int axm_probe(struct axm_device *axm, resource_size_t bytes);
void axm_remove(struct axm_device *axm);
void axm_shutdown(struct axm_device *axm);

/* axm_channel.c */
extern struct class axm_class;
int axm_channels_init(void);
void axm_channels_exit(void);
struct axm_chan *axm_chan_create(struct axm_device *axm, u32 number, void __iomem *regs);
int axm_chan_publish(struct axm_chan *chan);
void axm_chan_unpublish(struct axm_chan *chan);
void axm_chan_configure(struct axm_chan *chan);
void axm_chan_stop(struct axm_chan *chan);
void axm_chan_suspend(struct axm_chan *chan);
void axm_chan_resume(struct axm_chan *chan);
void axm_chan_remove(struct axm_chan *chan, bool silent);
int axm_half_begin(struct axm_half *half);
bool axm_owns(const struct file *file, const struct axm_half *half);

/* axm_packet.c: by copying */
ssize_t axm_read_iter(struct kiocb *iocb, struct iov_iter *to);
ssize_t axm_write_iter(struct kiocb *iocb, struct iov_iter *from);
__poll_t axm_poll(struct file *file, struct poll_table_struct *table);

/* axm_shared.c: by rings in shared memory; the half's lock is held, but not for axm_kick */
int axm_shared_begin(struct axm_half *half);
void axm_shared_end(struct axm_half *half);
void axm_shared_publish(struct axm_half *half);
int axm_fsync(struct file *file, loff_t start, loff_t end, int datasync);
long axm_kick(struct file *file, unsigned long argument);

/* axm_ring.c; the half's lock is held */
int axm_ring_alloc(struct axm_half *half);
void axm_ring_release(struct axm_half *half);
void axm_ring_free(struct axm_half *half);
void axm_ring_configure(struct axm_chan *chan);
int axm_ring_start(struct axm_half *half);
int axm_ring_again(struct axm_half *half);
bool axm_ring_in_packet(const struct axm_half *half);
bool axm_ring_at_rest(struct axm_half *half, u32 status);
bool axm_ring_rests(struct axm_half *half);
void axm_ring_collect(struct axm_half *half);
int axm_ring_reap(struct axm_half *half);
int axm_ring_check(struct axm_half *half);
void axm_ring_give(struct axm_half *half, struct axm_entry e);
void axm_ring_doorbell(struct axm_half *half);
u32 axm_ring_unusual(struct axm_half *half, struct axm_entry mine, u32 done, u32 bytes);

/* axm_stop.c; the half's lock is held */
void axm_ring_linger(struct axm_half *half);
int axm_ring_stop(struct axm_half *half);

/* axm_memory.c: a half's slots; the half's lock is held */
int axm_memory_alloc(struct axm_half *half);
int axm_memory_adopt(struct axm_half *half, struct axm_memory *memory);
void axm_memory_unmap(struct axm_half *half);
void axm_memory_drop(struct axm_half *half);
void axm_memory_leak(struct axm_half *half);
void *axm_memory_at(const struct axm_half *half, u32 slot);

/* axm_import.c, axm_export.c */
long axm_register(struct file *file, void __user *user);
long axm_export(struct file *file, void __user *user);

/* axm_irq.c */
irqreturn_t axm_irq(int irq, void *data);
void axm_irq_begin(struct axm_chan *chan);
void axm_irq_end(struct axm_chan *chan);
void axm_arm(struct axm_half *half);
void axm_watch(struct work_struct *work);
int axm_coalesce_set(struct axm_half *half, const struct axm_coalesce *setting);

/* axm_pm.c */
int axm_power_begin(struct axm_device *axm);
void axm_power_rest(struct axm_device *axm);
void axm_power_hold(struct axm_device *axm);
void axm_power_end(struct axm_device *axm);
extern const struct dev_pm_ops axm_pm_ops;

/* axm_ioctl.c, axm_mmap.c, axm_sysfs.c */
struct axm_half *axm_owned(struct file *file, u32 which);
long axm_ioctl(struct file *file, unsigned int command, unsigned long argument);
int axm_mmap(struct file *file, struct vm_area_struct *vma);
extern const struct attribute_group *axm_groups[];
void axm_stats(struct axm_chan *chan, struct axm_stats *to);

static inline enum dma_data_direction axm_direction(const struct axm_half *half)
{
	return half->sends ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
}

static inline void axm_wake(struct axm_chan *chan)
{
	atomic_inc(&chan->events);
	wake_up_interruptible_all(&chan->wait);
}

static inline u32 axm_beat_bytes(const struct axm_chan *chan)
{
	return 4u << AXM_GET(chan->caps, AXM_DMA_CAPS__WIDTH);
}

static inline bool axm_length_fits(const struct axm_chan *chan, u32 bytes)
{
	return AXM_GET(chan->caps, AXM_DMA_CAPS__UNALIGNED) ||
	       !(bytes & (axm_beat_bytes(chan) - 1));
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
