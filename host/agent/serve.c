/* The agent's loop: takes a line, obeys it if it is whole, answers it in any case. */
#include "serve.h"

#include <string.h>

#include "command_table.h"
#include "registers.h"

/* Limit of one call's wait for a line. */
#define LINE_WAIT_NS UINT64_C(10000000000)

void axm_agent_init(struct axm_agent *agent, const struct axm_hal *hal, uint64_t base) {
  memset(agent, 0, sizeof *agent);
  agent->hal = hal;
  agent->base = base;
  agent->answer = axm_agent_answer;
}

/* Whether the answer to the line at hand is that of the last one, which was sent again. */
static bool is_again(const struct axm_last *last, uint32_t number, uint16_t sum) {
  return last->any && last->number == number && last->sum == sum && last->length > 0;
}

static void note(struct axm_last *last, uint32_t number, uint16_t sum) {
  last->any = true;
  last->number = number;
  last->sum = sum;
  last->length = 0;
}

/* Stores the answer that was sent, if it has one line. A later command may have stopped a run:
 * then that command is the last. */
static void keep(struct axm_last *last, const struct axm_reply *reply) {
  if (reply->number != last->number || reply->lines > 0)
    return;
  last->length = reply->sent;
  memcpy(last->text, reply->text, reply->sent);
}

enum what { REFUSED, OBEYED, OBEYED_BEFORE };

/* Executes the line at agent->line.text. OBEYED_BEFORE: it is the last one, whose answer is stored.
 */
static enum axm_status obey(struct axm_agent *agent, bool running, struct axm_arguments *arguments,
                            enum what *what) {
  struct axm_reply *reply = &agent->reply;
  char *text = NULL;
  uint32_t number = 0;
  AXM_TRY(axm_line_open(agent->line.text, strlen(agent->line.text), &number, &text));
  const uint16_t sum = axm_crc16(text, strlen(text));
  if (is_again(&agent->last, number, sum)) {
    *what = OBEYED_BEFORE;
    return AXM_OK;
  }
  reply->number = number;
  reply->numbered = true;
  AXM_TRY(axm_arguments_split(arguments, text));
  /* `hello` begins a conversation, or checks that this one goes on: it may have any number, and is
   * not the last command. */
  const bool hello = strcmp(arguments->verb, "hello") == 0;
  if (!hello && agent->last.any && number == agent->last.number)
    return AXM_ERROR_REPEATED;
  AXM_TRY(axm_arguments_option32(arguments, "skip", 0, UINT32_MAX, &reply->skip));
  const axm_command command = axm_command_find(arguments, running);
  if (command == NULL) {
    arguments->about = arguments->verb;
    return axm_command_find(arguments, false) == NULL ? AXM_ERROR_UNKNOWN : AXM_ERROR_BUSY;
  }
  if (!hello) {
    *what = OBEYED;
    note(&agent->last, number, sum);
  }
  return command(agent, arguments);
}

enum axm_status axm_agent_answer(struct axm_agent *agent, enum axm_status status, bool running) {
  struct axm_arguments arguments;
  arguments.about = arguments.why = NULL;
  enum what what = REFUSED;
  axm_reply_begin(&agent->reply, agent->hal);
  if (status == AXM_OK && agent->line.text[0] == '\0')
    return AXM_OK; /* an empty line: the host has ended a line that may have been half */
  if (status == AXM_OK)
    status = obey(agent, running, &arguments, &what);
  if (what == OBEYED_BEFORE)
    return agent->hal->write_bytes(agent->hal->self, agent->last.text, agent->last.length);
  if (status == AXM_OK)
    status = axm_reply_ok(&agent->reply);
  if (status != AXM_OK && status != AXM_ERROR_END)
    status = axm_reply_error(&agent->reply, status, arguments.about, arguments.why);
  if (status == AXM_OK && what == OBEYED)
    keep(&agent->last, &agent->reply);
  return status;
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
