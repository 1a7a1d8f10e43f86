// SPDX-License-Identifier: GPL-2.0-only
/* Arguments at random: right, nearly right and wrong. */
#include "fuzz.h"

static __thread uint64_t state;

void draw_from(uint64_t seed)
{
	state = seed;
}

uint64_t draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

uint32_t below(uint32_t limit)
{
	return (draw() >> 16) % limit;
}

uint32_t size(void)
{
	static const uint32_t edges[] = { 0, 1, 7, 8, 4095, 4096, MOST - 1, MOST, MOST + 1, 1u << 20 };

	return below(3) ? below(2048) : below(2) ? below(MOST + 1) : edges[below(10)];
}

uint64_t number(void)
{
	static const uint64_t edges[] = { 0, 1, 2, 16, 255, 256, 4096, MOST, 1u << 30, ~0u, ~0ull };

	return below(3) ? edges[below(11)] : draw() >> below(64);
}

void *memory(void)
{
	static unsigned char good[(1u << 20) + 8];
	struct map *map = &maps[below(MAPS)];

	switch (below(12)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(uintptr_t)draw();
	case 2:
	case 3:
		return map->at ? map->at : good;
	default:
		return good + below(8);
	}
}

int file(void)
{
	int fd = files[below(FILES)];

	if (fd < 0 && below(2))
		do_open();
	return fd < 0 ? files[below(FILES)] : fd;
}
