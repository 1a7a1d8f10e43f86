// SPDX-License-Identifier: GPL-2.0-only
/* What a random process does, by name; and that it forks, and how long it waits. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz.h"

#define INTERRUPT_US 20000

static void nothing(int number)
{
	(void)number;
}

void interrupt_often(void)
{
	struct itimerval often = { { 0, INTERRUPT_US }, { 0, INTERRUPT_US } };

	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = nothing }, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
}

static int do_fork(void)
{
	static int is_child;
	int status, i;
	pid_t child;

	if (is_child || below(4))
		return -1;
	child = fork();
	if (!child) {
		is_child = 1;
		interrupt_often();
		for (i = below(12); i; i--)
			actions[below(ACTIONS)].act();
		_exit(0);
	}
	if (child < 0)
		return -1;
	usleep(below(20000));
	if (below(2))
		kill(child, SIGKILL);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return 0;
}

static int do_sleep(void)
{
	return usleep(below(2000));
}

const struct action actions[ACTIONS] = {
	{ "open", do_open },
	{ "close", do_close },
	{ "read", do_read },
	{ "write", do_write },
	{ "readv", do_readv },
	{ "writev", do_writev },
	{ "poll", do_poll },
	{ "ioctl", do_ioctl },
	{ "mmap", do_map },
	{ "munmap", do_unmap },
	{ "touch", do_touch },
	{ "mprotect", do_protect },
	{ "mremap", do_remap },
	{ "madvise", do_advise },
	{ "seek", do_seek },
	{ "truncate", do_truncate },
	{ "sync", do_sync },
	{ "fcntl", do_fcntl },
	{ "splice", do_splice },
	{ "fork", do_fork },
	{ "sysfs", do_look },
	{ "ring", do_ring },
	{ "sleep", do_sleep },
};
