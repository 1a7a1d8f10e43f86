/* Packets through memory of the fabric, moved by a copying engine (AXI CDMA, PL330, mSGDMA or this
 * project's copying engine): so these are back ends of a channel, too.
 *
 * The memory is a ring of places, a packet each; the other end, whatever it is, follows the
 * same rules. Words of 32 bits, each written by one end only:
 *   0x00 packets put, by the sender      0x04 packets taken, by the receiver; both wrap at 2^32
 *   0x40 + 4 k: bytes of the packet in place k, bit 31: it ends here; written before 0x00 moves
 * and behind them, at multiples of 64, the places. A sender puts while put - taken < places. With
 * both ends here, as in a test, the memory is a loop.
 *
 * The words are accessed as registers by the processor, the packets by the engine. One copy of each
 * direction is under way. Both share the copying engine: one thread uses the two.
 */
#ifndef AXM_ENGINES_MAILBOX_H
#define AXM_ENGINES_MAILBOX_H

#include "axm/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AXM_MAILBOX_PLACES = 16 };

struct axm_mailbox;

struct axm_mailbox_half {
  struct axm_engine engine;
  struct axm_mailbox *box;
  struct axm_engine_queue queue;
  uint32_t counter;             /* packets put or taken */
  uint32_t ended;               /* of the transfers that were given: those that are copied */
  struct axm_engine_done fault; /* of the one after these */
  bool on;
};

struct axm_mailbox {
  struct axm_engine *copy;
  uint64_t memory; /* where the engine has it */
  uint64_t words;  /* where the processor has its words */
  uint32_t places; /* 1 to AXM_MAILBOX_PLACES */
  uint32_t pitch;
  struct axm_mailbox_half half[2];   /* sending, receiving */
  struct axm_mailbox_half *order[2]; /* whose the copies under way are, the oldest first */
  uint32_t under_way;
};

/* As many places of `slot_bytes` as fit into `size` bytes, which are at `memory` for the engine and
 * at `words` for the processor. AXM_ERROR_ARGUMENT for an engine that does not copy;
 * AXM_ERROR_RANGE if not one fits, or beyond the engine's limits. */
enum axm_status axm_mailbox_open(struct axm_mailbox *box, struct axm_engine *copy, uint64_t memory,
                                 uint64_t words, uint64_t size, uint32_t slot_bytes) AXM_CHECKED;
/* Makes it empty: before its first use, while neither end is at work. */
enum axm_status axm_mailbox_clear(const struct axm_mailbox *box) AXM_CHECKED;
/* Its engine for one direction, for a channel. */
struct axm_engine *axm_mailbox_engine(struct axm_mailbox *box, enum axm_engine_direction direction);

#ifdef __cplusplus
}
#endif

#endif
