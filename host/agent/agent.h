/* The agent: obeys the desk's lines on whatever target there is. docs/agent-protocol.md is what
 * it does; here is what its files share. A command is a function and a line in commands.c.
 */
#ifndef AXM_AGENT_H
#define AXM_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "axm.h"
#include "buffers.h"
#include "job.h"
#include "line.h"
#include "reply.h"
#include "words.h"

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
};

/* A command: takes its keys from `words`, puts its answer into agent->reply. */
typedef enum axm_status (*axm_command)(struct axm_agent *agent, struct axm_words *words);

/* Sets the agent up; its memory is the caller's (it is some 10 KiB: best static). */
void axm_agent_init(struct axm_agent *agent, const struct axm_hal *hal, uint64_t base);
/* Obeys lines until the line to the desk is closed. AXM_OK: it was; else why it ended. */
enum axm_status axm_agent_serve(struct axm_agent *agent) AXM_CHECKED;
/* Answers one line that has come whole (`status` AXM_OK) or not. */
enum axm_status axm_agent_answer(struct axm_agent *agent, enum axm_status status,
                                 bool running) AXM_CHECKED;
/* The design, found at the first use. */
enum axm_status axm_agent_device(struct axm_agent *agent, struct axm_device **device) AXM_CHECKED;
/* The block that the key `block` names; of that type, unless `type` is AXM_BLOCK_NONE. */
enum axm_status axm_agent_block(struct axm_agent *agent, struct axm_words *words,
                                enum axm_block_type type, struct axm_block_info *info) AXM_CHECKED;

/* The command that these words name; NULL if there is none. `running`: while a run is on. */
axm_command axm_command_find(const struct axm_words *words, bool running);

#endif
