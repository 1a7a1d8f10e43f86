// SPDX-License-Identifier: GPL-2.0-only
/* What a channel has counted: /sys/class/axm/axm<device>c<channel>/statistics/. */
#include "axm.h"

void axm_stats(struct axm_chan *chan, struct axm_stats *to)
{
	int i;

	memset(to, 0, sizeof(*to));
	for (i = 0; i < 2; i++) {
		struct axm_half *half = &chan->half[i];

		mutex_lock(&half->lock);
		if (half->sends) {
			to->sent_packets = half->packets;
			to->sent_bytes = half->bytes;
		} else {
			to->received_packets = half->packets;
			to->received_bytes = half->bytes;
		}
		to->faults += half->faults;
		to->refused += half->refused;
		to->discarded += half->discarded;
		mutex_unlock(&half->lock);
	}
	spin_lock_irq(&chan->irq_lock);
	to->interrupts = chan->interrupts;
	to->missed = chan->missed;
	spin_unlock_irq(&chan->irq_lock);
}

#define COUNTER(name)                                                                              \
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *to)    \
	{                                                                                          \
		struct axm_stats s;                                                                \
												   \
		axm_stats(container_of(dev, struct axm_chan, dev), &s);                            \
		return sysfs_emit(to, "%llu\n", s.name);                                           \
	}

COUNTER(sent_packets)
static DEVICE_ATTR_RO(sent_packets);
COUNTER(sent_bytes)
static DEVICE_ATTR_RO(sent_bytes);
COUNTER(received_packets)
static DEVICE_ATTR_RO(received_packets);
COUNTER(received_bytes)
static DEVICE_ATTR_RO(received_bytes);
COUNTER(faults)
static DEVICE_ATTR_RO(faults);
COUNTER(refused)
static DEVICE_ATTR_RO(refused);
COUNTER(discarded)
static DEVICE_ATTR_RO(discarded);
COUNTER(interrupts)
static DEVICE_ATTR_RO(interrupts);
COUNTER(missed)
static DEVICE_ATTR_RO(missed);

static struct attribute *statistics[] = {
	&dev_attr_sent_packets.attr,
	&dev_attr_sent_bytes.attr,
	&dev_attr_received_packets.attr,
	&dev_attr_received_bytes.attr,
	&dev_attr_faults.attr,
	&dev_attr_refused.attr,
	&dev_attr_discarded.attr,
	&dev_attr_interrupts.attr,
	&dev_attr_missed.attr,
	NULL
};

static const struct attribute_group statistics_group = {
	.name = "statistics",
	.attrs = statistics,
};

const struct attribute_group *axm_groups[] = { &statistics_group, NULL };
