// SPDX-License-Identifier: GPL-2.0-only
/*
 * The device goes while a file still has something of it: packets that were not read, a copy under way.
 *
 *   axm_test DEVICE gone UNBIND NAME well|dead UNREAD COPY
 *
 * NAME is written to UNBIND; dead: the device has died before, so the half has an error. UNREAD packets
 * wait then. COPY: none, rings (with a completion that was not collected), or read or write with a page
 * that comes afterwards (read-late) or never (read-never).
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

static unsigned char buffer[PAGE];

static void send_one(int fd, uint64_t number)
{
	fill(buffer, PAGE, number);
	CHECK(write(fd, buffer, PAGE) == PAGE);
}

/* Until so many packets are there. The interrupt is on and none comes (255 packets are awaited), so that
 * the driver's watch sees when the device dies.
 */
static void arrive(int fd, uint64_t packets)
{
	struct pollfd p = { fd, POLLIN, 0 };
	struct axm_stats stats;
	int tries;

	for (tries = 0; tries < 10000; tries++) {
		CHECK(poll(&p, 1, 0) >= 0 && !ioctl(fd, AXM_IOC_STATS, &stats));
		if (stats.received_packets == packets)
			return;
		usleep(1000);
	}
	CHECK(!"all packets arrive");
}

static void dies(int fd)
{
	struct pollfd p = { fd, POLLIN, 0 };
	int tries;

	printf("axiometer-vm: the device dies\n");
	fflush(stdout);
	for (tries = 0; poll(&p, 1, 0) >= 0 && !(p.revents & POLLERR) && tries < 1000; tries++)
		usleep(10000);
	CHECK(p.revents & POLLERR);
	usleep(100000);
}

static void gone(char **argv)
{
	struct axm_coalesce never = { .half = AXM_RECEIVE, .count = 255 };
	const char *copy = argv[4];
	int dead = !strcmp(argv[2], "dead"), unread = atoi(argv[3]), error = dead ? EIO : ENODEV;
	int reads = !strncmp(copy, "read", 4), writes = !strncmp(copy, "write", 5);
	int rings = !strcmp(copy, "rings"), comes = strstr(copy, "late") != NULL;
	int fd = open_channel(O_RDWR), n;
	struct pollfd p = { fd, POLLIN, 0 };
	struct call call = { .fd = fd };
	pthread_t thread;

	CHECK(!ioctl(fd, AXM_IOC_COALESCE, &never) && poll(&p, 1, 0) == 0);
	for (n = reads ? 0 : 1; n <= unread; n++)
		send_one(fd, n);
	arrive(fd, unread + reads); /* the driver's counts begin with the device */
	if (rings)
		CHECK(!ioctl(fd, AXM_IOC_RINGS, AXM_RECEIVE));
	if (reads || writes) {
		call.at = late_page();
		CHECK(!pthread_create(&thread, NULL, reads ? read_it : write_it, &call));
		late_is_awaited();
	}
	if (dead)
		dies(fd);
	say(argv[0], argv[1]);
	fill(buffer, PAGE, 0);
	if (comes)
		late_comes(call.at, buffer);
	else if (reads || writes)
		late_never_comes(call.at);
	if (reads || writes)
		CHECK(!pthread_join(thread, NULL));
	if (reads && comes)
		CHECK(call.done == PAGE && !memcmp(call.at, buffer, PAGE));
	else if (reads || writes)
		CHECK(call.done == -1 && call.error == (comes ? ENODEV : EFAULT));
	/* What came before a fault is not lost; of a device that just goes it is. */
	for (n = reads && !comes ? 0 : 1; dead && !rings && n <= unread; n++) {
		CHECK(read(fd, buffer, PAGE) == PAGE);
		check(buffer, PAGE, n);
	}
	REFUSED(read(fd, buffer, PAGE), rings ? EBUSY : error);
	REFUSED(write(fd, buffer, PAGE), ENODEV);
	CHECK(ioctl(fd, AXM_IOC_KICK, 0) == -1 && ioctl(fd, AXM_IOC_RINGS, AXM_SEND) == -1);
	CHECK(poll(&p, 1, 0) == 1 && p.revents & POLLHUP);
	close(fd);
}

int gone_mode(const char *mode, int argc, char **argv)
{
	if (strcmp(mode, "gone"))
		return 0;
	CHECK(argc == 8);
	gone(argv + 3);
	return 1;
}
