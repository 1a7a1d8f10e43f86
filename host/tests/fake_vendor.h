/* AMD's and Intel's engines that are not there, by their documents (PG021, PG034, 683130): they
 * move data immediately, and count what the documents forbid.
 *
 * All are at FAKE_VENDOR_BASE, as axm/engines/pair.h has them. What is sent comes back through a
 * FIFO. Addresses of memory are memory for register accesses, too: a mailbox's words.
 */
#ifndef AXM_FAKE_VENDOR_H
#define AXM_FAKE_VENDOR_H

#include "axm/engines/pair.h"
#include "test.h"

#define FAKE_VENDOR_BASE UINT64_C(0x43C00000)
enum { FAKE_VENDOR_FIFO = 1 << 17, FAKE_VENDOR_PACKETS = 64, FAKE_VENDOR_DESCRIPTORS = 8 };

struct fake_stream {
  unsigned char bytes[FAKE_VENDOR_FIFO];
  uint32_t held, open; /* bytes; those of a packet that has not ended */
  uint32_t packet[FAKE_VENDOR_PACKETS], packets;
};

struct fake_axi_half {
  uint32_t control, status, threshold, done;
  uint32_t current, tail, address, to, length;
  bool waits; /* simple: a transfer is in hand */
  bool chain; /* scatter-gather: the tail is not reached */
};

struct fake_msgdma {
  uint32_t control, status;
  uint32_t word[8];
  struct {
    uint32_t from, to, bytes, control;
  } queue[FAKE_VENDOR_DESCRIPTORS];
  uint32_t queued;
  struct {
    uint32_t bytes, status;
  } response[2 * FAKE_VENDOR_DESCRIPTORS];
  uint32_t responses;
};

struct fake_vendor {
  struct axm_test_target *target;
  enum fake_vendor_kind { FAKE_AXI_DMA, FAKE_AXI_CDMA, FAKE_MSGDMA } kind;
  bool scatter_gather;
  struct fake_stream stream;
  struct fake_axi_half half[2];
  struct fake_msgdma msgdma[2];
  uint32_t objections;
  /* What goes wrong: */
  uint32_t fault[2]; /* error bits that the next transfer of a half ends with */
  bool never_resets; /* a reset does not end */
  bool hang;         /* transfers never end */
  bool too_much;     /* completions report more bytes than the buffer holds */
};

const struct axm_hal *fake_vendor(struct fake_vendor *fake, struct axm_test_target *target,
                                  enum fake_vendor_kind kind, bool scatter_gather);

/* For the files of the fake only: bytes into the stream, or out of it until a packet ends. */
bool fake_stream_in(struct fake_stream *stream, const unsigned char *from, uint32_t bytes,
                    bool last);
uint32_t fake_stream_out(struct fake_vendor *fake, uint64_t to, uint32_t room, bool *last);
uint32_t fake_msgdma_read(struct fake_vendor *fake, int number, uint32_t offset);
void fake_msgdma_write(struct fake_vendor *fake, int number, uint32_t offset, uint32_t value);
void fake_msgdma_work(struct fake_vendor *fake, int number);
bool fake_msgdma_irq(const struct fake_msgdma *one);

#endif
