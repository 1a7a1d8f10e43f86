/* AMD's AXI Traffic Generator (PG125, advanced mode) as two engines: one reads memory, one writes
 * it. There is no stream: data that are read are dropped; data that are written are the words 0
 * to 1023, repeated, from the transfer's first byte on.
 *
 * A transfer is a list of commands, bursts of AXM_TRAFFIC_GEN_BEATS beats, at most
 * AXM_TRAFFIC_GEN_COMMANDS. Both directions begin by one write, so both are submitted before the
 * first give, and end together: the core does not distinguish the two ends. It has no reset:
 * stop waits until it has ended.
 *
 * Limits: whole beats; no repeated or delayed commands, no loop, no dependencies.
 */
#ifndef AXM_ENGINES_AXI_TRAFFIC_GEN_H
#define AXM_ENGINES_AXI_TRAFFIC_GEN_H

#include "axm/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  AXM_TRAFFIC_GEN_BEATS = 16,
  AXM_TRAFFIC_GEN_COMMANDS = 255, /* one less than there are: the list has an end */
};

struct axm_traffic_gen;

struct axm_traffic_gen_half {
  struct axm_engine engine;
  struct axm_traffic_gen *core;
  uint32_t bytes; /* of the transfer that was submitted; 0: none was */
  bool given, ended;
  uint32_t code; /* error bits of its end */
};

/* An instance, as the design was made; all 0 but these. */
struct axm_traffic_gen {
  const struct axm_hal *hal;
  uint64_t base;
  uint32_t data_bytes;   /* 4 to 64 */
  uint32_t address_bits; /* 32 to 64 */
  bool running;
  struct axm_traffic_gen_half half[2]; /* that reads, that writes */
};

/* Fills both engines in. AXM_ERROR_ARGUMENT for an instance that cannot be. */
enum axm_status axm_traffic_gen_open(struct axm_traffic_gen *core) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
