/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The interface between programs and the Axiometer driver.
 *
 * A channel (/dev/axm<device>c<channel>) is one DMA engine: writes become packets of the stream
 * into the design, reads take packets that come out of it. A file that is open for reading owns
 * the channel's receiving half, one open for writing its sending half; a half has one owner.
 *
 * By copying: write() sends one packet of 1 to 65536 bytes, read() takes one; a longer packet is
 * read in pieces of 65536 bytes.
 *
 * Without copying, by rings in shared memory: AXM_IOC_RINGS switches a half over, until it is
 * closed. The program maps its slots (AXM_IOC_INFO has the offsets) and its rings (struct axm_ring,
 * then axm_info.slots entries of submissions, then as many of completions). Sending, all slots are
 * the program's at first: it submits {slot, flags, bytes} and has the slot again when its
 * completion comes. Receiving, the device has them all at first: a completion has the received
 * bytes, and the slot goes back as a submission {slot, 0, most bytes}. Counts wrap at 2^32; an
 * entry's place is its count modulo axm_info.slots. The writer of a count stores it with release
 * order after the entries, the reader loads it with acquire order. AXM_IOC_KICK starts the
 * submissions of both halves of the file, collects completions, and can wait for them; fdatasync()
 * does the same without waiting, at two thirds of the cost. poll() reports a half with completions
 * that were not collected, or a sending half with nothing under way. A ring is mapped for writing,
 * so open the file for reading and writing; processes that share a channel by rings pass the file
 * on.
 *
 * Reserved members must be 0. A new member takes a reserved place and raises AXM_ABI_VERSION.
 */
#ifndef AXM_IOCTL_H
#define AXM_IOCTL_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define AXM_ABI_VERSION 2

#define AXM_RECEIVE 0
#define AXM_SEND 1

/* axm_info.flags */
#define AXM_CAN_RECEIVE (1u << 0)
#define AXM_CAN_SEND (1u << 1)
#define AXM_ANY_LENGTH (1u << 2) /* else packets are of whole beats */
#define AXM_COHERENT (1u << 3) /* the design reaches memory through the processor's caches */

/* slots and slot_bytes are those of the halves that the file owns; they may differ between two
 * opens (where memory is in pieces, slots are smaller and more), and after AXM_IOC_REGISTER.
 */
struct axm_info {
	__u32 abi_version;
	__u32 flags;
	__u32 slots[2];		/* of AXM_RECEIVE and AXM_SEND */
	__u32 slot_bytes[2];
	__u32 beat_bytes;
	__u32 address_bits;
	__u32 clock_hz;
	__u32 design_version;	/* major << 16 | minor << 8 | patch */
	__u64 slots_offset[2];	/* for mmap; receiving slots are read only */
	__u64 ring_offset[2];
	__u64 reserved[4];
};

/* axm_entry.flags */
#define AXM_LAST (1u << 0)	   /* the packet ends with this slot */
#define AXM_NO_INTERRUPT (1u << 1) /* its completion wakes no caller */

struct axm_entry {
	__u16 slot;
	__u16 flags;
	__u32 bytes;
};

struct axm_ring {
	__u32 submitted;	/* by the program */
	__u32 collected;	/* completions that the program has seen */
	__u32 reserved1[14];
	__u32 accepted;		/* submissions that the driver has taken */
	__u32 completed;	/* by the driver */
	__s32 error;		/* negative errno: why the half stopped; 0 */
	__u32 reserved2[13];
	struct axm_entry entries[]; /* slots submissions, slots completions */
};

/* Waits until one of the halves has this many completions (0: not this half), for at most
 * timeout_ns (0: no wait, all ones: no limit). A signal ends a limited wait with EINTR. An argument
 * of 0 means no wait.
 */
struct axm_kick {
	__u32 completions[2];
	__u64 timeout_ns;
	__u64 reserved;
};

/* The number of completions of a half for an interrupt, and the longest wait for that number. An
 * engine has one such counter: while both halves wait, the stricter setting holds.
 */
struct axm_coalesce {
	__u32 half;
	__u32 count;		/* 0 to 255 */
	__u32 clocks;		/* of the design, 0 (no limit) to 16320 */
	__u32 reserved;
};

/* The half's slots as a dma-buf; one that outlives the file, and counts as locked memory of the
 * user (RLIMIT_MEMLOCK), as do the pages of AXM_IOC_REGISTER. A program that has it mapped while
 * another device or half uses it frames its accesses by DMA_BUF_IOCTL_SYNC.
 */
struct axm_export {
	__u32 half;
	__u32 flags;		/* O_CLOEXEC */
	__s32 fd;		/* returned */
	__u32 reserved;
};

/* Other memory in place of the half's slots, until it is closed: a dma-buf (fd), or the program's
 * own (fd -1, address, both multiples of a page). Packets under way or unread are lost, so do this
 * directly after open. -EXDEV if a slot is not contiguous for the device.
 */
struct axm_register {
	__u32 half;
	__s32 fd;
	__u64 address;
	__u64 bytes;		/* of all slots; a power of two many */
	__u32 slot_bytes;	/* a multiple of the page */
	__u32 reserved;
};

struct axm_stats {
	__u64 sent_packets, sent_bytes;
	__u64 received_packets, received_bytes;
	__u64 faults;		/* transfers that did not end well */
	__u64 interrupts;
	__u64 refused;		/* impossible answers of the device */
	__u64 missed;		/* completions without their interrupt */
	__u64 discarded;	/* slots of packets that began before the half was opened */
	__u64 reserved[3];
};

#define AXM_IOC_INFO _IOR('x', 0x40, struct axm_info)
#define AXM_IOC_RINGS _IO('x', 0x41) /* its argument is the half */
#define AXM_IOC_KICK _IOW('x', 0x42, struct axm_kick)
#define AXM_IOC_EXPORT _IOWR('x', 0x43, struct axm_export)
#define AXM_IOC_COALESCE _IOW('x', 0x44, struct axm_coalesce)
#define AXM_IOC_STATS _IOR('x', 0x45, struct axm_stats)
#define AXM_IOC_REGISTER _IOW('x', 0x46, struct axm_register)

#endif
