/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of axm_fuzz share: what is drawn, and what a process has open and mapped. */
#ifndef AXM_FUZZ_H
#define AXM_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "axm_ioctl.h"

#define FILES 6
#define MAPS 6
#define MOST 65536u
#define ACTIONS 23

struct map {
	unsigned char *at;
	size_t bytes;
};

/* Of all processes. */
struct shared {
	uint64_t called[ACTIONS], done[ACTIONS];
	uint64_t packets, reopened;
};

extern struct shared *shared;
extern char **devices;
extern int device_count, may_go;
extern int files[FILES]; /* -1, or open; threads race for them on purpose */
extern struct map maps[MAPS];

/* arguments.c: of a thread, from `seed` on. */
void draw_from(uint64_t seed);
uint64_t draw(void);
uint32_t below(uint32_t limit);
uint32_t size(void);
uint64_t number(void);
void *memory(void); /* for calls: mostly good */
int file(void); /* one that is open, mostly */

/* Actions: -1 if it was not done. */
struct action {
	const char *name;
	int (*act)(void);
};

extern const struct action actions[ACTIONS];
/* Repeated signals, so that no call waits longer than 20 ms. */
void interrupt_often(void);

/* files.c, command.c, mappings.c */
int do_open(void);
int do_close(void);
int do_read(void);
int do_write(void);
int do_readv(void);
int do_writev(void);
int do_poll(void);
int do_seek(void);
int do_truncate(void);
int do_sync(void);
int do_fcntl(void);
int do_splice(void);
int do_look(void);
int do_ioctl(void);
int do_map(void);
int do_unmap(void);
int do_touch(void);
int do_protect(void);
int do_remap(void);
int do_advise(void);
int do_ring(void);
/* Accesses of mappings that are none end the action, others the process. */
void catch_faults(void);

/* pair.c: does not return; the exit status is 1 if the device gave it something wrong. */
void behave(const char *device);

#endif
