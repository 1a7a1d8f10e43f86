/* The DMA controller that the processor's side has (ARM PL330, DMA-330): copies between two pieces
 * of memory, or between memory and the fabric behind a GP port, by programs that are made here.
 *
 * A channel does one copy at a time; channels work side by side. The program of a channel's last
 * copy is cached: another copy of the same shape (bytes and alignment) changes two addresses only.
 *
 * Registers, instructions and their encoding: PrimeCell DMA Controller (PL330) Technical Reference
 * Manual, DDI 0424. The controller must be out of reset, and its manager secure (as it starts on a
 * Zynq-7000 without TrustZone).
 */
#ifndef AXM_PL330_H
#define AXM_PL330_H

#include <stdbool.h>
#include <stdint.h>

#include "axm/status.h"
#include "hal.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  AXM_PL330_CHANNELS = 8,
  AXM_PL330_PROGRAM_BYTES = 128, /* most of a copy's program */
  AXM_PL330_BURST_BEATS = 16,    /* AXI3 */
};

struct axm_pl330_config {
  bool coherent;        /* both memories are not cached, or the controller sees the caches */
  uint32_t burst_beats; /* 1 to AXM_PL330_BURST_BEATS */
  uint64_t timeout_ns;  /* for the controller to take a command */
};

struct axm_pl330_caps {
  uint32_t channels;     /* 1 to 8 */
  uint32_t bus_bytes;    /* of a beat: 4 to 16 */
  uint32_t buffer_lines; /* of the controller's data buffer, each bus_bytes */
};

/* One copy, by bus addresses below 4 GiB. */
struct axm_pl330_transfer {
  uint32_t to, from, bytes;
};

/* The properties of a transfer on which its program depends. */
struct axm_pl330_shape {
  uint32_t bytes, to, from; /* addresses modulo a burst */
};

struct axm_pl330_channel {
  struct axm_pl330_shape shape;
  struct axm_memory to; /* of the copy under way, invalidated when it has ended */
  uint64_t to_offset;
  uint32_t bytes;
  bool busy;
};

struct axm_pl330 {
  const struct axm_hal *hal;
  uint64_t base;
  struct axm_pl330_config config;
  struct axm_pl330_caps caps;
  struct axm_memory programs; /* AXM_PL330_PROGRAM_BYTES a channel */
  struct axm_pl330_channel channels[AXM_PL330_CHANNELS];
  uint64_t programs_made;
};

/* Looks at the controller at `base` and takes memory for its programs.
 * AXM_ERROR_ARGUMENT, AXM_ERROR_TYPE if no PL330 answers, AXM_ERROR_BUS, AXM_ERROR_MEMORY. */
enum axm_status axm_pl330_open(struct axm_pl330 *pl330, const struct axm_hal *hal, uint64_t base,
                               const struct axm_pl330_config *config) AXM_CHECKED;
/* Gives the memory back. AXM_ERROR_BUSY while a copy is under way. */
enum axm_status axm_pl330_close(struct axm_pl330 *pl330) AXM_CHECKED;

/* Starts a copy. AXM_ERROR_ARGUMENT, AXM_ERROR_RANGE for a channel that is not there, a piece that
 * ends before, an address above 4 GiB, or more bytes than a program can copy (axm_pl330_program);
 * AXM_ERROR_BUSY, AXM_ERROR_TIMEOUT. */
enum axm_status axm_pl330_copy(struct axm_pl330 *pl330, uint32_t channel,
                               const struct axm_memory *to, uint64_t to_offset,
                               const struct axm_memory *from, uint64_t from_offset,
                               uint32_t bytes) AXM_CHECKED;
/* AXM_OK if the copy has ended and its data may be read, AXM_ERROR_EMPTY if it goes on,
 * AXM_ERROR_FAULT if it failed (axm_pl330_fault), AXM_ERROR_STATE if none was started. */
enum axm_status axm_pl330_poll(struct axm_pl330 *pl330, uint32_t channel) AXM_CHECKED;
/* As poll, until it has ended; AXM_ERROR_TIMEOUT: it still goes on. */
enum axm_status axm_pl330_wait(struct axm_pl330 *pl330, uint32_t channel,
                               uint64_t timeout_ns) AXM_CHECKED;
/* Ends a copy, or clears a fault; bytes written until then stay. */
enum axm_status axm_pl330_stop(struct axm_pl330 *pl330, uint32_t channel) AXM_CHECKED;

/* Of a channel that failed: bits of its fault type register, and the address of the instruction. */
struct axm_pl330_cause {
  uint32_t type, at;
};
enum axm_status axm_pl330_fault(const struct axm_pl330 *pl330, uint32_t channel,
                                struct axm_pl330_cause *cause) AXM_CHECKED;
/* The first of the bits in words, such as "a read was answered with an error". */
const char *axm_pl330_fault_text(uint32_t type);

/* The program of a copy: `code` has AXM_PL330_PROGRAM_BYTES; *size of them are used.
 *
 * Bytes until the destination is aligned, then bursts, then what is left; no burst crosses 4 KiB:
 * bursts are as long as source and destination are aligned alike, so that pieces whose addresses
 * differ by a multiple of burst_beats * bus_bytes are copied fastest. AXM_ERROR_ARGUMENT;
 * AXM_ERROR_RANGE for more than 65 791 bursts: 8 MiB if they are aligned alike, 64 KiB if an odd
 * number of bytes apart. */
enum axm_status axm_pl330_program(const struct axm_pl330_transfer *transfer,
                                  const struct axm_pl330_config *config, uint32_t bus_bytes,
                                  unsigned char *code, uint32_t *size) AXM_CHECKED;
/* Puts other addresses into such a program. */
void axm_pl330_readdress(const struct axm_pl330_transfer *transfer, unsigned char *code);

#ifdef __cplusplus
}
#endif

#endif
