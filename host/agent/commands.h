/* All commands; docs/hosts.md describes each. */
#ifndef AXM_AGENT_COMMANDS_H
#define AXM_AGENT_COMMANDS_H

#include "arguments.h"

struct axm_agent;

enum axm_status axm_command_hello(struct axm_agent *agent,
                                  struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_environment(struct axm_agent *agent,
                                        struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_capabilities(struct axm_agent *agent,
                                         struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_register(struct axm_agent *agent,
                                     struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_platform(struct axm_agent *agent,
                                     struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_reset(struct axm_agent *agent,
                                  struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_buffer(struct axm_agent *agent,
                                   struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_configure(struct axm_agent *agent,
                                      struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_run(struct axm_agent *agent,
                                struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_stop(struct axm_agent *agent,
                                 struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_result(struct axm_agent *agent,
                                   struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_errors(struct axm_agent *agent,
                                   struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_counters(struct axm_agent *agent,
                                     struct axm_arguments *arguments) AXM_CHECKED;
enum axm_status axm_command_records(struct axm_agent *agent,
                                    struct axm_arguments *arguments) AXM_CHECKED;

#endif
