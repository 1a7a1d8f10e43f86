// SPDX-License-Identifier: GPL-2.0-only
/*
 * One half of a channel: a ring of descriptors in coherent memory, and a slot of streaming memory
 * for each. A descriptor's place in the ring is its slot's number.
 *
 * The device is not believed: what it counts is held against what it was given, what it says to
 * have moved against what the slot holds, and no address is ever read back from a descriptor.
 */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "axm.h"

#define WORDS 8 /* of a descriptor; regs/dma.rdl says what they hold */
#define WORD_ADDRESS 0
#define WORD_LENGTH 2
#define WORD_FLAGS 3
#define WORD_DONE 6
#define WORD_BYTES 7
#define FLAG_LAST 1u
#define FLAG_QUIET 2u
#define STOP_US 100000

static enum dma_data_direction direction(const struct axm_half *half)
{
	return half->sends ? DMA_TO_DEVICE : DMA_FROM_DEVICE;
}

static size_t ring_bytes(const struct axm_half *half)
{
	return (size_t)half->chan->slots * WORDS * sizeof(__le32);
}

int axm_ring_alloc(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;
	u32 slots = chan->slots, i;

	half->pages = kcalloc(slots, sizeof(*half->pages), GFP_KERNEL);
	half->slot_dma = kcalloc(slots, sizeof(*half->slot_dma), GFP_KERNEL);
	half->lengths = kcalloc(slots, sizeof(*half->lengths), GFP_KERNEL);
	half->flags = kcalloc(slots, sizeof(*half->flags), GFP_KERNEL);
	if (!half->pages || !half->slot_dma || !half->lengths || !half->flags)
		goto fail;
	for (i = 0; i < slots; i++)
		half->slot_dma[i] = DMA_MAPPING_ERROR;
	half->ring = dma_alloc_coherent(chan->dma, ring_bytes(half), &half->ring_dma, GFP_KERNEL);
	if (!half->ring)
		goto fail;
	/* The engine puts counts into the address's low bits. */
	if (half->ring_dma & (ring_bytes(half) - 1))
		goto fail;
	for (i = 0; i < slots; i++) {
		gfp_t gfp = GFP_KERNEL | __GFP_ZERO | __GFP_COMP | __GFP_NOWARN;

		if (dma_get_mask(chan->dma) <= DMA_BIT_MASK(32))
			gfp |= GFP_DMA32;
		half->pages[i] = alloc_pages(gfp, AXM_SLOT_ORDER);
		if (!half->pages[i])
			goto fail;
		half->slot_dma[i] = dma_map_page(chan->dma, half->pages[i], 0, AXM_SLOT_BYTES,
						 direction(half));
		if (dma_mapping_error(chan->dma, half->slot_dma[i])) {
			half->slot_dma[i] = DMA_MAPPING_ERROR;
			goto fail;
		}
	}
	return 0;
fail:
	axm_ring_unmap(half);
	axm_ring_free(half);
	return -ENOMEM;
}

/* What needs the device; the pages stay for those who have them mapped. */
void axm_ring_unmap(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;
	u32 i;

	for (i = 0; half->slot_dma && i < chan->slots; i++) {
		if (half->slot_dma[i] == DMA_MAPPING_ERROR)
			continue;
		dma_unmap_page(chan->dma, half->slot_dma[i], AXM_SLOT_BYTES, direction(half));
		half->slot_dma[i] = DMA_MAPPING_ERROR;
	}
	if (half->ring)
		dma_free_coherent(chan->dma, ring_bytes(half), half->ring, half->ring_dma);
	half->ring = NULL;
}

void axm_ring_free(struct axm_half *half)
{
	u32 i;

	for (i = 0; half->pages && i < half->chan->slots; i++)
		if (half->pages[i])
			__free_pages(half->pages[i], AXM_SLOT_ORDER);
	kfree(half->pages);
	kfree(half->slot_dma);
	kfree(half->lengths);
	kfree(half->flags);
	half->pages = NULL;
	half->slot_dma = NULL;
	half->lengths = NULL;
	half->flags = NULL;
}

static void describe(struct axm_half *half, u32 slot, u32 bytes, u32 flags)
{
	__le32 *words = half->ring + (size_t)slot * WORDS;

	words[WORD_ADDRESS] = cpu_to_le32(lower_32_bits(half->slot_dma[slot]));
	words[WORD_ADDRESS + 1] = cpu_to_le32(upper_32_bits(half->slot_dma[slot]));
	words[WORD_LENGTH] = cpu_to_le32(bytes);
	words[WORD_FLAGS] = cpu_to_le32(flags);
	words[WORD_DONE] = 0; /* a completion that is not there is seen */
	words[WORD_BYTES] = 0;
	half->lengths[slot] = bytes;
}

/* writel() orders the descriptor before the doorbell. */
static void ring_doorbell(struct axm_half *half)
{
	axm_ring_write(half, AXM_DMA_RD_RING_TAIL, half->written);
}

/* Whether a ring that was switched off has nothing under way: no descriptor is fetched, in the
 * engine or to be written back, and the ring begins anew.
 */
static bool at_rest(struct axm_half *half, u32 status)
{
	return !(status & (AXM_DMA_RD_STATUS__BUSY_MASK | AXM_DMA_RD_STATUS__DRAINING_MASK)) &&
	       axm_ring_read(half, AXM_DMA_RD_RING_HEAD) == 0;
}

