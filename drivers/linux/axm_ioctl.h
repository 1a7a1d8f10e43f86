/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * What programs and the Axiometer driver say to each other.
 *
 * A channel (/dev/axm<device>c<channel>) is one DMA engine: what is written becomes packets of the
 * stream into the design, what comes out of it is read. write() sends one packet, read() takes one;
 * a packet longer than a slot arrives in parts. A file that is open for reading owns the channel's
 * receiving half, one open for writing its sending half; a half has one owner.
 *
 * Zero copy: each half is a ring of slots, mapped at the offsets that AXM_IOC_INFO tells.
 * Sending: NEXT (AXM_SEND) gives a free slot, COMMIT sends it; in order.
 * Receiving: NEXT (AXM_RECEIVE) takes the oldest packet, RELEASE gives the oldest slots back.
 * A slot's memory may be touched only between NEXT and COMMIT or RELEASE.
 *
 * Reserved members must be 0. A new member takes a reserved place and raises AXM_ABI_VERSION.
 */
#ifndef AXM_IOCTL_H
#define AXM_IOCTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define AXM_ABI_VERSION 1

#define AXM_RECEIVE 0
#define AXM_SEND 1

/* axm_info.flags */
#define AXM_CAN_RECEIVE (1u << 0)
#define AXM_CAN_SEND (1u << 1)
#define AXM_ANY_LENGTH (1u << 2) /* else packets are of whole beats */

struct axm_info {
	__u32 abi_version;
	__u32 flags;
	__u32 slots;		/* of each half */
	__u32 slot_bytes;	/* longest packet */
	__u32 beat_bytes;
	__u32 address_bits;
	__u32 clock_hz;
	__u32 design_version;	/* major << 16 | minor << 8 | patch */
	__u64 receive_offset;	/* of the slots, for mmap (read only) */
	__u64 send_offset;
	__u64 reserved[4];
};

/* axm_slot.flags */
#define AXM_LAST (1u << 0)	/* the packet ends with this slot */
#define AXM_NO_INTERRUPT (1u << 1) /* COMMIT: its end wakes nobody */

struct axm_slot {
	__u32 half;		/* AXM_RECEIVE or AXM_SEND; COMMIT: AXM_SEND */
	__u32 flags;
	__u32 bytes;		/* NEXT: sending, its size; receiving, what came. COMMIT: to send */
	__u32 index;		/* NEXT: which of the half's slots */
	__u64 offset;		/* NEXT: where in the half's mapping */
	__u64 reserved;
};

struct axm_release {
	__u32 count;		/* of the oldest slots taken by NEXT */
	__u32 reserved;
};

/* How many completions make an interrupt, and how long the first waits for the others. */
struct axm_coalesce {
	__u32 count;		/* 0 to 255 */
	__u32 clocks;		/* of the design, 0 (for ever) to 16320 */
};

struct axm_stats {
	__u64 sent_packets, sent_bytes;
	__u64 received_packets, received_bytes;
	__u64 faults;		/* transfers that did not end well */
	__u64 interrupts;
	__u64 refused;		/* what the device said and could not be */
	__u64 reserved;
};

#define AXM_IOC_INFO _IOR('x', 0x40, struct axm_info)
#define AXM_IOC_NEXT _IOWR('x', 0x41, struct axm_slot)
#define AXM_IOC_COMMIT _IOW('x', 0x42, struct axm_slot)
#define AXM_IOC_RELEASE _IOW('x', 0x43, struct axm_release)
#define AXM_IOC_COALESCE _IOW('x', 0x44, struct axm_coalesce)
#define AXM_IOC_STATS _IOR('x', 0x45, struct axm_stats)

#endif
