/* The fabric of an emulator that has none: each access becomes a message to the verilated design
 * (lab/window/), by the emulator's semihosting (ARM DUI 0203: SYS_OPEN, SYS_WRITE, SYS_READ on
 * two named pipes in its working directory). Not for boards: without a debugger the call is an
 * exception.
 */
#include "bare.h"
#include "window_protocol.h"

enum { SYS_OPEN = 0x01, SYS_WRITE = 0x05, SYS_READ = 0x06 };
enum { READ_BINARY = 1, WRITE_BINARY = 5 };

static int requests = -1, replies = -1;

static int open_pipe(const char *name, uintptr_t length, uintptr_t mode) {
  const uintptr_t arguments[3] = {(uintptr_t)name, mode, length};
  return (int)axm_semihosting(SYS_OPEN, arguments);
}

static bool pass(int operation, int pipe, void *bytes, uintptr_t count) {
  const uintptr_t arguments[3] = {(uintptr_t)pipe, (uintptr_t)bytes, count};
  return axm_semihosting(operation, arguments) == 0; /* how many bytes were not passed */
}

void axm_window_start(void) {
  requests = open_pipe("axm-requests", 12, WRITE_BINARY);
  replies = open_pipe("axm-replies", 11, READ_BINARY);
}

static struct axm_window_reply ask(enum axm_window_operation operation, uint32_t address,
                                   uint32_t value) {
  struct axm_window_request request = {(uint32_t)operation, address, value};
  struct axm_window_reply reply = {AXM_WINDOW_FAILED, UINT32_MAX};
  if (requests < 0 || replies < 0 || !pass(SYS_WRITE, requests, &request, sizeof request) ||
      !pass(SYS_READ, replies, &reply, sizeof reply))
    return (struct axm_window_reply){AXM_WINDOW_FAILED, UINT32_MAX};
  if ((reply.flags & AXM_WINDOW_INTERRUPT) != 0)
    axm_gic_pend();
  return reply;
}

bool axm_window_access(bool write, uint32_t address, uint32_t *value) {
  const struct axm_window_reply reply =
      ask(write ? AXM_WINDOW_WRITE : AXM_WINDOW_READ, address, write ? *value : 0);
  if (!write)
    *value = reply.value;
  return (reply.flags & AXM_WINDOW_FAILED) == 0;
}

void axm_window_poll(void) { (void)ask(AXM_WINDOW_POLL, 0, 0); }
