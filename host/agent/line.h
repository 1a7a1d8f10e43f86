/* Lines between the host and the agent: collecting one from the bytes that come, and its check.
 * docs/hosts.md has the form of a line.
 */
#ifndef AXM_AGENT_LINE_H
#define AXM_AGENT_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal.h"

enum {
  AXM_LINE_MAX = 1000, /* characters of a line, without its end */
  AXM_LINE_CHUNK = 256
};

/* A line that stays half for this long is given up. */
#define AXM_LINE_SILENCE_NS UINT64_C(2000000000)

struct axm_line {
  char text[AXM_LINE_MAX + 1]; /* the line so far, or the whole one, terminated */
  size_t length;
  bool overlong; /* the rest of the line is to be dropped */
  bool dirty;    /* a byte that no line may hold has come */
  char chunk[AXM_LINE_CHUNK];
  size_t chunk_next, chunk_end;
};

/* CRC-16/CCITT-FALSE: polynomial 0x1021, initial 0xFFFF, not reflected, no final XOR. */
uint16_t axm_crc16(const char *bytes, size_t count);

/* Waits for the next whole line, at most timeout_ns. AXM_OK: `text` is the line, which may be
 * empty. AXM_ERROR_TIMEOUT: not whole yet, call again. AXM_ERROR_OVERLONG, AXM_ERROR_DAMAGED
 * (a byte that no line holds, or half a line and then silence or the end): the line is gone, the
 * next call starts a new line. AXM_ERROR_END and others: no line will follow. */
enum axm_status axm_line_next(struct axm_line *line, const struct axm_hal *hal,
                              uint64_t timeout_ns) AXM_CHECKED;

/* Checks the sum of a line and cuts it off; then takes the number that it begins with.
 * *rest is what follows the number and a blank. AXM_ERROR_DAMAGED. */
enum axm_status axm_line_open(char *text, size_t length, uint32_t *number, char **rest) AXM_CHECKED;

#endif
