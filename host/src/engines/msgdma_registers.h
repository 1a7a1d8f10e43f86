/* Registers and descriptors of Intel's (Altera's) Modular Scatter-Gather DMA: Embedded Peripherals
 * IP User Guide (683130), "Modular Scatter-Gather DMA Core", without the prefetcher.
 */
#ifndef AXM_MSGDMA_REGISTERS_H
#define AXM_MSGDMA_REGISTERS_H

enum { /* "Register Map of mSGDMA": the CSR slave */
       MSGDMA_STATUS = 0x00,
       MSGDMA_CONTROL = 0x04,
       MSGDMA_FILL = 0x08, /* descriptors that wait: 31:16 of the write master, 15:0 of the read */
       MSGDMA_RESPONSE_FILL = 0x0C,
};

/* "Status Register" */
#define MSGDMA_BUSY (1u << 0)
#define MSGDMA_RESETTING (1u << 6)
#define MSGDMA_STOPPED_ON_ERROR (1u << 7)
#define MSGDMA_STOPPED_ON_EARLY (1u << 8)
#define MSGDMA_IRQ (1u << 9) /* cleared by writing 1 */

/* "Control Register" */
#define MSGDMA_RESET (1u << 1)
#define MSGDMA_STOP_ON_ERROR (1u << 2)
#define MSGDMA_STOP_ON_EARLY (1u << 3)
#define MSGDMA_IRQ_ENABLE (1u << 4)

enum { /* "mSGDMA Descriptors": the descriptor slave, standard and extended */
       MSGDMA_READ_ADDRESS = 0x00,
       MSGDMA_WRITE_ADDRESS = 0x04,
       MSGDMA_LENGTH = 0x08,
       MSGDMA_STANDARD_CONTROL = 0x0C,
       MSGDMA_BURSTS = 0x0C, /* and a number of the user's; 0: as long as the master can */
       MSGDMA_STRIDES = 0x10,
       MSGDMA_READ_HIGH = 0x14,
       MSGDMA_WRITE_HIGH = 0x18,
       MSGDMA_EXTENDED_CONTROL = 0x1C,
};
#define MSGDMA_STRIDES_OF_ONE 0x00010001u

/* "Control Field" of a descriptor */
#define MSGDMA_FIRST (1u << 8) /* generate SOP, EOP */
#define MSGDMA_LAST (1u << 9)
#define MSGDMA_END_ON_EOP (1u << 12)
#define MSGDMA_IRQ_DONE (1u << 14)
#define MSGDMA_IRQ_EARLY (1u << 15)
#define MSGDMA_IRQ_ERRORS (0xFFu << 16)
#define MSGDMA_GO (1u << 31)

enum { /* "Response Port": reading the second word takes the response away */
       MSGDMA_RESPONSE_BYTES = 0x00,
       MSGDMA_RESPONSE_STATUS = 0x04,
};
#define MSGDMA_RESPONSE_ERRORS 0xFFu
#define MSGDMA_RESPONSE_EARLY (1u << 8)

#endif
