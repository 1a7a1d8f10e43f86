/* The program of packets.c, for the file that starts it on a target. */
#ifndef AXM_PACKETS_H
#define AXM_PACKETS_H

#include "axm/channel.h"

enum { AXM_PACKET_MOST = 65535 }; /* bytes of the longest packet */

struct axm_packets_setup {
  struct axm_engine *send, *receive;
  uint32_t packets;
  enum axm_channel_wait wait;
  bool coherent;
};

/* Prints through the target's line. 0 if all went well. */
int axm_packets(const struct axm_packets_setup *setup);

#endif
