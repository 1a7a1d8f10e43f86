/* Commands that are not declared with the part of the agent that they belong to. */
#ifndef AXM_AGENT_COMMANDS_H
#define AXM_AGENT_COMMANDS_H

#include "words.h"

struct axm_agent;

enum axm_status axm_command_counters(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;
enum axm_status axm_command_records(struct axm_agent *agent, struct axm_words *words) AXM_CHECKED;

#endif
