/* What all files of the library share: how errors pass on, and 64-bit halves. Registers and
 * fields are named by the generated headers only (AXM_GET, AXM_PUT).
 */
#ifndef AXM_REGISTERS_H
#define AXM_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/device.h"

/* The largest number that a field holds: AXM_MOST(AXM_X_REG__FIELD). */
#define AXM_MOST(field) (field##_MASK >> field##_SHIFT)

/* Whether [address, address + bytes) is within addresses of `bits` bits; bytes is not 0. */
static inline bool axm_reaches(uint32_t bits, uint64_t address, uint64_t bytes) {
  const uint64_t last = address + (bytes - 1);
  return last >= address && (bits >= 64 || last >> bits == 0);
}

/* Returns from the calling function what is not AXM_OK. */
#define AXM_TRY(call)                                                                              \
  do {                                                                                             \
    const enum axm_status try_status_ = (call);                                                    \
    if (try_status_ != AXM_OK)                                                                     \
      return try_status_;                                                                          \
  } while (0)

#endif
