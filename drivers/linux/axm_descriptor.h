/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors; what is done for each packet is here, to be inlined. */
#ifndef AXM_DESCRIPTOR_H
#define AXM_DESCRIPTOR_H

#include <linux/dma-mapping.h>

#include "axm.h"

#define AXM_WORDS 8 /* of a descriptor; regs/dma.rdl says what they hold */
#define AXM_WORD_ADDRESS 0
#define AXM_WORD_LENGTH 2
#define AXM_WORD_FLAGS 3
#define AXM_WORD_DONE 6
#define AXM_WORD_BYTES 7

static inline __le32 *axm_descriptor(const struct axm_half *half, u32 count)
{
	return half->ring + (count & half->mask) * AXM_WORDS;
}

/* A slot for the device: to send `bytes` of it, or to receive as many. What the processor did not
 * write needs no care before the device writes it.
 */
static inline void axm_give(struct axm_half *half, u32 slot, u32 bytes, u32 flags)
{
	dma_addr_t at = half->slot_dma[slot];
	__le32 *words = axm_descriptor(half, half->written);

	if (half->sync && (half->sends || half->foreign))
		dma_sync_single_for_device(half->chan->dma, at, bytes, axm_direction(half));
	words[AXM_WORD_ADDRESS] = cpu_to_le32(lower_32_bits(at));
	words[AXM_WORD_ADDRESS + 1] = cpu_to_le32(upper_32_bits(at));
	words[AXM_WORD_LENGTH] = cpu_to_le32(bytes);
	words[AXM_WORD_FLAGS] = cpu_to_le32(flags);
	words[AXM_WORD_DONE] = 0; /* a completion that is not there is seen */
	words[AXM_WORD_BYTES] = 0;
	half->given[half->written & half->mask] = (struct axm_entry){ slot, flags, bytes };
	half->busy[slot] = true;
	half->written++;
}

#endif
