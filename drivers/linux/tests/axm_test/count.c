// SPDX-License-Identifier: GPL-2.0-only
/*
 * How many instructions, of program and kernel, a packet of 64 bytes costs in both directions
 * together, by the processor's own counter (which QEMU has too, with -icount). While the device
 * works the program sleeps, which is not counted; nor are interrupts, because none is armed.
 */
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "test.h"

#define BYTES 64u
#define FIRST 4u /* rounds that are not counted: they touch what they need for the first time */
#define ROUNDS 20u

static int counter;
static uint64_t empty_pair; /* what now() itself costs */

static uint64_t now(void)
{
	uint64_t count;

	CHECK(read(counter, &count, sizeof(count)) == sizeof(count));
	return count;
}

static void calibrate(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
					.config = PERF_COUNT_HW_INSTRUCTIONS };
	uint64_t before;
	int i;

	counter = syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	CHECK(counter >= 0);
	before = now();
	for (i = 0; i < 1000; i++)
		now();
	empty_pair = (now() - before) / 1001;
}

static uint64_t since(uint64_t before)
{
	return now() - before - empty_pair;
}

/* As a program calls that has no other thread to be ended by: fdatasync() of the C library looks
 * for that first.
 */
static int sync_data(int fd)
{
	return syscall(SYS_fdatasync, fd);
}

static void report(const char *how, unsigned int batch, uint64_t instructions, unsigned int packets)
{
	printf("%-32s batches of %2u: %6.0f instructions a packet\n", how, batch,
	       (double)instructions / packets);
}

static void rest(void)
{
	usleep(60000);
}

/* Looks at all that has come, and gives the slots back. */
static uint32_t collect(struct half *in, struct half *out, uint64_t *sum)
{
	uint32_t came = __atomic_load_n(&in->ring->completed, __ATOMIC_ACQUIRE), first = in->collected;
	const struct axm_entry *entries = in->ring->entries + in->slots;

	while (in->collected != came) {
		struct axm_entry e = entries[in->collected++ & (in->slots - 1)];

		*sum += *(uint64_t *)slot_at(in, e.slot);
		put(in, e.slot, 0, in->slot_bytes);
	}
	publish(in);
	__atomic_store_n(&in->ring->collected, in->collected, __ATOMIC_RELEASE);
	/* The count shows that a sender's slot is free again: they end in order. */
	out->collected = __atomic_load_n(&out->ring->completed, __ATOMIC_ACQUIRE);
	__atomic_store_n(&out->ring->collected, out->collected, __ATOMIC_RELEASE);
	return came - first;
}

static void send(struct half *out, uint32_t *next, unsigned int batch)
{
	unsigned int i;

	CHECK(*next + batch - out->collected <= out->slots);
	for (i = 0; i < batch; i++, ++*next) {
		uint32_t slot = *next & (out->slots - 1);

		*(uint64_t *)slot_at(out, slot) = *next;
		put(out, slot, AXM_LAST, BYTES);
	}
	publish(out);
}

/* A call gives a batch to the device, another collects it; or `in_turn` one call gives a batch and
 * collects the one before.
 */
static uint64_t by_rings(unsigned int batch, int in_turn, int ioctls)
{
	int fd = open_channel(O_RDWR);
	struct half in = { .memory = NULL }, out = { .memory = NULL };
	uint64_t count = 0, before, sum = 0;
	uint32_t next = 0, got = 0;
	unsigned int round;
	char name[64];

	half_open(&in, fd, AXM_RECEIVE);
	half_open(&out, fd, AXM_SEND);
	memset(out.memory, 1, out.slots * out.slot_bytes);
	for (round = 0; round < FIRST + ROUNDS; round++) {
		if (round == FIRST)
			count = 0;
		before = now();
		send(&out, &next, batch);
		CHECK(!(ioctls ? ioctl(fd, AXM_IOC_KICK, 0) : sync_data(fd)));
		if (in_turn)
			got += collect(&in, &out, &sum);
		count += since(before);
		do {
			rest();
			if (in_turn)
				break;
			before = now();
			CHECK(!(ioctls ? ioctl(fd, AXM_IOC_KICK, 0) : sync_data(fd)));
			got += collect(&in, &out, &sum);
			count += since(before);
		} while (got != next);
	}
	CHECK(got >= next - batch && sum == (uint64_t)got * (got - 1) / 2);
	snprintf(name, sizeof(name), "rings, %s %s", in_turn ? "one" : "two",
		 ioctls ? "KICK" : "fdatasync");
	report(name, batch, count, ROUNDS * batch);
	half_close(&in);
	half_close(&out);
	close(fd);
	return count / (ROUNDS * batch);
}

static void by_copying(unsigned int batch)
{
	int fd = open_channel(O_RDWR | O_NONBLOCK);
	unsigned char buffer[BYTES] = { 0 };
	uint64_t count = 0, before;
	unsigned int round, i;

	for (round = 0; round < FIRST + ROUNDS; round++) {
		if (round == FIRST)
			count = 0;
		before = now();
		for (i = 0; i < batch; i++)
			CHECK(write(fd, buffer, BYTES) == BYTES);
		count += since(before);
		rest();
		for (i = 0; i < batch;) {
			ssize_t got;

			before = now();
			got = read(fd, buffer, BYTES);
			if (got < 0) { /* not there yet; not counted */
				CHECK(errno == EAGAIN);
				rest();
				continue;
			}
			count += since(before);
			i++;
		}
	}
	report("write and read", batch, count, ROUNDS * batch);
	close(fd);
}

/* What u-dma-buf and UIO cost: the buffer of each direction is given and taken by an ioctl each; the
 * few stores to registers are not counted.
 */
static void by_pairs(void)
{
	int fd = open_channel(O_RDWR);
	struct dma_buf_sync begin = { DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW };
	struct dma_buf_sync end = { DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW };
	struct axm_export e = { .half = AXM_SEND };
	uint64_t before;
	unsigned int round;

	CHECK(!ioctl(fd, AXM_IOC_EXPORT, &e));
	before = now();
	for (round = 0; round < 2 * ROUNDS; round++) {
		CHECK(!ioctl(e.fd, DMA_BUF_IOCTL_SYNC, &begin));
		CHECK(!ioctl(e.fd, DMA_BUF_IOCTL_SYNC, &end));
	}
	report("ioctl pair of a dma-buf each way", 1, since(before), ROUNDS);
	close(e.fd);
	close(fd);
}

/* The cheapest call may cost no more than the arguments allow, alone and in a batch. */
int count_mode(const char *mode, int argc, char **argv)
{
	static const unsigned int batches[] = { 1, 32 };
	uint64_t before, least;
	int i;

	if (strcmp(mode, "count"))
		return 0;
	calibrate();
	before = now();
	for (i = 0; i < 1000; i++)
		syscall(SYS_getppid);
	printf("of these the kernel's entry and return: %.0f a call\n", (double)since(before) / 1000);
	for (i = 0; i < 2; i++) {
		by_copying(batches[i]);
		by_rings(batches[i], 0, 1);
		by_rings(batches[i], 0, 0);
		by_rings(batches[i], 1, 1);
		least = by_rings(batches[i], 1, 0);
		CHECK(argc <= 3 + i || least <= strtoull(argv[3 + i], NULL, 0));
	}
	by_pairs();
	return 1;
}
