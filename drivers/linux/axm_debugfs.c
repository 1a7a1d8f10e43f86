// SPDX-License-Identifier: GPL-2.0-only
/* What a channel has counted, one line each: /sys/kernel/debug/axiometer/axm<device>c<channel>. */
#include <linux/debugfs.h>
#include <linux/seq_file.h>

#include "axm.h"

static int axm_stats_show(struct seq_file *file, void *unused)
{
	struct axm_chan *chan = file->private;
	const struct axm_stats *s = &chan->stats;
	int i;

	mutex_lock(&chan->lock);
	seq_printf(file, "sent_packets %llu\nsent_bytes %llu\n", s->sent_packets, s->sent_bytes);
	seq_printf(file, "received_packets %llu\nreceived_bytes %llu\n", s->received_packets,
		   s->received_bytes);
	seq_printf(file, "faults %llu\nrefused %llu\ninterrupts %lld\n", s->faults, s->refused,
		   atomic64_read(&chan->interrupts));
	for (i = 0; i < 2; i++) {
		const struct axm_half *half = &chan->half[i];

		seq_printf(file, "%s owned %d running %d error %d under_way %u\n",
			   half->sends ? "send" : "receive", half->owned, half->running,
			   half->error, half->running ? (u16)(half->written - half->seen) : 0);
	}
	mutex_unlock(&chan->lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(axm_stats);

void axm_debugfs_add(struct axm_chan *chan)
{
	chan->debugfs = debugfs_create_file(dev_name(&chan->dev), 0400, axm_debugfs_root, chan,
					    &axm_stats_fops);
}
