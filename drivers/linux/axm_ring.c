// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device's side of a half: a ring of descriptors in coherent memory.
 *
 * The device is not trusted: a completion counts only for a submitted descriptor, its length is
 * checked against the submission, and no address is ever read back. The descriptor itself shows
 * that it has ended; registers are read only before a caller sleeps, and by the watch.
 */
#include <linux/dma-mapping.h>
#include <linux/slab.h>

#include "axm.h"
#include "axm_descriptor.h"

#define AXI3_BEATS 16
#define CACHE_COHERENT 0xf /* write-back, allocate */
#define CACHE_NONE 0x3 /* bufferable, modifiable */
/* An arm64 kernel is not secure: accesses that are find no lines of it. */
#define PROT_COHERENT (IS_ENABLED(CONFIG_ARM64) ? 2u : 0u)

static size_t ring_bytes(const struct axm_half *half)
{
	return (size_t)half->slots * AXM_WORDS * sizeof(__le32);
}

int axm_ring_alloc(struct axm_half *half)
{
	half->given = kcalloc(half->slots, sizeof(*half->given), GFP_KERNEL);
	half->came = kcalloc(half->slots, sizeof(*half->came), GFP_KERNEL);
	half->ring = dma_alloc_coherent(half->chan->dma, ring_bytes(half), &half->ring_dma,
					GFP_KERNEL);
	/* The engine puts counts into the address's low bits. */
	if (half->given && half->came && half->ring && !(half->ring_dma & (ring_bytes(half) - 1)))
		return 0;
	axm_ring_free(half);
	return -ENOMEM;
}

/* What needs the device; what is unread stays for the file. */
void axm_ring_release(struct axm_half *half)
{
	if (half->ring)
		dma_free_coherent(half->chan->dma, ring_bytes(half), half->ring, half->ring_dma);
	half->ring = NULL;
}

void axm_ring_free(struct axm_half *half)
{
	axm_ring_release(half);
	kfree(half->given);
	kfree(half->came);
	half->given = NULL;
	half->came = NULL;
	half->came_head = half->came_tail;
}

void axm_ring_doorbell(struct axm_half *half)
{
	axm_doorbell(half);
}

void axm_ring_give(struct axm_half *half, struct axm_entry e)
{
	axm_describe(half, half->sends, half->written++, (union axm_word){ .entry = e });
}

/* Whether a ring that was switched off has nothing under way: no descriptor is fetched, in the
 * engine or to be written back, and the ring restarts.
 */
bool axm_ring_at_rest(struct axm_half *half, u32 status)
{
	return status != ~0u &&
	       !(status & (AXM_DMA_RD_STATUS__BUSY_MASK | AXM_DMA_RD_STATUS__DRAINING_MASK)) &&
	       axm_ring_read(half, AXM_DMA_RD_RING_HEAD) == 0;
}

bool axm_ring_rests(struct axm_half *half)
{
	return axm_ring_at_rest(half, axm_read(half, AXM_DMA_RD_STATUS));
}

/* Bus accesses of descriptors, of both halves: before any of them moves. */
void axm_ring_configure(struct axm_chan *chan)
{
	writel(AXM_PUT(chan->coherent ? CACHE_COHERENT : CACHE_NONE, AXM_DMA_RING_CONFIG__CACHE) |
		       AXM_PUT(chan->coherent ? PROT_COHERENT : 0, AXM_DMA_RING_CONFIG__PROT),
	       chan->regs + AXM_DMA_RING_CONFIG);
}

static void configure(struct axm_half *half)
{
	struct axm_chan *chan = half->chan;
	u32 beats = AXM_GET(chan->caps, AXM_DMA_CAPS__AXI3) ? AXI3_BEATS : AXI3_BEATS * 2;
	u32 most = AXM_GET(chan->caps, AXM_DMA_CAPS__OUTSTANDING);
	u32 cache = chan->coherent ? CACHE_COHERENT : CACHE_NONE;
	u32 prot = chan->coherent ? PROT_COHERENT : 0;

	axm_write(half, AXM_DMA_RD_CONTROL, AXM_DMA_RD_CONTROL__WHOLE_BURST_MASK);
	axm_write(half, AXM_DMA_RD_CONFIG,
		  AXM_PUT(beats - 1, AXM_DMA_RD_CONFIG__BURST) |
			  AXM_PUT(min(most, 127u), AXM_DMA_RD_CONFIG__OUTSTANDING) |
			  AXM_PUT(cache, AXM_DMA_RD_CONFIG__CACHE) |
			  AXM_PUT(prot, AXM_DMA_RD_CONFIG__PROT));
}

/* The ring begins with the `written` descriptors that are in it. */
int axm_ring_start(struct axm_half *half)
{
	configure(half);
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL, 0);
	if (!axm_ring_rests(half))
		return -EIO;
	axm_ring_write(half, AXM_DMA_RD_RING_TAIL, 0);
	axm_ring_write(half, AXM_DMA_RD_RING_BASE_LO, lower_32_bits(half->ring_dma));
	axm_ring_write(half, AXM_DMA_RD_RING_BASE_HI, upper_32_bits(half->ring_dma));
	axm_ring_write(half, AXM_DMA_RD_RING_CONTROL,
		       AXM_DMA_RD_RING_CONTROL__ENABLE_MASK |
			       AXM_PUT(half->log2, AXM_DMA_RD_RING_CONTROL__LOG2_ENTRIES));
	half->running = true;
	if (half->written)
		axm_ring_doorbell(half);
	return 0;
}

