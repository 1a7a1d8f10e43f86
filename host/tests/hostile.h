/* Devices that answer what no design would, and every public call of the library on them. */
#ifndef AXM_HOSTILE_H
#define AXM_HOSTILE_H

#include "axm.h"
#include "test.h"

enum hostile_kind {
  HOSTILE_ONES,      /* what a bus without a slave often reads as */
  HOSTILE_ZEROS,     /* a block in reset */
  HOSTILE_RANDOM,    /* each read another number */
  HOSTILE_ALTERNATE, /* each read the opposite of the one before */
  HOSTILE_COUNTING,  /* each read one more */
  HOSTILE_STUCK,     /* one number for each register */
  HOSTILE_SLOW,      /* random, and an access takes a second */
  HOSTILE_BUS_ERROR, /* no access is answered */
  HOSTILE_DYING,     /* random, and after some accesses none is answered */
  HOSTILE_FED,       /* what the caller gives, byte by byte; then zeros */
  HOSTILE_KINDS
};

struct hostile {
  enum hostile_kind kind;
  uint32_t state;
  uint64_t reads;
  const unsigned char *food;
  size_t left;
  struct axm_test_target *target;
};

const struct axm_hal *hostile_device(struct hostile *device, struct axm_test_target *target,
                                     enum hostile_kind kind, uint32_t seed);
/* Numbers that a caller chooses: from the food of a fed device, else by chance. */
uint32_t hostile_draw(struct hostile *device);

/* Calls every public function of the library with handles that the device made up. Returns the
 * most accesses that one call made; a status that is none is counted in *strange. */
uint64_t hostile_calls(struct hostile *device, const struct axm_hal *hal, uint32_t *strange);
/* No call makes more accesses than this, with the waits of hostile_calls. */
enum { HOSTILE_MOST_ACCESSES = 20000 };

#endif
