/* A UART of the 16550's kind with registers of 32 bits (Cyclone V: DesignWare APB UART). Baud rate
 * and pins are the boot loader's. */
#include "bare.h"

#ifndef AXM_CONSOLE
#define AXM_CONSOLE AXM_UART
#endif

enum { DATA = 0x00, INTERRUPTS = 0x04, FIFO = 0x08, LINE = 0x0C, STATUS = 0x14 };
enum { EIGHT_BITS = 3, FIFO_ON = 1, THERE = 1 << 0, EMPTY = 1 << 5 };

void axm_uart_start(void) {
  *axm_register(AXM_CONSOLE + LINE) = EIGHT_BITS; /* and the divisor's registers hidden */
  *axm_register(AXM_CONSOLE + INTERRUPTS) = 0;
  *axm_register(AXM_CONSOLE + FIFO) = FIFO_ON;
}

int axm_uart_get(void) {
  if ((*axm_register(AXM_CONSOLE + STATUS) & THERE) == 0)
    return -1;
  return (int)(*axm_register(AXM_CONSOLE + DATA) & 0xFFu);
}

int axm_uart_put(char byte) {
  while ((*axm_register(AXM_CONSOLE + STATUS) & EMPTY) == 0) {
  }
  *axm_register(AXM_CONSOLE + DATA) = (uint8_t)byte;
  return 1;
}
