// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets by copying: read, write and poll. Slots are reserved and given under the half's lock; the
 * copying itself is done without it, for a page of the program may take its time.
 */
#include <linux/fs.h>
#include <linux/poll.h>
#include <linux/uio.h>

#include "axm.h"

struct parts {
	u32 count, bytes;
	struct axm_entry part[AXM_MOST_PARTS];
};

/* Slots of the next packet, or of 64 KiB of it, of which all have come; 0 if they have not. */
static u32 came(const struct axm_half *half, struct parts *parts)
{
	u32 i;

	parts->count = 0;
	parts->bytes = 0;
	for (i = half->came_head; i != half->came_tail; i++) {
		const struct axm_entry *e = &half->came[i & half->mask];

		parts->part[parts->count++] = *e;
		parts->bytes += e->bytes;
		if (e->flags & AXM_LAST || parts->bytes > AXM_PACKET_BYTES - half->slot_bytes ||
		    parts->count == AXM_MOST_PARTS || parts->count == half->slots)
			return parts->count;
	}
	return 0;
}

/* Whether there are as many free slots, and which. */
static bool room(const struct axm_half *half, struct parts *parts)
{
	u32 slot = half->written & half->mask, tried, found = 0; /* the oldest is the likeliest */

	for (tried = 0; tried < half->slots && found < parts->count; tried++) {
		if (!half->busy[slot])
			parts->part[found++].slot = slot;
		slot = (slot + 1) & half->mask;
	}
	return found == parts->count;
}

/* 1 if there is what the call needs, 0 if it may come, or why it will not. */
static int ready(struct axm_half *half, struct parts *parts)
{
	int error = axm_ring_reap(half);

	if (half->sends)
		return error ?: room(half, parts);
	if (!half->running && !half->error)
		return error; /* the device has gone */
	return came(half, parts) ? 1 : error; /* what came before a fault is not lost */
}

/* Until the half is ready; its lock is held before and after. */
static int await(struct axm_half *half, bool nonblocking, struct parts *parts)
{
	struct axm_chan *chan = half->chan;

	for (;;) {
		int events = atomic_read(&chan->events), state = ready(half, parts);

		if (half->shared || half->foreign)
			return -EBUSY; /* by rings, meanwhile */
		if (state)
			return min(state, 0);
		if (nonblocking)
			return -EAGAIN;
		axm_arm(half);
		axm_ring_check(half);
		state = ready(half, parts);
		if (state)
			return min(state, 0);
		mutex_unlock(&half->lock);
		state = wait_event_interruptible(chan->wait, atomic_read(&chan->events) != events);
		mutex_lock(&half->lock);
		if (state)
			return state;
	}
}

static bool nonblocking(struct kiocb *iocb)
{
	return iocb->ki_filp->f_flags & O_NONBLOCK || iocb->ki_flags & IOCB_NOWAIT;
}

/* The slots that were found are the packet's. */
static void reserve(struct axm_half *half, struct parts *parts, u32 bytes)
{
	u32 i;

	for (i = 0; i < parts->count; i++) {
		struct axm_entry *e = &parts->part[i];

		e->bytes = min(bytes, half->slot_bytes);
		e->flags = bytes == e->bytes ? AXM_LAST : 0;
		half->busy[e->slot] = true;
		bytes -= e->bytes;
	}
}

static bool fill(struct axm_half *half, const struct parts *parts, struct iov_iter *from)
{
	u32 i;

	for (i = 0; i < parts->count; i++) {
		const struct axm_entry *e = &parts->part[i];

		if (!copy_from_iter_full(axm_memory_at(half, e->slot), e->bytes, from))
			return false;
	}
	return true;
}

static bool drain(struct axm_half *half, const struct parts *parts, struct iov_iter *to)
{
	u32 i;

	for (i = 0; i < parts->count; i++) {
		const struct axm_entry *e = &parts->part[i];

		if (copy_to_iter(axm_memory_at(half, e->slot), e->bytes, to) != e->bytes)
			return false;
	}
	return true;
}

/* The packet that was filled, in one piece; or its slots are free again. */
static int commit(struct axm_half *half, const struct parts *parts, bool filled)
{
	int error = half->error ?: half->running ? 0 : -ENODEV;
	u32 i;

	if (!filled)
		error = -EFAULT;
	for (i = 0; i < parts->count; i++) {
		const struct axm_entry *e = &parts->part[i];

		if (error)
			half->busy[e->slot] = false;
		else
			axm_ring_give(half, *e);
	}
	if (!error)
		axm_ring_doorbell(half);
	else
		axm_wake(half->chan);
	return error;
}

