// SPDX-License-Identifier: GPL-2.0-only
/*
 * Faults that the driver had; each mode fails on a driver that has it.
 *
 *   axm_test DEVICE slow        a page of the program that comes late stops no other caller
 *   axm_test DEVICE undone      a copy that fails loses nothing
 *   axm_test DEVICE coalesce    a half's coalescing is its owner's, and stays
 *   axm_test DEVICE tail        a new receiver gets no end of a packet of its predecessor's
 *   axm_test DEVICE reopen      a reopened receiver loses no packet that was sent whole
 *   axm_test DEVICE continued   a packet that suspends cut goes on, and reports its whole length
 *   axm_test DEVICE hangup      waits in poll until the device goes
 *   axm_test DEVICE fragmented  free memory is in single pages
 *   axm_test DEVICE lost        interrupts may be lost, not completions
 *   axm_test DEVICE stuck       a receiver that does not stop is lost; its channel's sender is not
 *   axm_test DEVICE early UNBIND BIND NAME   a device whose file is there can be opened
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

/* A page that does not exist until late_comes(). */
static int late_fd;

unsigned char *late_page(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register where = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	unsigned char *at = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(at != MAP_FAILED);
	late_fd = syscall(SYS_userfaultfd, 0);
	CHECK(late_fd >= 0 && !ioctl(late_fd, UFFDIO_API, &api));
	where.range.start = (uintptr_t)at;
	where.range.len = PAGE;
	CHECK(!ioctl(late_fd, UFFDIO_REGISTER, &where));
	return at;
}

void late_comes(unsigned char *at, unsigned char *content)
{
	struct uffdio_copy copy = { .dst = (uintptr_t)at, .src = (uintptr_t)content, .len = PAGE };

	CHECK(!ioctl(late_fd, UFFDIO_COPY, &copy));
	close(late_fd);
}

void late_never_comes(unsigned char *at)
{
	munmap(at, PAGE);
	close(late_fd);
}

void late_is_awaited(void)
{
	struct uffd_msg message;

	CHECK(read(late_fd, &message, sizeof(message)) == sizeof(message));
	CHECK(message.event == UFFD_EVENT_PAGEFAULT);
}

void *write_it(void *argument)
{
	struct call *call = argument;

	call->done = write(call->fd, call->at, PAGE);
	call->error = errno;
	return NULL;
}

void *read_it(void *argument)
{
	struct call *call = argument;

	call->done = read(call->fd, call->at, PAGE);
	call->error = errno;
	return NULL;
}

/* Everything else goes on while a copy waits for a page; an alarm ends it if not. */
static void slow(void)
{
	static unsigned char content[PAGE], other[PAGE];
	int fd = open_channel(O_RDWR);
	struct call call = { .fd = fd };
	struct axm_stats stats;
	struct axm_info info;
	pthread_t thread;

	alarm(60);
	fill(content, PAGE, 7);
	call.at = late_page();
	CHECK(!pthread_create(&thread, NULL, write_it, &call));
	late_is_awaited();
	CHECK(!ioctl(fd, AXM_IOC_INFO, &info) && !ioctl(fd, AXM_IOC_STATS, &stats));
	fill(other, PAGE, 8);
	CHECK(write(fd, other, PAGE) == PAGE); /* another writer does not wait */
	CHECK(read(fd, other, PAGE) == PAGE);
	check(other, PAGE, 8);
	late_comes(call.at, content);
	CHECK(!pthread_join(thread, NULL) && call.done == PAGE);
	CHECK(read(fd, other, PAGE) == PAGE);
	check(other, PAGE, 7);

	call.at = late_page();
	CHECK(write(fd, content, PAGE) == PAGE);
	CHECK(!pthread_create(&thread, NULL, read_it, &call));
	late_is_awaited();
	fill(other, PAGE, 9);
	CHECK(write(fd, other, PAGE) == PAGE && read(fd, other, PAGE) == PAGE);
	check(other, PAGE, 9);
	memset(other, 0, PAGE);
	late_comes(call.at, other);
	CHECK(!pthread_join(thread, NULL) && call.done == PAGE);
	check(call.at, PAGE, 7);
	close(fd);
}

