/* Makes one system call on the store fail, once: preloaded into a process that uses it.

   Counts calls whose file's path contains the text that `fault_arm` gets, and lets the call with the
   number that it gets fail with an error. It knows the calls that SQLite and the importing of
   nothing else make; a call that another library makes on the same files is counted too. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static char part[256];
static long at, calls;
static int error;
static char failed[64];

void fault_arm(const char *path_part, long number, int with_error) {
  snprintf(part, sizeof part, "%s", path_part);
  at = number;
  error = with_error;
  calls = 0;
  failed[0] = 0;
}
long fault_calls(void) { return calls; }
const char *fault_failed(void) { return failed; }

static int hit(const char *what) {
  calls += 1;
  if (calls != at) return 0;
  snprintf(failed, sizeof failed, "%s", what);
  errno = error;
  return 1;
}

static int ours(const char *path) { return part[0] && path && strstr(path, part) != NULL; }

static int ours_fd(int fd) {
  char link[64], path[4096];
  if (!part[0]) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t n = readlink(link, path, sizeof path - 1);
  if (n <= 0) return 0;
  path[n] = 0;
  return ours(path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                        \
  int name(const char *path, int flags, ...) {            \
    va_list more;                                         \
    va_start(more, flags);                                \
    mode_t mode = va_arg(more, mode_t);                   \
    va_end(more);                                         \
    if (ours(path) && hit("open")) return -1;             \
    return REAL(name)(path, flags, mode);                 \
  }
OPEN(open)
OPEN(open64)

#define ON_FD(result, name, failure, parameters, arguments) \
  result name parameters {                                  \
    if (ours_fd(fd) && hit(#name)) return failure;          \
    return REAL(name) arguments;                            \
  }
ON_FD(ssize_t, read, -1, (int fd, void *to, size_t n), (fd, to, n))
ON_FD(ssize_t, write, -1, (int fd, const void *from, size_t n), (fd, from, n))
ON_FD(ssize_t, pread, -1, (int fd, void *to, size_t n, off_t o), (fd, to, n, o))
ON_FD(ssize_t, pread64, -1, (int fd, void *to, size_t n, off64_t o), (fd, to, n, o))
ON_FD(ssize_t, pwrite, -1, (int fd, const void *from, size_t n, off_t o), (fd, from, n, o))
ON_FD(ssize_t, pwrite64, -1, (int fd, const void *from, size_t n, off64_t o), (fd, from, n, o))
ON_FD(int, fsync, -1, (int fd), (fd))
ON_FD(int, fdatasync, -1, (int fd), (fd))
ON_FD(int, ftruncate, -1, (int fd, off_t n), (fd, n))
ON_FD(int, ftruncate64, -1, (int fd, off64_t n), (fd, n))
ON_FD(int, fallocate, -1, (int fd, int m, off_t o, off_t n), (fd, m, o, n))
ON_FD(int, posix_fallocate, error, (int fd, off_t o, off_t n), (fd, o, n))
ON_FD(int, fstat, -1, (int fd, struct stat *s), (fd, s))
ON_FD(int, fstat64, -1, (int fd, struct stat64 *s), (fd, s))

#define ON_PATH(name, parameters, arguments)     \
  int name parameters {                          \
    if (ours(path) && hit(#name)) return -1;     \
    return REAL(name) arguments;                 \
  }
ON_PATH(unlink, (const char *path), (path))
ON_PATH(rename, (const char *path, const char *to), (path, to))
ON_PATH(access, (const char *path, int mode), (path, mode))
ON_PATH(stat, (const char *path, struct stat *s), (path, s))
ON_PATH(stat64, (const char *path, struct stat64 *s), (path, s))
ON_PATH(mkdir, (const char *path, mode_t mode), (path, mode))

#define LOCK(name)                                             \
  int name(int fd, int what, ...) {                            \
    va_list more;                                              \
    va_start(more, what);                                      \
    void *argument = va_arg(more, void *);                     \
    va_end(more);                                              \
    if (ours_fd(fd) && hit("fcntl")) return -1;                \
    return REAL(name)(fd, what, argument);                     \
  }
LOCK(fcntl)
LOCK(fcntl64)

#define MAP(name, offset)                                                             \
  void *name(void *to, size_t n, int protection, int flags, int fd, offset o) {       \
    if (fd >= 0 && ours_fd(fd) && hit("mmap")) return MAP_FAILED;                     \
    return REAL(name)(to, n, protection, flags, fd, o);                               \
  }
MAP(mmap, off_t)
MAP(mmap64, off64_t)
