/* The agent's buffers: DMA memory that the host names by number. */
#ifndef AXM_AGENT_BUFFERS_H
#define AXM_AGENT_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "arguments.h"
#include "hal.h"

enum { AXM_BUFFERS = 32 };

struct axm_buffer {
  struct axm_memory memory; /* size 0: not in use */
};

struct axm_buffers {
  struct axm_buffer buffer[AXM_BUFFERS];
};

/* A part of a buffer that a command names. */
struct axm_span {
  const struct axm_memory *memory;
  uint64_t offset, size;
};

/* The part that the keys `buffer`, `offset` (default 0) and `bytes` (default: the rest) name. */
enum axm_status axm_buffers_span(struct axm_buffers *buffers, struct axm_arguments *arguments,
                                 struct axm_span *span) AXM_CHECKED;
/* The memory of the buffer that `key` names; AXM_ERROR_EMPTY if there is none of that number. */
enum axm_status axm_buffers_named(struct axm_buffers *buffers, struct axm_arguments *arguments,
                                  const char *key, struct axm_memory **memory) AXM_CHECKED;
/* Gives all buffers back. */
enum axm_status axm_buffers_release(struct axm_buffers *buffers,
                                    const struct axm_hal *hal) AXM_CHECKED;

#endif
