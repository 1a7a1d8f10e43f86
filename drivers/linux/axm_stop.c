// SPDX-License-Identifier: GPL-2.0-only
/*
 * The end of a half's ring. Stopping a receiver may cut a packet: the engine knows, and whoever
 * begins next drops the rest (axm_ring_in_packet()).
 */
#include <linux/delay.h>

#include "axm.h"

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

/* Ends what is under way; -EIO if the engine does not rest, whose memory is then lost. */
int axm_ring_stop(struct axm_half *half)
{
	u32 status, waited;

	if (!half->running)
		return 0;
	if (axm_ring_reap(half) == 0 && half->sends)
		axm_ring_linger(half);
	half->running = false;
	axm_write(half, AXM_DMA_RD_CONTROL,
		  AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK | AXM_DMA_RD_CONTROL__ABORT_MASK);
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL, 0);
	for (waited = 0; waited < STOP_US; waited += 100) {
		status = axm_read(half, AXM_DMA_RD_STATUS);
		if (status == ~0u)
			break;
		if (axm_ring_at_rest(half, status)) {
			dma_rmb(); /* the status before the descriptors */
			if (!half->error)
				axm_ring_collect(half);
			return 0;
		}
		usleep_range(50, 100);
	}
	dev_err(half->chan->dma, "channel %u: the engine does not stop; its memory stays lost\n",
		half->chan->number);
	half->lost = true;
	return -EIO;
}
