/* A DMA engine as a channel (axm/channel.h) or another program's driver uses it: one direction of
 * one engine, whoever made it. A back end is a file of src/engines/ with a struct whose first
 * member is a struct axm_engine; its open function fills that in.
 *
 * The order of use: start, then submit and give and poll in any order, then stop. Transfers end,
 * and are reported, in the order of submission. All memory is the caller's: nothing here is
 * allocated, but descriptors, which start takes from the target (hal.h) and stop gives back.
 *
 * The caller does the cache maintenance of the data, the back end that of descriptors. give has the
 * barrier after which the engine sees memory; after a poll that returned AXM_OK the caller needs
 * another barrier before it reads the data.
 *
 * One thread uses an engine at a time; two directions are two engines.
 */
#ifndef AXM_ENGINE_H
#define AXM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/status.h"
#include "hal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum axm_engine_direction {
  AXM_ENGINE_SEND,    /* memory to a stream */
  AXM_ENGINE_RECEIVE, /* a stream to memory */
  AXM_ENGINE_COPY     /* memory to memory */
};

/* Why a transfer ended. Of causes that an engine does not distinguish, the first that fits. */
enum axm_engine_cause {
  AXM_ENGINE_OK,
  AXM_ENGINE_SLAVE,      /* a slave answered with an error */
  AXM_ENGINE_DECODE,     /* no slave at an address */
  AXM_ENGINE_DESCRIPTOR, /* a descriptor could not be read or written, or is not valid */
  AXM_ENGINE_TOO_LONG,   /* a packet was longer than its buffer */
  AXM_ENGINE_COMMAND,    /* the engine refused the transfer */
  AXM_ENGINE_TIMEOUT,    /* the bus stalled */
  AXM_ENGINE_ABORTED,    /* ended by software, or after an earlier transfer failed */
  AXM_ENGINE_OTHER       /* see `code` */
};

/* Capabilities of an instance. */
struct axm_engine_limits {
  uint32_t queue;         /* transfers that it takes before the first is polled, 1 or more */
  uint32_t bytes;         /* longest transfer */
  uint32_t address_bits;  /* 1 to 64 */
  uint32_t address_align; /* addresses are multiples of this power of two; 1: any */
  uint32_t length_align;  /* and lengths of another */
  bool lengths;           /* received: `bytes` is the received length; else the requested one */
  bool ends;              /* received: `last` is the packet's end; else each transfer is a packet */
  bool interrupt;         /* it can interrupt */
  bool at_once;           /* a transfer begins when it is submitted; else when it is given */
};

/* The engine's own buffers (`/dev/axm*`): transfers are in these and nowhere else,
 * number n of a direction in slot n modulo `slots`, and the kernel does their cache maintenance. */
struct axm_engine_buffers {
  struct axm_memory memory;
  uint32_t slots, pitch; /* slots 0: there are none, buffers are the caller's */
};

struct axm_engine_config {
  uint32_t queue;       /* most transfers submitted and not polled: 1 to limits.queue */
  uint32_t burst_beats; /* where it can be set; 0: the back end's usual */
  uint32_t outstanding; /* bursts in flight, likewise */
  bool coherent;        /* it sees the processor's caches, or its memory is not cached */
  uint32_t coalesce;    /* completions for an interrupt, where it can be set; 0 and 1: each */
};

struct axm_engine_transfer {
  uint64_t address; /* on the bus; copy: where the data goes */
  uint64_t source;  /* copy: where it comes from */
  uint32_t bytes;   /* 1 to limits.bytes; received: the room */
  bool last;        /* sent: a packet ends here */
};

struct axm_engine_done {
  enum axm_engine_cause cause;
  uint32_t code;  /* of the engine's own, for people; 0 if all went well */
  uint32_t bytes; /* moved */
  bool last;      /* received: a packet ends here */
};

struct axm_engine;

struct axm_engine_ops {
  const char *name; /* such as "axi-dma-sg" */
  /* Makes it ready, at rest before. AXM_ERROR_BUSY, AXM_ERROR_RANGE, AXM_ERROR_MEMORY,
   * AXM_ERROR_COHERENCY. */
  enum axm_status (*start)(struct axm_engine *engine, const struct axm_engine_config *config);
  /* Takes a transfer, which begins as limits.at_once says. AXM_ERROR_FULL,
   * AXM_ERROR_ARGUMENT, AXM_ERROR_RANGE: nothing was taken. */
  enum axm_status (*submit)(struct axm_engine *engine, const struct axm_engine_transfer *transfer);
  /* One doorbell for all that was submitted; without anything new it does nothing. */
  enum axm_status (*give)(struct axm_engine *engine);
  /* The oldest completion, AXM_ERROR_EMPTY without one. AXM_OK: `cause` shows whether it went
   * well; after a cause other than AXM_ENGINE_OK only stop is of use. AXM_ERROR_STATE: the engine
   * says what cannot be. */
  enum axm_status (*poll)(struct axm_engine *engine, struct axm_engine_done *done);
  /* Ends all; transfers that were not polled are forgotten. Only after AXM_OK does it no
   * longer access memory; after another status keep buffers, and stop again or reset the chip. */
  enum axm_status (*stop)(struct axm_engine *engine, uint64_t timeout_ns);
  /* Switches its interrupt on or off, and takes the causes away that wait to be seen: a completion
   * after interrupt_take raises it again. Both NULL where limits.interrupt is false. */
  enum axm_status (*interrupt_enable)(struct axm_engine *engine, bool on);
  enum axm_status (*interrupt_take)(struct axm_engine *engine);
  /* Waits until something may have ended: AXM_OK, AXM_ERROR_TIMEOUT. NULL: the target's wait_irq
   * does. */
  enum axm_status (*wait)(struct axm_engine *engine, uint64_t timeout_ns);
};

/* For back ends: the transfers that an engine has, the oldest first. */
enum { AXM_ENGINE_QUEUE = 128 }; /* no engine's limits.queue is more */
struct axm_engine_queue {
  struct axm_engine_transfer entry[AXM_ENGINE_QUEUE];
  uint32_t oldest, count;
  uint32_t given; /* of these, the oldest that the hardware has */
};

struct axm_engine {
  const struct axm_engine_ops *ops;
  const struct axm_hal *hal;
  enum axm_engine_direction direction;
  struct axm_engine_limits limits;
  struct axm_engine_buffers own;
};

/* One word such as "decode", and its meaning for people. */
const char *axm_engine_cause_name(enum axm_engine_cause cause);
const char *axm_engine_cause_text(enum axm_engine_cause cause);

/* AXM_OK if a transfer is within the limits; a back end's submit begins with it.
 * AXM_ERROR_ARGUMENT for 0 bytes, AXM_ERROR_RANGE. */
enum axm_status axm_engine_check(const struct axm_engine *engine,
                                 const struct axm_engine_transfer *transfer) AXM_CHECKED;
/* A back end's start begins with it. AXM_ERROR_RANGE for a queue beyond the limits; what the target
 * says of coherent use, such as AXM_ERROR_COHERENCY. */
enum axm_status axm_engine_begins(const struct axm_engine *engine,
                                  const struct axm_engine_config *config) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
