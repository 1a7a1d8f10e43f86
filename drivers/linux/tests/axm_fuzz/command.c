// SPDX-License-Identifier: GPL-2.0-only
/* The driver's ioctl calls, and some that it has not. */
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "fuzz.h"

static const unsigned long commands[] = {
	AXM_IOC_INFO, AXM_IOC_RINGS, AXM_IOC_KICK, AXM_IOC_EXPORT, AXM_IOC_COALESCE,
	AXM_IOC_STATS, AXM_IOC_REGISTER,
};

union argument {
	struct axm_info info;
	struct axm_kick kick;
	struct axm_coalesce coalesce;
	struct axm_export export;
	struct axm_register reg;
	struct axm_stats stats;
	uint64_t words[32];
};

/* What a command may take. */
static void good(unsigned long command, union argument *a)
{
	switch (command) {
	case AXM_IOC_KICK:
		a->kick.completions[below(2)] = below(4);
		a->kick.timeout_ns = below(2) ? below(20000000) : number();
		break;
	case AXM_IOC_EXPORT:
		a->export.half = below(2);
		a->export.flags = below(2) ? O_CLOEXEC : 0;
		break;
	case AXM_IOC_COALESCE:
		a->coalesce.half = below(2);
		a->coalesce.count = below(257);
		a->coalesce.clocks = below(16400);
		break;
	case AXM_IOC_REGISTER:
		a->reg.half = below(2);
		a->reg.fd = below(2) ? -1 : file();
		a->reg.address = (uintptr_t)maps[below(MAPS)].at;
		a->reg.slot_bytes = 4096u << below(5);
		a->reg.bytes = (uint64_t)a->reg.slot_bytes << below(6);
		break;
	}
}

int do_ioctl(void)
{
	unsigned long command = commands[below(sizeof(commands) / sizeof(*commands))];
	int fd = file(), done;
	union argument a;
	unsigned int i;

	if (command == AXM_IOC_RINGS)
		return ioctl(fd, command, below(4) ? below(2) : number());
	memset(&a, 0, sizeof(a));
	good(command, &a);
	if (!below(4))
		a.words[below(8)] = number();
	if (!below(16))
		for (i = 0; i < 32; i++)
			a.words[i] = number();
	if (!below(16))
		command = _IOC(below(4), 'x', 0x40 + below(32), below(256));
	if (!below(16))
		return ioctl(fd, command, memory());
	done = ioctl(fd, command, &a);
	if (!done && command == AXM_IOC_EXPORT) {
		int *slot = &files[below(FILES)], old = *slot;

		*slot = a.export.fd;
		close(old);
	}
	return done;
}
