/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of axm_test share: packets that check themselves, and a channel's rings. */
#ifndef AXM_TEST_H
#define AXM_TEST_H

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include "axm_ioctl.h"

#define MOST 65536u
#define PAGE 4096u

#define CHECK(what)                                                                                \
	do {                                                                                       \
		if (!(what)) {                                                                     \
			fprintf(stderr, "axm_test: %s:%d: %s (errno %d)\n", __FILE_NAME__,         \
				__LINE__, #what, errno);                                           \
			exit(1);                                                                   \
		}                                                                                  \
	} while (0)
#define REFUSED(call, error) CHECK((call) == -1 && errno == (error))

extern const char *path;
extern uint64_t bytes_moved, packets_moved, empty;
uint64_t draw(uint64_t *state);
uint32_t draw_size(uint64_t *state);
int open_channel(int flags);
void fill(unsigned char *to, uint32_t bytes, uint64_t number);
void check(const unsigned char *from, uint32_t bytes, uint64_t number);

/* A half in shared memory. */
struct half {
	int fd;
	uint32_t which, slots, slot_bytes;
	struct axm_ring *ring;
	unsigned char *memory;
	uint32_t submitted, collected;
};

void half_open(struct half *half, int fd, uint32_t which);
void half_close(struct half *half);
void submit(struct half *half, uint32_t slot, uint32_t flags, uint32_t bytes);

/* Parts of a submission: entries, then that they are there. */
static inline void put(struct half *half, uint32_t slot, uint32_t flags, uint32_t bytes)
{
	half->ring->entries[half->submitted++ & (half->slots - 1)] =
		(struct axm_entry){ slot, flags, bytes };
}

static inline void publish(struct half *half)
{
	__atomic_store_n(&half->ring->submitted, half->submitted, __ATOMIC_RELEASE);
}

static inline unsigned char *slot_at(const struct half *half, uint32_t slot)
{
	return half->memory + (size_t)slot * half->slot_bytes;
}

/* The oldest completion that was not yet taken, or NULL. */
const struct axm_entry *completion(struct half *half);
/* Until `count` completions of the half wait; the exit status is 1 if they do not come. */
void await(struct half *half, uint32_t count);

/* faults.c: a page that does not exist until it comes, threads that read or write a page, and a file of
 * sysfs that gets a text.
 */
struct call {
	int fd;
	unsigned char *at;
	ssize_t done;
	int error;
};

unsigned char *late_page(void);
void late_is_awaited(void);
void late_comes(unsigned char *at, unsigned char *content);
void late_never_comes(unsigned char *at);
void *read_it(void *call);
void *write_it(void *call);
void say(const char *where, const char *what);

/* Each in the file of its name. */
int gone_mode(const char *mode, int argc, char **argv);
int wait_mode(const char *mode, int argc, char **argv);
int stream_mode(const char *mode, int argc, char **argv);
int memory_mode(const char *mode, int argc, char **argv);
int ring_mode(const char *mode, int argc, char **argv);
int fault_mode(const char *mode, int argc, char **argv);
int count_mode(const char *mode, int argc, char **argv);

#endif