/* Half of a packet is in memory that there is not: it was not sent, and what was to be read stays. */
static void undone(void)
{
	static unsigned char buffer[2 * PAGE];
	unsigned char *at = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = open_channel(O_RDWR | O_NONBLOCK), n;
	struct pollfd p = { fd, POLLIN, 0 };

	CHECK(at != MAP_FAILED && !munmap(at + PAGE, PAGE));
	memset(at, 1, PAGE);
	for (n = 0; n < 300; n++) /* no slot is lost by it */
		REFUSED(write(fd, at, 2 * PAGE), EFAULT);
	REFUSED(read(fd, buffer, 2 * PAGE), EAGAIN);
	fill(buffer, 2 * PAGE, 1);
	CHECK(write(fd, buffer, 2 * PAGE) == 2 * PAGE);
	fill(buffer, 2 * PAGE, 2);
	CHECK(write(fd, buffer, 2 * PAGE) == 2 * PAGE);
	CHECK(poll(&p, 1, 60000) == 1);
	for (n = 0; n < 300; n++)
		REFUSED(read(fd, at, 2 * PAGE), EFAULT);
	CHECK(read(fd, buffer, 2 * PAGE) == 2 * PAGE);
	check(buffer, 2 * PAGE, 1);
	CHECK(poll(&p, 1, 60000) == 1 && read(fd, buffer, 2 * PAGE) == 2 * PAGE);
	check(buffer, 2 * PAGE, 2);
	close(fd);
}

/* The receiver sets an interrupt for eight packets; a sender opens and closes. */
static void coalesce(void)
{
	struct axm_coalesce c = { .half = AXM_RECEIVE, .count = 8, .clocks = 16320 };
	static unsigned char buffer[64];
	int in = open_channel(O_RDONLY), out, n, i;
	struct axm_stats before, after;

	CHECK(!ioctl(in, AXM_IOC_COALESCE, &c));
	out = open_channel(O_WRONLY);
	REFUSED(ioctl(out, AXM_IOC_COALESCE, &c), EACCES);
	CHECK(!ioctl(in, AXM_IOC_STATS, &before));
	for (n = 0; n < 8; n++) {
		for (i = 0; i < 8; i++)
			CHECK(write(out, buffer, sizeof(buffer)) == sizeof(buffer));
		for (i = 0; i < 8; i++)
			CHECK(read(in, buffer, sizeof(buffer)) == sizeof(buffer));
	}
	CHECK(!ioctl(in, AXM_IOC_STATS, &after));
	CHECK(after.interrupts - before.interrupts <= 24);
	close(out);
	close(in);
}

/* Its beginning goes into the two small slots of one receiver, its end comes when there is another. */
static void tail(void)
{
	static unsigned char buffer[MOST], small[2 * PAGE] __attribute__((aligned(PAGE)));
	struct axm_register two = { .half = AXM_RECEIVE, .fd = -1, .address = (uintptr_t)small,
				    .bytes = sizeof(small), .slot_bytes = PAGE };
	int in = open_channel(O_RDONLY), out = open_channel(O_WRONLY);
	struct axm_kick kick = { .completions = { 2, 0 }, .timeout_ns = 60000000000ull };

	CHECK(!ioctl(in, AXM_IOC_REGISTER, &two) && !ioctl(in, AXM_IOC_RINGS, AXM_RECEIVE));
	fill(buffer, MOST, 1);
	CHECK(write(out, buffer, MOST) == MOST);
	CHECK(!ioctl(in, AXM_IOC_KICK, &kick) && !memcmp(small, buffer, sizeof(small)));
	close(in);
	in = open_channel(O_RDONLY);
	fill(buffer, 100, 3);
	CHECK(write(out, buffer, 100) == 100);
	CHECK(read(in, buffer, MOST) == 100);
	check(buffer, 100, 3);
	close(out);
	close(in);
}

