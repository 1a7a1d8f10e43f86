/* `platform get|set|back`: settings of the processor system by name. */
#include <string.h>

#include "agent.h"
#include "commands.h"
#include "registers.h"

enum axm_status axm_command_platform(struct axm_agent *agent, struct axm_arguments *arguments) {
  struct axm_platform *platform = &agent->platform;
  struct axm_reply *reply = &agent->reply;
  platform->hal = agent->hal;
  if (strcmp(arguments->part, "back") == 0) {
    AXM_TRY(axm_arguments_end(arguments));
    axm_reply_number(reply, "changed", platform->count);
    return axm_platform_back(platform);
  }
  const bool set = strcmp(arguments->part, "set") == 0;
  if (!set && strcmp(arguments->part, "get") != 0) {
    arguments->about = arguments->part;
    return AXM_ERROR_UNKNOWN;
  }
  const char *name = NULL;
  const char *value = NULL;
  const char *word = NULL;
  uint32_t number = 0;
  AXM_TRY(axm_arguments_word(arguments, "name", &name));
  if (set)
    AXM_TRY(axm_arguments_word(arguments, "value", &value));
  AXM_TRY(axm_arguments_end(arguments));
  const struct axm_platform_setting *setting = NULL;
  arguments->about = "name";
  AXM_TRY(axm_platform_find(platform, name, &setting));
  AXM_TRY(axm_platform_get(platform, setting, &number, &word));
  if (set) {
    arguments->about = setting->fixed ? "name" : "value";
    AXM_TRY(axm_platform_set(platform, setting, value));
  }
  arguments->about = NULL;
  const char *key = set ? "was" : "value";
  if (word != NULL)
    axm_reply_text(reply, key, word);
  else
    axm_reply_number(reply, key, number);
  axm_reply_hex(reply, "register", setting->address);
  return AXM_OK;
}
