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
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "axm_ioctl.h"

#define WORKERS 3
#define FILES 6
#define MAPS 6
#define MOST 65536u
#define MOST_MAP (4u << 20)
#define INTERRUPT_US 20000 /* nobody waits longer */

static const unsigned long commands[] = {
	AXM_IOC_INFO, AXM_IOC_RINGS, AXM_IOC_KICK, AXM_IOC_EXPORT, AXM_IOC_COALESCE,
	AXM_IOC_STATS, AXM_IOC_REGISTER,
};

static const char *const names[] = {
	"open", "close", "read", "write", "readv", "writev", "poll", "ioctl", "mmap", "munmap",
	"touch", "mprotect", "mremap", "madvise", "seek", "truncate", "sync", "fcntl", "splice",
	"fork", "sysfs", "ring", "sleep",
};
#define ACTIONS (sizeof(names) / sizeof(*names))

struct map {
	unsigned char *at;
	size_t bytes;
};

/* Of all processes. */
static struct shared {
	uint64_t called[ACTIONS], done[ACTIONS];
	uint64_t packets, reopened;
} *shared;

static char **devices;
static int device_count, may_go;
static int files[FILES]; /* -1, or open; threads race for them on purpose */
static struct map maps[MAPS];
static __thread uint64_t state;
static __thread sigjmp_buf fault;
static __thread volatile sig_atomic_t touching;

static uint64_t draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

static uint32_t below(uint32_t limit)
{
	return (draw() >> 16) % limit;
}

static void on_fault(int number)
{
	if (touching)
		siglongjmp(fault, 1);
	_exit(100 + number);
}

static void nothing(int number)
{
	(void)number;
}

static uint32_t size(void)
{
	static const uint32_t edges[] = { 0, 1, 7, 8, 4095, 4096, MOST - 1, MOST, MOST + 1, 1u << 20 };

	return below(3) ? below(2048) : below(2) ? below(MOST + 1) : edges[below(10)];
}

/* Memory for calls: mostly good. */
static void *memory(void)
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

static int do_open(void);

/* One that is open, mostly. */
static int file(void)
{
	int fd = files[below(FILES)];

	if (fd < 0 && below(2))
		do_open();
	return fd < 0 ? files[below(FILES)] : fd;
}

static uint64_t number(void)
{
	static const uint64_t edges[] = { 0, 1, 2, 16, 255, 256, 4096, MOST, 1u << 30, ~0u, ~0ull };

	return below(3) ? edges[below(11)] : draw() >> below(64);
}

static int do_ioctl(int fd)
{
	union {
		struct axm_info info;
		struct axm_kick kick;
		struct axm_coalesce coalesce;
		struct axm_export export;
		struct axm_register reg;
		struct axm_stats stats;
		uint64_t words[32];
	} a;
	unsigned long command = commands[below(sizeof(commands) / sizeof(*commands))];
	unsigned int i;
	int done;

	memset(&a, 0, sizeof(a));
	switch (command) {
	case AXM_IOC_RINGS:
		return ioctl(fd, command, below(4) ? below(2) : number());
	case AXM_IOC_KICK:
		a.kick.completions[below(2)] = below(4);
		a.kick.timeout_ns = below(2) ? below(20000000) : number();
		break;
	case AXM_IOC_EXPORT:
		a.export.half = below(2);
		a.export.flags = below(2) ? O_CLOEXEC : 0;
		break;
	case AXM_IOC_COALESCE:
		a.coalesce.half = below(2);
		a.coalesce.count = below(257);
		a.coalesce.clocks = below(16400);
		break;
	case AXM_IOC_REGISTER:
		a.reg.half = below(2);
		a.reg.fd = below(2) ? -1 : file();
		a.reg.address = (uintptr_t)maps[below(MAPS)].at;
		a.reg.slot_bytes = 4096u << below(5);
		a.reg.bytes = (uint64_t)a.reg.slot_bytes << below(6);
		break;
	}
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

static int do_open(void)
{
	static const int modes[] = { O_RDWR, O_RDWR, O_RDONLY, O_WRONLY };
	int random = device_count > 1 ? device_count - 1 : 1;
	int *slot = &files[below(FILES)];
	int fd, old = *slot;

	fd = open(devices[below(random)], modes[below(4)] | (below(2) ? O_NONBLOCK : 0) |
		  (below(8) ? 0 : O_CLOEXEC));
	if (fd < 0)
		return -1;
	*slot = fd;
	if (old >= 0)
		close(old);
	return 0;
}

static int do_map(void)
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

/* A few bytes of a mapping; writing a ring's counts and entries is meant. */
static int touch(void)
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

/* A ring as a program would use it, nearly. */
static int use_ring(void)
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
		touching = 1;
		for (i = below(8); i; i--) {
			struct axm_entry *e = &ring->entries[ring->submitted % (info.slots[half] ? info.slots[half] : 1)];

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

/* Every file of the driver's that one may read. */
static int look(const char *folder)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;
	char text[4096], name[512];
	int fd;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		snprintf(name, sizeof(name), "%s/%s", folder, entry->d_name);
		fd = entry->d_type == DT_DIR ? -1 : open(name, O_RDONLY | O_NONBLOCK);
		if (fd >= 0) {
			while (read(fd, text, sizeof(text)) > 0)
				;
			close(fd);
		}
	}
	closedir(dir);
	return 0;
}

static int splice_some(int fd)
{
	int pipes[2], other = file(), done;

	if (pipe2(pipes, O_NONBLOCK))
		return -1;
	if (below(2)) {
		done = splice(fd, NULL, pipes[1], NULL, size(), SPLICE_F_NONBLOCK);
	} else {
		done = write(pipes[1], "packet", 6);
		done = splice(pipes[0], NULL, fd, NULL, 6, SPLICE_F_NONBLOCK);
	}
	if (!below(4))
		done = sendfile(fd, other, NULL, size());
	close(pipes[0]);
	close(pipes[1]);
	return done;
}

