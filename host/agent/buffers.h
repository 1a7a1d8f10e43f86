/* The agent's buffers: DMA memory that the desk names by number. */
#ifndef AXM_AGENT_BUFFERS_H
#define AXM_AGENT_BUFFERS_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"
#include "words.h"

enum { AXM_BUFFERS = 32 };

struct axm_buffer {
  struct axm_memory memory; /* size 0: not in use */
};

struct axm_buffers {
  struct axm_buffer buffer[AXM_BUFFERS];
};

struct axm_agent;

/* A part of a buffer that a command names. */
struct axm_span {
  const struct axm_memory *memory;
  uint64_t offset, size;
};

/* The part that the keys `buffer`, `offset` (default 0) and `bytes` (default: the rest) name. */
enum axm_status axm_buffers_span(struct axm_buffers *buffers, struct axm_words *words,
                                 struct axm_span *span) AXM_CHECKED;
/* Gives all buffers back. */
enum axm_status axm_buffers_release(struct axm_buffers *buffers,
                                    const struct axm_hal *hal) AXM_CHECKED;

enum axm_status axm_command_buffer(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;

#endif
