/* The UART of Zynq's processor systems (Cadence; UG585, chapter 19). Baud rate and pins are the
 * boot loader's. */
#include "bare.h"

#ifndef AXM_CONSOLE
#define AXM_CONSOLE AXM_UART
#endif

enum { CONTROL = 0x00, MODE = 0x04, STATUS = 0x2C, FIFO = 0x30 };
enum { RECEIVE_ON = 1 << 2, SEND_ON = 1 << 4, NO_PARITY = 1 << 5 };
enum { NOTHING_THERE = 1 << 1, FULL = 1 << 4 };

void axm_uart_start(void) {
  *axm_register(AXM_CONSOLE + MODE) = NO_PARITY; /* 8 bits, 1 stop bit */
  *axm_register(AXM_CONSOLE + CONTROL) = RECEIVE_ON | SEND_ON;
}

int axm_uart_get(void) {
  if ((*axm_register(AXM_CONSOLE + STATUS) & NOTHING_THERE) != 0)
    return -1;
  return (int)(*axm_register(AXM_CONSOLE + FIFO) & 0xFFu);
}

int axm_uart_put(char byte) {
  while ((*axm_register(AXM_CONSOLE + STATUS) & FULL) != 0) {
  }
  *axm_register(AXM_CONSOLE + FIFO) = (uint8_t)byte;
  return 1;
}