static int act(unsigned int what, int depth);

static int do_fork(int depth)
{
	int status, i;
	pid_t child;

	if (depth)
		return -1;
	child = fork();
	if (!child) {
		struct itimerval often = { { 0, INTERRUPT_US }, { 0, INTERRUPT_US } };

		setitimer(ITIMER_REAL, &often, NULL);
		for (i = below(12); i; i--)
			act(below(ACTIONS), 1);
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

static int act(unsigned int what, int depth)
{
	struct iovec parts[3] = {
		{ memory(), below(300) }, { memory(), size() }, { memory(), below(20) },
	};
	struct pollfd polled[2] = { { file(), draw() & 0x1f, 0 }, { file(), POLLIN | POLLOUT, 0 } };
	struct map *map = &maps[below(MAPS)];
	int fd = file(), *slot = &files[below(FILES)], old;
	void *at;

	switch (what) {
	case 0:
		return do_open();
	case 1:
		if (below(4))
			return 0;
		old = *slot;
		*slot = -1;
		return close(old);
	case 2:
		return below(8) ? read(fd, memory(), below(4) ? MOST : size()) :
				  pread(fd, memory(), size(), number());
	case 3:
		return below(8) ? write(fd, memory(), size()) :
				  pwrite(fd, memory(), size(), number());
	case 4:
		return readv(fd, parts, below(4));
	case 5:
		return writev(fd, parts, below(4));
	case 6:
		return poll(polled, 2, below(20));
	case 7:
		return do_ioctl(fd);
	case 8:
		return do_map();
	case 9:
		if (!map->at || below(2))
			return -1;
		at = map->at;
		map->at = NULL;
		return munmap(at, below(4) ? map->bytes : 4096);
	case 10:
		return touch();
	case 11:
		return map->at ? mprotect(map->at, below(map->bytes), below(8)) : -1;
	case 12:
		at = map->at ? mremap(map->at, map->bytes, 4096u * (1 + below(64)), below(2)) :
			       MAP_FAILED;
		if (at == MAP_FAILED)
			return -1;
		map->at = NULL; /* and is lost */
		return 0;
	case 13:
		return map->at ? madvise(map->at, map->bytes, below(26)) : -1;
	case 14:
		return lseek(fd, number(), below(4));
	case 15:
		return ftruncate(fd, number());
	case 16:
		return below(2) ? fsync(fd) : fdatasync(fd);
	case 17:
		return fcntl(fd, F_SETFL, (below(2) ? O_NONBLOCK : 0) | (below(8) ? 0 : O_ASYNC));
	case 18:
		return splice_some(fd);
	case 19:
		return below(4) ? 0 : do_fork(depth);
	case 20:
		return below(8) ? 0 :
				  look(below(2) ? "/sys/kernel/debug/axiometer" : "/sys/class/axm/axm0c0");
	case 21:
		return use_ring();
	default:
		return usleep(below(2000));
	}
}

static void *fuzz(void *seed)
{
	state = (uintptr_t)seed;
	for (;;) {
		unsigned int what = below(ACTIONS);
		int done = act(what, 0);

		__atomic_fetch_add(&shared->called[what], 1, __ATOMIC_RELAXED);
		if (done >= 0)
			__atomic_fetch_add(&shared->done[what], 1, __ATOMIC_RELAXED);
	}
	return NULL;
}

static pid_t worker(uint64_t seed)
{
	struct itimerval often = { { 0, INTERRUPT_US }, { 0, INTERRUPT_US } };
	pthread_t second;
	unsigned int i;
	pid_t pid = fork();

	if (pid)
		return pid;
	for (i = 0; i < FILES; i++)
		files[i] = -1;
	if (nice(5) < 0)
		errno = 0; /* the pair and the parent come first */
	signal(SIGSEGV, on_fault);
	signal(SIGBUS, on_fault);
	signal(SIGIO, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	sigaction(SIGALRM, &(struct sigaction){ .sa_handler = nothing }, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	if (pthread_create(&second, NULL, fuzz, (void *)(uintptr_t)(seed * 3 | 1)))
		_exit(1);
	fuzz((void *)(uintptr_t)(seed | 1));
	_exit(0);
}

static void wrong(const char *what, uint64_t packet)
{
	fprintf(stderr, "axm_fuzz: %s, packet %llu (errno %d)\n", what, (unsigned long long)packet,
		errno);
	exit(1);
}

/* Packets that say their number and size: each comes whole, and none is left out, until the device
 * goes.
 */
static void behave(const char *device)
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

static void say(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY);

	if (fd >= 0) {
		if (write(fd, text, strlen(text)) < 0)
			usleep(1000);
		close(fd);
	}
}

/* The emulated clock is real, where there is one; the processor's time is that of its instructions. */
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
	state = strtoull(argv[2], NULL, 0) * 2 + 1;
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
	for (i = 0; i < WORKERS; i++) {
		kill(workers[i], SIGKILL);
		waitpid(workers[i], &status, 0);
	}
	if (pair > 0) {
		kill(pair, SIGKILL);
		waitpid(pair, &status, 0);
	}
	printf("axm_fuzz: seed %s, calls (of these done):", argv[2]);
	for (i = 0; i < ACTIONS; i++)
		printf(" %s %llu (%llu)", names[i], (unsigned long long)shared->called[i],
		       (unsigned long long)shared->done[i]);
	printf("\naxm_fuzz: %u killed, %u unbound, %llu packets beside them: %s\n", kills, unbinds,
	       (unsigned long long)shared->packets, bad ? "bad" : "good");
	return bad;
}
