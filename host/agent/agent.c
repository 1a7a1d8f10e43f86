/* The agent's loop: takes a line, obeys it if it is whole, answers it in any case. */
#include "agent.h"

#include <string.h>

#include "registers.h"

/* How long one call waits for a line; only so that no call waits for ever. */
#define LINE_WAIT_NS UINT64_C(10000000000)

void axm_agent_init(struct axm_agent *agent, const struct axm_hal *hal, uint64_t base) {
  memset(agent, 0, sizeof *agent);
  agent->hal = hal;
  agent->base = base;
}

enum axm_status axm_agent_device(struct axm_agent *agent, struct axm_device **device) {
  if (!agent->found)
    AXM_TRY(axm_open(&agent->device, agent->hal, agent->base));
  agent->found = true;
  *device = &agent->device;
  return AXM_OK;
}

enum axm_status axm_agent_block(struct axm_agent *agent, struct axm_words *words,
                                enum axm_block_type type, struct axm_block_info *info) {
  struct axm_device *device = NULL;
  uint64_t index = 0;
  AXM_TRY(axm_agent_device(agent, &device));
  AXM_TRY(axm_words_number(words, "block", 0, UINT32_MAX, &index));
  enum axm_status status = axm_device_block(device, (uint32_t)index, info);
  if (status == AXM_OK && type != AXM_BLOCK_NONE && info->type != (uint32_t)type)
    status = AXM_ERROR_TYPE;
  if (status != AXM_OK)
    words->about = "block";
  return status;
}

/* Obeys the line at agent->line.text. */
static enum axm_status obey(struct axm_agent *agent, bool running, const char **about) {
  struct axm_reply *reply = &agent->reply;
  char *text = NULL;
  uint32_t number = 0;
  AXM_TRY(axm_line_open(agent->line.text, strlen(agent->line.text), &number, &text));
  reply->number = number;
  reply->numbered = true;
  struct axm_words words;
  words.about = NULL;
  const enum axm_status form = axm_words_split(&words, text);
  *about = words.about;
  if (form != AXM_OK)
    return form;
  /* `hello` begins a conversation, so its number may be any. */
  const bool hello = strcmp(words.verb, "hello") == 0;
  if (!hello && agent->any_number && number == agent->last_number)
    return AXM_ERROR_REPEATED;
  const axm_command command = axm_command_find(&words, running);
  if (command == NULL) {
    *about = words.verb;
    return axm_command_find(&words, false) == NULL ? AXM_ERROR_UNKNOWN : AXM_ERROR_BUSY;
  }
  agent->last_number = number;
  agent->any_number = true;
  const enum axm_status status = command(agent, &words);
  *about = words.about;
  return status;
}

enum axm_status axm_agent_answer(struct axm_agent *agent, enum axm_status status, bool running) {
  const char *about = NULL;
  axm_reply_begin(&agent->reply, agent->hal);
  if (status == AXM_OK && agent->line.text[0] == '\0')
    return AXM_OK; /* an empty line: the desk has ended a line that may have been half */
  if (status == AXM_OK)
    status = obey(agent, running, &about);
  if (status == AXM_OK)
    status = axm_reply_ok(&agent->reply);
  if (status == AXM_OK || status == AXM_ERROR_END)
    return status;
  return axm_reply_error(&agent->reply, status, about);
}

/* Whether the line is lost, rather than that one line. */
static bool lost(enum axm_status status) {
  return status != AXM_OK && status != AXM_ERROR_OVERLONG && status != AXM_ERROR_DAMAGED;
}

enum axm_status axm_agent_serve(struct axm_agent *agent) {
  for (;;) {
    enum axm_status status = axm_line_next(&agent->line, agent->hal, LINE_WAIT_NS);
    if (status == AXM_ERROR_TIMEOUT)
      continue;
    if (!lost(status))
      status = axm_agent_answer(agent, status, false);
    if (lost(status))
      return status == AXM_ERROR_END ? AXM_OK : status;
  }
}
