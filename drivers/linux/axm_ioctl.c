// SPDX-License-Identifier: GPL-2.0-only
/* The ioctls of a channel's file. */
#include <linux/fs.h>
#include <linux/uaccess.h>

#include "axm.h"

static long info(struct axm_chan *chan, void __user *to)
{
	struct axm_info i = {
		.abi_version = AXM_ABI_VERSION,
		.flags = (chan->half[AXM_RECEIVE].there ? AXM_CAN_RECEIVE : 0) |
			 (chan->half[AXM_SEND].there ? AXM_CAN_SEND : 0) |
			 (AXM_GET(chan->caps, AXM_DMA_CAPS__UNALIGNED) ? AXM_ANY_LENGTH : 0) |
			 (chan->coherent ? AXM_COHERENT : 0),
		.beat_bytes = axm_beat_bytes(chan),
		.address_bits = AXM_GET(chan->caps, AXM_DMA_CAPS__ADDR_BITS),
		.clock_hz = chan->clock_hz,
		.design_version = chan->version,
	};
	u64 which;

	for (which = 0; which < 2; which++) {
		struct axm_half *half = &chan->half[which];

		mutex_lock(&half->lock);
		if (half->memory) {
			i.slots[which] = half->slots;
			i.slot_bytes[which] = half->slot_bytes;
		}
		mutex_unlock(&half->lock);
		i.slots_offset[which] = which << AXM_MAP_SHIFT;
		i.ring_offset[which] = (2 | which) << AXM_MAP_SHIFT;
	}
	return copy_to_user(to, &i, sizeof(i)) ? -EFAULT : 0;
}

static long stats(struct axm_chan *chan, void __user *to)
{
	struct axm_stats s;

	axm_stats(chan, &s);
	return copy_to_user(to, &s, sizeof(s)) ? -EFAULT : 0;
}

struct axm_half *axm_owned(struct file *file, u32 which)
{
	struct axm_chan *chan = file->private_data;

	if (which > AXM_SEND)
		return ERR_PTR(-EINVAL);
	return axm_owns(file, &chan->half[which]) ? &chan->half[which] : ERR_PTR(-EACCES);
}

static long coalesce(struct file *file, void __user *user)
{
	struct axm_coalesce c;
	struct axm_half *half;

	if (copy_from_user(&c, user, sizeof(c)))
		return -EFAULT;
	half = axm_owned(file, c.half);
	if (IS_ERR(half))
		return PTR_ERR(half);
	return c.reserved ? -EINVAL : axm_coalesce_set(half, &c);
}

static long rings(struct file *file, unsigned long which)
{
	struct axm_half *half = axm_owned(file, min(which, 2ul));
	long error;

	if (IS_ERR(half))
		return PTR_ERR(half);
	mutex_lock(&half->lock);
	error = half->running ? axm_shared_begin(half) : half->error ?: -ENODEV;
	mutex_unlock(&half->lock);
	return error;
}

long axm_ioctl(struct file *file, unsigned int command, unsigned long argument)
{
	struct axm_chan *chan = file->private_data;
	void __user *user = (void __user *)argument;

	if (command == AXM_IOC_KICK)
		return axm_kick(file, argument);
	if (READ_ONCE(chan->stopped))
		return -ENODEV;
	switch (command) {
	case AXM_IOC_INFO:
		return info(chan, user);
	case AXM_IOC_RINGS:
		return rings(file, argument);
	case AXM_IOC_COALESCE:
		return coalesce(file, user);
	case AXM_IOC_STATS:
		return stats(chan, user);
	case AXM_IOC_EXPORT:
		return axm_export(file, user);
	case AXM_IOC_REGISTER:
		return axm_register(file, user);
	default:
		return -ENOTTY;
	}
}
