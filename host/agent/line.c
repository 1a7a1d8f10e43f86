/* Collects lines and checks them: see line.h. */
#include "line.h"

#include <string.h>

enum { SUM_DIGITS = 4, NUMBER_DIGITS = 10 };

uint16_t axm_crc16(const char *bytes, size_t count) {
  uint32_t sum = 0xffff;
  for (size_t i = 0; i < count; ++i) {
    sum ^= (uint32_t)(unsigned char)bytes[i] << 8;
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum & 0x8000u) != 0 ? sum << 1 ^ 0x1021u : sum << 1;
    sum &= 0xffffu;
  }
  return (uint16_t)sum;
}

static void forget(struct axm_line *line) {
  line->length = 0;
  line->overlong = false;
  line->dirty = false;
}

/* The line that has ended; the next byte begins a new one. */
static enum axm_status finish(struct axm_line *line) {
  const enum axm_status status = line->overlong ? AXM_ERROR_OVERLONG
                                 : line->dirty  ? AXM_ERROR_DAMAGED
                                                : AXM_OK;
  if (line->length > 0 && line->text[line->length - 1] == '\r')
    --line->length;
  line->text[line->length] = '\0';
  return status;
}

/* Takes the bytes at hand; true when a line has ended. */
static bool collect(struct axm_line *line) {
  while (line->chunk_next < line->chunk_end) {
    const char byte = line->chunk[line->chunk_next++];
    if (byte == '\n')
      return true;
    /* A return is allowed before the end of the line only: terminals send it. */
    const bool after_return = line->length > 0 && line->text[line->length - 1] == '\r';
    if (after_return || ((byte < ' ' || byte > '~') && byte != '\r'))
      line->dirty = true;
    if (line->length < AXM_LINE_MAX)
      line->text[line->length++] = byte;
    else
      line->overlong = true;
  }
  return false;
}

enum axm_status axm_line_next(struct axm_line *line, const struct axm_hal *hal,
                              uint64_t timeout_ns) {
  /* What finish() gave was read by the caller: `chunk_end` 0 marks a line never used. */
  for (;;) {
    if (collect(line)) {
      const enum axm_status status = finish(line);
      const size_t length = line->length;
      forget(line);
      line->length = 0;
      line->text[length] = '\0';
      return status;
    }
    const bool half = line->length > 0 || line->dirty;
    const bool patient = half && timeout_ns >= AXM_LINE_SILENCE_NS;
    size_t count = 0;
    const enum axm_status status =
        hal->read_bytes(hal->self, line->chunk, sizeof line->chunk, &count,
                        patient ? AXM_LINE_SILENCE_NS : timeout_ns);
    line->chunk_next = 0;
    line->chunk_end = count;
    if (status == AXM_OK)
      continue;
    if (half && (status == AXM_ERROR_END || (patient && status == AXM_ERROR_TIMEOUT))) {
      forget(line);
      return AXM_ERROR_DAMAGED;
    }
    return status;
  }
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  return -1;
}

enum axm_status axm_line_open(char *text, size_t length, uint32_t *number, char **rest) {
  if (length < SUM_DIGITS + 1 || text[length - SUM_DIGITS - 1] != '*')
    return AXM_ERROR_DAMAGED;
  uint32_t told = 0;
  for (size_t i = length - SUM_DIGITS; i < length; ++i) {
    const int digit = hex_digit(text[i]);
    if (digit < 0)
      return AXM_ERROR_DAMAGED;
    told = told << 4 | (uint32_t)digit;
  }
  const size_t body = length - SUM_DIGITS - 1;
  /* Two lines that were merged have two marks. */
  if (memchr(text, '*', body) != NULL || told != axm_crc16(text, body))
    return AXM_ERROR_DAMAGED;
  text[body] = '\0';
  uint64_t value = 0;
  size_t i = 0;
  while (i < NUMBER_DIGITS && text[i] >= '0' && text[i] <= '9')
    value = value * 10 + (uint64_t)(text[i++] - '0');
  if (i == 0 || value > UINT32_MAX || text[i] != ' ')
    return AXM_ERROR_DAMAGED;
  *number = (uint32_t)value;
  *rest = text + i + 1;
  return AXM_OK;
}
