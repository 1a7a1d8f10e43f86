/* A channel of the Linux driver (/dev/axm*, drivers/linux) as two engines: its slots and rings are
 * mapped, one system call is the doorbell for a batch. Buffers are the driver's own.
 *
 * It ends with the stop of both halves; open it again to go on. AXM_ERROR_DEAD if the device goes.
 */
#ifndef AXM_LINUX_CHANNEL_H
#define AXM_LINUX_CHANNEL_H

#include "axm/engine.h"

struct axm_linux_channel;

struct axm_linux_half {
  struct axm_engine engine;
  struct axm_linux_channel *channel;
  void *ring;
  uint64_t ring_bytes;
  uint32_t submitted, collected; /* transfers, ever */
  uint32_t free;                 /* receiving: first submissions, of slots that the driver has */
  bool on;
};

struct axm_linux_channel {
  int file;
  struct axm_linux_half half[2]; /* sending, receiving */
};

/* `hal`: for time and text, such as axm_hal_linux without registers. AXM_ERROR_SYSTEM,
 * AXM_ERROR_VERSION for a driver with another interface, AXM_ERROR_BUSY for a half that is in use,
 * AXM_ERROR_UNSUPPORTED for one that is not there. */
enum axm_status axm_linux_channel_open(struct axm_linux_channel *channel, const struct axm_hal *hal,
                                       const char *path) AXM_CHECKED;
struct axm_engine *axm_linux_channel_engine(struct axm_linux_channel *channel,
                                            enum axm_engine_direction direction);

#endif
