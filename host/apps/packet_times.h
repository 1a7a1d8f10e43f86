/* The program of packet_times.c, for the file that starts it on a target. */
#ifndef AXM_PACKET_TIMES_H
#define AXM_PACKET_TIMES_H

#include "axm/channel.h"

enum { AXM_TIMED_MOST = 32768 }; /* bytes of the longest packet */

/* Calls of an operating system that copy, in place of a channel. receive: AXM_ERROR_EMPTY while
 * there is no packet. */
struct axm_copying_calls {
  enum axm_status (*send)(void *self, const void *packet, uint32_t bytes);
  enum axm_status (*receive)(void *self, void *packet, uint32_t room, uint32_t *bytes);
  void *self;
};

struct axm_packet_times_setup {
  const struct axm_hal *hal;         /* time and text */
  struct axm_engine *send, *receive; /* of one loop; or `calls` */
  const struct axm_copying_calls *calls;
  bool copies;   /* packets are copied into and out of the channel's buffers */
  bool coherent; /* no buffer is maintained */
  const uint32_t *sizes;
  uint32_t sizes_count;
  uint32_t packets; /* of each size: 5 to 1024 */
  const char *unit; /* of `count`, what the processor has done so far, modulo 2^32 */
  uint32_t (*count)(const struct axm_hal *hal);
  void (*rest)(const struct axm_hal *hal, uint32_t bytes); /* until a packet has come back */
};

/* Prints through the target's line. 0 if all went well. */
int axm_packet_times(const struct axm_packet_times_setup *setup);

#endif
