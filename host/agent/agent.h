/* The agent: obeys the host's lines on whatever target there is. docs/hosts.md is what
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

/* The last command that was obeyed. The host that has no answer sends it again: it is answered
 * again, and not obeyed. */
struct axm_last {
  bool any;
  uint32_t number;
  uint16_t sum;  /* of the command's words */
  size_t length; /* of the answer with its end; 0: it has several lines, which are not stored */
  char text[AXM_LINE_MAX + 1];
};

struct axm_agent {
  const struct axm_hal *hal;
  uint64_t base; /* address of the identification block */
  struct axm_device device;
  bool found; /* `device` is valid */
  struct axm_line line;
  struct axm_reply reply;
  struct axm_buffers buffers;
  struct axm_job job;
  struct axm_platform platform;
  struct axm_last last;
  uint64_t session; /* the host's name for the time since it began; 0 after a start */
  /* Answers a line that comes while a run is on: axm_agent_answer of serve.h. */
  enum axm_status (*answer)(struct axm_agent *agent, enum axm_status status, bool running);
};

/* The design, found at the first use. */
enum axm_status axm_agent_device(struct axm_agent *agent, struct axm_device **device) AXM_CHECKED;
/* The block that the key `block` names; of that type, unless `type` is AXM_BLOCK_NONE. */
enum axm_status axm_agent_block(struct axm_agent *agent, struct axm_arguments *arguments,
                                enum axm_block_type type, struct axm_block_info *info) AXM_CHECKED;

#endif
