/* The agent as its target sees it: set up once, then it serves. */
#ifndef AXM_AGENT_SERVE_H
#define AXM_AGENT_SERVE_H

#include "agent.h"

/* Sets the agent up; its memory is the caller's (it is some 10 KiB: best static). */
void axm_agent_init(struct axm_agent *agent, const struct axm_hal *hal, uint64_t base);
/* Obeys lines until the line to the host is closed. AXM_OK: it was; else why it ended. */
enum axm_status axm_agent_serve(struct axm_agent *agent) AXM_CHECKED;
/* Answers one line that has come whole (`status` AXM_OK) or not. */
enum axm_status axm_agent_answer(struct axm_agent *agent, enum axm_status status,
                                 bool running) AXM_CHECKED;

#endif
