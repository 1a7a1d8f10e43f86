// SPDX-License-Identifier: GPL-2.0-only
/*
 * All calls of the driver at random, with arguments that are right, nearly right and wrong, by
 * processes of two threads that are killed now and then; beside them the device is unbound and
 * bound, and one pair that behaves well checks what it gets.
 *
 *   axm_fuzz SECONDS SEED UNBIND BIND NAME DEVICE...
 *
 * UNBIND, BIND: files of sysfs that NAME is written to, or - for a device that stays. The last of
 * several DEVICEs is the well-behaved pair's; of one the random processes let it have none. Exit
 * status 0, or 1 with what was wrong. The kernel's own words have to be looked at, too.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "axm_fuzz/fuzz.h"

#define WORKERS 3

struct shared *shared;
char **devices;
int device_count, may_go;
int files[FILES];
struct map maps[MAPS];

static void *fuzz(void *seed)
{
	draw_from((uintptr_t)seed);
	for (;;) {
		unsigned int what = below(ACTIONS);
		int done = actions[what].act();

		__atomic_fetch_add(&shared->called[what], 1, __ATOMIC_RELAXED);
		if (done >= 0)
			__atomic_fetch_add(&shared->done[what], 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static pid_t worker(uint64_t seed)
{
	pthread_t second;
	unsigned int i;
	pid_t pid = fork();

	if (pid)
		return pid;
	for (i = 0; i < FILES; i++)
		files[i] = -1;
	if (nice(5) < 0)
		errno = 0; /* the pair and the parent come first */
	catch_faults();
	signal(SIGIO, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	interrupt_often();
	if (pthread_create(&second, NULL, fuzz, (void *)(uintptr_t)(seed * 3 | 1)))
		_exit(1);
	fuzz((void *)(uintptr_t)(seed | 1));
	_exit(0);
}

static void say(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd >= 0) {
		if (write(fd, text, strlen(text)) < 0)
			usleep(1000);
		close(fd);
	}
}

/* The emulated clock is real, where there is one; the processor's is that of its instructions. */
static long now(void)
{
	FILE *clock = fopen("/sys/class/rtc/rtc0/since_epoch", "r");
	long seconds = time(NULL);

	if (clock) {
		if (fscanf(clock, "%ld", &seconds) != 1)
			seconds = time(NULL);
		fclose(clock);
	}
	return seconds;
}

int main(int argc, char **argv)
{
	pid_t workers[WORKERS], pair = -1;
	unsigned int i, kills = 0, unbinds = 0;
	int status, bad = 0;
	long until;

	if (argc < 7) {
		fprintf(stderr, "axm_fuzz SECONDS SEED UNBIND BIND NAME DEVICE...\n");
		return 2;
	}
	devices = argv + 6;
	device_count = argc - 6;
	may_go = strcmp(argv[3], "-") != 0;
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	draw_from(strtoull(argv[2], NULL, 0) * 2 + 1);
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	until = now() + atol(argv[1]);
	if (device_count > 1) {
		pair = fork();
		if (!pair)
			behave(devices[device_count - 1]);
	}
	for (i = 0; i < WORKERS; i++)
		workers[i] = worker(draw());
	while (now() < until && !bad) {
		usleep(5000 + below(30000));
		i = below(WORKERS);
		if (!below(6)) {
			kill(workers[i], SIGKILL);
			kills++;
		}
		if (may_go && !below(16)) {
			say(argv[3], argv[5]);
			usleep(below(20000));
			say(argv[4], argv[5]);
			unbinds++;
		}
		for (i = 0; i < WORKERS; i++)
			if (waitpid(workers[i], &status, WNOHANG) == workers[i])
				workers[i] = worker(draw());
		if (pair > 0 && waitpid(pair, &status, WNOHANG) == pair) {
			pair = -1;
			bad = 1;
		}
	}
	for (i = 0; i < WORKERS; i++)
		kill(workers[i], SIGKILL);
	if (pair > 0)
		kill(pair, SIGKILL);
	while (waitpid(-1, &status, 0) > 0) /* also what those who were killed had begun */
		;
	printf("axm_fuzz: seed %s, calls (of these done):", argv[2]);
	for (i = 0; i < ACTIONS; i++)
		printf(" %s %llu (%llu)", actions[i].name, (unsigned long long)shared->called[i],
		       (unsigned long long)shared->done[i]);
	printf("\naxm_fuzz: %u killed, %u unbound, %llu packets beside them: %s\n", kills, unbinds,
	       (unsigned long long)shared->packets, bad ? "bad" : "good");
	return bad;
}
