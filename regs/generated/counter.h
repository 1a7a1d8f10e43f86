/* Generated from regs/counter.rdl by regs/generate.py; changes here are lost. */
/* free-running counter: offsets in bytes, masks and shifts of fields. */
#ifndef AXM_COUNTER_REGS_H
#define AXM_COUNTER_REGS_H

/* AXM_GET(word, AXM_X_REG__FIELD) is the number in a field of a word;
 * AXM_PUT(number, AXM_X_REG__FIELD) is a word with the number in the field. */
#ifndef AXM_GET
#define AXM_GET(word, field) (((word) & field##_MASK) >> field##_SHIFT)
#define AXM_PUT(number, field) (((number) << field##_SHIFT) & field##_MASK)
#endif

#define AXM_COUNTER_BLOCK_TYPE 9u
#define AXM_COUNTER_MAP_VERSION 1u

#define AXM_COUNTER_ID 0x000u
#define AXM_COUNTER_ID__BLOCK_TYPE_MASK 0xFFFFu
#define AXM_COUNTER_ID__BLOCK_TYPE_SHIFT 0u
#define AXM_COUNTER_ID__MAP_VERSION_MASK 0xFFFF0000u
#define AXM_COUNTER_ID__MAP_VERSION_SHIFT 16u

#define AXM_COUNTER_CAPS 0x004u
#define AXM_COUNTER_CAPS__BITS_MASK 0xFFu
#define AXM_COUNTER_CAPS__BITS_SHIFT 0u

#define AXM_COUNTER_CAPS2 0x008u
#define AXM_COUNTER_CAPS2__NONE_MASK 0xFFFFFFFFu
#define AXM_COUNTER_CAPS2__NONE_SHIFT 0u

#define AXM_COUNTER_CLOCK_HZ 0x00Cu
#define AXM_COUNTER_CLOCK_HZ__VALUE_MASK 0xFFFFFFFFu
#define AXM_COUNTER_CLOCK_HZ__VALUE_SHIFT 0u

#define AXM_COUNTER_TIME_LO 0x010u
#define AXM_COUNTER_TIME_LO__VALUE_MASK 0xFFFFFFFFu
#define AXM_COUNTER_TIME_LO__VALUE_SHIFT 0u

#define AXM_COUNTER_TIME_HI 0x014u
#define AXM_COUNTER_TIME_HI__VALUE_MASK 0xFFFFFFFFu
#define AXM_COUNTER_TIME_HI__VALUE_SHIFT 0u

#endif
