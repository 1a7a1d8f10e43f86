// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets without copying: rings of submissions and completions in memory that is shared with the
 * program. The program's values are read once and checked for their range; the driver's own counts
 * are elsewhere, and its values there are never read back.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "axm.h"
#include "axm_descriptor.h"

int axm_shared_begin(struct axm_half *half)
{
	u32 i;

	if (half->shared)
		return -EALREADY;
	if (half->copying || (half->sends && half->seen != half->written))
		return -EBUSY; /* a write() is under way */
	half->shared_bytes = PAGE_ALIGN(struct_size(half->shared, entries, 2 * half->slots));
	half->shared = vmalloc_user(half->shared_bytes);
	if (!half->shared)
		return -ENOMEM;
	half->never.entry = (struct axm_entry){
		.slot = ~half->mask,
		.flags = ~(half->sends ? AXM_LAST | AXM_NO_INTERRUPT : 0),
		.bytes = axm_length_fits(half->chan, 1) ? 0 : axm_beat_bytes(half->chan) - 1,
	};
	half->accepted = 0;
	half->completed = 0;
	for (i = half->came_head; i != half->came_tail; i++)
		half->shared->entries[half->slots + half->completed++] =
			half->came[i & half->mask];
	half->came_head = half->came_tail;
	axm_shared_publish(half);
	return 0;
}

void axm_shared_end(struct axm_half *half)
{
	vfree(half->shared);
	half->shared = NULL;
}

void axm_shared_publish(struct axm_half *half)
{
	WRITE_ONCE(half->shared->error, half->error ?: half->running ? 0 : -ENODEV);
	smp_store_release(&half->shared->completed, half->completed); /* after the entries */
}

static __always_inline bool possible(const struct axm_half *half, union axm_word given)
{
	return !(given.whole & half->never.whole) && !half->busy[given.entry.slot] &&
	       given.entry.bytes - 1 < half->slot_bytes;
}

/* Does what was submitted. The first entry that cannot be done ends it with -EINVAL and stays. */
static __always_inline int submit(struct axm_half *half, bool sends)
{
	struct axm_ring *shared = half->shared;
	u32 submitted = smp_load_acquire(&shared->submitted); /* before the entries */
	u32 accepted = half->accepted, mask = half->mask;
	u16 written = half->written;
	int error = 0;

	if (submitted == accepted)
		return 0;
	if (submitted - accepted > half->slots)
		return -EINVAL;
	while (accepted != submitted) {
		const union axm_word *from = (union axm_word *)&shared->entries[accepted & mask];
		union axm_word given = { .whole = READ_ONCE(from->whole) };

		if (unlikely(!possible(half, given))) {
			error = -EINVAL;
			if (accepted == half->accepted)
				return error;
			break;
		}
		axm_describe(half, sends, written++, given);
		accepted++;
	}
	half->accepted = accepted;
	half->written = written;
	axm_doorbell(half);
	smp_store_release(&shared->accepted, accepted); /* the entries were read */
	return error;
}

/* Both ways, of one half. */
static __always_inline int serve(struct axm_half *half, bool sends)
{
	if (unlikely(half->error || !half->running))
		return half->error ?: -ENODEV;
	axm_collect_shared(half, sends);
	if (unlikely(half->error)) {
		axm_shared_publish(half);
		return half->error;
	}
	return submit(half, sends);
}

static bool enough(const struct axm_half *half, u32 count)
{
	return count && (s32)(half->completed - READ_ONCE(half->shared->collected)) >= (s32)count;
}

/* 1: the awaited completions are there, 0: they may come, or why they will not. */
static int arrived(struct file *file, const struct axm_kick *kick, bool arm)
{
	struct axm_chan *chan = file->private_data;
	int i, state = 0, error;

	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];

		if (!kick->completions[i])
			continue;
		mutex_lock(&half->lock);
		error = axm_ring_reap(half);
		if (arm && !error && !enough(half, kick->completions[i])) {
			axm_arm(half);
			error = axm_ring_check(half);
		}
		if (enough(half, kick->completions[i]))
			state = 1;
		else if (error && !state)
			state = error;
		mutex_unlock(&half->lock);
	}
	return state;
}

static long await(struct file *file, const struct axm_kick *kick)
{
	struct axm_chan *chan = file->private_data;
	long left = MAX_SCHEDULE_TIMEOUT;

	if (kick->timeout_ns != U64_MAX)
		left = min_t(u64, nsecs_to_jiffies64(kick->timeout_ns) + 1, MAX_SCHEDULE_TIMEOUT);
	for (;;) {
		int events = atomic_read(&chan->events), state = arrived(file, kick, true);

		if (state)
			return min(state, 0);
		left = wait_event_interruptible_timeout(chan->wait,
							atomic_read(&chan->events) != events, left);
		if (left < 0) /* restarted it would wait for all of its time again */
			return kick->timeout_ns == U64_MAX ? left : -EINTR;
		if (!left) {
			state = arrived(file, kick, false);
			return state ? min(state, 0) : -ETIME;
		}
	}
}

static int check(struct file *file, const struct axm_kick *kick)
{
	struct axm_chan *chan = file->private_data;
	int i;

	if (kick->reserved)
		return -EINVAL;
	for (i = 0; i < 2; i++)
		if (kick->completions[i] &&
		    (!axm_owns(file, &chan->half[i]) || !READ_ONCE(chan->half[i].shared) ||
		     kick->completions[i] > chan->half[i].slots))
			return -EINVAL;
	return 0;
}

/* What was submitted is done, what has ended is collected; 1 if the file has no rings of it. */
static __always_inline int kick_half(struct file *file, struct axm_half *half, bool sends)
{
	int error;

	if (!(file->f_mode & (sends ? FMODE_WRITE : FMODE_READ)) || !READ_ONCE(half->shared))
		return 1;
	/* To look whether another should run costs as much as the lock. */
	if (!mutex_trylock(&half->lock))
		mutex_lock(&half->lock);
	error = serve(half, sends);
	mutex_unlock(&half->lock);
	return error;
}

/* The same as a KICK that does not wait: it costs a third less. */
int axm_fsync(struct file *file, loff_t start, loff_t end, int datasync)
{
	struct axm_chan *chan = file->private_data;
	int in = kick_half(file, &chan->half[AXM_RECEIVE], false);
	int out = kick_half(file, &chan->half[AXM_SEND], true);

	if (in > 0 && out > 0)
		return -ENXIO; /* AXM_IOC_RINGS comes first */
	return out < 0 ? out : min(in, 0);
}

long axm_kick(struct file *file, unsigned long argument)
{
	struct axm_kick kick;
	int error = axm_fsync(file, 0, LLONG_MAX, 1);

	if (error || !argument)
		return error;
	if (copy_from_user(&kick, (void __user *)argument, sizeof(kick)))
		return -EFAULT;
	error = check(file, &kick);
	if (error || !kick.timeout_ns || !(kick.completions[0] | kick.completions[1]))
		return error;
	return await(file, &kick);
}
