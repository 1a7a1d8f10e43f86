/* A command is a function, its declaration in commands.h and a line in command_table.c. */
#ifndef AXM_AGENT_COMMAND_TABLE_H
#define AXM_AGENT_COMMAND_TABLE_H

#include "agent.h"

/* A command: takes its keys from `arguments`, puts its answer into agent->reply. */
typedef enum axm_status (*axm_command)(struct axm_agent *agent, struct axm_arguments *arguments);

/* The command that these arguments begin with; NULL if there is none. `running`: while a run is on.
 */
axm_command axm_command_find(const struct axm_arguments *arguments, bool running);

#endif
