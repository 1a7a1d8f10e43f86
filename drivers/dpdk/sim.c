/* A simulated device as a target: see sim.h. Messages as in QEMU's docs/interop/vfio-user.rst. */
#include "sim.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <rte_memory.h>

#include "log.h"

enum { VERSION = 1, DMA_MAP = 2, REGION_READ = 9, REGION_WRITE = 10 };
enum { NO_REPLY = 1 << 4, ERROR = 1 << 5 };
enum { BAR0 = 0, CONFIG = 7, CONFIG_COMMAND = 4, MEMORY_AND_MASTER = 6 };
enum { READABLE = 1, WRITABLE = 2 };
enum { MOST_ANSWER = 4096 };
enum { PAUSE_US = 20 }; /* before a read: who looks again and again leaves the device no time */

struct header {
  uint16_t id, command;
  uint32_t size, flags, error;
};
struct access {
  uint64_t offset;
  uint32_t region, count;
};
struct dma_map {
  uint32_t argsz, flags;
  uint64_t offset, address, size;
};

static int fail(struct axm_sim *sim, int error) {
  if (sim->socket >= 0)
    close(sim->socket);
  sim->socket = -1;
  return -error;
}

static int take(struct axm_sim *sim, void *into, size_t bytes) {
  for (size_t at = 0; at < bytes;) {
    const ssize_t n = recv(sim->socket, (char *)into + at, bytes - at, 0);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return fail(sim, n == 0 ? ENODEV : errno);
    at += (size_t)n;
  }
  return 0;
}

/* Sends a message with `fd`, if that is not -1. */
static int give(struct axm_sim *sim, uint16_t command, uint32_t flags, const void *body,
                size_t bytes, int fd) {
  char message[sizeof(struct header) + 64];
  union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  const struct header header = {.id = sim->next++,
                                .command = command,
                                .size = (uint32_t)(sizeof header + bytes),
                                .flags = flags};
  if (sim->socket < 0)
    return -ENODEV;
  if (bytes > sizeof message - sizeof header)
    return -EMSGSIZE;
  memcpy(message, &header, sizeof header);
  memcpy(message + sizeof header, body, bytes);
  struct iovec part = {.iov_base = message, .iov_len = header.size};
  struct msghdr h = {.msg_iov = &part, .msg_iovlen = 1};
  if (fd >= 0) {
    h.msg_control = control.bytes;
    h.msg_controllen = sizeof control.bytes;
    struct cmsghdr *c = CMSG_FIRSTHDR(&h);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof fd);
    memcpy(CMSG_DATA(c), &fd, sizeof fd);
  }
  while (part.iov_len > 0) {
    const ssize_t n = sendmsg(sim->socket, &h, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return fail(sim, errno);
    part.iov_base = (char *)part.iov_base + n;
    part.iov_len -= (size_t)n;
    h.msg_control = NULL;
    h.msg_controllen = 0;
  }
  return 0;
}

/* The body of an answer: its first `room` bytes. */
static int answer(struct axm_sim *sim, void *body, size_t room) {
  struct header header;
  char rest[MOST_ANSWER];
  int error = take(sim, &header, sizeof header);
  if (error != 0)
    return error;
  if (header.size < sizeof header || header.size - sizeof header > sizeof rest)
    return fail(sim, EPROTO);
  const size_t bytes = header.size - sizeof header;
  error = take(sim, rest, bytes);
  if (error != 0)
    return error;
  if ((header.flags & ERROR) != 0)
    return header.error != 0 ? -(int)header.error : -EIO;
  if (bytes < room)
    return fail(sim, EPROTO);
  memcpy(body, rest, room);
  return 0;
}

static int call(struct axm_sim *sim, uint16_t command, const void *body, size_t bytes, int fd) {
  char nothing[1];
  const int error = give(sim, command, 0, body, bytes, fd);
  return error != 0 ? error : answer(sim, nothing, 0);
}

/* A piece of memory that one file holds without a gap. */
struct piece {
  struct axm_sim *sim;
  int fd, error;
  uint64_t address, offset, bytes;
};

