/* The agent without an operating system: it speaks on the UART (docs/agent-protocol.md). */
#include "bare.h"
#include "board.h"
#include "main.h"

#ifndef AXM_BASE
#define AXM_BASE 0x43C00000u /* of the design's registers: what `axiometer build` gives them */
#endif

void axm_bare_main(void);
void axm_bare_main(void) {
  axm_mmu_start();
  (void)axm_agent_main(axm_board_start(), AXM_BASE);
}
