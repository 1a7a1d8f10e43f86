/* Generated from regs/id.rdl by regs/generate.py; changes here are lost. */
/* identification block: offsets in bytes, masks and shifts of fields. */
#ifndef AXM_ID_REGS_H
#define AXM_ID_REGS_H

/* AXM_GET(word, AXM_X_REG__FIELD) is the number in a field of a word;
 * AXM_PUT(number, AXM_X_REG__FIELD) is a word with the number in the field. */
#ifndef AXM_GET
#define AXM_GET(word, field) (((word) & field##_MASK) >> field##_SHIFT)
#define AXM_PUT(number, field) (((number) << field##_SHIFT) & field##_MASK)
#endif

#define AXM_ID_BLOCK_TYPE 1u
#define AXM_ID_MAP_VERSION 1u

/* enum Top */
#define AXM_ID_TOP_OTHER 0u
#define AXM_ID_TOP_DMA 1u
#define AXM_ID_TOP_TRAFFIC 2u
#define AXM_ID_TOP_MASTER 3u
#define AXM_ID_TOP_CONVOLUTION 4u
#define AXM_ID_TOP_VENDOR 5u

#define AXM_ID_ID 0x000u
#define AXM_ID_ID__BLOCK_TYPE_MASK 0xFFFFu
#define AXM_ID_ID__BLOCK_TYPE_SHIFT 0u
#define AXM_ID_ID__MAP_VERSION_MASK 0xFFFF0000u
#define AXM_ID_ID__MAP_VERSION_SHIFT 16u

#define AXM_ID_CAPS 0x004u
#define AXM_ID_CAPS__TABLE_WORDS_MASK 0xFFFFu
#define AXM_ID_CAPS__TABLE_WORDS_SHIFT 0u

#define AXM_ID_CAPS2 0x008u
#define AXM_ID_CAPS2__NONE_MASK 0xFFFFFFFFu
#define AXM_ID_CAPS2__NONE_SHIFT 0u

#define AXM_ID_MAGIC 0x00Cu
#define AXM_ID_MAGIC__VALUE_MASK 0xFFFFFFFFu
#define AXM_ID_MAGIC__VALUE_SHIFT 0u

#define AXM_ID_VERSION 0x010u
#define AXM_ID_VERSION__PATCH_MASK 0xFFu
#define AXM_ID_VERSION__PATCH_SHIFT 0u
#define AXM_ID_VERSION__MINOR_MASK 0xFF00u
#define AXM_ID_VERSION__MINOR_SHIFT 8u
#define AXM_ID_VERSION__MAJOR_MASK 0xFF0000u
#define AXM_ID_VERSION__MAJOR_SHIFT 16u

#define AXM_ID_CLOCK_HZ 0x014u
#define AXM_ID_CLOCK_HZ__VALUE_MASK 0xFFFFFFFFu
#define AXM_ID_CLOCK_HZ__VALUE_SHIFT 0u

#define AXM_ID_BLOCKS 0x018u
#define AXM_ID_BLOCKS__VALUE_MASK 0xFFFFFFFFu
#define AXM_ID_BLOCKS__VALUE_SHIFT 0u

#define AXM_ID_DESIGN 0x01Cu
#define AXM_ID_DESIGN__TOP_MASK 0xFFu
#define AXM_ID_DESIGN__TOP_SHIFT 0u
#define AXM_ID_DESIGN__PORTS_MASK 0xFF00u
#define AXM_ID_DESIGN__PORTS_SHIFT 8u
#define AXM_ID_DESIGN__DATA_BYTES_MASK 0xFF0000u
#define AXM_ID_DESIGN__DATA_BYTES_SHIFT 16u
#define AXM_ID_DESIGN__VARIANT_MASK 0xFF000000u
#define AXM_ID_DESIGN__VARIANT_SHIFT 24u

#define AXM_ID_TABLE 0x100u
#define AXM_ID_TABLE_COUNT 64u
#define AXM_ID_TABLE_STRIDE 4u

#endif
