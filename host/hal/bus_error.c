/* Register accesses on Linux that nothing answers: see bus_error.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "bus_error.h"

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

static sigjmp_buf back;
static volatile sig_atomic_t accessing; /* an access is under way: `back` is valid */
static volatile sig_atomic_t late;      /* a write was not answered, as it turned out later */
static struct sigaction before;

static void on_bus_error(int number, siginfo_t *info, void *context) {
  (void)context;
  if (accessing != 0) {
    accessing = 0;
    siglongjmp(back, 1);
  }
  /* An imprecise abort has neither of these codes. It comes once: if it repeats immediately, the
   * access is another's, made again. */
  if (info->si_code != BUS_ADRERR && info->si_code != BUS_ADRALN && late == 0) {
    late = 1;
    return;
  }
  /* The access is made again on return, and ends the program then. */
  signal(number, SIG_DFL);
}

enum axm_status axm_bus_error_catch(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_NODEFER; /* not blocked after the jump out of the handler */
  sigemptyset(&action.sa_mask);
  accessing = 0;
  late = 0;
  return sigaction(SIGBUS, &action, &before) == 0 ? AXM_OK : AXM_ERROR_SYSTEM;
}

void axm_bus_error_release(void) { (void)sigaction(SIGBUS, &before, NULL); }

/* What a write before this access has left. */
static enum axm_status earlier(void) {
  if (late == 0)
    return AXM_OK;
  late = 0;
  return AXM_ERROR_BUS;
}

enum axm_status axm_bus_read32(const volatile uint32_t *word, uint32_t *value) {
  /* Without the signal mask, which would cost a call of the system for each access. */
  if (sigsetjmp(back, 0) != 0)
    return AXM_ERROR_BUS;
  accessing = 1;
  const uint32_t got = *word;
  accessing = 0;
  *value = got;
  return earlier();
}

enum axm_status axm_bus_write32(volatile uint32_t *word, uint32_t value) {
  if (sigsetjmp(back, 0) != 0)
    return AXM_ERROR_BUS;
  accessing = 1;
  *word = value;
  accessing = 0;
  return earlier();
}
