// SPDX-License-Identifier: GPL-2.0-only
/* Packets by rings in shared memory: in the channel's own slots, in another channel's (export), in a
 * udmabuf's (import), in a dma-heap's (heap), or in pinned pages of the program (pinned).
 */
#include <fcntl.h>
#include <linux/dma-heap.h>
#include <linux/udmabuf.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

#define IN_FLIGHT 8
#define SLOTS 16
#define HUGE (2ul << 20)

void half_open(struct half *half, int fd, uint32_t which)
{
	struct axm_info info;
	size_t bytes;

	CHECK(!ioctl(fd, AXM_IOC_RINGS, which));
	CHECK(!ioctl(fd, AXM_IOC_INFO, &info) && info.abi_version == AXM_ABI_VERSION);
	half->fd = fd;
	half->which = which;
	half->slots = info.slots[which];
	half->slot_bytes = info.slot_bytes[which];
	half->submitted = 0;
	half->collected = 0;
	bytes = sizeof(struct axm_ring) + 2 * sizeof(struct axm_entry) * half->slots;
	half->ring = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.ring_offset[which]);
	CHECK(half->ring != MAP_FAILED);
	if (half->memory)
		return; /* the program's own */
	half->memory = mmap(NULL, (size_t)half->slots * half->slot_bytes,
			    which == AXM_SEND ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, fd,
			    info.slots_offset[which]);
	CHECK(half->memory != MAP_FAILED);
}

void half_close(struct half *half)
{
	size_t bytes = sizeof(struct axm_ring) + 2 * sizeof(struct axm_entry) * half->slots;

	CHECK(!munmap(half->ring, bytes));
	CHECK(!munmap(half->memory, (size_t)half->slots * half->slot_bytes));
}

void submit(struct half *half, uint32_t slot, uint32_t flags, uint32_t bytes)
{
	put(half, slot, flags, bytes);
	publish(half);
}

const struct axm_entry *completion(struct half *half)
{
	uint32_t at = half->slots + (half->collected & (half->slots - 1));

	if (__atomic_load_n(&half->ring->completed, __ATOMIC_ACQUIRE) == half->collected)
		return NULL;
	__atomic_store_n(&half->ring->collected, ++half->collected, __ATOMIC_RELEASE);
	return &half->ring->entries[at];
}

void await(struct half *half, uint32_t count)
{
	struct axm_kick kick = { .timeout_ns = 60000000000ull };

	kick.completions[half->which] = count;
	CHECK(!ioctl(half->fd, AXM_IOC_KICK, &kick));
}

static void receive(struct half *in, const struct axm_entry *e, uint32_t size, unsigned long number)
{
	CHECK(e->bytes == size && e->flags == AXM_LAST && e->slot < in->slots);
	check(slot_at(in, e->slot), size, number);
	submit(in, e->slot, 0, in->slot_bytes);
}

/* Packets are made and looked at where the design reads and writes them. */
static void by_rings(struct half *in, struct half *out, unsigned long packets, uint64_t seed)
{
	uint64_t ahead = seed, behind = seed;
	unsigned long sent = 0, came = 0;
	uint32_t next = 0, free = out->slots;
	const struct axm_entry *e;

	while (came < packets) {
		while (sent < packets && sent - came < IN_FLIGHT && free) {
			uint32_t size = draw_size(&ahead) % (out->slot_bytes + 1);

			if (size) {
				fill(slot_at(out, next), size, sent);
				submit(out, next, AXM_LAST, size);
				next = (next + 1) % out->slots;
				free--;
			}
			sent++;
		}
		CHECK(!ioctl(out->fd, AXM_IOC_KICK, 0));
		while (came < sent) {
			uint32_t size = draw_size(&behind) % (out->slot_bytes + 1);

			if (!size) {
				empty++;
				came++;
				continue;
			}
			e = completion(in);
			if (!e) {
				await(in, 1);
				e = completion(in);
			}
			CHECK(e);
			receive(in, e, size, came++);
			if (came % 3 == 0)
				break;
		}
		while ((e = completion(out)))
			free++;
	}
}

static void bring(int fd, uint32_t which, int buffer, void *at, size_t bytes)
{
	struct axm_register r = { .half = which, .fd = buffer, .bytes = bytes,
				  .slot_bytes = bytes / SLOTS };

	if (buffer < 0)
		r.address = (uintptr_t)at;
	CHECK(!ioctl(fd, AXM_IOC_REGISTER, &r));
}

/* Huge pages, whose slots are contiguous. */
static void *huge(int *file)
{
	void *at;

	*file = memfd_create("slots", MFD_ALLOW_SEALING | MFD_HUGETLB);
	CHECK(*file >= 0 && !ftruncate(*file, HUGE) && !fcntl(*file, F_ADD_SEALS, F_SEAL_SHRINK));
	at = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
	CHECK(at != MAP_FAILED);
	memset(at, 0, HUGE);
	return at;
}

