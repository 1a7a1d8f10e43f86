/* The agent without an operating system: it speaks on the UART (docs/hosts.md). */
#include "bare.h"
#include "board.h"
#include "main.h"

void axm_bare_main(void);
void axm_bare_main(void) {
  axm_processor_start();
  (void)axm_agent_main(axm_board_start(), AXM_BASE);
}
