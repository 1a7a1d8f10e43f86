/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Descriptors. Work for each packet is here, to be inlined where the half's direction is constant.
 */
#ifndef AXM_DESCRIPTOR_H
#define AXM_DESCRIPTOR_H

#include <linux/dma-mapping.h>

#include "axm.h"

#define AXM_WORDS 8 /* of a descriptor; regs/dma.rdl has their meaning */
#define AXM_WORD_ADDRESS 0
#define AXM_WORD_LENGTH 2
#define AXM_WORD_FLAGS 3
#define AXM_WORD_DONE 6
#define AXM_WORD_BYTES 7

static inline __le32 *axm_descriptor(const struct axm_half *half, u32 count)
{
	return half->ring + (count & half->mask) * AXM_WORDS;
}

/* Descriptor `count` has a slot for the device: to send `bytes` of it, or to receive as many. What
 * the processor did not write needs no care before the device writes it.
 */
static __always_inline void axm_describe(struct axm_half *half, bool sends, u16 count,
					 union axm_word given)
{
	struct axm_entry e = given.entry;
	u32 place = count & half->mask;
	__le32 *words = half->ring + place * AXM_WORDS;
	dma_addr_t at = half->slot_dma[e.slot];

	if (half->sync && (sends || half->foreign))
		dma_sync_single_for_device(half->chan->dma, at, e.bytes,
					   sends ? DMA_TO_DEVICE : DMA_FROM_DEVICE);
	words[AXM_WORD_ADDRESS] = cpu_to_le32(lower_32_bits(at));
	words[AXM_WORD_ADDRESS + 1] = cpu_to_le32(upper_32_bits(at));
	words[AXM_WORD_LENGTH] = cpu_to_le32(e.bytes);
	words[AXM_WORD_FLAGS] = cpu_to_le32(e.flags);
	words[AXM_WORD_DONE] = 0; /* a completion that is not there is seen */
	words[AXM_WORD_BYTES] = 0;
	half->given[place].whole = given.whole;
	half->busy[e.slot] = true;
}

/* writel() orders the descriptors before the doorbell. */
static __always_inline void axm_doorbell(struct axm_half *half)
{
	writel(half->written, half->tail);
}

/* Moves what has ended, up to the first that did not end well, from the ring to the completions
 * `entries`; how many there are then, of `came`. A descriptor without bytes (a bus of 32 bits
 * writes them second) has not ended. The slots are no more the device's.
 */
static __always_inline u32 axm_collect(struct axm_half *half, bool sends,
				       struct axm_entry *entries, u32 came)
{
	union axm_word *to = (union axm_word *)entries;
	const u32 mask = half->mask, before = came;
	u16 seen = half->seen, written = half->written;
	u32 packets = 0, flags = 0;
	u64 moved = 0;

	while (seen != written) {
		u32 place = seen & mask;
		const __le32 *words = half->ring + place * AXM_WORDS;
		u32 done = le32_to_cpu(READ_ONCE(words[AXM_WORD_DONE])), bytes;
		union axm_word given;

		if (!(done & AXM_DMA_RD_DONE__VALID_MASK))
			break;
		dma_rmb(); /* that it has ended before what it moved */
		bytes = le32_to_cpu(READ_ONCE(words[AXM_WORD_BYTES]));
		given.whole = READ_ONCE(half->given[place].whole);
		if (unlikely(bytes - 1 >= given.entry.bytes || done & AXM_DMA_RD_DONE__CODE_MASK ||
			     (sends ? half->skipped : half->discarding))) {
			half->seen = seen;
			bytes = axm_ring_unusual(half, given.entry, done, bytes);
			if (!bytes)
				break;
			if (half->seen != seen) { /* it went elsewhere */
				seen = half->seen;
				written = half->written;
				continue;
			}
		}
		flags = sends ? given.entry.flags : AXM_GET(done, AXM_DMA_RD_DONE__PACKET_END);
		if (half->sync && !sends)
			dma_sync_single_for_cpu(half->chan->dma, half->slot_dma[given.entry.slot],
						bytes, DMA_FROM_DEVICE);
		half->busy[given.entry.slot] = false;
		packets += flags & AXM_LAST;
		moved += bytes;
		given.entry.flags = flags;
		given.entry.bytes = bytes;
		WRITE_ONCE(to[came++ & mask].whole, given.whole);
		seen++;
	}
	if (came != before) {
		half->seen = seen;
		half->packets += packets;
		half->bytes += moved;
		half->torn = !(flags & AXM_LAST);
	}
	return came;
}

/* The same into the ring in shared memory. */
static __always_inline void axm_collect_shared(struct axm_half *half, bool sends)
{
	struct axm_ring *shared = half->shared;
	u32 before = half->completed;
	u32 came = axm_collect(half, sends, shared->entries + half->slots, before);

	if (came != before) {
		half->completed = came;
		smp_store_release(&shared->completed, came); /* after the entries */
	}
}

#endif
