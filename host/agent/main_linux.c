/* The agent on Linux: axiometer-agent DEVICE BASE SIZE [MEMORY]
 *
 *   axiometer-agent /dev/uio0 0x43C00000 0x10000 udmabuf0
 *   axiometer-agent /dev/mem 0x43C00000 0x10000            no interrupt, no DMA memory
 *
 * It talks over stdin and stdout (run it with ssh); faults go to stderr.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "main.h"
#include "targets.h"

static int number(const char *text, uint64_t *value) {
  char *end = NULL;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0;
}

int main(int count, char **words) {
  struct axm_linux_options options = {0};
  if (count < 4 || count > 5 || !number(words[2], &options.base) ||
      !number(words[3], &options.size)) {
    fprintf(stderr, "usage: axiometer-agent DEVICE BASE SIZE [MEMORY]\n"
                    "  axiometer-agent /dev/uio0 0x43C00000 0x10000 udmabuf0\n");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN); /* a line that was closed is the end, by a status */
  options.registers = words[1];
  options.memory = count == 5 ? words[4] : NULL;
  const struct axm_hal *hal = NULL;
  const char *what = NULL;
  enum axm_status status = axm_hal_linux(&options, &hal, &what);
  if (status != AXM_OK) {
    fprintf(stderr, "axiometer-agent: %s: %s\n", what, axm_status_text(status));
    return 1;
  }
  status = (enum axm_status)axm_agent_main(hal, options.base);
  axm_hal_linux_close();
  if (status != AXM_OK)
    fprintf(stderr, "axiometer-agent: %s\n", axm_status_text(status));
  return status == AXM_OK ? 0 : 1;
}
