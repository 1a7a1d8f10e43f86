/* Builds and sends the agent's answers: see reply.h. */
#include "reply.h"

#include <string.h>

#include "registers.h"

enum { DIGITS = 20, TAIL = 6 /* mark, four digits, end of line */ };

void axm_reply_begin(struct axm_reply *reply, const struct axm_hal *hal) {
  reply->hal = hal;
  reply->number = 0;
  reply->numbered = false;
  reply->length = 0;
  reply->overlong = false;
  reply->lines = 0;
  reply->skip = 0;
}

static void put(struct axm_reply *reply, const char *text) {
  const size_t length = strlen(text);
  if (length > AXM_LINE_MAX - reply->length) {
    reply->overlong = true;
    return;
  }
  memcpy(reply->text + reply->length, text, length);
  reply->length += length;
}

static void put_digits(struct axm_reply *reply, uint64_t value, unsigned base) {
  char digits[DIGITS + 1];
  size_t at = DIGITS;
  digits[at] = '\0';
  do {
    digits[--at] = "0123456789ABCDEF"[value % base];
    value /= base;
  } while (value != 0);
  put(reply, digits + at);
}

static void put_key(struct axm_reply *reply, const char *key) {
  put(reply, " ");
  put(reply, key);
  put(reply, "=");
}

void axm_reply_number(struct axm_reply *reply, const char *key, uint64_t value) {
  put_key(reply, key);
  put_digits(reply, value, 10);
}

void axm_reply_hex(struct axm_reply *reply, const char *key, uint64_t value) {
  put_key(reply, key);
  put(reply, "0x");
  put_digits(reply, value, 16);
}

void axm_reply_text(struct axm_reply *reply, const char *key, const char *value) {
  put_key(reply, key);
  put(reply, value);
}

void axm_reply_append(struct axm_reply *reply, const char *separator, const char *value) {
  put(reply, separator);
  put(reply, value);
}

void axm_reply_list(struct axm_reply *reply, const char *key, const uint64_t *values,
                    size_t count) {
  while (count > 0 && values[count - 1] == 0)
    --count;
  put_key(reply, key);
  for (size_t i = 0; i < count; ++i) {
    if (i != 0)
      put(reply, ",");
    put_digits(reply, values[i], 10);
  }
}

/* Sends the pairs as a line whose second word is `kind`. */
static enum axm_status send(struct axm_reply *reply, const char *kind) {
  char pairs[AXM_LINE_MAX + 1];
  const size_t length = reply->length;
  memcpy(pairs, reply->text, length);
  reply->length = 0;
  if (reply->numbered)
    put_digits(reply, reply->number, 10);
  else
    put(reply, "-");
  put(reply, " ");
  put(reply, kind);
  if (reply->overlong || reply->length + length + TAIL > AXM_LINE_MAX) {
    reply->overlong = false;
    reply->length = 0;
    return AXM_ERROR_OVERLONG;
  }
  memcpy(reply->text + reply->length, pairs, length);
  reply->length += length;
  const uint32_t sum = axm_crc16(reply->text, reply->length);
  reply->text[reply->length++] = '*';
  for (int shift = 12; shift >= 0; shift -= 4)
    reply->text[reply->length++] = "0123456789ABCDEF"[sum >> shift & 0xfu];
  reply->text[reply->length++] = '\n';
  const size_t whole = reply->length;
  reply->length = 0;
  reply->sent = whole;
  return reply->hal->write_bytes(reply->hal->self, reply->text, whole);
}

enum axm_status axm_reply_more(struct axm_reply *reply) {
  if (reply->lines++ >= reply->skip)
    return send(reply, "more");
  reply->length = 0;
  return AXM_OK;
}

enum axm_status axm_reply_ok(struct axm_reply *reply) {
  if (reply->lines > 0)
    axm_reply_number(reply, "lines", reply->lines);
  return send(reply, "ok");
}

enum axm_status axm_reply_error(struct axm_reply *reply, enum axm_status status, const char *about,
                                const char *why) {
  reply->length = 0;
  reply->overlong = false;
  axm_reply_text(reply, "code", axm_status_name(status));
  /* `about` comes from the command, whose length is bounded, but it need not fit. */
  if (about != NULL && strlen(about) <= 32)
    axm_reply_text(reply, "about", about);
  axm_reply_text(reply, "text", why != NULL ? why : axm_status_text(status));
  return send(reply, "error");
}
