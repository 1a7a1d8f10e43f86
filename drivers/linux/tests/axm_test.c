// SPDX-License-Identifier: GPL-2.0-only
/*
 * Exercises a channel of the driver whose design loops its stream back, and checks every byte.
 *
 *   axm_test DEVICE info
 *   axm_test DEVICE copy|vector|poll PACKETS SEED
 *   axm_test DEVICE zero|export|import|heap|pinned PACKETS SEED   by rings; in which memory
 *   axm_test DEVICE two PACKETS SEED       a process that writes, another that reads
 *   axm_test DEVICE limits                 calls that must be refused
 *   axm_test DEVICE unbind PATH NAME       the device goes (NAME is written to PATH) while in use
 *   axm_test DEVICE MODE ...               of axm_test/: faults.c, gone.c, waits.c, stream.c
 *   axm_test DEVICE count                  instructions of a packet of 64 bytes (axm_test/count.c)
 *
 * Sizes are 0 to 64 KiB: of eight packets one has a size at an edge, the others any. A packet of 0
 * bytes is none: write() returns 0 and nothing comes. Exit status 0, or 1 with what was wrong.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "axm_test/test.h"

const char *path;
uint64_t bytes_moved, packets_moved, empty;

/* xorshift64*: the same seed gives the same packets to writer and reader. */
uint64_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dull;
}

uint32_t draw_size(uint64_t *state)
{
	static const uint32_t edges[] = { 0, 1, 7, 8, 9, 255, 256, 257, 4095, 4096, 4097, MOST - 1, MOST };
	uint64_t r = draw(state);

	if (r % 8 == 0)
		return edges[(r >> 8) % (sizeof(edges) / sizeof(*edges))];
	return (r >> 8) % ((r >> 40) % 4 ? 2049 : MOST + 1);
}

void fill(unsigned char *to, uint32_t bytes, uint64_t number)
{
	uint64_t state = number * 0x9e3779b97f4a7c15ull + 1, word;
	uint32_t i;

	for (i = 0; i < bytes; i += 8) {
		word = draw(&state);
		memcpy(to + i, &word, bytes - i < 8 ? bytes - i : 8);
	}
}

void check(const unsigned char *from, uint32_t bytes, uint64_t number)
{
	static unsigned char expected[MOST];

	fill(expected, bytes, number);
	CHECK(!memcmp(from, expected, bytes));
	packets_moved++;
	bytes_moved += bytes;
}

int open_channel(int flags)
{
	int fd = open(path, flags);

	CHECK(fd >= 0);
	return fd;
}

static void copy(int fd, unsigned long packets, uint64_t seed, int vector)
{
	static unsigned char out[MOST], in[MOST];
	unsigned long n;

	for (n = 0; n < packets; n++) {
		uint32_t size = draw_size(&seed), cut = size ? draw(&seed) % size : 0;
		struct iovec parts[2] = { { out, cut }, { out + cut, size - cut } };
		struct iovec into[2] = { { in, cut }, { in + cut, MOST - cut } };

		fill(out, size, n);
		CHECK((vector ? writev(fd, parts, 2) : write(fd, out, size)) == (ssize_t)size);
		if (!size) {
			empty++;
			continue;
		}
		memset(in, 0xa5, sizeof(in));
		CHECK((vector ? readv(fd, into, 2) : read(fd, in, MOST)) == (ssize_t)size);
		check(in, size, n);
		CHECK(size == MOST || in[size] == 0xa5);
	}
}

/* Several packets under way, nothing ever blocks. */
static void by_poll(unsigned long packets, uint64_t seed)
{
	static unsigned char out[MOST], in[MOST];
	uint64_t ahead = seed, behind = seed;
	unsigned long sent = 0, came = 0;
	int fd = open_channel(O_RDWR | O_NONBLOCK);
	ssize_t got;

	CHECK(read(fd, in, MOST) == -1 && errno == EAGAIN);
	while (came < packets) {
		struct pollfd p = { fd, POLLIN | (sent < packets ? POLLOUT : 0), 0 };

		CHECK(poll(&p, 1, 60000) == 1);
		CHECK(!(p.revents & (POLLERR | POLLHUP)));
		while (sent < packets) {
			uint64_t was = ahead;
			uint32_t size = draw_size(&ahead);
			fill(out, size, sent);
			got = write(fd, out, size);
			if (got < 0) {
				CHECK(errno == EAGAIN);
				ahead = was;
				break;
			}
			CHECK(got == (ssize_t)size);
			sent++;
		}
		while (came < sent) {
			uint64_t was = behind;
			uint32_t size = draw_size(&behind);

			if (!size) {
				empty++;
				came++;
				continue;
			}
			got = read(fd, in, MOST);
			if (got < 0) {
				CHECK(errno == EAGAIN);
				behind = was;
				break;
			}
			CHECK(got == (ssize_t)size);
			check(in, size, came++);
		}
	}
	close(fd);
}

