/* packet_times.c on Linux, over the driver of this project: by its rings in shared memory, or by
 * write() and read(), which copy.
 *
 *   axm-packet-times [-c] [-n PACKETS] /dev/axm0c0 BYTES
 *
 * -c: copies. BYTES: of each packet, a multiple of 4, at most 32768. Exit status: 0; 1 for a
 * failure, which the last line names; 2 for wrong usage.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "linux_channel.h"
#include "packet_times.h"
#include "targets.h"

enum { USUAL = 100 };

static int usage(void) {
  fprintf(stderr, "usage: axm-packet-times [-c] [-n PACKETS] /dev/axm0c0 BYTES (4 to 32768)\n");
  return 2;
}

static int failed(const char *what, enum axm_status status) {
  printf("failed: %s: %s\n", what, axm_status_text(status));
  return 1;
}

static uint32_t now(const struct axm_hal *hal) { return (uint32_t)hal->now_ns(hal->self); }

/* A simulated design takes far longer than a real one. */
static void rest(const struct axm_hal *hal, uint32_t bytes) {
  hal->idle_ns(hal->self, UINT64_C(5000000) + (uint64_t)bytes * 1000);
}

static enum axm_status by_write(void *self, const void *packet, uint32_t bytes) {
  return write(*(const int *)self, packet, bytes) == (ssize_t)bytes ? AXM_OK : AXM_ERROR_SYSTEM;
}

static enum axm_status by_read(void *self, void *packet, uint32_t room, uint32_t *bytes) {
  const ssize_t got = read(*(const int *)self, packet, room);
  *bytes = got > 0 ? (uint32_t)got : 0;
  if (got < 0 && errno == EAGAIN)
    return AXM_ERROR_EMPTY;
  return got > 0 ? AXM_OK : AXM_ERROR_SYSTEM;
}

static int copying(struct axm_packet_times_setup *setup, const char *path) {
  int file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return failed(path, AXM_ERROR_SYSTEM);
  const struct axm_copying_calls calls = {by_write, by_read, &file};
  setup->calls = &calls;
  setup->copies = true;
  const int status = axm_packet_times(setup);
  close(file);
  return status;
}

static int by_rings(struct axm_packet_times_setup *setup, const char *path) {
  static struct axm_linux_channel channel;
  const enum axm_status status = axm_linux_channel_open(&channel, setup->hal, path);
  if (status != AXM_OK)
    return failed(path, status);
  setup->send = axm_linux_channel_engine(&channel, AXM_ENGINE_SEND);
  setup->receive = axm_linux_channel_engine(&channel, AXM_ENGINE_RECEIVE);
  return axm_packet_times(setup);
}

int main(int count, char **words) {
  const struct axm_linux_options none = {.registers = NULL};
  struct axm_packet_times_setup setup = {
      .sizes_count = 1, .packets = USUAL, .unit = "          ns", .count = now, .rest = rest};
  bool copies = false;
  int option = 0;
  while ((option = getopt(count, words, "cn:")) != -1) {
    if (option == 'c')
      copies = true;
    else if (option == 'n')
      setup.packets = (uint32_t)strtoul(optarg, NULL, 0);
    else
      return usage();
  }
  if (count - optind != 2)
    return usage();
  const uint32_t bytes = (uint32_t)strtoul(words[optind + 1], NULL, 0);
  if (bytes == 0 || bytes % 4 != 0 || bytes > AXM_TIMED_MOST)
    return usage();
  setup.sizes = &bytes;
  const char *what = words[optind];
  const enum axm_status status = axm_hal_linux(&none, &setup.hal, &what);
  if (status != AXM_OK)
    return failed(what, status);
  return copies ? copying(&setup, words[optind]) : by_rings(&setup, words[optind]);
}
