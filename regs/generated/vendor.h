/* Generated from regs/vendor.rdl by regs/generate.py; changes here are lost. */
/* vendor's engine: offsets in bytes, masks and shifts of fields. */
#ifndef AXM_VENDOR_REGS_H
#define AXM_VENDOR_REGS_H

/* AXM_GET(word, AXM_X_REG__FIELD) is the number in a field of a word;
 * AXM_PUT(number, AXM_X_REG__FIELD) is a word with the number in the field. */
#ifndef AXM_GET
#define AXM_GET(word, field) (((word) & field##_MASK) >> field##_SHIFT)
#define AXM_PUT(number, field) (((number) << field##_SHIFT) & field##_MASK)
#endif

#define AXM_VENDOR_BLOCK_TYPE 14u
#define AXM_VENDOR_MAP_VERSION 1u

/* enum Engine */
#define AXM_VENDOR_ENGINE_NONE 0u
#define AXM_VENDOR_ENGINE_AXI_DMA 1u
#define AXM_VENDOR_ENGINE_AXI_DMA_SG 2u
#define AXM_VENDOR_ENGINE_AXI_CDMA 3u
#define AXM_VENDOR_ENGINE_AXI_CDMA_SG 4u
#define AXM_VENDOR_ENGINE_AXI_TRAFFIC_GEN 5u
#define AXM_VENDOR_ENGINE_MSGDMA 6u

#define AXM_VENDOR_ID 0x000u
#define AXM_VENDOR_ID__BLOCK_TYPE_MASK 0xFFFFu
#define AXM_VENDOR_ID__BLOCK_TYPE_SHIFT 0u
#define AXM_VENDOR_ID__MAP_VERSION_MASK 0xFFFF0000u
#define AXM_VENDOR_ID__MAP_VERSION_SHIFT 16u

#define AXM_VENDOR_CAPS 0x004u
#define AXM_VENDOR_CAPS__ENGINE_MASK 0xFu
#define AXM_VENDOR_CAPS__ENGINE_SHIFT 0u
#define AXM_VENDOR_CAPS__UNALIGNED_MASK 0x10u
#define AXM_VENDOR_CAPS__UNALIGNED_SHIFT 4u
#define AXM_VENDOR_CAPS__COHERENT_MASK 0x20u
#define AXM_VENDOR_CAPS__COHERENT_SHIFT 5u
#define AXM_VENDOR_CAPS__LENGTH_BITS_MASK 0x3F00u
#define AXM_VENDOR_CAPS__LENGTH_BITS_SHIFT 8u
#define AXM_VENDOR_CAPS__ADDRESS_BITS_MASK 0x7F0000u
#define AXM_VENDOR_CAPS__ADDRESS_BITS_SHIFT 16u
#define AXM_VENDOR_CAPS__DATA_LOG2_MASK 0xF000000u
#define AXM_VENDOR_CAPS__DATA_LOG2_SHIFT 24u
#define AXM_VENDOR_CAPS__LINES_MASK 0xF0000000u
#define AXM_VENDOR_CAPS__LINES_SHIFT 28u

#define AXM_VENDOR_CAPS2 0x008u
#define AXM_VENDOR_CAPS2__VALUE_MASK 0xFFFFFFFFu
#define AXM_VENDOR_CAPS2__VALUE_SHIFT 0u

#define AXM_VENDOR_STATUS 0x00Cu
#define AXM_VENDOR_STATUS__LINES_MASK 0xFFu
#define AXM_VENDOR_STATUS__LINES_SHIFT 0u

#endif
