/* The agent: obeys the host's lines on whatever target there is. docs/agent-protocol.md is what
 * it does; here is what its files share.
 */
#ifndef AXM_AGENT_H
#define AXM_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "arguments.h"
#include "axm.h"
#include "buffers.h"
#include "job.h"
#include "line.h"
#include "reply.h"

#define AXM_AGENT_PROTOCOL 1u

struct axm_agent {
  const struct axm_hal *hal;
  uint64_t base; /* address of the identification block */
  struct axm_device device;
  bool found; /* `device` is valid */
  struct axm_line line;
  struct axm_reply reply;
  struct axm_buffers buffers;
  struct axm_job job;
  uint32_t last_number; /* of the last command that was obeyed */
  bool any_number;
  /* Answers a line that comes while a run is on: axm_agent_answer of serve.h. */
  enum axm_status (*answer)(struct axm_agent *agent, enum axm_status status, bool running);
};

/* The design, found at the first use. */
enum axm_status axm_agent_device(struct axm_agent *agent, struct axm_device **device) AXM_CHECKED;
/* The block that the key `block` names; of that type, unless `type` is AXM_BLOCK_NONE. */
enum axm_status axm_agent_block(struct axm_agent *agent, struct axm_arguments *arguments,
                                enum axm_block_type type, struct axm_block_info *info) AXM_CHECKED;

#endif
