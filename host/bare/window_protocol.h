/* What passes between a program in an emulator and the verilated design: words of the machine's
 * byte order (little-endian on both sides), a request and its reply at a time. */
#ifndef AXM_WINDOW_PROTOCOL_H
#define AXM_WINDOW_PROTOCOL_H

#include <stdint.h>

enum axm_window_operation { AXM_WINDOW_READ = 0, AXM_WINDOW_WRITE = 1, AXM_WINDOW_POLL = 2 };
enum { AXM_WINDOW_FAILED = 1, AXM_WINDOW_INTERRUPT = 2 };

struct axm_window_request {
  uint32_t operation, address, value;
};

struct axm_window_reply {
  uint32_t flags; /* of AXM_WINDOW_* */
  uint32_t value; /* of a read */
};

#endif
