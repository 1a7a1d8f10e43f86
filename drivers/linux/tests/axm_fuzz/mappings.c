// SPDX-License-Identifier: GPL-2.0-only
/* Mappings of the driver's memory and of others, what is done to them, and rings in them. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#define MOST_MAP (4u << 20)

static __thread sigjmp_buf fault;
static __thread volatile sig_atomic_t touching;

static void on_fault(int number)
{
	if (touching)
		siglongjmp(fault, 1);
	_exit(100 + number);
}

void catch_faults(void)
{
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
}

int do_map(void)
{
	static const uint64_t offsets[] = { 0, 4096, 1u << 20, 1u << 30, 1ull << 31, 3ull << 30 };
	struct map *map = &maps[below(MAPS)];
	struct axm_info info;
	size_t bytes = below(2) ? MOST_MAP >> below(11) : 4096u * (1 + below(300));
	uint64_t offset = offsets[below(6)];
	int fd = file();
	void *at;

	if (below(2) && !ioctl(fd, AXM_IOC_INFO, &info)) {
		uint32_t half = below(2);

		offset = below(2) ? info.slots_offset[half] : info.ring_offset[half];
		bytes = below(2) ? (size_t)info.slots[half] * info.slot_bytes[half] : 4096;
	}
	if (!below(4))
		fd = -1;
	at = mmap(NULL, bytes ? bytes : 1, below(3) ? PROT_READ | PROT_WRITE : below(8),
		  (below(6) ? MAP_SHARED : MAP_PRIVATE) | (fd < 0 ? MAP_ANONYMOUS : 0), fd,
		  fd < 0 ? 0 : below(8) ? offset : number() & ~4095ull);
	if (at == MAP_FAILED)
		return -1;
	if (map->at)
		munmap(map->at, map->bytes);
	*map = (struct map){ at, bytes };
	return 0;
}

int do_unmap(void)
{
	struct map *map = &maps[below(MAPS)];
	void *at = map->at;

	if (!at || below(2))
		return -1;
	map->at = NULL;
	return munmap(at, below(4) ? map->bytes : 4096);
}

/* A few bytes of a mapping; writing a ring's counts and entries is meant. */
int do_touch(void)
{
	struct map map = maps[below(MAPS)];
	unsigned int i;

	if (!map.at)
		return -1;
	if (sigsetjmp(fault, 1)) {
		touching = 0;
		return -1;
	}
	touching = 1;
	for (i = below(64); i; i--) {
		size_t at = below(2) ? below(256) * 4 % map.bytes : draw() % map.bytes;
		volatile unsigned char *byte = map.at + at;

		if (below(2))
			*byte = draw();
		else
			(void)*byte;
	}
	touching = 0;
	return 0;
}

int do_protect(void)
{
	struct map *map = &maps[below(MAPS)];

	return map->at ? mprotect(map->at, below(map->bytes), below(8)) : -1;
}

int do_remap(void)
{
	struct map *map = &maps[below(MAPS)];

	if (!map->at || mremap(map->at, map->bytes, 4096u * (1 + below(64)), below(2)) == MAP_FAILED)
		return -1;
	map->at = NULL; /* and is lost */
	return 0;
}

int do_advise(void)
{
	struct map *map = &maps[below(MAPS)];

	return map->at ? madvise(map->at, map->bytes, below(26)) : -1;
}

/* A ring as a program would use it, nearly. */
int do_ring(void)
{
	struct axm_kick kick = { { 0, 0 }, 1000000, 0 };
	uint32_t half = below(2), i;
	struct axm_info info;
	struct axm_ring *ring;
	int fd = file();

	if (ioctl(fd, AXM_IOC_INFO, &info) || (ioctl(fd, AXM_IOC_RINGS, half) && errno != EBUSY))
		return -1;
	ring = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, info.ring_offset[half]);
	if (ring == MAP_FAILED)
		return -1;
	if (!sigsetjmp(fault, 1)) {
		uint32_t slots = info.slots[half] ? info.slots[half] : 1;

		touching = 1;
		for (i = below(8); i; i--) {
			struct axm_entry *e = &ring->entries[ring->submitted % slots];

			e->slot = below(16) ? below(info.slots[half] + 1) : draw();
			e->flags = below(8) ? below(4) : draw();
			e->bytes = below(8) ? 1 + below(MOST) : draw();
			__atomic_store_n(&ring->submitted, ring->submitted + 1, __ATOMIC_RELEASE);
		}
		if (!below(16))
			ring->submitted = number();
		kick.completions[half] = below(2);
		ioctl(fd, AXM_IOC_KICK, below(4) ? &kick : NULL);
		ring->collected = ring->completed - (below(8) ? 0 : below(4));
	}
	touching = 0;
	return munmap(ring, 4096);
}
