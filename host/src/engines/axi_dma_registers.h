/* Registers and descriptors of AXI DMA (AMD PG021 v7.1) and AXI CDMA (PG034 v4.1), which have one
 * layout for what they have in common. Multichannel and cyclic modes are not here.
 */
#ifndef AXM_AXI_DMA_REGISTERS_H
#define AXM_AXI_DMA_REGISTERS_H

/* PG021 "AXI DMA Register Address Map": MM2S at 0, S2MM as far behind it. */
enum { AXI_DMA_S2MM = 0x30 };

enum {
  AXI_DMA_CONTROL = 0x00,
  AXI_DMA_STATUS = 0x04,
  AXI_DMA_CURRENT = 0x08, /* descriptor; low word, then high */
  AXI_DMA_TAIL = 0x10,
  AXI_DMA_ADDRESS = 0x18, /* simple: MM2S_SA, S2MM_DA; CDMA: SA */
  AXI_CDMA_TO = 0x20,     /* CDMA: DA */
  AXI_DMA_LENGTH = 0x28,  /* CDMA: BTT. Writing it starts a simple transfer */
};

/* Control: PG021 "MM2S_DMACR", PG034 "CDMACR". */
#define AXI_DMA_RUN (1u << 0)      /* not in CDMA */
#define AXI_DMA_RESET (1u << 2)    /* of the whole core; reads 0 when it is done */
#define AXI_CDMA_SG_MODE (1u << 3) /* CDMA only */
#define AXI_DMA_IRQ_DONE (1u << 12)
#define AXI_DMA_IRQ_DELAY (1u << 13) /* scatter-gather */
#define AXI_DMA_IRQ_ERROR (1u << 14)
#define AXI_DMA_IRQS (AXI_DMA_IRQ_DONE | AXI_DMA_IRQ_DELAY | AXI_DMA_IRQ_ERROR)
enum { AXI_DMA_THRESHOLD_SHIFT = 16, AXI_DMA_DELAY_SHIFT = 24, AXI_DMA_THRESHOLD_MOST = 255 };

/* Status: PG021 "MM2S_DMASR", PG034 "CDMASR"; the interrupts' bits as above, cleared by writing 1.
 */
#define AXI_DMA_HALTED (1u << 0) /* not in CDMA */
#define AXI_DMA_IDLE (1u << 1)
#define AXI_DMA_SG_INCLUDED (1u << 3)
#define AXI_DMA_INTERNAL (1u << 4) /* simple S2MM: also a packet longer than LENGTH */
#define AXI_DMA_SLAVE (1u << 5)
#define AXI_DMA_DECODE (1u << 6)
#define AXI_DMA_SG_INTERNAL (1u << 8) /* a descriptor that is marked as completed already */
#define AXI_DMA_SG_SLAVE (1u << 9)
#define AXI_DMA_SG_DECODE (1u << 10)
#define AXI_DMA_ERRORS 0x770u

/* Descriptors, at multiples of 0x40: PG021 "Scatter Gather Descriptor", PG034 "Scatter Gather
 * Transfer Descriptor Definition". Words of 32 bits. */
enum {
  AXI_DMA_WORD_NEXT = 0,    /* two words */
  AXI_DMA_WORD_ADDRESS = 2, /* two words; CDMA: the source */
  AXI_CDMA_WORD_TO = 4,     /* two words; AXI DMA: reserved */
  AXI_DMA_WORD_CONTROL = 6,
  AXI_DMA_WORD_STATUS = 7,
  AXI_DMA_WORDS = 8,
  AXI_DMA_DESCRIPTOR_BYTES = 0x40,
};
#define AXI_DMA_FIRST (1u << 27) /* control of MM2S, status of S2MM: a packet begins, ends */
#define AXI_DMA_LAST (1u << 26)
#define AXI_DMA_COMPLETED (1u << 31) /* status; then DecErr, SlvErr, IntErr */
#define AXI_DMA_ENDED_DECODE (1u << 30)
#define AXI_DMA_ENDED_SLAVE (1u << 29)
#define AXI_DMA_ENDED_INTERNAL (1u << 28)
#define AXI_DMA_BYTES 0x3FFFFFFu /* of control and status */

#endif
