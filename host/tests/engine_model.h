/* AMD's and Intel's engines that are not there: a model of lab/engines/ behind a test's target, and
 * what can go wrong with it.
 *
 * Its registers are at ENGINE_BASE, as axm/engines/pair.h has them. Addresses of memory are memory
 * for register accesses, too: a mailbox's words.
 */
#ifndef ENGINE_MODEL_H
#define ENGINE_MODEL_H

#include "model.h"
#include "test.h"

#define ENGINE_BASE UINT64_C(0x43C00000)

struct engine_model {
  struct axm_model *model;
  struct axm_test_target *target;
  bool slow; /* a transfer takes its clocks; else it has ended when a register was written */
  /* What goes wrong: */
  bool fails[2];     /* memory does not answer reads, or writes, of data */
  uint32_t response; /* error bits of what an mSGDMA has received */
  bool too_much;     /* completions report more bytes than the buffer holds */
  bool hang;         /* transfers do not end before a reset */
  bool never_resets; /* nor does a reset */
  bool resets;       /* one that does not end has begun */
};

/* Another engine, by its name and parameters (options.hpp), in place of the last. */
const struct axm_hal *engine_model(struct engine_model *engine, struct axm_test_target *target,
                                   const char *name);
/* Whether there is one that objected to something, and prints that. */
bool engine_objections(const struct engine_model *engine);

#endif
