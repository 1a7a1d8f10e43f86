/* The agent's answers: lines of key=value pairs with the number of the command and a sum.
 *
 * A handler puts pairs; reply_more() sends them as one `more` line. When the handler is done the
 * agent sends the last line, `ok` with the pairs that are left, or `error`.
 */
#ifndef AXM_AGENT_REPLY_H
#define AXM_AGENT_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal.h"
#include "line.h"

struct axm_reply {
  const struct axm_hal *hal;
  uint32_t number;
  bool numbered; /* false: the number of the command could not be read */
  size_t length;
  bool overlong;
  uint32_t lines; /* `more` lines so far, those that were left out too */
  uint32_t skip;  /* of these the first so many are left out: the host has them */
  size_t sent;    /* bytes of `text` that are the line that was sent last */
  char text[AXM_LINE_MAX + 1];
};

void axm_reply_begin(struct axm_reply *reply, const struct axm_hal *hal);
void axm_reply_number(struct axm_reply *reply, const char *key, uint64_t value);
void axm_reply_hex(struct axm_reply *reply, const char *key, uint64_t value);
void axm_reply_text(struct axm_reply *reply, const char *key, const char *value);
/* More of the value that was put last. */
void axm_reply_append(struct axm_reply *reply, const char *separator, const char *value);
/* Numbers with commas between them; what is zero at the end is left out. */
void axm_reply_list(struct axm_reply *reply, const char *key, const uint64_t *values, size_t count);

enum axm_status axm_reply_more(struct axm_reply *reply) AXM_CHECKED;
/* With the number of `more` lines, if there were any: the host finds that one was lost. */
enum axm_status axm_reply_ok(struct axm_reply *reply) AXM_CHECKED;
/* Drops the pairs that are left; `about` is the key at fault, `why` a sentence in place of the
 * status's, or NULL. */
enum axm_status axm_reply_error(struct axm_reply *reply, enum axm_status status, const char *about,
                                const char *why) AXM_CHECKED;

#endif
