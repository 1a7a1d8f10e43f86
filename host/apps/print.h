/* Words and numbers through a target's line. */
#ifndef AXM_PRINT_H
#define AXM_PRINT_H

#include <stdbool.h>
#include <string.h>

#include "hal.h"

static inline void axm_print(const struct axm_hal *hal, const char *words) {
  if (hal->write_bytes(hal->self, words, strlen(words)) != AXM_OK)
    return; /* no reader: the result has the status */
}

/* To base 10 or 16, at least `width` characters. */
static inline void axm_print_number(const struct axm_hal *hal, uint64_t value, unsigned base,
                                    size_t width) {
  char digits[24];
  size_t at = sizeof digits;
  digits[--at] = '\0';
  do {
    digits[--at] = "0123456789ABCDEF"[value % base];
    value /= base;
  } while (value != 0);
  while (at > 0 && sizeof digits - 1 - at < width)
    digits[--at] = base == 16 ? '0' : ' ';
  axm_print(hal, digits + at);
}

/* Whose the times of a program are. */
static inline void axm_print_origin(const struct axm_hal *hal) {
  axm_print(hal, "# on ");
  axm_print(hal, hal->target);
#ifdef AXM_EMULATED
  axm_print(hal, ", emulated: no time is a figure of a chip");
#endif
  axm_print(hal, "\n");
}

/* A row's end, and the remark of its times: what each took, and the rate of `bytes` in that. */
static inline void axm_print_each(const struct axm_hal *hal, uint64_t each_ns, const char *what,
                                  uint64_t bytes) {
  axm_print(hal, "\n#");
  axm_print_number(hal, each_ns, 10, 12);
  axm_print(hal, " ns each, ");
  axm_print(hal, what);
  axm_print_number(hal, each_ns == 0 ? 0 : UINT64_C(1000) * bytes / each_ns, 10, 0);
  axm_print(hal, " MB/s\n");
}

/* The last line; what the program returns. */
static inline int axm_print_end(const struct axm_hal *hal, enum axm_status status, uint64_t wrong) {
  const bool good = status == AXM_OK && wrong == 0;
  axm_print(hal, good ? "done" : "failed: ");
  if (!good)
    axm_print(hal,
              status == AXM_OK ? "received data differ from those sent" : axm_status_text(status));
  axm_print(hal, "\n");
  return good ? 0 : 1;
}

#endif