/* Its predecessor had all that was sent: nothing was cut. */
static void reopen(void)
{
	static unsigned char buffer[MOST];
	int out = open_channel(O_WRONLY), in, n;
	struct axm_stats before, stats;

	CHECK(!ioctl(out, AXM_IOC_STATS, &before));
	for (n = 0; n < 32; n++) {
		struct pollfd p = { open_channel(O_RDONLY), POLLIN, 0 };

		in = p.fd;
		fill(buffer, 1000, n);
		CHECK(write(out, buffer, 1000) == 1000);
		CHECK(poll(&p, 1, 10000) == 1 && p.revents == POLLIN);
		CHECK(read(in, buffer, MOST) == 1000);
		check(buffer, 1000, n);
		CHECK(!ioctl(in, AXM_IOC_STATS, &stats));
		CHECK(!close(in));
	}
	CHECK(stats.discarded == before.discarded);
	close(out);
}

void say(const char *where, const char *what)
{
	int fd = open(where, O_WRONLY);

	CHECK(fd >= 0 && write(fd, what, strlen(what)) == (ssize_t)strlen(what));
	close(fd);
}

/* It waits for slots of the receiver, of which there are two of a page, whenever the machine sleeps. */
static void continued(void)
{
	static unsigned char expected[MOST], pages[2 * PAGE] __attribute__((aligned(PAGE)));
	struct axm_register two = { .half = AXM_RECEIVE, .fd = -1, .address = (uintptr_t)pages,
				    .bytes = sizeof(pages), .slot_bytes = PAGE };
	struct half in = { .memory = pages }, out = { .memory = NULL };
	const struct axm_entry *e;
	struct axm_stats before, stats;
	int fd = open_channel(O_RDWR);
	uint32_t got = 0, slot;

	CHECK(!ioctl(fd, AXM_IOC_STATS, &before));
	CHECK(!ioctl(fd, AXM_IOC_REGISTER, &two));
	half_open(&in, fd, AXM_RECEIVE);
	half_open(&out, fd, AXM_SEND);
	fill(expected, MOST, 1);
	memcpy(slot_at(&out, 0), expected, MOST);
	submit(&out, 0, AXM_LAST, MOST);
	CHECK(!ioctl(fd, AXM_IOC_KICK, 0));
	say("/sys/power/pm_test", "devices");
	while (got < MOST) {
		await(&in, 2);
		say("/sys/power/state", "freeze");
		CHECK(!in.ring->error && !out.ring->error);
		for (slot = 0; slot < 2; slot++, got += PAGE) {
			e = completion(&in);
			CHECK(e && e->slot == slot && e->bytes == PAGE);
			CHECK((e->flags & AXM_LAST) == (got + PAGE == MOST));
			CHECK(!memcmp(slot_at(&in, slot), expected + got, PAGE));
			put(&in, slot, 0, PAGE);
		}
		publish(&in);
		CHECK(!ioctl(fd, AXM_IOC_KICK, 0));
	}
	await(&out, 1);
	e = completion(&out);
	CHECK(e && e->bytes == MOST && !ioctl(fd, AXM_IOC_STATS, &stats));
	CHECK(stats.sent_bytes - before.sent_bytes == MOST);
	close(fd);
}

static void hangup(void)
{
	struct pollfd p = { open_channel(O_RDONLY), POLLIN, 0 };

	CHECK(poll(&p, 1, 30000) == 1);
	CHECK(p.revents & POLLERR && p.revents & POLLHUP && !(p.revents & POLLIN));
}

/* Every second page of nearly all memory is locked; the others are free. */
static void fragment(void)
{
	struct sysinfo system;
	size_t bytes, i;
	unsigned char *at;

	CHECK(!sysinfo(&system));
	bytes = system.freeram * system.mem_unit / 32 * 31 & ~(size_t)(PAGE - 1);
	at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	CHECK(at != MAP_FAILED && !madvise(at, bytes, MADV_NOHUGEPAGE));
	CHECK(!mlockall(MCL_CURRENT | MCL_ONFAULT));
	for (i = 0; i < bytes; i += PAGE)
		at[i] = 1;
	for (i = 0; i < bytes; i += 2 * PAGE)
		CHECK(!madvise(at + i, PAGE, MADV_DONTNEED_LOCKED));
}

