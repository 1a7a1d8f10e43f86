/* Accesses of the fabric that fail or that an emulator answers, and the end of a wrong program. */
#include "bare.h"
#include "barrier.h"

static const uint32_t windows[][2] = AXM_FABRIC;

bool axm_fabric_has(uint64_t address) {
  for (size_t i = 0; i < sizeof windows / sizeof windows[0]; ++i)
    if (address >= windows[i][0] && address <= windows[i][1])
      return true;
  return false;
}

static volatile int failed;

void axm_fabric_failed(void) { failed = 1; }

void axm_fabric_access(bool write, uint64_t address, uint32_t *value) {
  if (!write)
    *value = UINT32_MAX;
  if (axm_window_access == NULL || !axm_window_access(write, (uint32_t)address, value))
    axm_fabric_failed();
}

int axm_abort_taken(void) {
  axm_device_barrier(); /* a posted write has its answer */
  const int taken = failed;
  failed = 0;
  return taken;
}

static void say(const char *text) {
  for (; *text != '\0'; ++text)
    (void)axm_uart_put(*text);
}

static void say_hex(uint64_t value) {
  for (int shift = (int)sizeof(uintptr_t) * 8 - 4; shift >= 0; shift -= 4)
    (void)axm_uart_put("0123456789ABCDEF"[value >> shift & 0xFu]);
}

void axm_fatal(const char *what, uint64_t where, uint64_t address) {
  say("\r\nprogram ended: ");
  say(what);
  say(" at 0x");
  say_hex(where);
  say(", data address 0x");
  say_hex(address);
  say("\r\n");
  for (;;)
    __asm__ volatile("wfi");
}
