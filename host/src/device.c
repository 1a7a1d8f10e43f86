/* Finds the design and its blocks: see axm/device.h. */
#include "axm/device.h"

#include "generated/id.h"
#include "registers.h"

enum { WINDOW_BITS = 12 };

enum axm_status axm_read(const struct axm_block *block, uint32_t offset, uint32_t *value) {
  return block->hal->read32(block->hal->self, block->base + offset, value);
}

enum axm_status axm_write(const struct axm_block *block, uint32_t offset, uint32_t value) {
  return block->hal->write32(block->hal->self, block->base + offset, value);
}

enum axm_status axm_read64(const struct axm_block *block, uint32_t offset, uint64_t *value) {
  uint32_t low = 0;
  uint32_t high = 0;
  AXM_TRY(axm_read(block, offset, &low));
  AXM_TRY(axm_read(block, offset + 4, &high));
  *value = (uint64_t)high << 32 | low;
  return AXM_OK;
}

enum axm_status axm_write64(const struct axm_block *block, uint32_t offset, uint64_t value) {
  AXM_TRY(axm_write(block, offset, (uint32_t)value));
  return axm_write(block, offset + 4, (uint32_t)(value >> 32));
}

enum axm_status axm_open(struct axm_device *device, const struct axm_hal *hal, uint64_t base) {
  const struct axm_block window = {.hal = hal, .base = base};
  uint32_t word = 0;
  if (hal->fabric != NULL)
    AXM_TRY(hal->fabric(hal->self));
  AXM_TRY(axm_read(&window, AXM_ID_MAGIC, &word));
  if (word != AXM_MAGIC)
    return AXM_ERROR_MAGIC;
  AXM_TRY(axm_read(&window, AXM_ID_ID, &word));
  if (AXM_GET(word, AXM_ID_ID__BLOCK_TYPE) != AXM_BLOCK_ID)
    return AXM_ERROR_MAGIC;
  if (AXM_GET(word, AXM_ID_ID__MAP_VERSION) != AXM_ID_MAP_VERSION)
    return AXM_ERROR_VERSION;
  AXM_TRY(axm_read(&window, AXM_ID_BLOCKS, &word));
  /* A design without blocks, or with more than the table holds, is a misread one. */
  if (word == 0 || word > AXM_ID_TABLE_COUNT)
    return AXM_ERROR_MAGIC;
  *device = (struct axm_device){.hal = hal, .base = base, .blocks = word};
  return AXM_OK;
}

enum axm_status axm_device_describe(const struct axm_device *device, struct axm_device_info *info) {
  const struct axm_block window = {.hal = device->hal, .base = device->base};
  uint32_t version = 0;
  uint32_t design = 0;
  uint32_t clock = 0;
  AXM_TRY(axm_read(&window, AXM_ID_VERSION, &version));
  AXM_TRY(axm_read(&window, AXM_ID_DESIGN, &design));
  AXM_TRY(axm_read(&window, AXM_ID_CLOCK_HZ, &clock));
  *info = (struct axm_device_info){
      .major = AXM_GET(version, AXM_ID_VERSION__MAJOR),
      .minor = AXM_GET(version, AXM_ID_VERSION__MINOR),
      .patch = AXM_GET(version, AXM_ID_VERSION__PATCH),
      .clock_hz = clock,
      .blocks = device->blocks,
      .top = AXM_GET(design, AXM_ID_DESIGN__TOP),
      .ports = AXM_GET(design, AXM_ID_DESIGN__PORTS),
      .data_bytes = AXM_GET(design, AXM_ID_DESIGN__DATA_BYTES),
      .variant = AXM_GET(design, AXM_ID_DESIGN__VARIANT),
  };
  return AXM_OK;
}

/* The word of the table for block `index`. */
static enum axm_status table_word(const struct axm_device *device, uint32_t index, uint32_t *word) {
  const struct axm_block window = {.hal = device->hal, .base = device->base};
  return axm_read(&window, AXM_ID_TABLE + index * AXM_ID_TABLE_STRIDE, word);
}

static enum axm_status describe(const struct axm_device *device, uint32_t index, uint32_t word,
                                struct axm_block_info *info) {
  *info = (struct axm_block_info){
      .block = {.hal = device->hal, .base = device->base + ((uint64_t)index << WINDOW_BITS)},
      .index = index,
      .type = word & 0xffffu,
      .port = word >> 16 & 0xffu,
      .instance = word >> 24,
  };
  uint32_t identity = 0;
  AXM_TRY(axm_read(&info->block, AXM_ID_ID, &identity));
  if (AXM_GET(identity, AXM_ID_ID__BLOCK_TYPE) != info->type)
    return AXM_ERROR_TYPE;
  info->map_version = AXM_GET(identity, AXM_ID_ID__MAP_VERSION);
  AXM_TRY(axm_read(&info->block, AXM_ID_CAPS, &info->caps));
  return axm_read(&info->block, AXM_ID_CAPS2, &info->caps2);
}

enum axm_status axm_device_block(const struct axm_device *device, uint32_t index,
                                 struct axm_block_info *info) {
  if (index >= device->blocks)
    return AXM_ERROR_TYPE;
  uint32_t word = 0;
  AXM_TRY(table_word(device, index, &word));
  return describe(device, index, word, info);
}

enum axm_status axm_device_find(const struct axm_device *device, enum axm_block_type type,
                                uint32_t port, uint32_t nth, struct axm_block_info *info) {
  for (uint32_t index = 0; index < device->blocks; ++index) {
    uint32_t word = 0;
    AXM_TRY(table_word(device, index, &word));
    if ((word & 0xffffu) != (uint32_t)type)
      continue;
    if (port != AXM_NO_PORT && (word >> 16 & 0xffu) != port)
      continue;
    if (nth-- == 0)
      return describe(device, index, word, info);
  }
  return AXM_ERROR_TYPE;
}
