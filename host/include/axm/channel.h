/* A channel: packets to or from a stream of the fabric, through buffers that the channel has.
 *
 * Out: axm_send copies a packet and hands it over; in: axm_receive waits for one and copies it.
 * Without copying: axm_channel_next gives the next buffer (out: a free one to fill; in: the oldest
 * packet), axm_channel_give hands it over or back. Packets stay in order.
 *
 * Coherency is the channel's affair: with `coherent` false its buffers are cleaned and invalidated
 * as hal.h says. Waiting is by looking, by the interrupt, or by both: first looking, and the
 * interrupt where that takes long. One thread uses a channel at a time.
 *
 * The back end is the design's DMA engine (axm/dma.h). A transfer that fails ends the channel's
 * use: axm_channel_fault says why and where; close it and open it anew.
 */
#ifndef AXM_CHANNEL_H
#define AXM_CHANNEL_H

#include "axm/dma.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { AXM_CHANNEL_SLOTS = 32 }; /* most buffers of a channel */

enum axm_channel_direction { AXM_CHANNEL_OUT = AXM_DMA_READ, AXM_CHANNEL_IN = AXM_DMA_WRITE };
enum axm_channel_wait { AXM_WAIT_LOOK, AXM_WAIT_INTERRUPT, AXM_WAIT_BOTH };

struct axm_channel_config {
  enum axm_channel_direction direction;
  enum axm_channel_wait wait;
  bool coherent;        /* the fabric sees the processor's caches, or the memory is not cached */
  uint32_t slots;       /* buffers, 1 to AXM_CHANNEL_SLOTS and to the engine's queue */
  uint32_t slot_bytes;  /* of each: the longest packet */
  uint32_t burst_beats; /* as axm_dma_configure */
  uint32_t outstanding;
  uint64_t timeout_ns; /* of each wait */
};

/* A buffer, from axm_channel_next until axm_channel_give. */
struct axm_slot {
  unsigned char *data;
  uint32_t room;  /* bytes that fit */
  uint32_t bytes; /* in: of the packet; out: set by the caller, 1 to room */
  bool last;      /* in: the packet ends here; out: to be said so */
};

struct axm_channel_counts {
  uint64_t packets, bytes; /* handed over (out) or received (in) */
  uint64_t looks;          /* at the engine while waiting */
  uint64_t interrupts;     /* that ended a wait */
  uint64_t timeouts, faults;
  uint64_t dropped; /* bytes of packets that axm_receive had no room for */
};

struct axm_channel {
  struct axm_dma dma;
  struct axm_channel_config config;
  struct axm_memory memory;
  uint32_t bytes[AXM_CHANNEL_SLOTS]; /* of the transfer of each slot */
  uint32_t oldest;                   /* slot of the oldest transfer that the engine has */
  uint32_t held;                     /* transfers that the engine has */
  bool taken;                        /* a slot is with the caller */
  struct axm_dma_done fault;
  uint64_t fault_address;
  struct axm_channel_counts counts;
};

/* Takes the buffers and, in, gives them all to the engine. The engine's half must be idle.
 * AXM_ERROR_ARGUMENT, AXM_ERROR_MEMORY, those of axm_dma_configure. */
enum axm_status axm_channel_open(struct axm_channel *channel, const struct axm_dma *dma,
                                 const struct axm_channel_config *config) AXM_CHECKED;
/* Ends what is under way and gives the buffers back. AXM_ERROR_TIMEOUT if the engine does not come
 * to rest: then the buffers stay its own. */
enum axm_status axm_channel_close(struct axm_channel *channel) AXM_CHECKED;

/* The next buffer. AXM_ERROR_TIMEOUT, AXM_ERROR_STATE while one is with the caller,
 * AXM_ERROR_FAULT if a transfer failed. */
enum axm_status axm_channel_next(struct axm_channel *channel, struct axm_slot *slot) AXM_CHECKED;
/* Out: hands the packet to the engine; in: gives the buffer back to it. */
enum axm_status axm_channel_give(struct axm_channel *channel,
                                 const struct axm_slot *slot) AXM_CHECKED;
/* Out: waits until the engine has sent everything. */
enum axm_status axm_channel_flush(struct axm_channel *channel) AXM_CHECKED;

/* A packet of 1 to slot_bytes bytes. */
enum axm_status axm_send(struct axm_channel *channel, const void *packet,
                         uint32_t bytes) AXM_CHECKED;
/* *bytes of the packet; what is beyond `room` is dropped, and AXM_ERROR_RANGE says so. */
enum axm_status axm_receive(struct axm_channel *channel, void *packet, uint32_t room,
                            uint32_t *bytes) AXM_CHECKED;

/* Cause and bus address of the transfer that failed: AXM_ERROR_EMPTY if none did. */
enum axm_status axm_channel_fault(const struct axm_channel *channel, enum axm_dma_cause *cause,
                                  uint64_t *address) AXM_CHECKED;

#ifdef __cplusplus
}
#endif

#endif
