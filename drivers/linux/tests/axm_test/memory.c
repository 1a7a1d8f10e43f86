// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory of slots: what it costs, where it lies, and who sees what is in it.
 *
 *   axm_test DEVICE locked   what a user keeps of closed files is locked memory of the user's
 *   axm_test DEVICE synced   another half uses slots that the program has mapped by their dma-buf
 *   axm_test DEVICE far      slots of 8 GiB
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/memfd.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

#define PAGE 4096u
#define LIMIT (4ul << 20)
#define MOST_KEPT 64

/* A half's slots, of which the dma-buf stays. */
static int exported(uint32_t half, size_t *bytes)
{
	struct axm_export e = { .half = half };
	int fd = open_channel(half == AXM_SEND ? O_WRONLY : O_RDONLY);
	struct axm_info info;

	CHECK(!ioctl(fd, AXM_IOC_INFO, &info));
	*bytes = (size_t)info.slots[half] * info.slot_bytes[half];
	if (ioctl(fd, AXM_IOC_EXPORT, &e)) {
		CHECK(errno == ENOMEM);
		e.fd = -1;
	}
	CHECK(!close(fd));
	return e.fd;
}

static void locked(void)
{
	const struct rlimit limit = { LIMIT, LIMIT };
	void *kept[MOST_KEPT];
	size_t bytes, count = 0, n;
	int fd, round;

	CHECK(!chmod(path, 0666) && !setrlimit(RLIMIT_MEMLOCK, &limit));
	CHECK(!setgid(1000) && !setuid(1000));
	for (round = 0; round < 2; round++) {
		for (n = 0; n < MOST_KEPT && (fd = exported(AXM_SEND, &bytes)) >= 0; n++) {
			kept[n] = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
			CHECK(kept[n] != MAP_FAILED && !close(fd));
		}
		printf("%zu times %zu bytes of %lu\n", n, bytes, LIMIT);
		CHECK(n == LIMIT / bytes);
		for (count = n; count; count--) /* it is given back */
			CHECK(!munmap(kept[count - 1], bytes));
	}
}

static void sync_with(int buffer, uint64_t what)
{
	struct dma_buf_sync sync = { .flags = what };

	CHECK(!ioctl(buffer, DMA_BUF_IOCTL_SYNC, &sync));
}

/* The half's slots are those of the dma-buf, which the program has mapped. */
static int use(struct half *half, uint32_t which, int buffer, size_t bytes)
{
	struct axm_register r = { .half = which, .fd = buffer, .bytes = bytes, .slot_bytes = MOST };
	int fd = open_channel(O_RDWR);

	half->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, buffer, 0);
	CHECK(half->memory != MAP_FAILED && !ioctl(fd, AXM_IOC_REGISTER, &r));
	half_open(half, fd, which);
	return fd;
}

static void synced(void)
{
	static unsigned char packet[PAGE];
	struct half in = { .fd = -1 }, out = { .fd = -1 };
	const struct axm_entry *e;
	size_t bytes;
	int buffer = exported(AXM_SEND, &bytes), fd, n;

	CHECK(buffer >= 0);
	fd = use(&in, AXM_RECEIVE, buffer, bytes);
	for (n = 0; n < 8; n++) {
		fill(packet, PAGE, n);
		CHECK(write(fd, packet, PAGE) == PAGE);
		await(&in, 1);
		e = completion(&in);
		CHECK(e && e->bytes == PAGE);
		sync_with(buffer, DMA_BUF_SYNC_START | DMA_BUF_SYNC_READ);
		check(slot_at(&in, e->slot), PAGE, n);
		sync_with(buffer, DMA_BUF_SYNC_END | DMA_BUF_SYNC_READ);
		submit(&in, e->slot, 0, in.slot_bytes);
	}
	half_close(&in);
	close(fd);
	fd = use(&out, AXM_SEND, buffer, bytes);
	for (n = 0; n < 8; n++) {
		sync_with(buffer, DMA_BUF_SYNC_START | DMA_BUF_SYNC_WRITE);
		fill(slot_at(&out, n), PAGE, 100 + n);
		sync_with(buffer, DMA_BUF_SYNC_END | DMA_BUF_SYNC_WRITE);
		submit(&out, n, AXM_LAST, PAGE);
		CHECK(!ioctl(fd, AXM_IOC_KICK, 0));
		CHECK(read(fd, packet, PAGE) == PAGE);
		check(packet, PAGE, 100 + n);
	}
	half_close(&out);
	close(fd);
	close(buffer);
}

/* All of them are one huge page of 32 MiB. */
static void far(void)
{
	const size_t huge = 32ul << 20, slots = 256;
	static const uint32_t tried[] = { 3, 127, 128, 200, 255 };
	int file = memfd_create("far", MFD_HUGETLB | 25u << MFD_HUGE_SHIFT), fd = open_channel(O_RDWR);
	struct axm_register r = { .half = AXM_SEND, .fd = -1, .bytes = (uint64_t)slots * huge, .slot_bytes = huge };
	static unsigned char packet[PAGE];
	struct half out = { .memory = NULL };
	unsigned char *at;
	size_t i;

	CHECK(file >= 0 && !ftruncate(file, huge));
	at = mmap(NULL, (slots + 1) * huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	CHECK(at != MAP_FAILED);
	at = (unsigned char *)(((uintptr_t)at + huge - 1) & ~(huge - 1));
	for (i = 0; i < slots; i++)
		CHECK(mmap(at + i * huge, huge, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) !=
		      MAP_FAILED);
	r.address = (uintptr_t)at;
	out.memory = at;
	fill(at, PAGE, 1);
	CHECK(!ioctl(fd, AXM_IOC_REGISTER, &r));
	half_open(&out, fd, AXM_SEND);
	for (i = 0; i < sizeof(tried) / sizeof(*tried); i++) {
		submit(&out, tried[i], AXM_LAST, PAGE);
		CHECK(!ioctl(fd, AXM_IOC_KICK, 0));
		CHECK(read(fd, packet, PAGE) == PAGE);
		check(packet, PAGE, 1);
	}
	close(fd);
}

int memory_mode(const char *mode, int argc, char **argv)
{
	(void)argc;
	(void)argv;
	if (!strcmp(mode, "locked"))
		locked();
	else if (!strcmp(mode, "synced"))
		synced();
	else if (!strcmp(mode, "far"))
		far();
	else
		return 0;
	return 1;
}