static void fragmented(void)
{
	static unsigned char buffer[MOST];
	struct axm_info info;
	uint32_t n;
	int fd;

	fragment();
	fd = open_channel(O_RDWR);
	CHECK(!ioctl(fd, AXM_IOC_INFO, &info));
	printf("slots of %u and %u bytes\n", info.slot_bytes[0], info.slot_bytes[1]);
	CHECK(info.slot_bytes[0] < MOST || info.slot_bytes[1] < MOST);
	for (n = 0; n < 40; n++) {
		uint32_t size = MOST - n % 3 * (MOST - 5000) / 2;

		fill(buffer, size, n);
		CHECK(write(fd, buffer, size) == (ssize_t)size);
		memset(buffer, 0, MOST);
		CHECK(read(fd, buffer, MOST) == (ssize_t)size);
		check(buffer, size, n);
	}
	close(fd);
}

/* By a blocking read and by poll; a lost interrupt costs a second. */
static void lost(void)
{
	static unsigned char buffer[MOST];
	int fd = open_channel(O_RDWR), n;
	struct pollfd p = { fd, POLLIN, 0 };
	struct axm_stats stats;

	for (n = 0; n < 24; n++) {
		fill(buffer, 20000, n);
		CHECK(write(fd, buffer, 20000) == 20000);
		if (n % 2)
			CHECK(poll(&p, 1, 60000) == 1);
		CHECK(read(fd, buffer, MOST) == 20000);
		check(buffer, 20000, n);
	}
	CHECK(!ioctl(fd, AXM_IOC_STATS, &stats));
	printf("%llu interrupts, %llu missed\n", (unsigned long long)stats.interrupts,
	       (unsigned long long)stats.missed);
	CHECK(stats.missed > 0);
	close(fd);
}

static void stuck(void)
{
	static unsigned char buffer[1024];
	int out, n, in = open(path, O_RDONLY);

	if (in >= 0) /* the first who closes it finds out */
		close(in);
	REFUSED(open(path, O_RDONLY), EIO);
	out = open_channel(O_WRONLY | O_NONBLOCK);
	/* More than its ring holds: the device has taken them from memory. The FIFO takes as many. */
	for (n = 0; n < 24; n++) {
		struct pollfd p = { out, POLLOUT, 0 };

		CHECK(poll(&p, 1, 60000) == 1 && p.revents == POLLOUT);
		CHECK(write(out, buffer, 64) == 64);
	}
	close(out);
}

/* The program that waits for the file runs before the one that binds the device. */
static void early(const char *unbind, const char *bind, const char *name)
{
	pid_t child = fork();
	int n, fd, status;

	CHECK(child >= 0);
	while (!child) {
		fd = open(path, O_RDONLY);
		if (fd >= 0)
			close(fd);
		else if (errno == EIO)
			exit(1);
	}
	CHECK(!setpriority(PRIO_PROCESS, 0, 19));
	for (n = 0; n < 8; n++) {
		say(unbind, name);
		say(bind, name);
	}
	CHECK(!kill(child, SIGKILL) && waitpid(child, &status, 0) == child && WIFSIGNALED(status));
}

int fault_mode(const char *mode, int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} modes[] = {
		{ "slow", slow },     { "undone", undone },	    { "coalesce", coalesce }, { "tail", tail },
		{ "reopen", reopen }, { "continued", continued },
		{ "hangup", hangup }, { "fragmented", fragmented }, { "lost", lost },
		{ "stuck", stuck },
	};
	size_t i;

	for (i = 0; i < sizeof(modes) / sizeof(*modes); i++)
		if (!strcmp(mode, modes[i].name)) {
			modes[i].run();
			return 1;
		}
	if (strcmp(mode, "early") || argc != 6)
		return 0;
	early(argv[3], argv[4], argv[5]);
	return 1;
}
