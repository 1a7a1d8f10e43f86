// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a half's ring. Stopping a receiver may cut a packet, whose end is then dropped. The
 * engine's registers do not show whether it had a part of one: the packet counts as cut, unless all
 * sent packets have arrived.
 */
#include <linux/delay.h>

#include "axm.h"
#include "axm_descriptor.h"
#include "generated/stream_loopback.h"

#define STOP_US 100000
#define LINGER_MS 50 /* without progress, until what was written is cut off */
#define MOST_LINGER_MS 1000

/* Sends packets written before the end, and receives those in the stream by then, while data move
 * and slots are free.
 */
void axm_ring_linger(struct axm_half *half)
{
	unsigned int total = 0, still = 0;

	while (half->seen != half->written && still < LINGER_MS && total < MOST_LINGER_MS) {
		u16 before = half->seen;

		usleep_range(1000, 2000);
		if (axm_ring_reap(half))
			return;
		still = half->seen == before ? still + 1 : 0;
		total++;
	}
}

/* Whether the stream is between packets: all sent packets have arrived. */
static bool settled(const struct axm_chan *chan)
{
	return !chan->half[AXM_SEND].torn &&
	       !AXM_GET(readl(chan->loopback + AXM_STREAM_LOOPBACK_LEVEL),
			AXM_STREAM_LOOPBACK_LEVEL__HELD);
}

/* Whether an abort of the receiver cuts no packet; the sender's lock is held too. An engine begins
 * a burst when its data is there, so its last writes are in memory after a moment.
 */
static bool between_packets(struct axm_half *half)
{
	struct axm_half *sender = &half->chan->half[AXM_SEND];

	if (sender->running && (axm_ring_reap(sender) || sender->seen != sender->written))
		return false;
	if (!settled(half->chan))
		return false;
	usleep_range(1000, 2000);
	return !axm_ring_reap(half) && settled(half->chan);
}

/* What was under way is cut, and with it perhaps a packet. */
static int cut_off(struct axm_half *half)
{
	u32 status, waited;
	bool busy = false;

	half->running = false;
	axm_write(half, AXM_DMA_RD_CONTROL,
		  AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK | AXM_DMA_RD_CONTROL__ABORT_MASK);
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL, 0);
	for (waited = 0; waited < STOP_US; waited += 100) {
		status = axm_read(half, AXM_DMA_RD_STATUS);
		if (status == ~0u)
			break;
		busy |= !!(status & AXM_DMA_RD_STATUS__DRAINING_MASK);
		if (axm_ring_at_rest(half, status)) {
			dma_rmb(); /* the status before the descriptors */
			if (!half->error)
				axm_ring_collect(half);
			half->severed = half->seen != half->written &&
				(busy || axm_descriptor(half, half->seen)[AXM_WORD_BYTES]);
			half->torn |= half->severed;
			return 0;
		}
		usleep_range(50, 100);
	}
	dev_err(half->chan->dma, "channel %u: the engine does not stop; its memory stays lost\n",
		half->chan->number);
	half->lost = true;
	return -EIO;
}

/* Ends what is under way; -EIO if the engine does not rest, whose memory is then lost. */
int axm_ring_stop(struct axm_half *half)
{
	struct axm_half *sender = &half->chan->half[AXM_SEND];
	bool whole;
	int error;

	if (!half->running)
		return 0;
	if (axm_ring_reap(half) == 0 && half->sends)
		axm_ring_linger(half);
	if (half->sends || !half->chan->loopback || !READ_ONCE(sender->owned))
		return cut_off(half);
	mutex_lock_nested(&sender->lock, SINGLE_DEPTH_NESTING);
	whole = between_packets(half);
	error = cut_off(half);
	if (whole && !error) {
		half->severed = false;
		half->torn = false;
	}
	mutex_unlock(&sender->lock);
	return error;
}