static int share(struct piece *piece) {
  const struct dma_map map = {.argsz = sizeof map,
                              .flags = READABLE | WRITABLE,
                              .offset = piece->offset,
                              .address = piece->address,
                              .size = piece->bytes};
  return piece->bytes == 0 ? 0 : call(piece->sim, DMA_MAP, &map, sizeof map, piece->fd);
}

static int gather(const struct rte_memseg_list *list, const struct rte_memseg *segment, void *arg) {
  struct piece *piece = arg;
  size_t offset = 0;
  const int fd = rte_memseg_get_fd_thread_unsafe(segment);
  if (list->external != 0)
    return 0;
  if (fd < 0 || rte_memseg_get_fd_offset_thread_unsafe(segment, &offset) < 0) {
    AXM_LOG(ERR, "DPDK's memory is not a file: run with --no-huge");
    piece->error = -ENOTSUP;
    return 1;
  }
  if (fd == piece->fd && offset == piece->offset + piece->bytes &&
      segment->iova == piece->address + piece->bytes) {
    piece->bytes += segment->len;
    return 0;
  }
  piece->error = share(piece);
  piece->fd = fd;
  piece->offset = offset;
  piece->address = segment->iova;
  piece->bytes = segment->len;
  return piece->error != 0;
}

static int share_memory(struct axm_sim *sim) {
  struct piece piece = {.sim = sim, .fd = -1};
  rte_memseg_walk_thread_unsafe(gather, &piece); /* probing has the lock already */
  return piece.error != 0 ? piece.error : share(&piece);
}

static int be_master(struct axm_sim *sim) {
  struct {
    struct access access;
    uint16_t value;
  } command = {{.offset = CONFIG_COMMAND, .region = CONFIG, .count = 2}, MEMORY_AND_MASTER};
  return call(sim, REGION_WRITE, &command, sizeof command.access + 2, -1);
}

int axm_sim_open(struct axm_sim *sim, const char *path) {
  static const char hello[] = "\0\0\0\0{\"capabilities\":{}}"; /* version 0.0 */
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  *sim = (struct axm_sim){.socket = -1};
  if (strlen(path) >= sizeof address.sun_path) {
    AXM_LOG(ERR, "the socket's path is too long: %s", path);
    return -ENAMETOOLONG;
  }
  strcpy(address.sun_path, path);
  sim->socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (sim->socket < 0 || connect(sim->socket, (struct sockaddr *)&address, sizeof address) != 0) {
    const int error = errno;
    AXM_LOG(ERR, "no simulated device at %s: %s; start axm_vfio first", path, strerror(error));
    return fail(sim, error);
  }
  int error = call(sim, VERSION, hello, sizeof hello, -1);
  if (error == 0)
    error = share_memory(sim);
  if (error == 0)
    error = be_master(sim);
  if (error != 0) {
    AXM_LOG(ERR, "the simulated device at %s refuses: %s", path, strerror(-error));
    axm_sim_close(sim);
  }
  return error;
}

void axm_sim_close(struct axm_sim *sim) { (void)fail(sim, 0); }

bool axm_sim_read(struct axm_sim *sim, uint64_t offset, uint32_t *value) {
  const struct access access = {.offset = offset, .region = BAR0, .count = sizeof *value};
  struct {
    struct access access;
    uint32_t value;
  } got;
  usleep(PAUSE_US);
  if (give(sim, REGION_READ, 0, &access, sizeof access, -1) != 0 ||
      answer(sim, &got, sizeof access + sizeof *value) != 0)
    return false;
  *value = got.value;
  return true;
}

bool axm_sim_write(struct axm_sim *sim, uint64_t offset, uint32_t value) {
  const struct {
    struct access access;
    uint32_t value;
  } put = {{.offset = offset, .region = BAR0, .count = sizeof value}, value};
  return give(sim, REGION_WRITE, NO_REPLY, &put, sizeof put.access + sizeof value, -1) == 0;
}