int axm_ring_start(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;

	half->written = 0;
	half->seen = 0;
	half->reserved = 0;
	half->taken = 0;
	half->returned = 0;
	half->error = 0;
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL, 0);
	if (!at_rest(half, axm_read(half, AXM_DMA_RD_STATUS)))
		return -EIO;
	axm_ring_write(half, AXM_DMA_RD_RING_TAIL, 0);
	axm_ring_write(half, AXM_DMA_RD_RING_BASE_LO, lower_32_bits(half->ring_dma));
	axm_ring_write(half, AXM_DMA_RD_RING_BASE_HI, upper_32_bits(half->ring_dma));
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL,
		       AXM_DMA_RD_RING_CONTROL__ENABLE_MASK |
			       AXM_PUT(chan->log2, AXM_DMA_RD_RING_CONTROL__LOG2_ENTRIES));
	half->running = true;
	if (!half->sends)
		axm_ring_give_receive(half, chan->slots);
	return 0;
}

/* Ends what is under way. If the device does not rest, it must not reach memory any more: -EIO if
 * nobody can see to that.
 */
int axm_ring_stop(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;
	u32 status, waited;

	if (!half->running)
		return 0;
	half->running = false;
	axm_write(half, AXM_DMA_RD_CONTROL,
		  AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK | AXM_DMA_RD_CONTROL__ABORT_MASK);
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL, 0);
	for (waited = 0; waited < STOP_US; waited += 100) {
		status = axm_read(half, AXM_DMA_RD_STATUS);
		if (status == ~0u)
			break;
		if (at_rest(half, status))
			return 0;
		usleep_range(50, 100);
	}
	dev_err(chan->dma, "channel %u: the engine does not stop\n", chan->number);
	atomic_set(&chan->dead, 1);
	if (!chan->axm->silence)
		return -EIO;
	chan->axm->silence(chan->axm);
	return 0;
}

void axm_ring_sync_cpu(struct axm_half *half, u32 slot, u32 bytes)
{
	dma_sync_single_for_cpu(half->chan->dma, half->slot_dma[slot], max(bytes, 1u),
				direction(half));
}

void axm_ring_give_send(struct axm_half *half, u32 bytes, bool last, bool quiet)
{
	u32 slot = axm_slot_of(half->chan, half->written);

	dma_sync_single_for_device(half->chan->dma, half->slot_dma[slot], bytes, DMA_TO_DEVICE);
	describe(half, slot, bytes, (last ? FLAG_LAST : 0) | (quiet ? FLAG_QUIET : 0));
	half->written++;
	ring_doorbell(half);
}

void axm_ring_give_receive(struct axm_half *half, u16 count)
{
	while (count--) {
		u32 slot = axm_slot_of(half->chan, half->written);

		dma_sync_single_for_device(half->chan->dma, half->slot_dma[slot], AXM_SLOT_BYTES,
					   DMA_FROM_DEVICE);
		describe(half, slot, AXM_SLOT_BYTES, 0);
		half->written++;
	}
	ring_doorbell(half);
}

static int refuse(struct axm_half *half, const char *what)
{
	half->chan->stats.refused++;
	half->error = -EIO;
	dev_err_ratelimited(half->chan->dma, "channel %u: the device %s\n", half->chan->number,
			    what);
	return half->error;
}

/* A completion that HEAD has announced. */
static int take(struct axm_half *half, u32 slot)
{
	struct axm_stats *stats = &half->chan->stats;
	const __le32 *words = half->ring + (size_t)slot * WORDS;
	u32 done = le32_to_cpu(READ_ONCE(words[WORD_DONE]));
	u32 bytes = le32_to_cpu(READ_ONCE(words[WORD_BYTES]));

	if (!AXM_GET(done, AXM_DMA_RD_DONE__VALID))
		return refuse(half, "announced a completion that it has not written");
	if (bytes > half->lengths[slot])
		return refuse(half, "moved more than it was given");
	if (AXM_GET(done, AXM_DMA_RD_DONE__CODE) != AXM_DMA_CODE_OK) {
		stats->faults++;
		half->error = -EIO;
		dev_err_ratelimited(half->chan->dma, "channel %u: %s failed with code %u\n",
				    half->chan->number, half->sends ? "sending" : "receiving",
				    AXM_GET(done, AXM_DMA_RD_DONE__CODE));
		return half->error;
	}
	half->lengths[slot] = bytes;
	half->flags[slot] = AXM_GET(done, AXM_DMA_RD_DONE__PACKET_END) ? AXM_LAST : 0;
	if (half->sends) {
		stats->sent_packets++;
		stats->sent_bytes += bytes;
	}
	return 0;
}

/* Takes note of what the device has done. 0, or why the half stopped. */
int axm_ring_reap(struct axm_half *half)
{
	u16 under_way = half->written - half->seen, done;
	u32 head;

	if (half->error || !half->running)
		return half->error ?: -ENODEV;
	head = axm_ring_read(half, AXM_DMA_RD_RING_HEAD);
	if (head == ~0u) {
		atomic_set(&half->chan->dead, 1);
		half->error = -EIO;
		return half->error;
	}
	done = (u16)head - half->seen;
	if (done > under_way)
		return refuse(half, "has done more than it was given");
	dma_rmb(); /* HEAD before the descriptors */
	for (; done; done--) {
		int error = take(half, axm_slot_of(half->chan, half->seen));

		if (error)
			return error;
		half->seen++;
	}
	if (under_way && AXM_GET(axm_ring_read(half, AXM_DMA_RD_RING_STATUS),
				 AXM_DMA_RD_RING_STATUS__CODE)) {
		half->chan->stats.faults++;
		half->error = -EIO;
	}
	return half->error;
}