static void two_processes(unsigned long packets, uint64_t seed)
{
	static unsigned char buffer[MOST];
	unsigned long n;
	int status, in = open_channel(O_RDONLY), out = open_channel(O_WRONLY);
	pid_t writer = fork();

	CHECK(writer >= 0);
	if (!writer) {
		close(in);
		for (n = 0; n < packets; n++) {
			uint32_t size = draw_size(&seed);

			fill(buffer, size, n);
			CHECK(write(out, buffer, size) == (ssize_t)size);
		}
		/* The ring is stopped with the last file: wait until all is out. */
		pause();
	}
	for (n = 0; n < packets; n++) {
		uint32_t size = draw_size(&seed);

		if (!size) {
			empty++;
			continue;
		}
		CHECK(read(in, buffer, MOST) == (ssize_t)size);
		check(buffer, size, n);
	}
	kill(writer, 9);
	CHECK(waitpid(writer, &status, 0) == writer);
	close(in);
	close(out);
}

#define NOT_MAPPED(at, error) CHECK((at) == MAP_FAILED && errno == (error))

static void limits(void)
{
	static unsigned char buffer[MOST + 1];
	int fd = open_channel(O_RDWR), other;
	struct axm_info info;
	struct axm_coalesce coalesce = { .count = 256 };
	void *volatile nowhere = (void *)8;
	size_t ring;
	void *at;

	CHECK(!ioctl(fd, AXM_IOC_INFO, &info));
	ring = (size_t)info.slots[AXM_RECEIVE] * info.slot_bytes[AXM_RECEIVE];
	REFUSED(open(path, O_RDONLY), EBUSY);
	REFUSED(open(path, O_WRONLY), EBUSY);
	REFUSED(write(fd, buffer, MOST + 1), EMSGSIZE);
	REFUSED(write(fd, nowhere, 16), EFAULT);
	CHECK(write(fd, buffer, 0) == 0 && read(fd, buffer, 0) == 0);
	REFUSED(lseek(fd, 0, SEEK_SET), ESPIPE);
	REFUSED(ioctl(fd, AXM_IOC_KICK, 0), ENXIO); /* there are no rings */
	REFUSED(ioctl(fd, AXM_IOC_RINGS, 2), EINVAL);
	REFUSED(ioctl(fd, AXM_IOC_COALESCE, &coalesce), EINVAL);
	REFUSED(ioctl(fd, AXM_IOC_COALESCE, (void *)8), EFAULT);
	REFUSED(ioctl(fd, _IO('x', 0x7f), 0), ENOTTY);
	NOT_MAPPED(mmap(NULL, ring, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.slots_offset[0]), EPERM);
	NOT_MAPPED(mmap(NULL, ring + 4096, PROT_READ, MAP_SHARED, fd, info.slots_offset[0]), EINVAL);
	NOT_MAPPED(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, ring), EINVAL);
	NOT_MAPPED(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, info.slots_offset[1] + ring), EINVAL);
	NOT_MAPPED(mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0), EINVAL);
	NOT_MAPPED(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, info.ring_offset[0]), ENXIO);
	at = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	CHECK(at != MAP_FAILED);
	REFUSED(mprotect(at, 4096, PROT_READ | PROT_WRITE), EACCES);
	CHECK(mremap(at, 4096, 8192, MREMAP_MAYMOVE) == MAP_FAILED);
	CHECK(!munmap(at, 4096));
	CHECK(write(fd, buffer, 100) == 100);
	REFUSED(read(fd, buffer, 99), EMSGSIZE);
	CHECK(read(fd, buffer, 100) == 100);
	/* The next owner gets no data that were left in the FIFO. */
	CHECK(write(fd, buffer, 64) == 64);
	close(fd);
	fd = open_channel(O_RDONLY | O_NONBLOCK);
	usleep(20000);
	REFUSED(read(fd, buffer, MOST), EAGAIN);
	REFUSED(write(fd, buffer, 8), EBADF);
	REFUSED(ioctl(fd, AXM_IOC_RINGS, AXM_SEND), EACCES);
	coalesce = (struct axm_coalesce){ .half = AXM_SEND };
	REFUSED(ioctl(fd, AXM_IOC_COALESCE, &coalesce), EACCES);
	NOT_MAPPED(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, info.slots_offset[1]), EACCES);
	close(fd);
	/* Without a reader, FIFO and ring are full after a while, and not before the ring can be. */
	fd = open_channel(O_WRONLY | O_NONBLOCK);
	for (other = 0; write(fd, buffer, MOST) == MOST; other++)
		CHECK(other <= (int)info.slots[1]);
	CHECK(errno == EAGAIN && other >= (int)(info.slots[1] / (MOST / info.slot_bytes[1])));
	close(fd);
	fd = open_channel(O_RDWR);
	memset(buffer, 0x5a, 100);
	CHECK(write(fd, buffer, 100) == 100 && read(fd, buffer, MOST) == 100 && buffer[99] == 0x5a);
	close(fd);
}

