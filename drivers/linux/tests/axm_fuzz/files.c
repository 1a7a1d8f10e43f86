// SPDX-License-Identifier: GPL-2.0-only
/* Calls on files, but for ioctl. */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>

#include "fuzz.h"

int do_open(void)
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

int do_close(void)
{
	int *slot = &files[below(FILES)], old;

	if (below(4))
		return 0;
	old = *slot;
	*slot = -1;
	return close(old);
}

int do_read(void)
{
	int fd = file();

	return below(8) ? read(fd, memory(), below(4) ? MOST : size()) :
			  pread(fd, memory(), size(), number());
}

int do_write(void)
{
	int fd = file();

	return below(8) ? write(fd, memory(), size()) : pwrite(fd, memory(), size(), number());
}

static int in_parts(ssize_t (*call)(int fd, const struct iovec *parts, int count))
{
	struct iovec parts[3] = {
		{ memory(), below(300) }, { memory(), size() }, { memory(), below(20) },
	};

	return call(file(), parts, below(4));
}

int do_readv(void)
{
	return in_parts(readv);
}

int do_writev(void)
{
	return in_parts(writev);
}

int do_poll(void)
{
	struct pollfd polled[2] = { { file(), draw() & 0x1f, 0 }, { file(), POLLIN | POLLOUT, 0 } };

	return poll(polled, 2, below(20));
}

int do_seek(void)
{
	return lseek(file(), number(), below(4));
}

int do_truncate(void)
{
	return ftruncate(file(), number());
}

int do_sync(void)
{
	return below(2) ? fsync(file()) : fdatasync(file());
}

int do_fcntl(void)
{
	return fcntl(file(), F_SETFL, (below(2) ? O_NONBLOCK : 0) | (below(8) ? 0 : O_ASYNC));
}

int do_splice(void)
{
	int pipes[2], fd = file(), other = file(), done;

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

/* Every file of the driver's that one may read. */
int do_look(void)
{
	DIR *dir = below(8) ? NULL :
		   opendir(below(2) ? "/sys/kernel/debug/axiometer" : "/sys/class/axm/axm0c0");
	struct dirent *entry;
	char text[4096];
	int fd;

	if (!dir)
		return -1;
	while ((entry = readdir(dir))) {
		fd = entry->d_type == DT_DIR ? -1 :
		     openat(dirfd(dir), entry->d_name, O_RDONLY | O_NONBLOCK);
		if (fd >= 0) {
			while (read(fd, text, sizeof(text)) > 0)
				;
			close(fd);
		}
	}
	closedir(dir);
	return 0;
}
