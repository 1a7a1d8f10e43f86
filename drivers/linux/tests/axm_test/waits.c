// SPDX-License-Identifier: GPL-2.0-only
/*
 * Waiting: what ends it, and for whom others wait. Each mode fails on a driver that has the fault.
 *
 *   axm_test DEVICE restart        a wait with a limit ends, also under signals that restart calls
 *   axm_test DEVICE fresh          poll of a sending ring that has sent nothing yet
 *   axm_test DEVICE closing OTHER  a channel that is being closed stops no other one (OTHER)
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

static volatile sig_atomic_t fired;

static void fires(int number)
{
	(void)number;
	if (++fired >= 100)
		_exit(1); /* 5 seconds */
}

static void restart(void)
{
	struct axm_kick kick = { .completions = { 1, 0 }, .timeout_ns = 300000000ull };
	struct itimerval often = { { 0, 50000 }, { 0, 50000 } }, stop = { 0 };
	int fd = open_channel(O_RDWR);

	CHECK(!ioctl(fd, AXM_IOC_RINGS, AXM_RECEIVE));
	REFUSED(ioctl(fd, AXM_IOC_KICK, &kick), ETIME);
	CHECK(!sigaction(SIGALRM, &(struct sigaction){ .sa_handler = fires, .sa_flags = SA_RESTART }, NULL));
	CHECK(!setitimer(ITIMER_REAL, &often, NULL));
	REFUSED(ioctl(fd, AXM_IOC_KICK, &kick), EINTR);
	CHECK(!setitimer(ITIMER_REAL, &stop, NULL));
	close(fd);
}

static void fresh(void)
{
	static unsigned char pages[2 * PAGE] __attribute__((aligned(PAGE)));
	struct axm_register two = { .half = AXM_RECEIVE, .fd = -1, .address = (uintptr_t)pages,
				    .bytes = sizeof(pages), .slot_bytes = PAGE };
	struct half in = { .memory = pages }, out = { .memory = NULL };
	int fd = open_channel(O_RDWR), n;
	struct pollfd p = { fd, POLLOUT, 0 };

	CHECK(!ioctl(fd, AXM_IOC_REGISTER, &two));
	half_open(&in, fd, AXM_RECEIVE);
	half_open(&out, fd, AXM_SEND);
	CHECK(poll(&p, 1, 10000) == 1 && p.revents == POLLOUT);
	submit(&out, 0, AXM_LAST, MOST);
	CHECK(!ioctl(fd, AXM_IOC_KICK, 0));
	CHECK(poll(&p, 1, 300) == 0); /* the receiver has not so much room */
	for (n = 0; n < (int)(MOST / sizeof(pages)); n++) {
		await(&in, 2);
		CHECK(completion(&in) && completion(&in));
		put(&in, 0, 0, PAGE);
		submit(&in, 1, 0, PAGE);
		CHECK(!ioctl(fd, AXM_IOC_KICK, 0));
	}
	CHECK(poll(&p, 1, 10000) == 1 && p.revents == POLLOUT && completion(&out));
	CHECK(poll(&p, 1, 10000) == 1 && p.revents == POLLOUT && !completion(&out));
	close(fd);
}

static double now(void)
{
	struct timespec t;

	CHECK(!clock_gettime(CLOCK_MONOTONIC, &t));
	return t.tv_sec + t.tv_nsec * 1e-9;
}

static volatile int closed;
static double took;

static void *close_it(void *file)
{
	double begin = now();

	close(*(int *)file);
	took = now() - begin;
	closed = 1;
	return NULL;
}

/* The longest of the rounds of a packet, of at least 50 and until all is closed. */
static double longest_round(int fd)
{
	static unsigned char packet[64];
	double longest = 0;
	int n;

	for (n = 0; n < 50 || !closed; n++) {
		double begin = now();

		CHECK(write(fd, packet, 64) == 64 && read(fd, packet, 64) == 64);
		if (now() - begin > longest)
			longest = now() - begin;
	}
	return longest;
}

/* Its receiver takes a packet each 30 ms, so a sender with many under way takes long to close. */
static void *read_slowly(void *file)
{
	static unsigned char packet[MOST];

	while (read(*(int *)file, packet, MOST) > 0 && !closed)
		usleep(30000);
	return NULL;
}

static void closing(const char *other)
{
	static unsigned char packet[PAGE];
	int in = open_channel(O_RDONLY), out = open_channel(O_WRONLY | O_NONBLOCK), fd = open(other, O_RDWR);
	struct pollfd p = { out, POLLOUT, 0 };
	pthread_t reader, closer;
	double longest;
	int n, refused = 0;

	CHECK(fd >= 0);
	for (n = 0; refused < 3; n++) {
		if (write(out, packet, PAGE) == PAGE)
			continue;
		CHECK(errno == EAGAIN);
		refused++;
		usleep(50000);
	}
	CHECK(poll(&p, 1, 0) == 0); /* its interrupt is on */
	CHECK(!pthread_create(&reader, NULL, read_slowly, &in));
	CHECK(!pthread_create(&closer, NULL, close_it, &out));
	longest = longest_round(fd);
	CHECK(!pthread_join(closer, NULL));
	printf("%d packets; closing took %.0f ms, the other channel's longest round %.1f ms\n", n,
	       took * 1e3, longest * 1e3);
	CHECK(took > 0.3 && longest < took / 3);
	exit(0); /* the reader may wait for ever */
}

int wait_mode(const char *mode, int argc, char **argv)
{
	if (!strcmp(mode, "restart")) {
		restart();
	} else if (!strcmp(mode, "fresh")) {
		fresh();
	} else if (!strcmp(mode, "closing")) {
		CHECK(argc == 4);
		closing(argv[3]);
	} else {
		return 0;
	}
	return 1;
}
