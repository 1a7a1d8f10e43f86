/* The line to the host over two file descriptors, for targets that have POSIX. */
#ifndef AXM_POSIX_LINE_H
#define AXM_POSIX_LINE_H

#include <stddef.h>
#include <stdint.h>

#include "axm/status.h"

enum axm_status axm_posix_read(int input, char *bytes, size_t room, size_t *count,
                               uint64_t timeout_ns);
enum axm_status axm_posix_write(int output, const char *bytes, size_t count);
/* Real time from a clock that never goes back. */
uint64_t axm_posix_now_ns(void);

#endif
