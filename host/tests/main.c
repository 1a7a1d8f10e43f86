/* Runs all C tests of host/. */
#include "check.h"

int check_failures = 0;

int main(void) {
  test_arena();
  test_words();
  test_reply();
  test_device();
  test_dma();
  test_ring();
  test_channel();
  test_engines();
  test_vendor();
  test_pl330();
  test_traffic();
  test_reach();
  test_hostile();
  test_observers();
  test_bare();
  test_run_order();
  test_platform();
  if (check_failures != 0)
    fprintf(stderr, "%d checks failed\n", check_failures);
  return check_failures != 0;
}
