/* Which function obeys which command. */
#include "command_table.h"

#include <string.h>

#include "commands.h"

axm_command axm_command_find(const struct axm_arguments *arguments, bool running) {
  static const struct {
    const char *verb;
    axm_command command;
    bool parts;   /* has a second word */
    bool running; /* may come while a run is on */
  } table[] = {
      {"hello", axm_command_hello, false, false},
      {"environment", axm_command_environment, false, false},
      {"capabilities", axm_command_capabilities, false, false},
      {"buffer", axm_command_buffer, true, false},
      {"configure", axm_command_configure, true, false},
      {"run", axm_command_run, false, false},
      {"stop", axm_command_stop, false, true},
      {"result", axm_command_result, false, false},
      {"counters", axm_command_counters, false, false},
      {"records", axm_command_records, false, false},
      {"errors", axm_command_errors, false, false},
      {"register", axm_command_register, true, false},
      {"platform", axm_command_platform, true, false},
      {"reset", axm_command_reset, false, false},
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
    if (strcmp(arguments->verb, table[i].verb) != 0)
      continue;
    const bool fits = table[i].parts || *arguments->part == '\0';
    return fits && (!running || table[i].running) ? table[i].command : NULL;
  }
  return NULL;
}
