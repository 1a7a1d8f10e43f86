// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls of a channel: what it is, slots without copying, coalescing, statistics. */
#include <linux/fs.h>
#include <linux/uaccess.h>

#include "axm.h"

#define COALESCE_UNIT 64 /* clocks */

static int info(struct axm_chan *chan, void __user *to)
{
	struct axm_info i = {
		.abi_version = AXM_ABI_VERSION,
		.flags = (chan->half[AXM_RECEIVE].there ? AXM_CAN_RECEIVE : 0) |
			 (chan->half[AXM_SEND].there ? AXM_CAN_SEND : 0) |
			 (AXM_GET(chan->caps, AXM_DMA_CAPS__UNALIGNED) ? AXM_ANY_LENGTH : 0),
		.slots = chan->slots,
		.slot_bytes = AXM_SLOT_BYTES,
		.beat_bytes = 4u << AXM_GET(chan->caps, AXM_DMA_CAPS__WIDTH),
		.address_bits = AXM_GET(chan->caps, AXM_DMA_CAPS__ADDR_BITS),
		.clock_hz = chan->clock_hz,
		.design_version = chan->version,
		.receive_offset = 0,
		.send_offset = AXM_SEND_OFFSET,
	};

	return copy_to_user(to, &i, sizeof(i)) ? -EFAULT : 0;
}

static int stats(struct axm_chan *chan, void __user *to)
{
	struct axm_stats s = chan->stats;

	s.interrupts = atomic64_read(&chan->interrupts);
	return copy_to_user(to, &s, sizeof(s)) ? -EFAULT : 0;
}

static int owned_half(struct axm_chan *chan, struct file *file, u32 which, struct axm_half **half)
{
	if (which > AXM_SEND)
		return -EINVAL;
	if (!(file->f_mode & (which == AXM_SEND ? FMODE_WRITE : FMODE_READ)))
		return -EACCES;
	*half = &chan->half[which];
	return 0;
}

static int next(struct axm_chan *chan, struct file *file, void __user *user)
{
	struct axm_half *half;
	struct axm_slot s;
	u32 slot;
	int error;

	if (copy_from_user(&s, user, sizeof(s)))
		return -EFAULT;
	if (s.flags || s.bytes || s.index || s.offset || s.reserved)
		return -EINVAL;
	error = owned_half(chan, file, s.half, &half);
	if (!error)
		error = axm_wait(half, file->f_flags & O_NONBLOCK);
	if (error)
		return error;
	slot = axm_slot_of(chan, half->sends ? half->reserved : half->taken);
	s.index = slot;
	s.offset = (u64)slot * AXM_SLOT_BYTES;
	s.bytes = half->sends ? AXM_SLOT_BYTES : half->lengths[slot];
	s.flags = half->sends ? 0 : half->flags[slot];
	if (copy_to_user(user, &s, sizeof(s)))
		return -EFAULT;
	if (half->sends) {
		half->reserved++;
		return 0;
	}
	axm_ring_sync_cpu(half, slot, s.bytes);
	half->taken++;
	chan->stats.received_packets += !!(s.flags & AXM_LAST);
	chan->stats.received_bytes += s.bytes;
	return 0;
}

static int commit(struct axm_chan *chan, struct file *file, void __user *user)
{
	struct axm_half *half;
	struct axm_slot s;
	int error;

	if (copy_from_user(&s, user, sizeof(s)))
		return -EFAULT;
	if (s.half != AXM_SEND || s.flags & ~(AXM_LAST | AXM_NO_INTERRUPT) || s.index || s.offset ||
	    s.reserved || !s.bytes || s.bytes > AXM_SLOT_BYTES)
		return -EINVAL;
	if (!AXM_GET(chan->caps, AXM_DMA_CAPS__UNALIGNED) &&
	    s.bytes % (4u << AXM_GET(chan->caps, AXM_DMA_CAPS__WIDTH)))
		return -EINVAL;
	error = owned_half(chan, file, AXM_SEND, &half);
	if (error)
		return error;
	if (half->reserved == half->written)
		return -EINVAL; /* NEXT gave no slot */
	if (!half->running || half->error)
		return half->error ?: -EIO;
	axm_ring_give_send(half, s.bytes, s.flags & AXM_LAST, s.flags & AXM_NO_INTERRUPT);
	return 0;
}

static int release(struct axm_chan *chan, struct file *file, void __user *user)
{
	struct axm_half *half;
	struct axm_release r;
	int error;

	if (copy_from_user(&r, user, sizeof(r)))
		return -EFAULT;
	error = owned_half(chan, file, AXM_RECEIVE, &half);
	if (error)
		return error;
	if (r.reserved || !r.count || r.count > (u16)(half->taken - half->returned))
		return -EINVAL;
	half->returned += r.count;
	if (half->running && !half->error)
		axm_ring_give_receive(half, r.count);
	return 0;
}

static int coalesce(struct axm_chan *chan, void __user *user)
{
	struct axm_coalesce c;
	u32 time;

	if (copy_from_user(&c, user, sizeof(c)))
		return -EFAULT;
	time = DIV_ROUND_UP((u64)c.clocks, COALESCE_UNIT);
	if (c.count > 255 || c.clocks > 255 * COALESCE_UNIT)
		return -EINVAL;
	writel(AXM_PUT(c.count, AXM_DMA_COALESCE__COUNT) | AXM_PUT(time, AXM_DMA_COALESCE__TIME),
	       chan->regs + AXM_DMA_COALESCE);
	return 0;
}

long axm_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct axm_chan *chan = file->private_data;
	void __user *user = (void __user *)argument;
	long error;

	if (mutex_lock_interruptible(&chan->lock))
		return -ERESTARTSYS;
	if (!chan->axm)
		error = -ENODEV;
	else if (command == AXM_IOC_INFO)
		error = info(chan, user);
	else if (command == AXM_IOC_NEXT)
		error = next(chan, file, user);
	else if (command == AXM_IOC_COMMIT)
		error = commit(chan, file, user);
	else if (command == AXM_IOC_RELEASE)
		error = release(chan, file, user);
	else if (command == AXM_IOC_COALESCE)
		error = coalesce(chan, user);
	else if (command == AXM_IOC_STATS)
		error = stats(chan, user);
	else
		error = -ENOTTY;
	mutex_unlock(&chan->lock);
	return error;
}