/* What a sender that was cut off within a packet has sent of it: the stream has that already. */
static u32 sent(const struct axm_half *half, u32 most)
{
	u32 bytes = le32_to_cpu(axm_descriptor(half, half->seen)[AXM_WORD_BYTES]);

	return half->sends && bytes < most && axm_length_fits(half->chan, bytes) ? bytes : 0;
}

/* Whether the stream of a receiver that rests is within a packet, whose end can be awaited. A
 * converter's stream has none: a receiver knows of packets when one has ended, or by a sender on a
 * loop-back that is not by rings.
 */
bool axm_ring_in_packet(const struct axm_half *half)
{
	const struct axm_half *sender = &half->chan->half[AXM_SEND];

	if (half->sends || !(axm_read(half, AXM_DMA_RD_STATUS) & AXM_DMA_RD_STATUS__IN_PACKET_MASK))
		return false;
	return half->packets || (half->chan->loopback && READ_ONCE(sender->owned) &&
				 !READ_ONCE(sender->shared));
}

/* A ring that was stopped begins with what the device had not done. */
int axm_ring_again(struct axm_half *half)
{
	u16 first = half->seen, count = half->written - half->seen, i;
	union axm_word *had = kmemdup(half->given, half->slots * sizeof(*had), GFP_KERNEL);
	struct axm_entry oldest;
	dma_addr_t at;

	if (!had)
		return -ENOMEM;
	oldest = had[first & half->mask].entry;
	if (count)
		half->skipped += sent(half, oldest.bytes - half->skipped);
	half->seen = 0;
	half->written = 0;
	for (i = 0; i < count; i++)
		axm_ring_give(half, had[(u16)(first + i) & half->mask].entry);
	kfree(had);
	if (half->skipped) {
		at = half->slot_dma[oldest.slot] + half->skipped;
		half->ring[AXM_WORD_ADDRESS] = cpu_to_le32(lower_32_bits(at));
		half->ring[AXM_WORD_ADDRESS + 1] = cpu_to_le32(upper_32_bits(at));
		half->ring[AXM_WORD_LENGTH] = cpu_to_le32(oldest.bytes - half->skipped);
	}
	half->discarding = !half->torn && axm_ring_in_packet(half);
	return axm_ring_start(half);
}

static int refuse(struct axm_half *half, const char *what)
{
	half->refused++;
	half->error = -EIO;
	dev_err_ratelimited(half->chan->dma, "channel %u: the device %s\n", half->chan->number,
			    what);
	return half->error;
}

static int fault(struct axm_half *half, u32 code)
{
	half->faults++;
	half->error = -EIO;
	dev_err_ratelimited(half->chan->dma, "channel %u: %s failed with code %u\n",
			    half->chan->number, half->sends ? "sending" : "receiving", code);
	return half->error;
}

/* What a packet that began before this owner left over goes nowhere. */
static void discard(struct axm_half *half, struct axm_entry mine, u32 done)
{
	half->discarding = !AXM_GET(done, AXM_DMA_RD_DONE__PACKET_END);
	half->discarded++;
	half->seen++;
	axm_ring_give(half, mine);
	axm_ring_doorbell(half);
}

/* The oldest descriptor ended, and not as usual. What it moved, of which it is still the oldest or
 * went elsewhere; 0: there is no more.
 */
u32 axm_ring_unusual(struct axm_half *half, struct axm_entry mine, u32 done, u32 bytes)
{
	u32 code = AXM_GET(done, AXM_DMA_RD_DONE__CODE);

	if (bytes > mine.bytes - half->skipped) {
		refuse(half, "moved more than was submitted");
	} else if (code && half->running) {
		fault(half, code);
	} else if (code || !bytes) {
		return 0; /* cut off by an abort; or its bytes are not there yet */
	} else if (half->discarding) {
		discard(half, mine, done);
	} else {
		bytes += half->skipped;
		half->skipped = 0;
	}
	return half->error ? 0 : bytes;
}

/* Slots become the program's, or what is in them waits for a read(). */
void axm_ring_collect(struct axm_half *half)
{
	if (half->shared) {
		axm_collect_shared(half, half->sends);
		if (half->error)
			axm_shared_publish(half);
		return;
	}
	half->came_tail = axm_collect(half, half->sends, half->came, half->came_tail);
	if (half->sends)
		half->came_head = half->came_tail;
}

/* Collects ended descriptors. 0, or why the half stopped. */
int axm_ring_reap(struct axm_half *half)
{
	if (half->error || !half->running)
		return half->error ?: -ENODEV;
	axm_ring_collect(half);
	return half->error;
}

/* The same by the registers, for facts that descriptors lack. */
int axm_ring_check(struct axm_half *half)
{
	u32 head, code;

	if (half->error || !half->running)
		return half->error ?: -ENODEV;
	head = axm_ring_read(half, AXM_DMA_RD_RING_HEAD);
	if (head == ~0u) {
		atomic_set(&half->chan->dead, 1);
		half->error = -EIO;
	} else if ((s16)((u16)head - half->seen) > (s16)(half->written - half->seen)) {
		/* HEAD may be behind: a completion is in memory before it counts. */
		refuse(half, "completed more than was submitted");
	} else {
		axm_ring_reap(half);
		if (!half->error && (s16)((u16)head - half->seen) > 0)
			refuse(half, "reported a completion that is not in memory");
		code = axm_ring_read(half, AXM_DMA_RD_RING_STATUS);
		code = AXM_GET(code, AXM_DMA_RD_RING_STATUS__CODE);
		if (!half->error && code && half->seen != half->written)
			fault(half, code);
	}
	if (half->shared && half->error)
		axm_shared_publish(half);
	return half->error;
}