/* A reader sleeps and a ring is mapped when the device goes. */
static void unbind(const char *where, const char *name)
{
	static unsigned char buffer[MOST];
	int fd = open_channel(O_RDWR), driver, status;
	volatile unsigned char *in = mmap(NULL, MOST, PROT_READ, MAP_SHARED, fd, 0);
	struct pollfd p = { fd, POLLIN, 0 };
	pid_t child;

	CHECK((void *)in != MAP_FAILED);
	child = fork();
	CHECK(child >= 0);
	if (!child) {
		CHECK(read(fd, buffer, MOST) == -1 && errno == ENODEV);
		exit(0);
	}
	usleep(200000);
	driver = open(where, O_WRONLY);
	CHECK(driver >= 0 && write(driver, name, strlen(name)) == (ssize_t)strlen(name));
	CHECK(waitpid(child, &status, 0) == child && status == 0);
	REFUSED(write(fd, buffer, 8), ENODEV);
	REFUSED(read(fd, buffer, 8), ENODEV);
	CHECK(poll(&p, 1, 0) == 1 && p.revents & POLLHUP);
	status = in[0]; /* the mapping stays */
	close(fd);
	close(driver);
	CHECK(open(path, O_RDWR) == -1);
}

/* Of the halves that there are. */
static void print_info(void)
{
	struct axm_info info;
	int which, fd = open(path, O_RDWR);

	if (fd < 0 && errno == ENXIO)
		fd = open(path, O_RDONLY);
	if (fd < 0 && errno == ENXIO)
		fd = open(path, O_WRONLY);
	CHECK(fd >= 0 && !ioctl(fd, AXM_IOC_INFO, &info));
	which = info.flags & AXM_CAN_RECEIVE ? AXM_RECEIVE : AXM_SEND;
	printf("abi %u slots %u of %u bytes, beats of %u, %u address bits, %u Hz\n", info.abi_version,
	       info.slots[which], info.slot_bytes[which], info.beat_bytes, info.address_bits,
	       info.clock_hz);
	close(fd);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 2 ? argv[2] : "";
	unsigned long packets = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;
	uint64_t seed = argc > 4 ? strtoull(argv[4], NULL, 0) | 1 : 1;
	int fd;

	CHECK(argc > 2);
	path = argv[1];
	if (!strcmp(mode, "limits")) {
		limits();
	} else if (!strcmp(mode, "unbind")) {
		CHECK(argc == 5);
		unbind(argv[3], argv[4]);
	} else if (!strcmp(mode, "poll")) {
		by_poll(packets, seed);
	} else if (!strcmp(mode, "two")) {
		two_processes(packets, seed);
	} else if (ring_mode(mode, argc, argv) || memory_mode(mode, argc, argv) ||
		   fault_mode(mode, argc, argv) ||
		   gone_mode(mode, argc, argv) || wait_mode(mode, argc, argv) ||
		   stream_mode(mode, argc, argv) || count_mode(mode, argc, argv)) {
		;
	} else if (!strcmp(mode, "info")) {
		print_info();
	} else {
		CHECK(!strcmp(mode, "copy") || !strcmp(mode, "vector"));
		fd = open_channel(O_RDWR);
		copy(fd, packets, seed, mode[0] == 'v');
		close(fd);
	}
	printf("axm_test: %s: %llu packets, %llu bytes, %llu of no bytes: good\n", mode,
	       (unsigned long long)packets_moved, (unsigned long long)bytes_moved,
	       (unsigned long long)empty);
	return 0;
}
