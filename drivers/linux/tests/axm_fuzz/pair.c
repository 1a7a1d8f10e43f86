// SPDX-License-Identifier: GPL-2.0-only
/* A well-behaved pair. Its packets have their number and size: each arrives whole, and none is
 * missing, until the device goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"

static void wrong(const char *what, uint64_t packet)
{
	fprintf(stderr, "axm_fuzz: %s, packet %llu (errno %d)\n", what, (unsigned long long)packet,
		errno);
	exit(1);
}

void behave(const char *device)
{
	static uint32_t out[MOST / 4], in[MOST / 4];
	uint64_t packet = 0;
	uint32_t i, bytes, words;
	ssize_t got;
	int fd;

	for (;;) {
		fd = open(device, O_RDWR);
		if (fd < 0) {
			if (!may_go)
				wrong("it does not open", packet);
			usleep(10000);
			continue;
		}
		__atomic_fetch_add(&shared->reopened, 1, __ATOMIC_RELAXED);
		for (;;) {
			words = 2 + below(below(8) ? 500 : MOST / 4 - 1);
			bytes = words * 4;
			for (i = 0; i < words; i++)
				out[i] = packet * 0x9e3779b9u + i;
			errno = 0;
			got = write(fd, out, bytes);
			if (got == (ssize_t)bytes) {
				memset(in, 0, bytes);
				got = read(fd, in, MOST);
			}
			if (got < 0 && errno == ENODEV && may_go)
				break;
			if (got != (ssize_t)bytes)
				wrong("it was not moved", packet);
			if (memcmp(out, in, bytes))
				wrong("it came as another", packet);
			packet++;
			usleep(below(4000)); /* the others are to get on, too */
			__atomic_fetch_add(&shared->packets, 1, __ATOMIC_RELAXED);
		}
		close(fd);
	}
}
