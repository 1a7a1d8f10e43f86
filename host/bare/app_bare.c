/* A program of host/apps/ without an operating system; it prints on the UART. */
#include "app.h"
#include "bare.h"
#include "board.h"

void axm_bare_main(void);
void axm_bare_main(void) {
  axm_processor_start();
  (void)axm_app(axm_board_start(), AXM_BASE);
}
