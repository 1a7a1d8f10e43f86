/* Checks for the C tests: a failed one prints its place, and the program ends with status 1. */
#ifndef AXM_CHECK_H
#define AXM_CHECK_H

#include <stdio.h>

extern int check_failures;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #condition);                    \
      ++check_failures;                                                                            \
    }                                                                                              \
  } while (0)

#define CHECK_EQUAL(found, wanted)                                                                 \
  do {                                                                                             \
    const unsigned long long found_ = (unsigned long long)(found);                                 \
    const unsigned long long wanted_ = (unsigned long long)(wanted);                               \
    if (found_ != wanted_) {                                                                       \
      fprintf(stderr, "%s:%d: %s is 0x%llX, not 0x%llX\n", __FILE__, __LINE__, #found, found_,     \
              wanted_);                                                                            \
      ++check_failures;                                                                            \
    }                                                                                              \
  } while (0)

void test_arena(void);
void test_words(void);
void test_reply(void);
void test_device(void);
void test_dma(void);
void test_ring(void);
void test_channel(void);
void test_engines(void);
void test_vendor(void);
void test_pl330(void);
void test_traffic(void);
void test_reach(void);
void test_platform(void);
void test_hostile(void);
void test_observers(void);
void test_bare(void);
void test_run_order(void);

#endif