ssize_t axm_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	struct axm_chan *chan = iocb->ki_filp->private_data;
	struct axm_half *half = &chan->half[AXM_SEND];
	size_t bytes = iov_iter_count(from);
	struct parts parts;
	int error;
	bool filled;

	if (!bytes)
		return 0; /* there is no packet without data */
	if (bytes > AXM_PACKET_BYTES)
		return -EMSGSIZE;
	if (!axm_length_fits(chan, bytes))
		return -EINVAL;
	if (mutex_lock_interruptible(&half->lock))
		return -ERESTARTSYS;
	error = -ENXIO;
	if (half->foreign)
		goto unlock; /* only by rings */
	parts.count = DIV_ROUND_UP((u32)bytes, half->slot_bytes);
	error = await(half, nonblocking(iocb), &parts);
	if (error)
		goto unlock;
	reserve(half, &parts, bytes);
	half->copying++;
	mutex_unlock(&half->lock);
	filled = fill(half, &parts, from);
	mutex_lock(&half->lock);
	half->copying--;
	error = commit(half, &parts, filled);
unlock:
	mutex_unlock(&half->lock);
	return error ?: bytes;
}

/* The slots go back to the device; or, not read, to where they were: the next to be read. */
static void put_back(struct axm_half *half, const struct parts *parts, bool unread)
{
	u32 i;

	if (unread) {
		for (i = parts->count; i--;)
			half->came[--half->came_head & half->mask] = parts->part[i];
		axm_wake(half->chan);
		return;
	}
	if (half->error || !half->running)
		return;
	for (i = 0; i < parts->count; i++)
		axm_ring_give(half, (struct axm_entry){ parts->part[i].slot, 0, half->slot_bytes });
	axm_ring_doorbell(half);
}

ssize_t axm_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct axm_chan *chan = iocb->ki_filp->private_data;
	struct axm_half *half = &chan->half[AXM_RECEIVE];
	struct parts parts;
	int error;
	bool read;

	if (!iov_iter_count(to))
		return 0;
	if (mutex_lock_interruptible(&half->lock))
		return -ERESTARTSYS;
	error = -ENXIO;
	if (half->foreign)
		goto unlock; /* only by rings */
	error = await(half, nonblocking(iocb), &parts);
	if (error)
		goto unlock;
	error = -EMSGSIZE; /* it stays */
	if (iov_iter_count(to) < parts.bytes)
		goto unlock;
	half->came_head += parts.count;
	half->copying++;
	mutex_unlock(&half->lock);
	read = drain(half, &parts, to);
	mutex_lock(&half->lock);
	half->copying--;
	put_back(half, &parts, !read);
	error = read ? 0 : -EFAULT;
unlock:
	mutex_unlock(&half->lock);
	return error ?: parts.bytes;
}

/* By rings: whether completions wait, as the program's own count has it, or no slot of a sender has
 * been given away.
 */
static int state_of(struct axm_half *half)
{
	struct parts parts = { .count = 1 };
	int state = half->shared ? axm_ring_reap(half) : ready(half, &parts);

	if (half->shared && half->completed != READ_ONCE(half->shared->collected))
		return 1;
	return half->shared && half->sends && half->seen == half->written ? state ?: 1 : state;
}

__poll_t axm_poll(struct file *file, struct poll_table_struct *table)
{
	struct axm_chan *chan = file->private_data;
	__poll_t events = 0;
	int i;

	poll_wait(file, &chan->wait, table);
	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];
		int state;

		if (!axm_owns(file, half))
			continue;
		mutex_lock(&half->lock);
		state = state_of(half);
		if (!state) { /* also if this call does not wait: epoll looks so after a wake-up */
			axm_arm(half);
			axm_ring_check(half);
			state = state_of(half);
		}
		mutex_unlock(&half->lock);
		if (state > 0)
			events |= half->sends ? EPOLLOUT | EPOLLWRNORM : EPOLLIN | EPOLLRDNORM;
		else if (state < 0)
			events |= EPOLLERR;
		if (state == -ENODEV || atomic_read(&chan->dead))
			events |= EPOLLERR | EPOLLHUP;
	}
	return events;
}
