/* The line to the host over two file descriptors: see posix_line.h.
 *
 * A reader that takes nothing for WRITE_LIMIT_MS counts as gone: the agent never hangs on it.
 */
#define _POSIX_C_SOURCE 200809L
#include "posix_line.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#define WRITE_LIMIT_MS 30000

uint64_t axm_posix_now_ns(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
    return 0;
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Waits until `file` is ready for `events`; a signal counts as no time. */
static enum axm_status ready(int file, short events, uint64_t timeout_ms) {
  struct pollfd one = {.fd = file, .events = events, .revents = 0};
  const int wait = timeout_ms > INT_MAX ? INT_MAX : (int)timeout_ms;
  const int found = poll(&one, 1, wait);
  if (found < 0)
    return errno == EINTR ? AXM_ERROR_TIMEOUT : AXM_ERROR_SYSTEM;
  return found == 0 ? AXM_ERROR_TIMEOUT : AXM_OK;
}

enum axm_status axm_posix_read(int input, char *bytes, size_t room, size_t *count,
                               uint64_t timeout_ns) {
  *count = 0;
  const uint64_t round_up = timeout_ns % 1000000u != 0 ? 1 : 0;
  const enum axm_status status = ready(input, POLLIN, timeout_ns / 1000000u + round_up);
  if (status != AXM_OK)
    return status;
  const ssize_t got = read(input, bytes, room);
  if (got < 0)
    return errno == EINTR || errno == EAGAIN ? AXM_ERROR_TIMEOUT : AXM_ERROR_END;
  if (got == 0)
    return AXM_ERROR_END;
  *count = (size_t)got;
  return AXM_OK;
}

enum axm_status axm_posix_write(int output, const char *bytes, size_t count) {
  size_t sent = 0;
  while (sent < count) {
    const enum axm_status status = ready(output, POLLOUT, WRITE_LIMIT_MS);
    if (status != AXM_OK)
      return status == AXM_ERROR_TIMEOUT ? AXM_ERROR_END : status;
    const ssize_t put = write(output, bytes + sent, count - sent);
    if (put > 0)
      sent += (size_t)put;
    else if (errno != EINTR && errno != EAGAIN)
      return AXM_ERROR_END;
  }
  return AXM_OK;
}