static int udmabuf(int file)
{
	struct udmabuf_create create = { .memfd = file, .size = HUGE };
	int device = open("/dev/udmabuf", O_RDWR), buffer;

	CHECK(device >= 0);
	buffer = ioctl(device, UDMABUF_CREATE, &create);
	CHECK(buffer >= 0);
	close(device);
	return buffer;
}

/* In pieces of up to a mebibyte. */
static void *heap(int *buffer)
{
	struct dma_heap_allocation_data data = { .len = HUGE, .fd_flags = O_RDWR };
	int device = open("/dev/dma_heap/system", O_RDWR);
	void *at;

	CHECK(device >= 0 && !ioctl(device, DMA_HEAP_IOCTL_ALLOC, &data));
	close(device);
	*buffer = data.fd;
	at = mmap(NULL, HUGE, PROT_READ | PROT_WRITE, MAP_SHARED, *buffer, 0);
	CHECK(at != MAP_FAILED);
	return at;
}

/* Memory of others in both halves; the program has it mapped itself. */
static void foreign(int fd, struct half halves[2], const char *mode)
{
	char byte;
	int i;

	for (i = 0; i < 2; i++) {
		int file = -1, buffer = -1;

		if (!strcmp(mode, "heap"))
			halves[i].memory = heap(&buffer);
		else
			halves[i].memory = huge(&file);
		if (!strcmp(mode, "import"))
			buffer = udmabuf(file);
		bring(fd, i, buffer, halves[i].memory, HUGE);
		close(file);
		close(buffer);
	}
	REFUSED(write(fd, "", 1), ENXIO);
	REFUSED(read(fd, &byte, 1), ENXIO);
}

/* The sending half's slots are those of the receiving one: what comes can be sent on as it is. */
static void forward(int fd, struct half halves[2])
{
	struct axm_export e = { .half = AXM_RECEIVE };
	struct axm_info info;
	unsigned char *at;
	size_t bytes;

	CHECK(!ioctl(fd, AXM_IOC_INFO, &info));
	bytes = (size_t)info.slots[0] * info.slot_bytes[0];
	CHECK(!ioctl(fd, AXM_IOC_EXPORT, &e) && e.fd >= 0);
	at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, e.fd, 0);
	CHECK(at != MAP_FAILED);
	halves[AXM_SEND].memory = at;
	CHECK(info.slots[0] == SLOTS);
	bring(fd, AXM_SEND, e.fd, NULL, bytes);
	close(e.fd);
}

/* A written packet circulates: it arrives in a slot, and is sent from there. */
static void go_round(struct half halves[2], unsigned long times)
{
	struct half *in = &halves[AXM_RECEIVE], *out = &halves[AXM_SEND];
	static unsigned char zero[4096];
	unsigned long n;

	submit(out, 0, AXM_LAST, sizeof(zero)); /* not written yet: zeros */
	for (n = 0; n < times; n++) {
		const struct axm_entry *e;
		uint32_t slot;

		await(in, 1);
		e = completion(in);
		CHECK(e && e->bytes == sizeof(zero));
		slot = e->slot;
		CHECK(!memcmp(slot_at(in, slot), zero, sizeof(zero)));
		packets_moved++;
		bytes_moved += e->bytes;
		submit(out, slot, AXM_LAST, sizeof(zero));
		await(out, 1);
		CHECK(completion(out));
		submit(in, slot, 0, in->slot_bytes);
	}
}

int ring_mode(const char *mode, int argc, char **argv)
{
	unsigned long packets = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
	uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 0) | 1 : 1;
	struct half halves[2] = { { .fd = -1 }, { .fd = -1 } };
	int export = !strcmp(mode, "export"), fd;

	if (strcmp(mode, "zero") && strcmp(mode, "import") && strcmp(mode, "heap") &&
	    strcmp(mode, "pinned") && !export)
		return 0;
	fd = open_channel(O_RDWR);
	if (export)
		forward(fd, halves);
	else if (strcmp(mode, "zero"))
		foreign(fd, halves, mode);
	half_open(&halves[AXM_RECEIVE], fd, AXM_RECEIVE);
	half_open(&halves[AXM_SEND], fd, AXM_SEND);
	if (export)
		go_round(halves, packets);
	else
		by_rings(&halves[AXM_RECEIVE], &halves[AXM_SEND], packets, seed);
	half_close(&halves[AXM_RECEIVE]);
	half_close(&halves[AXM_SEND]);
	close(fd);
	return 1;
}
