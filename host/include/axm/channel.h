/* A channel: packets to or from a stream of the fabric, through buffers that the channel has.
 *
 * Sending: axm_send copies a packet and hands it over; receiving: axm_receive waits for one and
 * copies it. Without copying: axm_channel_next gives the next buffer (sending: a free one to fill;
 * receiving: the oldest packet), axm_channel_give hands it over or back. Packets stay in order.
 *
 * The back end is an engine (axm/engine.h), which decides the direction. With a batch the engine
 * gets one doorbell for several buffers: as soon as there are that many, before the channel waits,
 * and at axm_channel_kick.
 *
 * The channel does cache maintenance: with `coherent` false, by the rules of hal.h, for the bytes
 * of a packet only. A wait polls, sleeps until the interrupt, or both: first polls, then sleeps.
 * One thread uses a channel at a time.
 *
 * After a failed transfer the channel cannot be used: axm_channel_fault returns cause and address;
 * close it and open it again.
 */
#ifndef AXM_CHANNEL_H
#define AXM_CHANNEL_H

#include "axm/engine.h"

#ifdef __cplusplus
extern "C" {
#endif

enum axm_channel_wait { AXM_WAIT_LOOK, AXM_WAIT_INTERRUPT, AXM_WAIT_BOTH };

struct axm_channel_config {
  enum axm_channel_wait wait;
  bool coherent;        /* the fabric sees the processor's caches, or the memory is not cached */
  uint32_t slots;       /* buffers, 1 to the engine's queue; those of an engine that has its own
                         * are taken all */
  uint32_t slot_bytes;  /* of each: the longest packet */
  uint32_t batch;       /* buffers for a doorbell; 0 and 1: each its own */
  uint32_t burst_beats; /* these three as in struct axm_engine_config */
  uint32_t outstanding;
  uint32_t coalesce;
  uint64_t timeout_ns; /* of each wait */
};

/* A buffer, from axm_channel_next until axm_channel_give. */
struct axm_slot {
  unsigned char *data;
  uint32_t room;  /* bytes that fit */
  uint32_t bytes; /* sending: set by the caller, 1 to room. Receiving: of the packet; when it is
                   * given back, so many from the first may have been written by the caller, who
                   * writes none behind the packet: 0 from a caller that only read spares time */
  bool last;      /* receiving: the packet ends here; sending: ends it here */
};

struct axm_channel_counts {
  uint64_t packets, bytes; /* handed over (sending) or received */
  uint64_t doorbells;
  uint64_t looks;      /* at the engine while waiting */
  uint64_t interrupts; /* that ended a wait */
  uint64_t timeouts, faults;
  uint64_t dropped; /* bytes of packets that axm_receive had no room for */
};

struct axm_channel {
  struct axm_engine *engine;
  struct axm_channel_config config;
  struct axm_memory memory;
  uint32_t pitch;
  uint32_t oldest; /* slot of the oldest transfer that the engine has */
  uint32_t held;   /* transfers that the engine has */
  uint32_t silent; /* of these, submitted since the last doorbell */
  bool taken;      /* a slot is with the caller */
  struct axm_engine_done fault;
  uint64_t fault_address;
  struct axm_channel_counts counts;
};

/* Takes the buffers, starts the engine and, receiving, gives it all of them. AXM_ERROR_ARGUMENT,
 * AXM_ERROR_RANGE, AXM_ERROR_MEMORY, those of the engine's start. */
enum axm_status axm_channel_open(struct axm_channel *channel, struct axm_engine *engine,
                                 const struct axm_channel_config *config) AXM_CHECKED;
/* Ends what is under way and gives the buffers back. After another status than AXM_OK the engine
 * may still reach them: they stay its own. */
enum axm_status axm_channel_close(struct axm_channel *channel) AXM_CHECKED;

/* The next buffer. AXM_ERROR_TIMEOUT, AXM_ERROR_STATE while one is with the caller,
 * AXM_ERROR_FAULT if a transfer failed. */
enum axm_status axm_channel_next(struct axm_channel *channel, struct axm_slot *slot) AXM_CHECKED;
/* Sending: hands the packet to the engine; receiving: gives the buffer back to it. */
enum axm_status axm_channel_give(struct axm_channel *channel,
                                 const struct axm_slot *slot) AXM_CHECKED;
/* The doorbell for a batch that is not full. */
enum axm_status axm_channel_kick(struct axm_channel *channel) AXM_CHECKED;
/* Sending: waits until the engine has sent everything. */
enum axm_status axm_channel_flush(struct axm_channel *channel) AXM_CHECKED;

/* A packet of 1 to slot_bytes bytes. */
enum axm_status axm_send(struct axm_channel *channel, const void *packet,
                         uint32_t bytes) AXM_CHECKED;
/* *bytes of the packet; AXM_ERROR_RANGE: bytes beyond `room` were dropped. */
enum axm_status axm_receive(struct axm_channel *channel, void *packet, uint32_t room,
                            uint32_t *bytes) AXM_CHECKED;

/* How the failed transfer ended, and its bus address: AXM_ERROR_EMPTY if none failed. */
enum axm_status axm_channel_fault(const struct axm_channel *channel, struct axm_engine_done *done,
                                  uint64_t *address) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
